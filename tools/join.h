/* join.h - several profiles as one: one timeline, each rank once, one file.
 *
 * Units      ns.
 * Ownership  parts stay their owners', but are changed: mapped to one clock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JOIN_H
#define SCOPE_JOIN_H

#include <stdbool.h>

#include <scope/calls.h>

typedef struct join_part {
    scope_calls *calls;
    const char *path; /* for messages */
} join_part;

/* false: two parts have a rank in common, which *collision says. */
bool join_distinct(const join_part *parts, size_t count, scope_collision *collision);

/* Give each part ranks of its own, in the order of the parts. MPI peers keep the
 * numbers they had in their own run. */
void join_renumber(join_part *parts, size_t count);

/* Map all parts to the clock of the part with the lowest rank. Parts of one boot
 * share a clock; others are placed by CLOCK_REALTIME, and their bound is unknown. */
void join_clocks(join_part *parts, size_t count);

/* Merge and write; says on stderr what failed. Status 0: written. `keep`: ERR_STATE, and
 * nothing said, where there is such a file by the time it is written. */
scope_status join_write(const char *command, const join_part *parts, size_t count,
                        const char *output, const char *compression, bool keep);

#endif
