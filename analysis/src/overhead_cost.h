/* overhead_cost.h - what recording a call took, from what a rank measured and how long the
 * call was; the rules are in FORMAT.md.
 *
 * Units      ns.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OVERHEAD_COST_H
#define SCOPE_OVERHEAD_COST_H

#include <scope/calls.h>

typedef struct rank_cost {
    int32_t rank;
    double pair_ns, inside_ns; /* of an empty call */
    double long_pair_ns, long_inside_ns;
} rank_cost;

typedef struct call_cost { /* of one call */
    double pair_ns, inside_ns;
} call_cost;

/* The rank's figures can be true. */
int cost_is_known(const scope_rank_row *row);
rank_cost cost_from(const scope_rank_row *row);

call_cost cost_of_call(const rank_cost *rank, double duration_ns);

/* Of each of the row's calls, on average: by its histogram, for a mean says little where a
 * few calls were interrupted. By the mean where it has none. */
call_cost cost_of_folded(const rank_cost *rank, const scope_sum_row *sum);

#endif
