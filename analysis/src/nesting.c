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
#define AHEAD 8 /* calls between asking for memory and using it */

typedef struct frame { /* a call that is open while the walk is inside it */
    int64_t start_ns, end_ns;
    int64_t inner_ns;    /* in calls directly inside */
    int64_t id;
    uint64_t row;
    uint32_t pair;
    uint32_t below;
} frame;

typedef struct nest_walk {
    scope_calls *calls;
    int64_t *exclusive;      /* per row, or NULL */
    const scope_pair *pairs; /* of the rank */
    size_t pair_count;
    nest_rows rows;
    uint64_t *row_table; /* rows.rows, if it is ours */
    int64_t next_id;
    uint32_t *pair_of;   /* per place; NULL: short_pair_of has it */
    uint16_t *short_pair_of;
    uint32_t *top;       /* per lane; NONE */
    size_t lane_count;
    int64_t threads, tasks; /* 1 + the greatest index */
    int mapped;          /* indices are not dense: lanes are numbered as they come */
    id_map lanes;
    frame *frames;       /* pool */
    size_t frame_count, frame_capacity;
    uint32_t free_frame; /* linked by `below` */
    int64_t *pair_exclusive;
} nest_walk;

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

static int64_t beyond(const int64_t *column, uint64_t row, int64_t greatest)
{
    if (!column || column[row] < greatest)
        return greatest;
    return column[row] == INT64_MAX ? INT64_MAX : column[row] + 1;
}

/* Lanes are numbered by task and thread index where these are dense, as they are
 * but for damaged files. */
static scope_status find_lanes(nest_walk *walk)
{
    const scope_calls *calls = walk->calls;
    const uint64_t count = walk->rows.count;
    for (uint64_t place = 0; place < count; place++) {
        const uint64_t row = nest_row(&walk->rows, place);
        walk->threads = beyond(calls->thread_ids, row, walk->threads);
        walk->tasks = beyond(calls->task_ids, row, walk->tasks);
    }
    const int64_t bound = 1024 + (int64_t)(count < UINT32_MAX / 8 ? count : UINT32_MAX / 8) * 3;
    walk->mapped = walk->threads > bound || walk->tasks > bound;
    walk->lane_count = walk->mapped ? count : (size_t)(walk->threads + walk->tasks + 1);
    if (walk->lane_count >= NONE)
        return SCOPE_ERR_MEMORY;
    walk->top = malloc((walk->lane_count + 1) * sizeof *walk->top);
    if (!walk->top)
        return SCOPE_ERR_MEMORY;
    memset(walk->top, 0xff, (walk->lane_count + 1) * sizeof *walk->top);
    if (walk->mapped)
        walk->lane_count = 0;
    return SCOPE_OK;
}

static inline uint32_t dense_lane(const nest_walk *walk, uint64_t row)
{
    const scope_calls *calls = walk->calls;
    const int64_t task = calls->task_ids ? calls->task_ids[row] : -1;
    const int64_t thread = calls->thread_ids ? calls->thread_ids[row] : -1;
    return (uint32_t)(task >= 0 ? task : walk->tasks + (thread >= 0 ? thread + 1 : 0));
}

/* NONE: no memory. */
static uint32_t mapped_lane(nest_walk *walk, uint64_t row)
{
    const uint64_t lane = (uint64_t)scope_calls_lane(walk->calls, row);
    uint32_t number = id_map_find(&walk->lanes, lane);
    if (number == ID_MAP_NONE) {
        number = (uint32_t)walk->lane_count;
        if (!id_map_add(&walk->lanes, lane, number))
            return NONE;
        walk->lane_count++;
    }
    return number;
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

/* Ask early for what calls that come soon will touch: with very many lanes each of
 * them is somewhere else. */
static inline void ask_ahead(const nest_walk *walk, const uint64_t *places, size_t left)
{
    if (left <= 3 * AHEAD)
        return;
    const scope_calls *calls = walk->calls;
    const uint64_t far = nest_row(&walk->rows, places[3 * AHEAD]);
    __builtin_prefetch(&calls->start_ns[far]);
    __builtin_prefetch(&calls->duration_ns[far]);
    __builtin_prefetch(&calls->call_ids[far], 1);
    __builtin_prefetch(&calls->parent_ids[far], 1);
    if (calls->thread_ids)
        __builtin_prefetch(&calls->thread_ids[far]);
    if (calls->task_ids)
        __builtin_prefetch(&calls->task_ids[far]);
    if (walk->mapped)
        return;
    const uint64_t near = nest_row(&walk->rows, places[2 * AHEAD]);
    __builtin_prefetch(&walk->top[dense_lane(walk, near)], 1);
    const uint32_t top = walk->top[dense_lane(walk, nest_row(&walk->rows, places[AHEAD]))];
    if (top != NONE)
        __builtin_prefetch(&walk->frames[top], 1);
}

static scope_status walk_calls(void *context, const uint64_t *places, size_t count)
{
    nest_walk *walk = context;
    scope_calls *calls = walk->calls;
    const int many = walk->lane_count > 1000; /* else all of it is in the caches */
    for (size_t i = 0; i < count; i++) {
        if (many)
            ask_ahead(walk, places + i, count - i);
        const uint64_t row = nest_row(&walk->rows, places[i]);
        const int64_t start = calls->start_ns[row], duration = calls->duration_ns[row];
        const int64_t end = nest_end(start, duration);
        const uint32_t lane = walk->mapped ? mapped_lane(walk, row) : dense_lane(walk, row);
        if (duration < 0 || lane == NONE)
            return duration < 0 ? SCOPE_ERR_NESTING : SCOPE_ERR_MEMORY;
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
            parent = around->id;
        }
        const uint32_t opened = new_frame(walk);
        if (opened == NONE)
            return SCOPE_ERR_MEMORY;
        walk->frames[opened] = (frame){
            .start_ns = start,
            .end_ns = end,
            .id = walk->next_id,
            .row = row,
            .pair = walk->short_pair_of ? walk->short_pair_of[places[i]] : walk->pair_of[places[i]],
            .below = top};
        walk->top[lane] = opened;
        calls->call_ids[row] = walk->next_id++;
        calls->parent_ids[row] = parent;
    }
    return SCOPE_OK;
}

static void close_lanes(nest_walk *walk)
{
    for (size_t lane = 0; lane < walk->lane_count; lane++)
        for (uint32_t top = walk->top[lane]; top != NONE;)
            top = close_frame(walk, top);
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
                      .next_id = first_call_id,
                      .free_frame = NONE};
    walk.pair_exclusive = calloc(count + 1, sizeof *walk.pair_exclusive);
    scope_status status = walk.pair_exclusive ? find_rows(&walk) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK)
        status = find_lanes(&walk);
    if (status == SCOPE_OK)
        status = nest_sort(&walk.rows, walk_calls, &walk);
    if (status == SCOPE_OK)
        close_lanes(&walk);
    for (size_t i = 0; i < count; i++)
        calls->pairs[first + i].exclusive_ns =
            status == SCOPE_OK ? walk.pair_exclusive[i] : -1;
    if (status != SCOPE_OK)
        forget_rank(&walk);
    id_map_free(&walk.lanes);
    free(walk.row_table);
    free(walk.pair_of);
    free(walk.short_pair_of);
    free(walk.pair_exclusive);
    free(walk.top);
    free(walk.frames);
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
    for (uint64_t i = 0; i < pair->count; i++) {
        const double off = (double)durations[i] - sum->mean;
        sum->m2 += off * off;
    }
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
