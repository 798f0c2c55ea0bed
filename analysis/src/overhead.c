/* overhead.c - see overhead.h.
 *
 *     per rank: id -> parent, group; folded calls are put into kept ones; then from the
 *     last id to the first each call counts, with all that is inside it, in its parent
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/overhead.h>
#include <scope/wrap.h>

#include <stdlib.h>

#include "overhead_cost.h"
#include "overhead_place.h"

typedef struct group { /* of a row of the summaries */
    int32_t rank;
    uint32_t region;
    int64_t lane;
    size_t row;
} group;

typedef struct sums {
    double overhead, total, exclusive; /* to be taken off */
    int64_t unplaced;
    int has_unknown_cost, has_unknown_nesting;
} sums;

typedef struct filling {
    const scope_calls *calls;
    scope_summary_by by;
    group *groups; /* sorted */
    sums *sums;    /* per row of the summaries */
    size_t group_count;
    rank_cost *costs; /* sorted by rank; known ones only */
    size_t cost_count;
} filling;

/* ---- keys ---- */

static int compare_groups(const void *a, const void *b)
{
    const group *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

static sums *sums_of(const filling *to, int32_t rank, uint32_t region, int64_t lane)
{
    const group key = {.rank = to->by == SCOPE_BY_REGION ? -1 : rank,
                       .region = region,
                       .lane = to->by == SCOPE_BY_LANE ? lane : INT64_MIN};
    const group *found = bsearch(&key, to->groups, to->group_count, sizeof key, compare_groups);
    return found ? &to->sums[found->row] : NULL;
}

static int compare_costs(const void *a, const void *b)
{
    const rank_cost *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static const rank_cost *cost_of(const filling *to, int32_t rank)
{
    const rank_cost key = {.rank = rank};
    return to->cost_count ? bsearch(&key, to->costs, to->cost_count, sizeof key, compare_costs)
                          : NULL;
}

int scope_overhead_is_known(const scope_calls *calls)
{
    for (size_t i = 0; i < calls->rank_row_count; i++)
        if (cost_is_known(&calls->ranks[i]))
            return 1;
    return 0;
}

/* ---- sums ---- */

static void add_own(sums *to, call_cost cost, double count)
{
    to->overhead += count * cost.pair_ns;
    to->total += count * cost.inside_ns;
    to->exclusive += count * cost.inside_ns;
}

static void add_direct(sums *to, call_cost cost, double count)
{
    to->exclusive += count * (cost.pair_ns - cost.inside_ns);
}

/* ---- one rank ---- */

typedef struct rank_part {
    size_t first, end;         /* pairs */
    size_t first_sum, end_sum; /* in the list of folded rows */
    int32_t rank;
} rank_part;

/* Each call of the rank, with what is summed up for its group; NULL: the summaries lack it. */
static void each_row(const filling *to, const rank_part *part,
                     void (*take)(void *context, uint64_t row, sums *sums), void *context)
{
    for (size_t p = part->first; p < part->end; p++) {
        const scope_pair *pair = &to->calls->pairs[p];
        const uint64_t end = pair->first + scope_calls_pair_rows(to->calls, pair);
        int64_t lane = INT64_MIN;
        sums *found = NULL;
        for (uint64_t row = pair->first; row < end; row++) {
            const int64_t other = to->by == SCOPE_BY_LANE ? scope_calls_lane(to->calls, row) : 0;
            if (row == pair->first || other != lane)
                found = sums_of(to, pair->rank, pair->region, other);
            lane = other;
            take(context, row, found);
        }
    }
}

typedef struct own_context {
    const scope_calls *calls;
    const rank_cost *cost;
    kept_calls *kept;
    const sums *base;
    int damaged;
} own_context;

static void take_own(void *context, uint64_t row, sums *sums)
{
    own_context *own = context;
    if (!sums) {
        own->damaged = 1; /* these rows are not this table's */
        return;
    }
    if (own->cost)
        add_own(sums, cost_of_call(own->cost, (double)own->calls->duration_ns[row]), 1);
    else
        sums->has_unknown_cost = 1;
    if (own->kept->count)
        own->damaged |= !kept_enter(own->kept, row, (uint32_t)(sums - own->base));
}

static void mark_unknown(void *context, uint64_t row, sums *sums)
{
    (void)context;
    (void)row;
    if (sums)
        sums->has_unknown_nesting = 1;
}

static void add_folded(const filling *to, const rank_cost *cost, kept_calls *kept,
                       const folded_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const scope_sum_row *sum = rows[i].sum;
        sums *own = sums_of(to, sum->rank, sum->region, sum->lane);
        if (!own || sum->count <= 0)
            continue;
        if (!cost) {
            own->has_unknown_cost = 1;
            continue;
        }
        const double count = (double)sum->count;
        const call_cost each = cost_of_folded(cost, sum);
        add_own(own, each, count);
        if (!kept->count || rows[i].inside == KEPT_NONE) {
            own->unplaced = wrap_add(own->unplaced, sum->count);
            continue;
        }
        kept->nested_ns[rows[i].inside] += count * each.pair_ns;
        if (rows[i].is_direct)
            add_direct(&to->sums[kept->group[rows[i].inside]], each, count);
    }
}

static void add_nested(const filling *to, const rank_cost *cost, kept_calls *kept)
{
    for (uint64_t id = kept->count; id-- > 0;) {
        const uint32_t parent = kept->parent[id];
        to->sums[kept->group[id]].total += kept->nested_ns[id];
        if (parent == KEPT_NONE)
            continue;
        const call_cost each = cost_of_call(cost, (double)to->calls->duration_ns[kept->row[id]]);
        kept->nested_ns[parent] += kept->nested_ns[id] + each.pair_ns;
        add_direct(&to->sums[kept->group[parent]], each, 1);
    }
}

static scope_status fill_rank(const filling *to, const rank_part *part, folded_row *folded)
{
    const rank_cost *cost = cost_of(to, part->rank);
    const size_t folded_count = part->end_sum - part->first_sum;
    folded_row *rows = folded ? folded + part->first_sum : NULL;
    kept_calls kept = {0};
    own_context own = {.calls = to->calls, .cost = cost, .kept = &kept, .base = to->sums};
    scope_status status = SCOPE_OK;
    if (cost)
        status = kept_start(&kept, to->calls, part->first, part->end);
    if (status == SCOPE_OK) {
        each_row(to, part, take_own, &own);
        if (own.damaged || (cost && !kept.count)) {
            each_row(to, part, mark_unknown, NULL);
            kept.count = 0;
        }
        if (kept.count && folded_count)
            status = kept_place(&kept, to->calls, rows, folded_count);
    }
    if (status == SCOPE_OK) {
        add_folded(to, cost, &kept, rows, folded_count);
        if (cost)
            add_nested(to, cost, &kept);
    }
    kept_free(&kept);
    return status;
}

/* ---- all ---- */

static scope_status prepare(filling *to, const scope_summaries *summaries)
{
    const scope_calls *calls = to->calls;
    to->groups = malloc((summaries->count + 1) * sizeof *to->groups);
    to->sums = calloc(summaries->count + 1, sizeof *to->sums);
    to->costs = malloc((calls->rank_row_count + 1) * sizeof *to->costs);
    if (!to->groups || !to->sums || !to->costs)
        return SCOPE_ERR_MEMORY;
    to->group_count = summaries->count;
    for (size_t i = 0; i < summaries->count; i++) {
        const scope_summary *row = &summaries->rows[i];
        to->groups[i] = (group){row->rank, row->region, row->lane, i};
    }
    if (to->group_count)
        qsort(to->groups, to->group_count, sizeof *to->groups, compare_groups);
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const scope_rank_row *row = &calls->ranks[i];
        if (cost_is_known(row))
            to->costs[to->cost_count++] = cost_from(row);
    }
    if (to->cost_count)
        qsort(to->costs, to->cost_count, sizeof *to->costs, compare_costs);
    return SCOPE_OK;
}

