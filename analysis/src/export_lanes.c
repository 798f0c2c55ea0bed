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

scope_status export_lanes_add(export_lane_set *set, int64_t lane, uint64_t call_count)
{
    uint32_t number = export_lane_number(set, lane);
    if (number == ID_MAP_NONE) {
        if (set->count == set->capacity) {
            const size_t capacity = set->capacity ? set->capacity * 2 : 16;
            export_lane *more = realloc(set->lanes, capacity * sizeof *more);
            if (!more)
                return SCOPE_ERR_MEMORY;
            set->lanes = more;
            set->capacity = capacity;
        }
        number = (uint32_t)set->count;
        set->lanes[set->count++] = (export_lane){lane, 0, 0};
        if (!id_map_add(&set->numbers, (uint64_t)lane, number))
            return SCOPE_ERR_MEMORY;
    }
    set->lanes[number].count += call_count;
    return SCOPE_OK;
}

scope_status export_lanes_find(const scope_calls *calls, const export_thin *thin, size_t first,
                               size_t end, export_lane_set *set)
{
    scope_status status = SCOPE_OK;
    int64_t last = 0;
    uint64_t count = 0; /* neighbours that are on one lane */
    for (size_t p = first; p < end; p++) {
        const scope_pair *pair = &calls->pairs[p];
        const uint64_t rows = scope_calls_pair_rows(calls, pair);
        for (uint64_t i = 0; status == SCOPE_OK && i < rows; i++) {
            if (thin && !export_keeps(thin, pair->first + i))
                continue;
            const int64_t lane = scope_calls_lane(calls, pair->first + i);
            if (count && lane != last) {
                status = export_lanes_add(set, last, count);
                count = 0;
            }
            last = lane;
            count++;
        }
    }
    return status == SCOPE_OK && count ? export_lanes_add(set, last, count) : status;
}

scope_status export_lanes_sort(export_lane_set *set, int (*compare)(const void *, const void *))
{
    if (set->count > 1)
        qsort(set->lanes, set->count, sizeof *set->lanes, compare);
    id_map_free(&set->numbers);
    set->numbers = (id_map){0};
    for (size_t i = 0; i < set->count; i++)
        if (!id_map_add(&set->numbers, (uint64_t)set->lanes[i].lane, (uint32_t)i))
            return SCOPE_ERR_MEMORY;
    return SCOPE_OK;
}

void export_lane_set_free(export_lane_set *set)
{
    free(set->lanes);
    id_map_free(&set->numbers);
    *set = (export_lane_set){0};
}

/* Lanes ascending, each with the places of its calls. */
static scope_status place_lanes(const scope_calls *calls, size_t first, size_t end,
                                export_lane_set *set)
{
    scope_status status = export_lanes_find(calls, NULL, first, end, set);
    if (status == SCOPE_OK)
        status = export_lanes_sort(set, compare_lanes);
    uint64_t place = 0;
    for (size_t i = 0; status == SCOPE_OK && i < set->count; i++) {
        set->lanes[i].first = place;
        place += set->lanes[i].count;
        set->lanes[i].count = 0; /* counted again as they are put in */
    }
    return status;
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
static scope_status spread(const rank_rows *from, const scope_nesting *nesting, export_lanes *lanes)
{
    lanes->rows = malloc((from->count + 1) * sizeof *lanes->rows);
    lanes->pairs = malloc((from->count + 1) * sizeof *lanes->pairs);
    lanes->depths = malloc((from->count + 1) * sizeof *lanes->depths);
    if (!lanes->rows || !lanes->pairs || !lanes->depths)
        return SCOPE_ERR_MEMORY;
    for (uint64_t i = 0; i < from->count; i++) {
        const uint64_t at = (uint64_t)nesting->order[i];
        export_lane *lane = &lanes->set.lanes[export_lane_number(&lanes->set, from->lanes[at])];
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
    rank_rows rows = {0};
    scope_nesting nesting = {0};
    *lanes = (export_lanes){0};
    export_pairs(calls, rank, &first, &end);
    scope_status status = place_lanes(calls, first, end, &lanes->set);
    if (status == SCOPE_OK)
        status = gather_rows(calls, first, end, &rows);
    if (status == SCOPE_OK)
        status = scope_nest(rows.start_ns, rows.duration_ns, rows.lanes, rows.count, &nesting);
    if (status == SCOPE_OK) {
        status = spread(&rows, &nesting, lanes);
        scope_nesting_free(&nesting);
    }
    free_rows(&rows);
    if (status != SCOPE_OK)
        export_lanes_free(lanes);
    return status;
}

void export_lanes_free(export_lanes *lanes)
{
    export_lane_set_free(&lanes->set);
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
