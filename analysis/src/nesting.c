/* nesting.c - call ids, parents, exclusive times and statistics from columns alone.
 *
 * One walk over a rank's calls in the order of their ids. Each lane has a stack of
 * the calls that are open at that time, linked in one pool, so that the cost of a
 * call does not depend on how many lanes there are.
 *
 *     top[lane] -> frame -> frame -> none
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>

#include <stdlib.h>
#include <string.h>

#include "id_map.h"
#include "nest_sort.h"

#define NONE UINT32_MAX

typedef struct frame { /* a call that is open while the walk is inside it */
    int64_t start_ns, end_ns;
    int64_t inner_ns;    /* in calls directly inside */
    uint64_t row, place; /* place in sorted order: its id */
    uint32_t pair;
    uint32_t below;
} frame;

typedef struct nest_walk {
    scope_calls *calls;
    int64_t *exclusive; /* per row, or NULL */
    const scope_pair *pairs; /* of the rank */
    size_t pair_count;
    int64_t first_call_id;
    nest_order order;
    uint32_t *pair_of; /* per place */
    uint32_t *top;     /* per lane; NONE */
    frame *frames;     /* pool */
    size_t frame_count, frame_capacity;
    uint32_t free_frame; /* linked by `below` */
    int64_t *pair_exclusive;
    /* lanes: dense by thread and task index, else by id_map */
    int64_t thread_limit, task_limit;
    id_map lanes;
    size_t lane_count;
    int mapped;
} nest_walk;

/* ---- lanes ---- */

static scope_status find_lanes(nest_walk *walk)
{
    const scope_calls *calls = walk->calls;
    int64_t threads = 0, tasks = 0;
    for (uint64_t place = 0; place < walk->order.count; place++) {
        const uint64_t row = nest_row(&walk->order, place);
        if (calls->thread_ids && calls->thread_ids[row] >= threads)
            threads = calls->thread_ids[row] == INT64_MAX ? INT64_MAX : calls->thread_ids[row] + 1;
        if (calls->task_ids && calls->task_ids[row] >= tasks)
            tasks = calls->task_ids[row] == INT64_MAX ? INT64_MAX : calls->task_ids[row] + 1;
    }
    const int64_t bound = 1024 + (int64_t)(walk->order.count * 4);
    walk->mapped = threads > bound || tasks > bound;
    walk->thread_limit = threads;
    walk->task_limit = tasks;
    walk->lane_count = walk->mapped ? walk->order.count + 1 : (size_t)(threads + tasks + 1);
    walk->top = malloc(walk->lane_count * sizeof *walk->top);
    if (!walk->top)
        return SCOPE_ERR_MEMORY;
    memset(walk->top, 0xff, walk->lane_count * sizeof *walk->top);
    if (walk->mapped)
        walk->lane_count = 0;
    return SCOPE_OK;
}

/* Place of a row's lane in top; NONE: no memory. */
static size_t lane_place(nest_walk *walk, uint64_t row)
{
    const scope_calls *calls = walk->calls;
    const int64_t task = calls->task_ids ? calls->task_ids[row] : -1;
    const int64_t thread = calls->thread_ids ? calls->thread_ids[row] : -1;
    if (!walk->mapped)
        return (size_t)(task >= 0 ? task : walk->task_limit + (thread >= 0 ? thread + 1 : 0));
    const uint64_t lane = (uint64_t)scope_calls_lane(calls, row);
    uint32_t place = id_map_find(&walk->lanes, lane);
    if (place == ID_MAP_NONE) {
        place = (uint32_t)walk->lane_count;
        if (!id_map_add(&walk->lanes, lane, place))
            return NONE;
        walk->lane_count++;
    }
    return place;
}

/* ---- frames ---- */

static uint32_t new_frame(nest_walk *walk)
{
    if (walk->free_frame != NONE) {
        const uint32_t place = walk->free_frame;
        walk->free_frame = walk->frames[place].below;
        return place;
    }
    if (walk->frame_count == walk->frame_capacity) {
        const size_t capacity = walk->frame_capacity ? walk->frame_capacity * 2 : 256;
        frame *frames = capacity < NONE ? realloc(walk->frames, capacity * sizeof *frames) : NULL;
        if (!frames)
            return NONE;
        walk->frames = frames;
        walk->frame_capacity = capacity;
    }
    return (uint32_t)walk->frame_count++;
}

