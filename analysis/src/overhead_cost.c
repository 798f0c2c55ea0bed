/* overhead_cost.c - see overhead_cost.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "overhead_cost.h"

#define LEAST_NS 1e-3 /* what is not between is no cost of a call, but damage */
#define MOST_NS 1e9
#define EMPTY_INSIDES 1.1 /* a call of up to so many `inside` looks empty, */
#define LONG_PAIRS 1.35   /* one from so many `pair` on costs what a long one does; FORMAT.md */
#define BUCKETS 64
#define PLACES 8 /* in a bucket, evenly spread: the cost is no straight line there */

static int is_between(double ns, double least, double most)
{
    return ns >= least && ns <= most; /* no NaN is */
}

int cost_is_known(const scope_rank_row *row)
{
    return is_between(row->overhead_pair_ns, LEAST_NS, MOST_NS) &&
           is_between(row->overhead_inside_ns, 0, row->overhead_pair_ns);
}

/* A rank that says nothing of long calls: they cost what empty ones do. */
rank_cost cost_from(const scope_rank_row *row)
{
    const double pair = row->overhead_pair_ns, inside = row->overhead_inside_ns;
    const int has_long = is_between(row->overhead_long_pair_ns, LEAST_NS, pair) &&
                         is_between(row->overhead_long_inside_ns, -pair, pair);
    return (rank_cost){row->rank, pair, inside, has_long ? row->overhead_long_pair_ns : pair,
                       has_long ? row->overhead_long_inside_ns : inside};
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* What was measured of calls of many lengths, in few lines. While the recorder's own work
 * takes all the time, a call is recorded as empty however short it is: the middle of what
 * it may cost. Where it starts to take longer, little of it is inside, and from somewhat
 * more than `pair` on it costs what a long one does. */
call_cost cost_of_call(const rank_cost *rank, double duration_ns)
{
    const double edge_ns = EMPTY_INSIDES * rank->inside_ns, long_ns = LONG_PAIRS * rank->pair_ns;
    if (duration_ns >= long_ns)
        return (call_cost){rank->long_pair_ns, rank->long_inside_ns};
    if (duration_ns <= edge_ns)
        return (call_cost){greater(rank->pair_ns - rank->inside_ns / 2, rank->long_pair_ns),
                           greater(rank->inside_ns / 2, rank->long_inside_ns)};
    const double pair_ns = greater(rank->pair_ns - rank->inside_ns, rank->long_pair_ns);
    const double inside_ns = greater(0, rank->long_inside_ns);
    const double part = (duration_ns - edge_ns) / (long_ns - edge_ns);
    return (call_cost){pair_ns + part * (rank->long_pair_ns - pair_ns),
                       inside_ns + part * (rank->long_inside_ns - inside_ns)};
}

static double within(double ns, const scope_sum_row *sum)
{
    const double least = (double)sum->minimum_ns, most = (double)sum->maximum_ns;
    return ns < least ? least : ns > most && most >= least ? most : ns;
}

/* [2^b, 2^(b+1)), 0 in bucket 0 */
static call_cost cost_of_bucket(const rank_cost *rank, const scope_sum_row *sum, unsigned bucket)
{
    const double low = bucket ? (double)(UINT64_C(1) << bucket) : 0;
    const double high = 2.0 * (double)(UINT64_C(1) << bucket);
    call_cost mean = {0, 0};
    for (int i = 0; i < PLACES; i++) {
        const call_cost one =
            cost_of_call(rank, within(low + (high - low) * (i + 0.5) / PLACES, sum));
        mean.pair_ns += one.pair_ns / PLACES;
        mean.inside_ns += one.inside_ns / PLACES;
    }
    return mean;
}

call_cost cost_of_folded(const rank_cost *rank, const scope_sum_row *sum)
{
    double all = 0;
    unsigned fullest = 0;
    for (unsigned b = 0; b < BUCKETS; b++) {
        all += sum->histogram[b];
        fullest = sum->histogram[b] > sum->histogram[fullest] ? b : fullest;
    }
    if (all <= 0)
        return cost_of_call(rank, (double)sum->total_ns / (double)sum->count);
    const double more = greater((double)sum->count - all, 0); /* a full bucket counts no further */
    call_cost mean = {0, 0};
    for (unsigned b = 0; b < BUCKETS; b++) {
        const double part = (sum->histogram[b] + (b == fullest ? more : 0)) / (all + more);
        if (part <= 0)
            continue;
        const call_cost one = cost_of_bucket(rank, sum, b);
        mean.pair_ns += part * one.pair_ns;
        mean.inside_ns += part * one.inside_ns;
    }
    return mean;
}
