/* watch_parts.h - the streams of a recording that is followed, and where one may be taken up.
 *
 *     chunks of a stream -> events -> lanes of this stream -> sums of this stream
 *                 ^
 *                 saved: the stream as it was where one of its last chunks begins
 *
 * The end of a stream may be written anew (tiny calls become sums), never what lies some
 * chunks back: so the stream is saved at the begin of its last chunks. Each stream is
 * read by itself; what a task began in one and ended in another meets afterwards.
 *
 * Times are ticks until they are given out; those of a damaged file stay below WATCH_TICKS_MAX.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_WATCH_PARTS_H
#define SCOPE_WATCH_PARTS_H

#include <scope/decode.h>
#include <scope/lane.h>
#include <scope/watch.h>
#include <scope/wrap.h>

#include "chunks.h"
#include "clock_now.h"
#include "definitions_reader.h"
#include "id_map.h"

#define WATCH_SAVED 6u   /* places in a stream that it can go back to */
#define WATCH_UNSETTLED 4u /* chunks at a stream's end that may be written anew */

/* Decades. Differences of two and sums of some do not overflow. */
#define WATCH_TICKS_MAX (UINT64_C(1) << 60)

static inline int64_t watch_ticks(uint64_t ticks)
{
    return (int64_t)(ticks < WATCH_TICKS_MAX ? ticks : WATCH_TICKS_MAX);
}

typedef struct watch_sum { /* of a region in a stream */
    uint32_t region;       /* slot */
    int32_t communicator;  /* id, of its last call that has one; -1 */
    uint64_t count;
    int64_t total, exclusive, bytes;
} watch_sum;

typedef enum watch_lane_kind { WATCH_FREE, WATCH_THREAD, WATCH_TASK } watch_lane_kind;

typedef struct watch_lane {
    watch_lane_kind kind;
    int64_t id;          /* of the thread (-1 unknown), or the task */
    int ended;
    int64_t first, last; /* ticks of its events */
    scope_lane lane;
} watch_lane;

typedef struct watch_position { /* of a stream: all that goes back with it */
    decoder decoder;
    watch_lane *lanes;
    uint32_t *stack; /* places of lanes: the thread's, then the resumed tasks' */
    watch_sum *sums;
    size_t lane_count, lane_capacity, depth, stack_capacity, sum_count, sum_capacity;
    int64_t lived; /* of threads that ended */
    uint64_t events, folded, orphans;
} watch_position;

typedef struct watch_saved {
    int used;
    uint32_t sequence; /* as it was where this chunk begins */
    watch_position position;
} watch_saved;

typedef struct watch_stream {
    uint32_t id;
    uint32_t sequence, last, generation; /* of the chunk that it is in, or waits for */
    int started, entered;
    uint64_t missed;
    watch_position now;
    watch_saved saved[WATCH_SAVED];
    size_t next_saved;
    uint32_t *places; /* by region slot: sum + 1; 0 none */
    size_t place_count;
} watch_stream;

typedef struct watch_end { /* of a task's call that is open in no stream read so far */
    int64_t task;
    uint32_t region;
    int64_t ticks;
    uint32_t stream;
} watch_end;

typedef struct watch_group { /* of a communicator, by slot */
    int32_t last_number;
} watch_group;

struct scope_watch {
    scope_recording_header header;
    uint16_t session;
    definitions defs;
    int has_defs;
    int host, untracked;
    watch_stream *streams;
    size_t stream_count, stream_capacity;
    id_map stream_map;
    watch_end *ends;
    size_t end_count, end_capacity;
    watch_group *groups;
    size_t group_count, group_capacity;
    clock_point newest; /* reading of both clocks */
    int knows_now;      /* it was ours, taken just before the last look */
    double slope;       /* ns per tick */
    uint64_t *buffer;
    size_t buffer_words;
    int64_t last_ticks; /* of any event */
    int64_t seen_alive_ns;
    scope_status status; /* sticky: memory ran out */
    scope_watch_state state;
    size_t region_room, thread_room, open_room, communicator_room;
};

/* ---- watch_position.c ---- */

/* Make `to` what `from` is; its memory is used again. 0: no memory. */
int watch_position_copy(watch_position *to, const watch_position *from);
void watch_position_free(watch_position *position);

/* Nothing open, no thread; sums stay. */
void watch_position_empty(watch_position *position);

/* A lane of its own; UINT32_MAX: no memory. */
uint32_t watch_lane_new(watch_position *position, watch_lane_kind kind, int64_t id, int64_t ticks);
uint32_t watch_lane_find(const watch_position *position, watch_lane_kind kind, int64_t id);
int watch_lane_room(watch_lane *lane); /* for one more call; 0: no memory */
int watch_push(watch_position *position, uint32_t lane);

/* The sum of a region in the stream; NULL: no memory. */
watch_sum *watch_sum_of(watch_stream *stream, uint32_t region);

/* After `now.sums` has become another array. 0: no memory. */
int watch_find_places(watch_stream *stream);

/* ---- watch_events.c ---- */

void watch_take_event(scope_watch *watch, watch_stream *stream, const decoded_event *event);

/* The stream begins, or goes on behind a gap, as this header says. */
void watch_start_stream(scope_watch *watch, watch_stream *stream,
                        const scope_chunk_header *header);

/* Ends of tasks' calls, of this read, meet what is open in other streams. */
void watch_meet_ends(scope_watch *watch);

/* ---- watch_sums.c ---- */

/* What was folded of the stream: where it has not begun, or lies behind it, it goes on from
 * there. ERR_CORRUPT: it changed meanwhile, look again. */
scope_status watch_take_folded(scope_watch *watch, watch_stream *stream, const chunk_index *index);

/* ---- watch_state.c ---- */

scope_status watch_make_state(scope_watch *watch, int alive);
void watch_state_free(scope_watch *watch);

#endif