/* Rank after rank; both tables are walked once. */
static scope_status fill_ranks(const filling *to, folded_row *folded, size_t folded_count)
{
    const scope_calls *calls = to->calls;
    scope_status status = SCOPE_OK;
    size_t pair = 0, sum = 0;
    while (status == SCOPE_OK && (pair < calls->pair_count || sum < folded_count)) {
        const int take_pair =
            pair < calls->pair_count &&
            (sum == folded_count || calls->pairs[pair].rank <= folded[sum].sum->rank);
        rank_part part = {pair, pair, sum, sum,
                          take_pair ? calls->pairs[pair].rank : folded[sum].sum->rank};
        while (part.end < calls->pair_count && calls->pairs[part.end].rank == part.rank)
            part.end++;
        while (part.end_sum < folded_count && folded[part.end_sum].sum->rank == part.rank)
            part.end_sum++;
        status = fill_rank(to, &part, folded);
        pair = part.end;
        sum = part.end_sum;
    }
    return status;
}

/* Never more than there was: that the readings of a long call's clock hide some of it is
 * no time of the recorder's. */
static int64_t without(int64_t ns, double overhead)
{
    const double left = (double)ns - (overhead > 0 ? overhead : 0);
    return left >= 9e18 ? INT64_MAX : left > 0 ? (int64_t)(left + 0.5) : 0;
}

static void finish(scope_summary *row, const sums *sums)
{
    row->unplaced_count = sums->unplaced;
    row->overhead_ns = row->corrected_total_ns = row->corrected_exclusive_ns = -1;
    if (sums->has_unknown_cost)
        return;
    row->overhead_ns = sums->overhead < 9e18 ? (int64_t)(sums->overhead + 0.5) : INT64_MAX;
    if (sums->has_unknown_nesting || row->total_ns < 0)
        return;
    row->corrected_total_ns = without(row->total_ns, sums->total);
    if (row->exclusive_ns >= 0)
        row->corrected_exclusive_ns = without(row->exclusive_ns, sums->exclusive);
}

scope_status scope_overhead_fill(const scope_calls *calls, scope_summary_by by,
                                 scope_summaries *summaries)
{
    filling to = {.calls = calls, .by = by};
    folded_row *folded = NULL;
    scope_status status = prepare(&to, summaries);
    if (status == SCOPE_OK && calls->sum_count)
        status = folded_list(calls, &folded);
    if (status == SCOPE_OK)
        status = fill_ranks(&to, folded, calls->sum_count);
    for (size_t i = 0; status == SCOPE_OK && i < summaries->count; i++)
        finish(&summaries->rows[i], &to.sums[i]);
    free(folded);
    free(to.groups);
    free(to.sums);
    free(to.costs);
    return status;
}
