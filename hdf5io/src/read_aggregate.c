/* read_aggregate.c - aggregation mode, ours or that of 0.7.5; see read.h.
 *
 * Counts and sums per (rank, region) instead of calls. Ours has them per lane beside,
 * in /scope/folded; from 0.7.5 they are of no known lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* One sum per pair, from the pair itself. */
static scope_status make_sums(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    void *sums = NULL;
    const scope_status status =
        scope_read_room(reading, calls->pair_count, sizeof(scope_sum_row), &sums);
    if (status != SCOPE_OK)
        return status;
    calls->sums = sums;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        if (pair->count)
            calls->sums[calls->sum_count++] =
                (scope_sum_row){.rank = pair->rank,
                                .region = pair->region,
                                .lane = -1,
                                .count = (int64_t)pair->count,
                                .total_ns = pair->statistics.total,
                                .minimum_ns = pair->statistics.minimum,
                                .maximum_ns = pair->statistics.maximum,
                                .exclusive_ns = pair->exclusive_ns};
    }
    return SCOPE_OK;
}

scope_status scope_read_aggregate(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    calls->is_aggregate = 1;
    scope_status status = scope_read_tables(reading);
    if (status != SCOPE_OK || reading->rehearsal)
        return status;
    const bool has_statistics = scope_read_has(reading, SCOPE_DATASET_AGGREGATE_STATISTICS);
    for (size_t i = 0; i < calls->pair_count; i++) {
        scope_pair *pair = &calls->pairs[i];
        if (pair->count > INT64_MAX || pair->region >= calls->region_count)
            return scope_read_corrupt(reading, "the sums of the regions are damaged");
        pair->first = 0;
        if (!has_statistics && pair->count)
            pair->statistics.mean = (double)pair->statistics.total / (double)pair->count;
    }
    return calls->sum_count ? SCOPE_OK : make_sums(reading);
}
