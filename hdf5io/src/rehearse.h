/* rehearse.h - find out whether some work kills the process, by a child's death.
 *
 * HDF5 trusts parts of a file, above all the lengths of variable-length strings:
 * a damaged one can crash it or keep it busy for ever. So a child process goes
 * first; nothing of it is seen.
 *
 * Threads    any; the child is a fork and runs only `work`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_REHEARSE_H
#define SCOPE_HDF5_REHEARSE_H

#include <stdbool.h>

/* false: the child died of a signal, used more than so much CPU time, or had
 * something printed. true also where no child could be had. */
bool scope_rehearse(void (*work)(void *context), void *context, unsigned cpu_seconds);

/* From `work`: so much more is known to be needed. Nothing happens outside of it. */
void scope_rehearse_allow(unsigned cpu_seconds);

#endif
