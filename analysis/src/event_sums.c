/* event_sums.c - calls that only live on as their sum, among the events of a stream.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cursor.h"

#include "array.h"

/* The row that the sums of a region on a lane are added to; NULL: no memory. What misses
 * the table of recent ones gets another row: rows are joined in the end. */
static scope_sum *sum_row(scope_cursor *cursor, int64_t lane, uint32_t region)
{
    const uint64_t hash = ((uint64_t)lane * 31 + region) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t *place = &cursor->sum_places[hash >> 58];
    if (*place && cursor->sums[*place - 1].lane == lane &&
        cursor->sums[*place - 1].region == region)
        return &cursor->sums[*place - 1];
    scope_sum *sums =
        array_grown(cursor->sums, cursor->sum_count, &cursor->sum_capacity, sizeof *sums);
    if (!sums)
        return NULL;
    cursor->sums = sums;
    *place = (uint32_t)++cursor->sum_count;
    sums[*place - 1] = (scope_sum){
        .lane = lane, .region = region, .minimum_ticks = UINT64_MAX, .first_ticks = UINT64_MAX};
    return &sums[*place - 1];
}

static int64_t recorded_lane(const scope_cursor *cursor, const lane_state *lane)
{
    if (lane->task != ID_MAP_NONE)
        return cursor->tasks[lane->task].id;
    return lane->thread != ID_MAP_NONE ? -2 - cursor->defs.threads[lane->thread].id : -1;
}

void cursor_take_sum(scope_cursor *cursor, stream_state *stream, const decoded_event *event)
{
    scope_sum from;
    lane_state *lane = cursor_current_lane(cursor, stream);
    decoded_sum(event, &from);
    const uint32_t region = definitions_region(&cursor->defs, from.region);
    if (region == ID_MAP_NONE || !lane) {
        cursor->status = SCOPE_ERR_MEMORY;
        return;
    }
    lane->lane.begun += from.count;
    if (cursor->reported)
        return;
    scope_sum *to = sum_row(cursor, recorded_lane(cursor, lane), region);
    if (!to) {
        cursor->status = SCOPE_ERR_MEMORY;
        return;
    }
    scope_sum_add(to, &from);
    cursor->folded_calls += from.count;
    cursor->defs.regions[region].folded |= from.count > 0;
}

void cursor_take_spent(scope_cursor *cursor, stream_state *stream, uint64_t ticks)
{
    const lane_state *lane = cursor_current_lane(cursor, stream);
    if (!lane) {
        cursor->status = SCOPE_ERR_MEMORY;
        return;
    }
    if (lane->lane.depth && !cursor->reported)
        cursor->defs.regions[lane->lane.stack[lane->lane.depth - 1].region].summed_ticks += ticks;
}
