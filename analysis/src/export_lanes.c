/* export_lanes.c - see export_parts.h: calls of a rank, lane after lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include <scope/results.h>

#include "nest_sort.h"

static size_t pair_at(const scope_calls *calls, int64_t rank)
{
    size_t low = 0, high = calls->pair_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (calls->pairs[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void export_pairs(const scope_calls *calls, int32_t rank, size_t *first, size_t *end)
{
    *first = pair_at(calls, rank);
    *end = pair_at(calls, (int64_t)rank + 1);
}

int64_t export_end(const scope_calls *calls, uint64_t row)
{
    return nest_end(calls->start_ns[row], calls->duration_ns[row]);
}

/* ---- lanes ---- */

static int compare_lanes(const void *left, const void *right)
{
    const int64_t a = ((const export_lane *)left)->lane, b = ((const export_lane *)right)->lane;
    return (a > b) - (a < b);
}

/* Lanes and how many calls each has, ascending; *numbers: where a lane's id is. */
static scope_status count_lanes(const scope_calls *calls, size_t first, size_t end,
                                export_lanes *lanes, id_map *numbers)
{
    size_t capacity = 0;
    int64_t last = 0;
    uint32_t number = ID_MAP_NONE;
    for (size_t p = first; p < end; p++) {
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair);
             row++) {
            const int64_t lane = scope_calls_lane(calls, row);
            if (number == ID_MAP_NONE || lane != last)
                number = id_map_find(numbers, (uint64_t)lane);
            last = lane;
            if (number == ID_MAP_NONE) {
                if (lanes->count == capacity) {
                    capacity = capacity ? capacity * 2 : 16;
                    export_lane *more = realloc(lanes->lanes, capacity * sizeof *more);
                    if (!more)
                        return SCOPE_ERR_MEMORY;
                    lanes->lanes = more;
                }
                number = (uint32_t)lanes->count;
                lanes->lanes[lanes->count++] = (export_lane){lane, 0, 0};
                if (!id_map_add(numbers, (uint64_t)lane, number))
                    return SCOPE_ERR_MEMORY;
            }
            lanes->lanes[number].count++;
        }
    }
    if (lanes->count > 1)
        qsort(lanes->lanes, lanes->count, sizeof *lanes->lanes, compare_lanes);
    id_map_free(numbers);
    *numbers = (id_map){0};
    uint64_t place = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        lanes->lanes[i].first = place;
        place += lanes->lanes[i].count;
        lanes->lanes[i].count = 0; /* counted again as they are put in */
        if (!id_map_add(numbers, (uint64_t)lanes->lanes[i].lane, (uint32_t)i))
            return SCOPE_ERR_MEMORY;
    }
    return SCOPE_OK;
}

/* ---- the order of calls ---- */

typedef struct rank_rows { /* of one rank, pair after pair */
    uint64_t count;
    uint64_t *rows;
    uint32_t *pairs;
    int64_t *start_ns, *duration_ns, *lanes;
} rank_rows;

static void free_rows(rank_rows *rows)
{
    free(rows->rows);
    free(rows->pairs);
    free(rows->start_ns);
    free(rows->duration_ns);
    free(rows->lanes);
}

static scope_status gather_rows(const scope_calls *calls, size_t first, size_t end, rank_rows *to)
{
    uint64_t count = 0;
    for (size_t p = first; p < end; p++)
        count += scope_calls_pair_rows(calls, &calls->pairs[p]);
    to->rows = malloc((count + 1) * sizeof *to->rows);
    to->pairs = malloc((count + 1) * sizeof *to->pairs);
    to->start_ns = malloc((count + 1) * sizeof *to->start_ns);
    to->duration_ns = malloc((count + 1) * sizeof *to->duration_ns);
    to->lanes = malloc((count + 1) * sizeof *to->lanes);
    if (!to->rows || !to->pairs || !to->start_ns || !to->duration_ns || !to->lanes)
        return SCOPE_ERR_MEMORY;
    for (size_t p = first; p < end; p++) {
        const scope_pair *pair = &calls->pairs[p];
        const uint64_t last = pair->first + scope_calls_pair_rows(calls, pair);
        for (uint64_t row = pair->first; row < last; row++, to->count++) {
            to->rows[to->count] = row;
            to->pairs[to->count] = (uint32_t)p;
            to->start_ns[to->count] = calls->start_ns[row];
            to->duration_ns[to->count] = calls->duration_ns[row];
            to->lanes[to->count] = scope_calls_lane(calls, row);
        }
    }
    return SCOPE_OK;
}

