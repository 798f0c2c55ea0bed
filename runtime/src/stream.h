/* stream.h - chunks of event words, one stream per writing thread.
 *
 *     session --streams--> stream --> chunk, chunk, chunk (the one being filled)
 *
 * A thread that ends hands its stream, with the rest of its chunk, to the next
 * new one: 100 000 short threads cost what the most alive at once cost.
 *
 * record.c, which fills them, has the way of an event; session_streams.h all of a session.
 *
 * Ownership  streams are never freed; one whose session ended is used again.
 * Threads    a stream is written by the thread that it is attached to; all else
 *            under the engine lock (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_STREAM_H
#define SCOPE_STREAM_H

#include "record.h"
#include "spool.h"

#define SCOPE_STREAM_TASKS 64 /* tasks that one thread may have resumed inside each other */

typedef struct scope_chunk_ref { /* a finished chunk, oldest first */
    struct scope_chunk_ref *next, *previous;
    scope_chunk_header *chunk;
} scope_chunk_ref;

typedef struct scope_stream {
    struct scope_stream *next_of_session, *next_free;
    _Atomic(scope_session *) session; /* NULL: orphan; that is over, but its thread still has it */
    uint32_t id;
    uint32_t next_sequence;
    uint32_t chunk_bytes;      /* what to ask for next */
    scope_chunk_header *chunk; /* being filled; NULL none */
    uintptr_t limit;           /* its real limit */
    uintptr_t next;            /* where to go on, while attached to no thread */
    uint64_t epoch;
    scope_chunk_ref *oldest, *newest; /* finished ones */
    uint32_t finished_count;
    uint64_t cuts;             /* the session's last CUT that knows this stream; 0 none */
    uint32_t cut_sequence;     /* where it lies: what is before is in a file of the host's */
    uint64_t cut_word;
    int64_t other_thread;      /* the lane that threads beyond the limits share here; -1 none */
    int64_t other_cpu_ns;      /* of those that ended */
    struct scope_fold *fold;   /* sums of what was folded; NULL none */
    struct scope_throttle *throttle; /* what is known of tiny regions; NULL nothing */
    uint32_t task_depth;
    int64_t tasks[SCOPE_STREAM_TASKS]; /* resumed, outermost first */
} scope_stream;

/* This thread stops using its slot; its stream goes to the next one. `session` is
 * NULL if there is none in that place any more. */
void scope_stream_release(scope_session *session, scope_slot *slot);

/* Attach this thread to a stream of the session now, so that its THREAD is written.
 * Busy, under the lock. */
bool scope_stream_attach(scope_session *session, scope_slot *slot);

/* The same from inside an event at `ticks`, which sees to the slot itself. */
bool scope_stream_join(scope_session *session, scope_slot *slot, uint64_t ticks);

/* As which thread the slot's owner writes into this stream. */
int64_t scope_stream_thread(const scope_slot *slot, scope_stream *stream);

/* The stream goes on in another chunk; false: there is none. */
bool scope_stream_start_chunk(scope_stream *stream, int64_t thread);

/* The chunk that is being filled is finished. */
void scope_stream_finish_chunk(scope_stream *stream);

/* Make the epoch in force that of `ticks`, which is raised to it if it is older. */
bool scope_stream_set_epoch(scope_stream *stream, int64_t thread, uint64_t *ticks);

/* fold: the oldest finished chunk leaves the stream. */
void scope_stream_take_oldest(scope_stream *stream);

/* throttle: a finished chunk, neither the oldest nor the newest, leaves the stream. */
void scope_stream_take_out(scope_stream *stream, scope_chunk_ref *ref);

/* Its session is over. A stream that a thread still has is left to it, with the chunk
 * if that may be used again: its thread gives it back when it next looks. */
void scope_stream_end(scope_stream *stream, bool keep_chunk);

/* A lane that was over before the recording opened: THREAD and THREAD_END. */
void scope_stream_write_past_thread(scope_session *session, int64_t thread, uint64_t start_ticks,
                                    uint64_t end_ticks, int64_t cpu_ns);

/* The innermost task that is resumed on the stream; -1 none. */
static inline int64_t scope_stream_task(const scope_stream *stream)
{
    return stream->task_depth && stream->task_depth <= SCOPE_STREAM_TASKS
               ? stream->tasks[stream->task_depth - 1]
               : -1;
}

#endif
