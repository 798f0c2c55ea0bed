/* nest_time.c - one walk over a rank's calls in the order of their ids.
 *
 * Each lane has a stack of the calls that are open at that time; the innermost one
 * lies in the lane, those around it are linked in one pool, so that the cost of a call
 * does not depend on how many lanes there are.
 *
 *     lanes[lane] -> frame -> frame -> none
 *
 * SPDX-License-Identifier: MIT
 */
#include "nest_walk.h"

#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

#define AHEAD 8            /* calls between asking for memory and using it */
#define NOTHING UINT64_MAX /* row of a lane where no call is open */

typedef struct frame { /* a call that is open while the walk is inside it */
    int64_t end_ns;
    int64_t id;
    uint64_t row;
    uint32_t pair;  /* times two; 1 more: it ends where it starts */
    uint32_t below; /* in the pool; NEST_NONE */
} frame;

typedef struct time_walk {
    nest_walk *walk;
    frame *lanes;           /* one lane: its stack, outermost first, behind a frame of nothing */
    size_t depth, capacity; /* of that */
    frame *pool;
    size_t pool_count, pool_capacity;
    uint32_t free_frame; /* linked by `below` */
} time_walk;

/* Touching calls are siblings; a zero-length one is inside one of the same start. */
static inline int is_over(const frame *open, int64_t start)
{
    return open->end_ns < start || (open->end_ns == start && !(open->pair & 1));
}

/* The call gets its id and its parent, `around` loses what is now inside it. 0: it does
 * not nest. */
static inline int enter(nest_walk *walk, uint64_t place, uint64_t row, const frame *around,
                        frame *opened)
{
    scope_calls *calls = walk->calls;
    const int64_t start = calls->start_ns[row], duration = calls->duration_ns[row];
    const int64_t end = nest_end(start, duration);
    int64_t parent = -1;
    if (duration < 0)
        return 0;
    if (around->row != NOTHING) {
        if (end > around->end_ns)
            return 0;
        int64_t *inner = &walk->pair_exclusive[around->pair >> 1];
        *inner = wrap_subtract(*inner, duration);
        if (walk->exclusive)
            walk->exclusive[around->row] = wrap_subtract(walk->exclusive[around->row], duration);
        parent = around->id;
    }
    if (walk->exclusive)
        walk->exclusive[row] = duration;
    calls->call_ids[row] = walk->next_id;
    calls->parent_ids[row] = parent;
    *opened = (frame){.end_ns = end,
                      .id = walk->next_id++,
                      .row = row,
                      .pair = nest_pair(walk, place) << 1 | (end == start),
                      .below = NEST_NONE};
    return 1;
}

/* ---- one lane ---- */

static scope_status take_one_lane(void *context, const uint64_t *places, size_t count)
{
    time_walk *to = context;
    nest_walk *walk = to->walk;
    for (size_t i = 0; i < count; i++) {
        const uint64_t row = nest_row(&walk->rows, places[i]);
        const int64_t start = walk->calls->start_ns[row];
        while (to->depth && is_over(&to->lanes[to->depth], start))
            to->depth--;
        if (to->depth + 2 > to->capacity) {
            const size_t capacity = to->capacity * 2;
            frame *larger = realloc(to->lanes, capacity * sizeof *larger);
            if (!larger)
                return SCOPE_ERR_MEMORY;
            to->lanes = larger;
            to->capacity = capacity;
        }
        if (!enter(walk, places[i], row, &to->lanes[to->depth], &to->lanes[to->depth + 1]))
            return SCOPE_ERR_NESTING;
        to->depth++;
    }
    return SCOPE_OK;
}

/* ---- many lanes ---- */

static uint32_t push(time_walk *to, const frame *call)
{
    uint32_t place = to->free_frame;
    if (place != NEST_NONE) {
        to->free_frame = to->pool[place].below;
    } else {
        if (to->pool_count == to->pool_capacity) {
            const size_t capacity = to->pool_capacity ? to->pool_capacity * 2 : 256;
            frame *pool = capacity < NEST_NONE ? realloc(to->pool, capacity * sizeof *pool) : NULL;
            if (!pool)
                return NEST_NONE;
            to->pool = pool;
            to->pool_capacity = capacity;
        }
        place = (uint32_t)to->pool_count++;
    }
    to->pool[place] = *call;
    return place;
}

static inline void pop(time_walk *to, frame *lane)
{
    const uint32_t below = lane->below;
    if (below == NEST_NONE) {
        lane->row = NOTHING;
        return;
    }
    *lane = to->pool[below];
    to->pool[below].below = to->free_frame;
    to->free_frame = below;
}

/* Ask early for what calls that come soon will touch: with very many lanes each of
 * them is somewhere else. */
static inline void ask_ahead(const time_walk *to, const uint64_t *places, size_t left)
{
    const nest_walk *walk = to->walk;
    if (left <= 2 * AHEAD)
        return;
    const scope_calls *calls = walk->calls;
    const uint64_t far = nest_row(&walk->rows, places[2 * AHEAD]);
    __builtin_prefetch(&calls->start_ns[far]);
    __builtin_prefetch(&calls->duration_ns[far]);
    __builtin_prefetch(&calls->call_ids[far], 1);
    __builtin_prefetch(&calls->parent_ids[far], 1);
    if (calls->thread_ids)
        __builtin_prefetch(&calls->thread_ids[far]);
    if (calls->task_ids)
        __builtin_prefetch(&calls->task_ids[far]);
    if (!walk->mapped)
        __builtin_prefetch(&to->lanes[nest_dense_lane(walk, nest_row(&walk->rows, places[AHEAD]))],
                           1);
}

static scope_status take_lanes(void *context, const uint64_t *places, size_t count)
{
    time_walk *to = context;
    nest_walk *walk = to->walk;
    const int many = walk->lane_count > 1000; /* else all of it is in the caches */
    for (size_t i = 0; i < count; i++) {
        if (many)
            ask_ahead(to, places + i, count - i);
        const uint64_t row = nest_row(&walk->rows, places[i]);
        const int64_t start = walk->calls->start_ns[row];
        const uint32_t place =
            walk->mapped ? nest_mapped_lane(walk, row) : nest_dense_lane(walk, row);
        if (place == NEST_NONE)
            return SCOPE_ERR_MEMORY;
        frame *lane = &to->lanes[place], opened;
        while (lane->row != NOTHING && is_over(lane, start))
            pop(to, lane);
        if (!enter(walk, places[i], row, lane, &opened))
            return SCOPE_ERR_NESTING;
        if (lane->row != NOTHING) {
            opened.below = push(to, lane);
            if (opened.below == NEST_NONE)
                return SCOPE_ERR_MEMORY;
        }
        *lane = opened;
    }
    return SCOPE_OK;
}

scope_status nest_by_time(nest_walk *walk)
{
    const int one = walk->lane_count == 1 && !walk->mapped;
    const size_t lanes = walk->mapped ? (size_t)walk->rows.count : walk->lane_count;
    time_walk to = {.walk = walk, .capacity = one ? 64 : lanes + 1, .free_frame = NEST_NONE};
    to.lanes = malloc(to.capacity * sizeof *to.lanes);
    if (!to.lanes)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < (one ? 1 : to.capacity); i++)
        to.lanes[i] = (frame){.row = NOTHING, .below = NEST_NONE};
    const scope_status status =
        nest_sort(&walk->rows, &walk->scan, one ? take_one_lane : take_lanes, &to);
    free(to.lanes);
    free(to.pool);
    return status;
}
