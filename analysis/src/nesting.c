/* nesting.c - call ids, parents, exclusive times and statistics from columns alone.
 *
 * Per rank: which rows and lanes there are, then one walk in order of time (nest_time.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>

#include <stdlib.h>
#include <string.h>

#include "nest_walk.h"

/* ---- rows and lanes ---- */

/* Places are counted over the rank's pairs; a table says the rows only where the
 * pairs do not follow each other. */
static scope_status find_rows(nest_walk *walk)
{
    int adjoining = 1;
    uint64_t count = 0;
    for (size_t i = 0; i < walk->pair_count; i++) {
        adjoining &= i == 0 || walk->pairs[i].first == walk->pairs[0].first + count;
        count += walk->pairs[i].count;
    }
    walk->rows = (nest_rows){.start_ns = walk->calls->start_ns,
                             .duration_ns = walk->calls->duration_ns,
                             .base = walk->pair_count ? walk->pairs[0].first : 0,
                             .count = count};
    const int is_short = walk->pair_count <= UINT16_MAX;
    if (count >= SIZE_MAX / sizeof(uint64_t))
        return SCOPE_ERR_MEMORY;
    if (is_short)
        walk->short_pair_of = malloc((count + 1) * sizeof *walk->short_pair_of);
    else
        walk->pair_of = malloc((count + 1) * sizeof *walk->pair_of);
    if (!adjoining)
        walk->rows.rows = walk->row_table = malloc((count + 1) * sizeof *walk->row_table);
    if ((!walk->short_pair_of && !walk->pair_of) || (!adjoining && !walk->row_table))
        return SCOPE_ERR_MEMORY;
    uint64_t place = 0;
    for (size_t i = 0; i < walk->pair_count; i++)
        for (uint64_t k = 0; k < walk->pairs[i].count; k++, place++) {
            if (is_short)
                walk->short_pair_of[place] = (uint16_t)i;
            else
                walk->pair_of[place] = (uint32_t)i;
            if (!adjoining)
                walk->row_table[place] = walk->pairs[i].first + k;
        }
    return SCOPE_OK;
}

/* The least and the greatest value of a column; NULL: -1, none. */
typedef struct bounds {
    int64_t least, greatest;
} bounds;

static bounds column_bounds(const nest_walk *walk, const int64_t *column)
{
    if (!column || !walk->rows.count)
        return (bounds){-1, -1};
    const int64_t first = column[nest_row(&walk->rows, 0)];
    bounds found = {first, first};
    if (!walk->rows.rows) { /* mostly there is one lane: no minimum is needed to see that */
        uint64_t other = 0;
        for (uint64_t place = 0; place < walk->rows.count; place++)
            other |= (uint64_t)column[walk->rows.base + place] ^ (uint64_t)first;
        if (!other)
            return found;
    }
    for (uint64_t place = 1; place < walk->rows.count; place++) {
        const int64_t value = column[nest_row(&walk->rows, place)];
        found.least = value < found.least ? value : found.least;
        found.greatest = value > found.greatest ? value : found.greatest;
    }
    return found;
}

static int64_t beyond(const bounds *found)
{
    return found->greatest < 0 ? 0 : found->greatest == INT64_MAX ? INT64_MAX : found->greatest + 1;
}

/* Lanes are numbered by task and thread index where these are dense, as they are
 * but for damaged files. */
static scope_status find_lanes(nest_walk *walk)
{
    const uint64_t count = walk->rows.count;
    const bounds threads = column_bounds(walk, walk->calls->thread_ids),
                 tasks = column_bounds(walk, walk->calls->task_ids);
    if (threads.least == threads.greatest && tasks.least == tasks.greatest) {
        walk->lane_count = 1;
        return SCOPE_OK;
    }
    const int64_t bound = 1024 + (int64_t)(count < UINT32_MAX / 8 ? count : UINT32_MAX / 8) * 3;
    walk->tasks = beyond(&tasks);
    walk->mapped = beyond(&threads) > bound || walk->tasks > bound;
    walk->lane_count =
        walk->mapped ? (size_t)count : (size_t)(beyond(&threads) + walk->tasks + 1);
    if (walk->lane_count >= NEST_NONE - 2)
        return SCOPE_ERR_MEMORY;
    if (walk->mapped)
        walk->lane_count = 0;
    return SCOPE_OK;
}

uint32_t nest_mapped_lane(nest_walk *walk, uint64_t row)
{
    const uint64_t lane = (uint64_t)scope_calls_lane(walk->calls, row);
    uint32_t number = id_map_find(&walk->lanes, lane);
    if (number == ID_MAP_NONE) {
        number = (uint32_t)walk->lane_count;
        if (!id_map_add(&walk->lanes, lane, number))
            return NEST_NONE;
        walk->lane_count++;
    }
    return number;
}

