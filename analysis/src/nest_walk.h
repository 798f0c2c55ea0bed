/* nest_walk.h - what is known of one rank while its calls are nested.
 *
 * Shared by nesting.c (finds rows and lanes) and nest_time.c (walks calls in order of
 * time, with a stack per lane).
 *
 * Ownership  nesting.c frees what is in it.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_NEST_WALK_H
#define SCOPE_NEST_WALK_H

#include <scope/calls.h>

#include "id_map.h"
#include "nest_sort.h"

#define NEST_NONE UINT32_MAX

typedef struct nest_walk {
    scope_calls *calls;
    int64_t *exclusive;      /* per row, or NULL */
    const scope_pair *pairs; /* of the rank */
    size_t pair_count;
    nest_rows rows;
    uint64_t *row_table;     /* rows.rows, if it is ours */
    nest_scan scan;
    int64_t next_id;
    uint32_t *pair_of;       /* per place; NULL: short_pair_of has it */
    uint16_t *short_pair_of;
    size_t lane_count;
    int64_t tasks;           /* 1 + the greatest index */
    int mapped;              /* indices are not dense: lanes are numbered as they come */
    id_map lanes;
    int64_t *pair_exclusive; /* starts as the sum of durations; each child takes its own away */
} nest_walk;

/* Ids, parents, exclusive times of rows and pairs. ERR_NESTING, ERR_MEMORY: rows hold
 * anything. */
scope_status nest_by_time(nest_walk *walk);

static inline uint32_t nest_pair(const nest_walk *walk, uint64_t place)
{
    return walk->short_pair_of ? walk->short_pair_of[place] : walk->pair_of[place];
}

static inline uint32_t nest_dense_lane(const nest_walk *walk, uint64_t row)
{
    const scope_calls *calls = walk->calls;
    const int64_t task = calls->task_ids ? calls->task_ids[row] : -1;
    const int64_t thread = calls->thread_ids ? calls->thread_ids[row] : -1;
    return (uint32_t)(task >= 0 ? task : walk->tasks + (thread >= 0 ? thread + 1 : 0));
}

/* NEST_NONE: no memory. */
uint32_t nest_mapped_lane(nest_walk *walk, uint64_t row);

#endif
