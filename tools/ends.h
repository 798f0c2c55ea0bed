/* ends.h - how a rank ended, for people: what `scope recover` says and puts into the file.
 *
 *     rank 1: killed, 20000 calls (node7, pid 4711)
 *             last event 2.413 s after its start; open: main loop > work
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ENDS_H
#define SCOPE_ENDS_H

#include <stdio.h>

#include <scope/calls.h>

/* Of the rank whose recording `calls` is; `note` ends the first line, "" for none. */
void ends_print(FILE *out, const scope_calls *calls, const char *note);

#endif