static void forget_rank(nest_walk *walk)
{
    for (size_t i = 0; i < walk->pair_count; i++) {
        const scope_pair *pair = &walk->pairs[i];
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            walk->calls->call_ids[row] = -1;
            walk->calls->parent_ids[row] = -1;
            if (walk->exclusive)
                walk->exclusive[row] = -1;
        }
    }
}

/* One rank: pairs [first, first + count) of the table. */
static scope_status nest_rank(scope_calls *calls, size_t first, size_t count,
                              int64_t first_call_id, int64_t *exclusive)
{
    nest_walk walk = {.calls = calls,
                      .exclusive = exclusive,
                      .pairs = calls->pairs + first,
                      .pair_count = count,
                      .next_id = first_call_id};
    walk.pair_exclusive = calloc(count + 1, sizeof *walk.pair_exclusive);
    scope_status status = walk.pair_exclusive ? find_rows(&walk) : SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        walk.pair_exclusive[i] = walk.pairs[i].statistics.total;
    if (status == SCOPE_OK)
        status = find_lanes(&walk);
    if (status == SCOPE_OK) {
        nest_scan_rows(&walk.rows, &walk.scan);
        status = nest_by_time(&walk);
    }
    for (size_t i = 0; i < count; i++) {
        const int64_t own = walk.pair_exclusive[i], summed = calls->pairs[first + i].summed_ns;
        calls->pairs[first + i].exclusive_ns = status != SCOPE_OK ? -1
                                               : summed > 0       ? (own > summed ? own - summed : 0)
                                                                  : own;
    }
    if (status != SCOPE_OK)
        forget_rank(&walk);
    id_map_free(&walk.lanes);
    free(walk.row_table);
    free(walk.pair_of);
    free(walk.short_pair_of);
    free(walk.pair_exclusive);
    return status;
}

/* ---- statistics ---- */

void scope_calls_statistics(const scope_calls *calls, scope_pair *pair)
{
    scope_statistics *sum = &pair->statistics;
    *sum = (scope_statistics){0};
    if (!pair->count)
        return;
    const int64_t *starts = calls->start_ns + pair->first;
    const int64_t *durations = calls->duration_ns + pair->first;
    uint64_t total = 0;
    sum->minimum = sum->maximum = sum->first = durations[0];
    sum->last = durations[pair->count - 1];
    sum->start_minimum = starts[0];
    sum->end_maximum = nest_end(starts[0], durations[0]);
    for (uint64_t i = 0; i < pair->count; i++) {
        const int64_t end = nest_end(starts[i], durations[i]);
        total += (uint64_t)durations[i];
        sum->minimum = durations[i] < sum->minimum ? durations[i] : sum->minimum;
        sum->maximum = durations[i] > sum->maximum ? durations[i] : sum->maximum;
        sum->start_minimum = starts[i] < sum->start_minimum ? starts[i] : sum->start_minimum;
        sum->end_maximum = end > sum->end_maximum ? end : sum->end_maximum;
    }
    sum->total = (int64_t)total;
    sum->mean = (double)sum->total / (double)pair->count;
    double squares[4] = {0.0}; /* not one sum: each would wait for the one before */
    uint64_t i = 0;
    for (; i + 4 <= pair->count; i += 4)
        for (int k = 0; k < 4; k++) {
            const double off = (double)durations[i + (uint64_t)k] - sum->mean;
            squares[k] += off * off;
        }
    for (; i < pair->count; i++) {
        const double off = (double)durations[i] - sum->mean;
        squares[0] += off * off;
    }
    sum->m2 = squares[0] + squares[1] + (squares[2] + squares[3]);
}

scope_status scope_calls_nest(scope_calls *calls, int64_t first_call_id, int64_t *exclusive)
{
    scope_status result = SCOPE_OK;
    if (calls->is_aggregate)
        return SCOPE_OK; /* there are no rows */
    for (size_t i = 0; i < calls->pair_count; i++)
        scope_calls_statistics(calls, &calls->pairs[i]);
    if (!calls->call_ids)
        calls->call_ids = scope_calls_alloc(calls, calls->count, sizeof *calls->call_ids);
    if (!calls->parent_ids)
        calls->parent_ids = scope_calls_alloc(calls, calls->count, sizeof *calls->parent_ids);
    if (!calls->call_ids || !calls->parent_ids) {
        calls->call_ids = calls->parent_ids = NULL;
        return SCOPE_ERR_MEMORY;
    }
    int any = calls->count == 0;
    for (size_t first = 0, end; first < calls->pair_count; first = end) {
        end = first + 1;
        while (end < calls->pair_count && calls->pairs[end].rank == calls->pairs[first].rank)
            end++;
        const scope_status status =
            nest_rank(calls, first, end - first, first_call_id, exclusive);
        any |= status == SCOPE_OK;
        if (status != SCOPE_OK && result != SCOPE_ERR_MEMORY)
            result = status;
    }
    if (!any) /* a column of nothing but "unknown" is never kept */
        calls->call_ids = calls->parent_ids = NULL;
    return result;
}
