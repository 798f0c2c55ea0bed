/* overhead_list.c - what the recorder took of each region of each rank; see overhead.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/overhead.h>
#include <scope/wrap.h>

#include <stdlib.h>

static int by_rank_and_region(const void *a, const void *b)
{
    const scope_summary *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* Sums of a damaged file may be anything: they wrap. */
static void add_to(scope_summary *to, const scope_summary *row)
{
    to->call_count = wrap_add(to->call_count, row->call_count);
    to->total_ns = wrap_add(to->total_ns, row->total_ns);
    to->exclusive_ns = to->exclusive_ns < 0 || row->exclusive_ns < 0
                           ? -1
                           : wrap_add(to->exclusive_ns, row->exclusive_ns);
}

scope_status scope_overhead_list(const scope_calls *calls, scope_summaries *rows)
{
    *rows = (scope_summaries){0};
    if (!scope_overhead_is_known(calls))
        return SCOPE_OK;
    scope_summary *all = malloc((calls->pair_count + calls->sum_count + 1) * sizeof *all);
    if (!all)
        return SCOPE_ERR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < calls->pair_count; i++) { /* of an aggregate the sums are all */
        const scope_pair *pair = &calls->pairs[i];
        all[count++] = (scope_summary){
            .rank = pair->rank,
            .region = pair->region,
            .lane = INT64_MIN,
            .call_count = calls->is_aggregate ? 0 : (int64_t)pair->count,
            .total_ns = calls->is_aggregate ? 0 : pair->statistics.total,
            .exclusive_ns = calls->is_aggregate ? 0 : pair->exclusive_ns,
        };
    }
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *sum = &calls->sums[i];
        all[count++] = (scope_summary){.rank = sum->rank,
                                       .region = sum->region,
                                       .lane = INT64_MIN,
                                       .call_count = sum->count,
                                       .total_ns = sum->total_ns,
                                       .exclusive_ns = sum->exclusive_ns};
    }
    if (count)
        qsort(all, count, sizeof *all, by_rank_and_region);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept && by_rank_and_region(&all[kept - 1], &all[i]) == 0)
            add_to(&all[kept - 1], &all[i]);
        else
            all[kept++] = all[i];
    *rows = (scope_summaries){kept, all};
    const scope_status status = scope_overhead_fill(calls, SCOPE_BY_RANK, rows);
    if (status != SCOPE_OK)
        scope_summaries_free(rows);
    return status;
}
