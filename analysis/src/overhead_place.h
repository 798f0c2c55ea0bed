/* overhead_place.h - which calls are inside which, kept ones and folded ones.
 *
 * The kept calls of one rank by id: ids are dense and a parent's is below its child's,
 * but for damaged files. Folded calls are put into the innermost kept call of their lane
 * that spans all of their row.
 *
 * Ownership  kept_free; the list of folded rows is malloc'd.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OVERHEAD_PLACE_H
#define SCOPE_OVERHEAD_PLACE_H

#include <scope/calls.h>

#define KEPT_NONE UINT32_MAX

typedef struct kept_calls {
    const scope_calls *calls;
    uint64_t count; /* 0: nothing is known of what is inside what */
    int64_t least_id;
    uint32_t *parent;  /* by id - least_id; KEPT_NONE: a root */
    uint32_t *group;   /* of the caller's */
    double *nested_ns; /* cost of calls inside, at any depth */
    uint64_t *row;
} kept_calls;

typedef struct folded_row {
    const scope_sum_row *sum;
    uint32_t inside; /* a place of kept_calls; KEPT_NONE */
    int is_direct;   /* none of the calls of that span is inside another folded one */
} folded_row;

/* Pairs [first, end) are the rank's. count 0 afterwards: they have no usable ids. */
scope_status kept_start(kept_calls *kept, const scope_calls *calls, size_t first, size_t end);
void kept_free(kept_calls *kept);

/* The call of a row belongs to this group; 0: its ids are damaged. Each row once. */
int kept_enter(kept_calls *kept, uint64_t row, uint32_t group);

/* All sums of a table by rank, then by their start; none is placed. */
scope_status folded_list(const scope_calls *calls, folded_row **rows);

/* Place those of the rank, `count` of them in the order of the list. */
scope_status kept_place(const kept_calls *kept, const scope_calls *calls, folded_row *rows,
                        size_t count);

#endif
