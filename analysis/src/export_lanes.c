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
        for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair); row++) {
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

typedef struct sorted {
    uint64_t *rows;
    uint32_t *pairs;
    uint64_t count;
    const uint64_t *from_rows;
    const uint32_t *from_pairs;
} sorted;

static scope_status take_places(void *context, const uint64_t *places, size_t count)
{
    sorted *to = context;
    for (size_t i = 0; i < count; i++, to->count++) {
        to->rows[to->count] = to->from_rows[places[i]];
        to->pairs[to->count] = to->from_pairs[places[i]];
    }
    return SCOPE_OK;
}

static scope_status sort_lane(const scope_calls *calls, const export_lane *lane,
                              export_lanes *lanes, uint64_t *rows, uint32_t *pairs)
{
    sorted to = {lanes->rows + lane->first, lanes->pairs + lane->first, 0, rows + lane->first,
                 pairs + lane->first};
    const nest_rows from = {.start_ns = calls->start_ns,
                            .duration_ns = calls->duration_ns,
                            .rows = to.from_rows,
                            .count = lane->count};
    return nest_sort(&from, take_places, &to);
}

scope_status export_lanes_make(const scope_calls *calls, int32_t rank, export_lanes *lanes)
{
    size_t first, end;
    id_map numbers = {0};
    uint64_t count = 0;
    *lanes = (export_lanes){0};
    export_pairs(calls, rank, &first, &end);
    scope_status status = count_lanes(calls, first, end, lanes, &numbers);
    for (size_t p = first; p < end; p++)
        count += scope_calls_pair_rows(calls, &calls->pairs[p]);
    uint64_t *rows = malloc((count + 1) * sizeof *rows);
    uint32_t *pairs = malloc((count + 1) * sizeof *pairs);
    lanes->rows = malloc((count + 1) * sizeof *rows);
    lanes->pairs = malloc((count + 1) * sizeof *pairs);
    if (status == SCOPE_OK && (!rows || !pairs || !lanes->rows || !lanes->pairs))
        status = SCOPE_ERR_MEMORY;
    for (size_t p = first; status == SCOPE_OK && p < end; p++) {
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair); row++) {
            export_lane *lane =
                &lanes->lanes[id_map_find(&numbers, (uint64_t)scope_calls_lane(calls, row))];
            const uint64_t place = lane->first + lane->count++;
            rows[place] = row;
            pairs[place] = (uint32_t)p;
        }
    }
    for (size_t i = 0; status == SCOPE_OK && i < lanes->count; i++)
        status = sort_lane(calls, &lanes->lanes[i], lanes, rows, pairs);
    free(rows);
    free(pairs);
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
    *lanes = (export_lanes){0};
}

scope_status export_walk(const scope_calls *calls, const export_lanes *lanes,
                         const export_lane *lane, const export_visitor *visitor)
{
    scope_status status = SCOPE_OK;
    uint64_t *open = NULL; /* places of the calls that are open here */
    size_t depth = 0, capacity = 0;
    const uint64_t *rows = lanes->rows;
    for (uint64_t place = lane->first; place < lane->first + lane->count; place++) {
        const uint64_t row = rows[place];
        const int64_t start = calls->start_ns[row], end = export_end(calls, row);
        /* the rule of call ids (nesting.c): calls that touch are siblings */
        while (depth && export_end(calls, rows[open[depth - 1]]) <= start &&
               calls->start_ns[rows[open[depth - 1]]] < start) {
            depth--;
            visitor->close(visitor->context, rows[open[depth]], lanes->pairs[open[depth]]);
        }
        if (calls->duration_ns[row] < 0 ||
            (depth && end > export_end(calls, rows[open[depth - 1]])))
            status = SCOPE_ERR_NESTING;
        if (depth == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            uint64_t *more = realloc(open, capacity * sizeof *open);
            status = more ? status : SCOPE_ERR_MEMORY;
            open = more ? more : open;
        }
        if (status == SCOPE_OK)
            status = visitor->open(visitor->context, row, lanes->pairs[place]);
        if (status != SCOPE_OK)
            break;
        open[depth++] = place;
    }
    while (status == SCOPE_OK && depth--)
        visitor->close(visitor->context, rows[open[depth]], lanes->pairs[open[depth]]);
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
    const size_t length =
        with_label ? scope_lane_label(calls, rank, lane, NULL, 0) : 0;
    char *text = malloc(before + length + 1);
    if (!text)
        return NULL;
    memcpy(text, start, before + 1);
    if (with_label)
        scope_lane_label(calls, rank, lane, text + before, length + 1);
    return text;
}