static int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t wrap_subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* All that was inside the call has been seen. Returns the frame below it. */
static uint32_t close_frame(nest_walk *walk, uint32_t place)
{
    frame *closed = &walk->frames[place];
    const int64_t exclusive =
        wrap_subtract(wrap_subtract(closed->end_ns, closed->start_ns), closed->inner_ns);
    walk->pair_exclusive[closed->pair] = wrap_add(walk->pair_exclusive[closed->pair], exclusive);
    if (walk->exclusive)
        walk->exclusive[closed->row] = exclusive;
    const uint32_t below = closed->below;
    closed->below = walk->free_frame;
    walk->free_frame = place;
    return below;
}

/* ---- the walk ---- */

static scope_status walk_calls(nest_walk *walk)
{
    scope_calls *calls = walk->calls;
    const uint64_t count = walk->order.count;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = walk->order.places[i];
        const uint64_t row = nest_row(&walk->order, place);
        const int64_t start = calls->start_ns[row], duration = calls->duration_ns[row];
        const int64_t end = nest_end(start, duration);
        const size_t lane = lane_place(walk, row);
        if (duration < 0)
            return SCOPE_ERR_NESTING;
        if (lane == NONE)
            return SCOPE_ERR_MEMORY;
        uint32_t top = walk->top[lane];
        /* touching calls are siblings; a zero-length one is inside one of the same start */
        while (top != NONE && walk->frames[top].end_ns <= start &&
               walk->frames[top].start_ns < start)
            top = close_frame(walk, top);
        int64_t parent = -1;
        if (top != NONE) {
            frame *around = &walk->frames[top];
            if (end > around->end_ns)
                return SCOPE_ERR_NESTING;
            around->inner_ns = wrap_add(around->inner_ns, duration);
            parent = walk->first_call_id + (int64_t)around->place;
        }
        const uint32_t opened = new_frame(walk);
        if (opened == NONE)
            return SCOPE_ERR_MEMORY;
        walk->frames[opened] = (frame){.start_ns = start,
                                       .end_ns = end,
                                       .row = row,
                                       .place = i,
                                       .pair = walk->pair_of[place],
                                       .below = top};
        walk->top[lane] = opened;
        calls->call_ids[row] = walk->first_call_id + (int64_t)i;
        calls->parent_ids[row] = parent;
    }
    const size_t lanes = walk->lane_count;
    for (size_t lane = 0; lane < lanes; lane++)
        for (uint32_t top = walk->top[lane]; top != NONE;)
            top = close_frame(walk, top);
    return SCOPE_OK;
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
                      .first_call_id = first_call_id,
                      .free_frame = NONE};
    nest_slice *slices = malloc((count + 1) * sizeof *slices);
    walk.pair_exclusive = calloc(count + 1, sizeof *walk.pair_exclusive);
    scope_status status = slices && walk.pair_exclusive ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t i = 0; slices && i < count; i++)
        slices[i] = (nest_slice){walk.pairs[i].first, walk.pairs[i].count};
    if (status == SCOPE_OK)
        status = nest_sort(calls->start_ns, calls->duration_ns, slices, count, &walk.order);
    if (status == SCOPE_OK) {
        walk.pair_of = malloc((walk.order.count + 1) * sizeof *walk.pair_of);
        status = walk.pair_of ? find_lanes(&walk) : SCOPE_ERR_MEMORY;
    }
    if (status == SCOPE_OK) {
        uint64_t place = 0;
        for (size_t i = 0; i < count; i++)
            for (uint64_t k = 0; k < walk.pairs[i].count; k++)
                walk.pair_of[place++] = (uint32_t)i;
        status = walk_calls(&walk);
    }
    for (size_t i = 0; i < count; i++)
        calls->pairs[first + i].exclusive_ns =
            status == SCOPE_OK ? walk.pair_exclusive[i] : -1;
    if (status != SCOPE_OK)
        forget_rank(&walk);
    nest_order_free(&walk.order);
    id_map_free(&walk.lanes);
    free(slices);
    free(walk.pair_of);
    free(walk.pair_exclusive);
    free(walk.top);
    free(walk.frames);
    return status;
}

/* ---- statistics ---- */

static void fill_statistics(const scope_calls *calls, scope_pair *pair)
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
    for (uint64_t i = 0; i < pair->count; i++) {
        const double off = (double)durations[i] - sum->mean;
        sum->m2 += off * off;
    }
}

scope_status scope_calls_nest(scope_calls *calls, int64_t first_call_id, int64_t *exclusive)
{
    scope_status result = SCOPE_OK;
    for (size_t i = 0; i < calls->pair_count; i++)
        fill_statistics(calls, &calls->pairs[i]);
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
