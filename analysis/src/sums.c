/* sums.c - folded calls as rows of the table.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sums.h"

#include <stdlib.h>
#include <string.h>

#include <scope/wrap.h>

/* Index of the lane in the table's terms: task, or -2 - thread. */
static int64_t lane_index(const table_maker *maker, int64_t lane)
{
    const scope_cursor *cursor = maker->cursor;
    if (lane == -1)
        return -1;
    if (lane >= 0) {
        const uint32_t slot = id_map_find(&cursor->task_map, (uint64_t)lane);
        return table_index(maker->task_of_slot, slot);
    }
    const uint32_t slot = id_map_find(&cursor->defs.thread_map, (uint64_t)(-2 - lane));
    const int64_t thread = slot == ID_MAP_NONE ? -1 : table_index(maker->thread_of_slot, slot);
    return thread < 0 ? -1 : -2 - thread;
}

/* A duration in ticks; a sum of differences may be negative. */
static int64_t length_ns(const scope_cursor *cursor, uint64_t ticks)
{
    return (int64_t)ticks < 0 ? -clock_map_duration_ns(&cursor->clock, 0 - ticks)
                              : clock_map_duration_ns(&cursor->clock, ticks);
}

static int by_region_and_lane(const void *a, const void *b)
{
    const scope_sum_row *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* The same region and lane in two streams: a task that moved. */
static void join(scope_sum_row *to, const scope_sum_row *from)
{
    to->count = wrap_add(to->count, from->count);
    to->total_ns = wrap_add(to->total_ns, from->total_ns);
    to->exclusive_ns = wrap_add(to->exclusive_ns, from->exclusive_ns);
    to->await_ns = wrap_add(to->await_ns, from->await_ns);
    to->bytes = wrap_add(to->bytes, from->bytes);
    if (from->minimum_ns < to->minimum_ns)
        to->minimum_ns = from->minimum_ns;
    if (from->maximum_ns > to->maximum_ns)
        to->maximum_ns = from->maximum_ns;
    if (from->first_ns < to->first_ns)
        to->first_ns = from->first_ns;
    if (from->last_ns > to->last_ns)
        to->last_ns = from->last_ns;
    for (int b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
        if (__builtin_add_overflow(to->histogram[b], from->histogram[b], &to->histogram[b]))
            to->histogram[b] = UINT32_MAX;
}

scope_status sums_rows(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    scope_calls *calls = maker->calls;
    if (!cursor->sum_count)
        return SCOPE_OK;
    scope_sum_row *rows = scope_calls_alloc(calls, cursor->sum_count, sizeof *rows);
    if (!rows)
        return SCOPE_ERR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < cursor->sum_count; i++) {
        const scope_sum *sum = &cursor->sums[i];
        size_t hint = 0;
        if (sum->count == 0 || sum->count > INT64_MAX ||
            maker->region_of_slot[sum->region] == ID_MAP_NONE)
            continue;
        scope_sum_row *row = &rows[count++];
        *row = (scope_sum_row){.rank = maker->rank,
                               .region = maker->region_of_slot[sum->region],
                               .lane = lane_index(maker, sum->lane),
                               .count = (int64_t)sum->count,
                               .total_ns = length_ns(cursor, sum->sum_ticks),
                               .minimum_ns = length_ns(cursor, sum->minimum_ticks),
                               .maximum_ns = length_ns(cursor, sum->maximum_ticks),
                               .exclusive_ns = length_ns(cursor, sum->exclusive_ticks),
                               .await_ns = length_ns(cursor, sum->await_ticks),
                               .first_ns = clock_map_ns(&cursor->clock, sum->first_ticks, &hint),
                               .last_ns = clock_map_ns(&cursor->clock, sum->last_end_ticks, &hint),
                               .bytes = sum->bytes};
        memcpy(row->histogram, sum->histogram, sizeof row->histogram);
        if (row->first_ns < calls->start_time_ns)
            calls->start_time_ns = row->first_ns;
    }
    if (count)
        qsort(rows, count, sizeof *rows, by_region_and_lane);
    size_t joined = 0;
    for (size_t i = 0; i < count; i++)
        if (joined && by_region_and_lane(&rows[joined - 1], &rows[i]) == 0)
            join(&rows[joined - 1], &rows[i]);
        else
            rows[joined++] = rows[i];
    calls->sums = rows;
    calls->sum_count = joined;
    return SCOPE_OK;
}
