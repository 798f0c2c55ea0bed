/* read_aggregate.c - aggregation mode of 0.7.5; see read.h.
 *
 * Sums per (rank, region) instead of calls: they become sum rows of no known
 * lane, and pairs without calls.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <stdlib.h>

#include "message.h"

typedef struct aggregates {
    uint64_t count;
    uint32_t *regions, *ranks;
    int64_t *counts, *totals, *minimums, *maximums, *exclusives;
} aggregates;

static scope_status read_one(const scope_reading *reading, const char *path, scope_cell cell,
                             uint64_t count, void *out)
{
    void *room;
    scope_status status = scope_read_room(reading, count, scope_cell_memory_bytes(cell), &room);
    if (status == SCOPE_OK)
        status = scope_read_cells(reading, path, cell, count, room);
    if (status == SCOPE_OK)
        *(void **)out = room;
    return status;
}

scope_status scope_read_aggregate(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    aggregates from = {0};
    scope_status status = scope_read_length(reading, "/rank_region_index/region_ids", &from.count);
#define READ(member, name, cell)                                                                   \
    if (status == SCOPE_OK)                                                                        \
        status = read_one(reading, "/rank_region_index/" name, cell, from.count, &from.member);
    READ(regions, "region_ids", SCOPE_CELL_U32)
    READ(ranks, "ranks", SCOPE_CELL_U32)
    READ(counts, "aggregate_counts", SCOPE_CELL_I64)
    READ(totals, "aggregate_totals", SCOPE_CELL_I64)
    READ(minimums, "aggregate_minimums", SCOPE_CELL_I64)
    READ(maximums, "aggregate_maximums", SCOPE_CELL_I64)
    READ(exclusives, "aggregate_exclusives", SCOPE_CELL_I64)
#undef READ
    void *pairs = NULL, *sums = NULL;
    if (status == SCOPE_OK)
        status = scope_read_room(reading, from.count, sizeof(scope_pair), &pairs);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, from.count, sizeof(scope_sum_row), &sums);
    if (status != SCOPE_OK)
        return status;
    calls->pairs = pairs;
    calls->sums = sums;
    calls->pair_count = calls->sum_count = from.count;
    for (uint64_t i = 0; i < from.count; i++) {
        const int32_t rank = from.ranks[i] > INT32_MAX ? -1 : (int32_t)from.ranks[i];
        calls->pairs[i] = (scope_pair){.rank = rank,
                                       .region = from.regions[i],
                                       .source_line = -1,
                                       .source_file = {"", 0},
                                       .tags = {"[]", 2},
                                       .exclusive_ns = from.exclusives[i]};
        calls->sums[i] = (scope_sum_row){.rank = rank,
                                         .region = from.regions[i],
                                         .lane = -1,
                                         .count = from.counts[i],
                                         .total_ns = from.totals[i],
                                         .minimum_ns = from.minimums[i],
                                         .maximum_ns = from.maximums[i],
                                         .exclusive_ns = from.exclusives[i]};
    }
    return SCOPE_OK;
}
