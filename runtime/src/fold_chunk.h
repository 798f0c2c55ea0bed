/* fold_chunk.h - the events of a finished chunk become sums, with the lane machine of replay.
 *
 * Calls that are open at the chunk's end stay in the lanes, for the next chunk of the stream.
 *
 * Units      ticks. Lanes as in sums.h: a task's id, -2 - a thread's, -1 unknown.
 * Ownership  a fold is its stream's; what it holds is from pool.h.
 * Threads    under the engine lock (engine.h).
 * Errors     what finds no memory is counted in dropped_events.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FOLD_CHUNK_H
#define SCOPE_FOLD_CHUNK_H

#include <scope/decode.h>

#include "stream.h"
#include "sums.h"

typedef struct scope_fold { /* of one stream */
    scope_sums sums;
    int64_t thread;            /* whose events these are; -1 none yet */
    int64_t *tasks;            /* resumed, outermost first */
    uint32_t task_depth, task_capacity; /* deeper than that: no memory */
    decoder decoder;
    uint64_t dropped_events;
    uint64_t beside_events;      /* in sums that lie beside the file, but not in its own */
    uint64_t uncommitted_events; /* in the sums, not in the recording: no room; count as dropped */
    bool ring;
    bool reported;             /* the event at hand lies before the cut: a file has it */
    uint64_t cuts;             /* of the stream, when `reported` ended */
    struct scope_fold *next;   /* spare ones */
    int64_t lane;              /* of the event at hand, for `finished` */
    scope_clock_point point;   /* where its chunk began, and the clock's speed up to there */
    double ticks_per_ns;
} scope_fold;

/* Sum up a chunk of the stream that comes after those before. Returns how many events there
 * were, those that the throttle summed up included. */
uint64_t scope_fold_sum_chunk(scope_fold *fold, const scope_stream *stream,
                              const scope_chunk_header *chunk);

/* Does a call, a message or a point of the chunk lie behind the stream's cut? */
bool scope_fold_chunk_passes_cut(const scope_stream *stream, const scope_chunk_header *chunk);

/* A task, or any other lane, is resumed inside those that are. */
void scope_fold_push_task(scope_fold *fold, int64_t id);

/* How many of the resumed tasks are known. */
uint32_t scope_fold_known_tasks(const scope_fold *fold);

/* The lane of the thread whose events these are. */
int64_t scope_fold_thread_lane(const scope_fold *fold);

#endif
