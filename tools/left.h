/* left.h - the run that would have written a file that is missing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_LEFT_H
#define SCOPE_LEFT_H

/* Says which run left its recording where recordings go and was to write `path`, and the
 * command that makes the file. Silent if there is none, or if `path` is there. */
void left_hint(const char *command, const char *path);

#endif
