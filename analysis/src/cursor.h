/* cursor.h - the state of a replay between two looks at a recording.
 *
 *     chunks of a stream -> events -> runs -> lanes -> rows
 *
 * A run is the part of a stream up to the next event that reaches for a task
 * (RESUME, TASK_NEW, TASK_DONE). Runs of all streams are taken in order of their
 * start, so that a task that moves from thread to thread sees its events in order.
 *
 * Shared by cursor.c (looks at a recording), cursor_streams.c (takes events in), events.c
 * (what each does) and replay.c (makes the table).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CURSOR_H
#define SCOPE_CURSOR_H

#include <scope/decode.h>
#include <scope/lane.h>
#include <scope/replay.h>

#include "chunks.h"
#include "clock_map.h"
#include "definitions_reader.h"
#include "id_map.h"
#include "rows.h"

#define CURSOR_SUM_PLACES 64u

typedef struct lane_state {
    scope_lane lane;
    int64_t last_ns;       /* times on a lane do not decrease */
    uint32_t thread, task; /* slots: a task's lane has a task; neither: unknown */
} lane_state;

typedef struct thread_state { /* beside definitions' thread_slot */
    uint32_t lane;            /* ID_MAP_NONE: none yet */
    int32_t ended, seen;
    int32_t active; /* it recorded something */
    int64_t first_ns, last_ns;
    int64_t cpu_ns; /* of THREAD_END; -1 */
} thread_state;

typedef struct task_state {
    int64_t id;
    uint32_t lane, thread; /* where it was made */
    uint32_t kind;
    uint64_t name, code_name; /* ids; 0 none */
    int64_t created_ns, done_ns, resumed_ns; /* -1 */
    int64_t steps, running_ns;
    int64_t folded_ns; /* time of the last event of it that was folded */
} task_state;

typedef struct stream_state {
    uint32_t id;
    uint32_t sequence; /* of the chunk that it is in, or waits for */
    uint32_t last;     /* of the chunk that it is in: the last place that it stands for */
    uint32_t generation; /* of that chunk */
    int started;       /* its first chunk, or what was folded of it, was taken in */
    int entered;       /* the chunk's header was taken in */
    int loaded;        /* the decoder has the chunk's words */
    int ended;         /* nothing more can follow: the file is cut, or a chunk was reused */
    int fresh;         /* nothing begun or ended yet: calls carried over a cut may come */
    int has_gap;       /* a later chunk is there, but not the one it waits for */
    int broken;        /* chunks before this place are missing: an END may have lost its BEGIN */
    int paused;        /* a pause was seen: an END may have lost its BEGIN */
    int has_next;      /* `next` is decoded and waits */
    decoder decoder;
    decoded_event next;
    uint64_t taken_words; /* of the chunk, up to the last event that was taken in */
    uint32_t cut_sequence; /* what lies before this place was reported: chunk ... */
    uint64_t cut_word;     /* ... and word; 0, 0: nothing */
    uint64_t *buffer; /* a copy of the chunk, while advancing */
    size_t buffer_words;
    size_t clock_hint;
    int64_t last_ns;
    uint32_t thread; /* slot */
    uint32_t *stack; /* lanes: the thread's, then the resumed tasks' */
    size_t depth, capacity;
} stream_state;

/* Of a task's lane, what was folded and still has to meet events of other streams
 * in order: an END that closed nothing in its stream, calls left open or pending. */
typedef struct folded_event {
    uint64_t ticks;       /* OPEN: its begin; PENDING and END: the end */
    scope_sums_open open; /* kind says which */
    uint32_t thread;      /* slot */
    uint32_t order;
    int reported;         /* it lies before the cut */
} folded_event;

typedef struct point_value {
    int64_t time_ns;
    uint32_t thread, task;
    uint64_t name;
    double value;
    int is_counter;
} point_value;

typedef struct row_message { /* of a call that has several, in order */
    uint64_t row;
    scope_message message;
} row_message;

typedef struct open_rows { /* of a region: calls that are open on any lane, the latest last */
    uint64_t *rows;
    size_t count, capacity;
} open_rows;

