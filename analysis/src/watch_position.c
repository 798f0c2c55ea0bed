/* watch_position.c - what is known of a stream at one place of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "watch_parts.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cursor.h"

#define STACK_START 8u /* open calls of a lane at first */

static void free_lanes(watch_position *position)
{
    for (size_t i = 0; i < position->lane_count; i++)
        free(position->lanes[i].lane.stack);
    position->lane_count = 0;
}

void watch_position_free(watch_position *position)
{
    free_lanes(position);
    free(position->lanes);
    free(position->stack);
    free(position->sums);
    *position = (watch_position){0};
}

void watch_position_empty(watch_position *position)
{
    free_lanes(position);
    position->depth = 0;
}

static int make_room(void **array, size_t *capacity, size_t count, size_t size_bytes)
{
    if (count <= *capacity)
        return 1;
    void *grown = realloc(*array, count * size_bytes);
    if (!grown)
        return 0;
    *array = grown;
    *capacity = count;
    return 1;
}

static int copy_lane(watch_lane *to, const watch_lane *from)
{
    *to = *from;
    to->lane.stack = NULL;
    to->lane.capacity = 0;
    if (!from->lane.depth && !from->lane.pending) {
        to->lane.depth = to->lane.pending = 0;
        return 1;
    }
    scope_call *stack = malloc((size_t)from->lane.capacity * sizeof *stack);
    if (!stack) {
        to->lane.depth = to->lane.pending = 0;
        return 0;
    }
    to->lane = from->lane;
    scope_lane_grow(&to->lane, stack, from->lane.capacity);
    return 1;
}

int watch_position_copy(watch_position *to, const watch_position *from)
{
    free_lanes(to);
    if (!make_room((void **)&to->lanes, &to->lane_capacity, from->lane_count, sizeof *to->lanes) ||
        !make_room((void **)&to->stack, &to->stack_capacity, from->depth, sizeof *to->stack) ||
        !make_room((void **)&to->sums, &to->sum_capacity, from->sum_count, sizeof *to->sums))
        return 0;
    for (; to->lane_count < from->lane_count; to->lane_count++)
        if (!copy_lane(&to->lanes[to->lane_count], &from->lanes[to->lane_count]))
            return 0;
    if (from->depth)
        memcpy(to->stack, from->stack, from->depth * sizeof *to->stack);
    if (from->sum_count)
        memcpy(to->sums, from->sums, from->sum_count * sizeof *to->sums);
    to->decoder = from->decoder;
    to->depth = from->depth;
    to->sum_count = from->sum_count;
    to->lived = from->lived;
    to->events = from->events;
    to->folded = from->folded;
    to->orphans = from->orphans;
    return 1;
}

/* ---- lanes ---- */

uint32_t watch_lane_find(const watch_position *position, watch_lane_kind kind, int64_t id)
{
    for (size_t i = 0; i < position->lane_count; i++)
        if (position->lanes[i].kind == kind && position->lanes[i].id == id)
            return (uint32_t)i;
    return ID_MAP_NONE;
}

uint32_t watch_lane_new(watch_position *position, watch_lane_kind kind, int64_t id, int64_t ticks)
{
    uint32_t place = watch_lane_find(position, WATCH_FREE, 0);
    if (place == ID_MAP_NONE) {
        watch_lane *lanes = array_grown(position->lanes, position->lane_count,
                                        &position->lane_capacity, sizeof *lanes);
        if (!lanes)
            return ID_MAP_NONE;
        position->lanes = lanes;
        place = (uint32_t)position->lane_count++;
        lanes[place] = (watch_lane){.kind = WATCH_FREE};
    }
    watch_lane *lane = &position->lanes[place];
    scope_call *stack = lane->lane.stack; /* of who had the place */
    const uint32_t capacity = lane->lane.capacity;
    *lane = (watch_lane){.kind = kind, .id = id, .first = ticks, .last = ticks};
    scope_lane_start(&lane->lane, stack, capacity);
    return place;
}

int watch_lane_room(watch_lane *lane)
{
    if (scope_lane_has_room(&lane->lane))
        return 1;
    scope_call *old = lane->lane.stack;
    const uint32_t capacity = lane->lane.capacity ? lane->lane.capacity * 2 : STACK_START;
    scope_call *stack =
        capacity > lane->lane.capacity ? malloc((size_t)capacity * sizeof *stack) : NULL;
    if (!stack)
        return 0;
    scope_lane_grow(&lane->lane, stack, capacity);
    free(old);
    return 1;
}

int watch_push(watch_position *position, uint32_t lane)
{
    uint32_t *stack =
        array_grown(position->stack, position->depth, &position->stack_capacity, sizeof *stack);
    if (!stack)
        return 0;
    position->stack = stack;
    stack[position->depth++] = lane;
    return 1;
}

/* ---- sums ---- */

static int set_place(watch_stream *stream, size_t sum)
{
    const uint32_t region = stream->now.sums[sum].region;
    if (region >= stream->place_count) {
        const size_t count = (size_t)region * 2 + 16;
        uint32_t *places = realloc(stream->places, count * sizeof *places);
        if (!places)
            return 0;
        memset(places + stream->place_count, 0, (count - stream->place_count) * sizeof *places);
        stream->places = places;
        stream->place_count = count;
    }
    stream->places[region] = (uint32_t)sum + 1;
    return 1;
}

int watch_find_places(watch_stream *stream)
{
    if (stream->place_count)
        memset(stream->places, 0, stream->place_count * sizeof *stream->places);
    for (size_t i = 0; i < stream->now.sum_count; i++)
        if (!set_place(stream, i))
            return 0;
    return 1;
}

watch_sum *watch_sum_of(watch_stream *stream, uint32_t region)
{
    watch_position *now = &stream->now;
    if (region < stream->place_count && stream->places[region])
        return &now->sums[stream->places[region] - 1];
    watch_sum *sums = array_grown(now->sums, now->sum_count, &now->sum_capacity, sizeof *sums);
    if (!sums)
        return NULL;
    now->sums = sums;
    sums[now->sum_count] = (watch_sum){.region = region, .communicator = -1};
    return set_place(stream, now->sum_count) ? &now->sums[now->sum_count++] : NULL;
}
