/* relatives.h - recordings of the processes that this one came from.
 *
 *     parent     records, run.h5          alive: its lock is on its spool
 *       fork, exec
 *     child      would write run.h5, too  -> run.h5.child-<pid>
 *
 *     image      records, then exec       its spool stays: same pid, same start, no lock
 *     image      the same process         -> says so, and writes its own file
 *
 * Known by what lies in the spool folder: nothing has to be handed down, and a program
 * that clears its environment is found all the same. A recording in memory has no relatives.
 *
 * Threads    find under the engine lock, allocates nothing; the others read only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RELATIVES_H
#define SCOPE_RELATIVES_H

#include <stdbool.h>

/* Look for them, once per process: the recording's spool has just been made. */
void scope_relatives_find(void);

/* An ancestor was to write the file that this process is to write when this one first recorded. It
 * stays so: a child keeps its name, also when its parent has written and is gone. */
bool scope_relatives_have_output(void);

/* The spool that this process left before it executed this program; NULL: none. */
const char *scope_relatives_left(void);

#endif