struct scope_cursor {
    scope_recording_header header;
    uint16_t session;
    int host, untracked;  /* scope_cursor_options */
    int follows_session;  /* 1: options are those of the session's definition */
    int follows_cut;      /* 1: calls before the recording's last written cut are left out */
    scope_define_cut_stream *cut; /* the last cut, by stream; NULL none */
    size_t cut_count;
    definitions defs;
    clock_map clock;
    id_map stream_map, task_map;
    stream_state *streams;
    lane_state *lanes;
    thread_state *threads; /* as many as defs.threads, when in use */
    task_state *tasks;
    point_value *points;
    size_t stream_count, lane_count, thread_count, task_count, point_count;
    size_t stream_capacity, lane_capacity, thread_capacity, task_capacity, point_capacity;
    uint32_t unknown_lane; /* of events that name no thread */
    rows rows;
    open_rows *open;         /* per region slot, when untracked */
    size_t open_region_count;
    scope_sum *sums; /* of folded calls; region is a slot, lane as in the recording */
    uint32_t sum_places[CURSOR_SUM_PLACES]; /* by hash: row + 1 that a SUM was added to last */
    folded_event *folded; /* sorted by time, taken from the front */
    size_t sum_count, sum_capacity, folded_count, next_folded;
    uint64_t folded_calls, folded_drops, folded_holes;
    int reported; /* the event that is taken in lies before the cut */
    int torn; /* a chunk was reused while it was read */
    row_message *messages;
    size_t message_count, message_capacity;
    int has_messages, has_awaits;
    int64_t last_ns;         /* latest time of any event */
    int64_t last_call_ns;    /* latest end of a call with times of its own */
    uint64_t missing_chunks; /* not found, though later ones of their streams are there */
    uint64_t lost_begins;    /* ENDs whose BEGIN was in such a chunk */
    uint64_t beside_events;  /* in memory of the process, that is not read here: about so many */
    int skips_gaps;          /* go on behind what is missing */
    int broken;              /* of the stream whose event is taken in */
    uint64_t stray_ends, ignored_switches;
    scope_status status; /* sticky: memory ran out */
};

/* ---- events.c ---- */

/* Take in the stream's `next` event. */
void cursor_take_event(scope_cursor *cursor, stream_state *stream);

/* The stream starts, or goes on after chunks that are gone, as this header says. */
void cursor_start_stream(scope_cursor *cursor, stream_state *stream,
                         const scope_chunk_header *header);

/* Pieces of it, for what was folded. */
uint32_t cursor_thread_lane(scope_cursor *cursor, uint32_t thread_slot);
uint32_t cursor_task(scope_cursor *cursor, uint64_t id, int64_t ns, uint32_t thread_slot);
uint32_t cursor_unknown_lane(scope_cursor *cursor);

/* The lane that the stream is on; NULL: no memory. */
lane_state *cursor_current_lane(scope_cursor *cursor, stream_state *stream);

void cursor_push_lane(scope_cursor *cursor, stream_state *stream, uint32_t lane);
int cursor_make_room(scope_cursor *cursor, lane_state *lane);
call_row *cursor_new_row(scope_cursor *cursor, uint32_t thread_slot, const lane_state *lane,
                         uint32_t region);

/* END of a region on a task's lane. */
void cursor_end_on_lane(scope_cursor *cursor, uint32_t lane, uint32_t region, int64_t ns);

/* What the stream's thread has lived to see. */
void cursor_note_thread(scope_cursor *cursor, stream_state *stream);

/* The state of a thread slot, made when new; NULL: no memory. */
thread_state *cursor_thread(scope_cursor *cursor, uint32_t slot);

/* Time on a lane does not go back. */
int64_t cursor_lane_time(lane_state *lane, int64_t ns);

/* A call of a lane has its end. */
void cursor_call_finished(void *context, const scope_call *call);

/* ---- event_sums.c ---- */

/* Calls that only live on as their sum. */
void cursor_take_sum(scope_cursor *cursor, stream_state *stream, const decoded_event *event);

/* Time that is in such sums goes off what the call around them has for itself. */
void cursor_take_spent(scope_cursor *cursor, stream_state *stream, uint64_t ticks);

/* ---- cursor_host.c ---- */

/* END as a host means it: the innermost open call of its region on the lane, and nothing
 * else, is closed. 0: there is none. */
int host_end(scope_cursor *cursor, lane_state *lane, uint32_t region, int64_t ns);
void host_note_open(scope_cursor *cursor, uint32_t region, uint64_t row); /* it begins */

/* The session's threads are one stack, and this one belongs to the host: no lane. */
int cursor_is_one_stack(const scope_cursor *cursor, uint32_t thread_slot);

/* Whether the table has this thread. */
int cursor_shows_thread(const scope_cursor *cursor, uint32_t thread_slot);

/* ---- sums_reader.c ---- */

/* What was folded of streams that have not started yet: they start behind it. 1 in
 * *behind: chunks that the cursor had not read were folded since; begin again. */
scope_status cursor_read_sums(scope_cursor *cursor, const chunk_index *index, int *behind);

/* Take in what was folded of tasks' lanes up to `ticks`: of one tick the folded comes first. */
scope_status cursor_take_folded(scope_cursor *cursor, uint64_t ticks);

/* ---- cursor.c ---- */

/* As scope_cursor_advance; `everything`: do not stop at the last calibration point. */
scope_status cursor_advance(scope_cursor *cursor, const scope_recording *recording, int everything);

#endif