/* Calls in the order of their ids, each to its lane. */
static scope_status spread(const rank_rows *from, const scope_nesting *nesting,
                           const id_map *numbers, export_lanes *lanes)
{
    lanes->rows = malloc((from->count + 1) * sizeof *lanes->rows);
    lanes->pairs = malloc((from->count + 1) * sizeof *lanes->pairs);
    lanes->depths = malloc((from->count + 1) * sizeof *lanes->depths);
    if (!lanes->rows || !lanes->pairs || !lanes->depths)
        return SCOPE_ERR_MEMORY;
    for (uint64_t i = 0; i < from->count; i++) {
        const uint64_t at = (uint64_t)nesting->order[i];
        export_lane *lane = &lanes->lanes[id_map_find(numbers, (uint64_t)from->lanes[at])];
        const uint64_t place = lane->first + lane->count++;
        lanes->rows[place] = from->rows[at];
        lanes->pairs[place] = from->pairs[at];
        lanes->depths[place] = (uint64_t)nesting->depth[i];
    }
    return SCOPE_OK;
}

scope_status export_lanes_make(const scope_calls *calls, int32_t rank, export_lanes *lanes)
{
    size_t first, end;
    id_map numbers = {0};
    rank_rows rows = {0};
    scope_nesting nesting = {0};
    *lanes = (export_lanes){0};
    export_pairs(calls, rank, &first, &end);
    scope_status status = count_lanes(calls, first, end, lanes, &numbers);
    if (status == SCOPE_OK)
        status = gather_rows(calls, first, end, &rows);
    if (status == SCOPE_OK)
        status = scope_nest(rows.start_ns, rows.duration_ns, rows.lanes, rows.count, &nesting);
    if (status == SCOPE_OK) {
        status = spread(&rows, &nesting, &numbers, lanes);
        scope_nesting_free(&nesting);
    }
    free_rows(&rows);
    id_map_free(&numbers);
    if (status != SCOPE_OK)
        export_lanes_free(lanes);
    return status;
}

void export_lanes_free(export_lanes *lanes)
{
    free(lanes->lanes);
    free(lanes->rows);
    free(lanes->pairs);
    free(lanes->depths);
    *lanes = (export_lanes){0};
}

scope_status export_walk(const export_lanes *lanes, const export_lane *lane,
                         const export_visitor *visitor)
{
    scope_status status = SCOPE_OK;
    uint64_t *open = NULL; /* places of the calls that are open here */
    size_t depth = 0, capacity = 0;
    for (uint64_t place = lane->first; status == SCOPE_OK && place < lane->first + lane->count;
         place++) {
        while (depth > lanes->depths[place]) {
            depth--;
            visitor->close(visitor->context, lanes->rows[open[depth]], lanes->pairs[open[depth]]);
        }
        if (depth == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            uint64_t *more = realloc(open, capacity * sizeof *open);
            status = more ? SCOPE_OK : SCOPE_ERR_MEMORY;
            open = more ? more : open;
        }
        if (status == SCOPE_OK)
            status = visitor->open(visitor->context, lanes->rows[place], lanes->pairs[place]);
        if (status == SCOPE_OK)
            open[depth++] = place;
    }
    while (status == SCOPE_OK && depth--)
        visitor->close(visitor->context, lanes->rows[open[depth]], lanes->pairs[open[depth]]);
    free(open);
    return status;
}

char *export_lane_name(const scope_calls *calls, int32_t rank, int64_t lane, int prefix)
{
    char start[40] = "";
    const int with_label = lane != -1 || calls->thread_ids || calls->task_ids;
    if (prefix || !with_label)
        snprintf(start, sizeof start, with_label ? "rank %d - " : "rank %d", (int)rank);
    const size_t before = strlen(start);
    const size_t length = with_label ? scope_lane_label(calls, rank, lane, NULL, 0) : 0;
    char *text = malloc(before + length + 1);
    if (!text)
        return NULL;
    memcpy(text, start, before + 1);
    if (with_label)
        scope_lane_label(calls, rank, lane, text + before, length + 1);
    return text;
}
