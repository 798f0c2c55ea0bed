/* ranks.h - which part has the rows of which rank.
 *
 * Threads    none.
 * Errors     ERR_MEMORY, ERR_ARGUMENT.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ANALYSIS_RANKS_H
#define SCOPE_ANALYSIS_RANKS_H

#include <scope/calls.h>

typedef struct rank_part {
    int32_t rank;
    size_t part;
} rank_part;

/* Every rank that has rows, once, with its part; by rank. The caller frees `rows`, also
 * after ERR_ARGUMENT: two parts have rows of one rank, *collision the first such. */
scope_status ranks_list(scope_calls *const *parts, size_t part_count, rank_part **rows,
                        size_t *count, scope_collision *collision);

#endif
