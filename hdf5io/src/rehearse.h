/* rehearse.h - find out whether some work kills the process, by a child's death.
 *
 * HDF5 trusts parts of a file, above all the lengths of variable-length strings:
 * a damaged one can crash it, keep it busy for ever, or make it ask for gigabytes. So a
 * child process goes first; nothing of it is seen.
 *
 * Threads    any; the child is a fork and runs only `work`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_REHEARSE_H
#define SCOPE_HDF5_REHEARSE_H

#include <stdbool.h>
#include <stdint.h>

/* The child may use so much CPU time, and so much memory more than it has at its start. */
typedef struct scope_rehearse_limits {
    unsigned cpu_seconds;
    uint64_t memory_bytes;
} scope_rehearse_limits;

/* false: the child died of a signal, used too much time, or had something printed. Too much
 * memory is an allocation that fails. true also where no child could be had. */
bool scope_rehearse(void (*work)(void *context), void *context,
                    const scope_rehearse_limits *limits);

/* From `work`: so much more is known to be needed. Nothing happens outside of it. */
void scope_rehearse_allow(unsigned cpu_seconds, uint64_t memory_bytes);

#endif
