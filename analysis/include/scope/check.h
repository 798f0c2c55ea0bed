/* check.h - tables that somebody else made: is it one, and the order that all rely on.
 *
 * Readers of files and of Python's parts fill a table with what they are told, then call
 * scope_calls_check, scope_calls_check_times and scope_calls_order; what passes can be walked
 * over without a look at any number in it.
 *
 * Threads    none, as calls.h.
 * Errors     ERR_CORRUPT: it is no call table, and `why` says so ("a pair reaches beyond the
 *            columns"). ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CHECK_H
#define SCOPE_CHECK_H

#include <scope/calls.h>

enum { SCOPE_WHY_BYTES = 160 };

/* Ranks, regions, communicators and rows that are named are there, and no row is of two pairs.
 * Order and times are not looked at. */
scope_status scope_calls_check(const scope_calls *calls, char why[SCOPE_WHY_BYTES]);

/* Starts and durations are within SCOPE_TIME_MAX_NS. */
scope_status scope_calls_check_times(const scope_calls *calls, char why[SCOPE_WHY_BYTES]);

/* Of a table that passed: pairs by rank, their rows one after the other without gaps, messages
 * with their rows, threads and tasks by rank and index; rank_count counts all ranks that have
 * rows. Rows of no pair go. Arrays that change are new, in the table's memory. */
scope_status scope_calls_order(scope_calls *calls);

/* Do the calls of this rank nest, on each lane? ERR_NESTING: `clash` is the rows of two that do
 * not; the same one twice: it ends before it starts. */
scope_status scope_calls_clash(const scope_calls *calls, int32_t rank, uint64_t clash[2]);

/* Earliest start and latest end of the calls; 0 where there are none. */
void scope_calls_span(const scope_calls *calls, int64_t *first_ns, int64_t *last_ns);

#endif
