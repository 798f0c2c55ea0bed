/* session_streams.c - all streams of a session: stop, give back, forget, copy in a child.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_streams.h"

#include <string.h>

#include "engine.h"
#include "fold.h"
#include "slots.h"
#include "spool_chunk.h"
#include "thread.h"

void scope_streams_stop(scope_session *session)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        scope_slot *slot = entry->self ? scope_slot_if_any(entry->self, session->index) : NULL;
        if (slot)
            atomic_store(&slot->limit, 0);
    }
}

static void leave_own(const scope_session *session)
{
    scope_slot *slot = scope_slot_if_any(&scope_this_thread, session->index);
    if (slot && slot->stream && slot->stream->session == session)
        slot->stream = NULL;
}

void scope_streams_free(scope_session *session)
{
    leave_own(session);
    while (session->streams) {
        scope_stream *stream = session->streams;
        session->streams = stream->next_of_session;
        for (scope_chunk_ref *ref = stream->oldest; ref; ref = ref->next)
            scope_spool_give(ref->chunk);
        scope_fold_give(stream);
        scope_stream_end(stream, true);
    }
    session->free_streams = NULL;
}

/* The recording is closed: no orphan's chunk is there any more. */
static void forget_orphans(void)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        scope_slot *slot;
        for (unsigned i = 0; entry->self && (slot = scope_slots_from(entry->self, &i)); i++)
            if (slot->stream && !slot->stream->session)
                slot->stream->chunk = NULL;
    }
}

void scope_streams_forget(scope_session *session)
{
    leave_own(session);
    while (session->streams) {
        scope_stream *stream = session->streams;
        session->streams = stream->next_of_session;
        scope_stream_end(stream, false);
    }
    session->free_streams = NULL;
    if (!scope_store.is_open)
        forget_orphans();
}

void scope_streams_inherit(scope_session *session)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        const scope_slot *slot =
            entry->self ? scope_slot_if_any(entry->self, session->index) : NULL;
        if (slot && slot->stream && slot->stream->session == session)
            slot->stream->next = slot->next;
    }
    for (scope_stream *stream = session->streams; stream; stream = stream->next_of_session) {
        scope_chunk_header *chunk = stream->chunk;
        scope_fold_own(stream);
        stream->chunk_bytes = SCOPE_CHUNK_UNIT_BYTES;
        if (!chunk)
            continue;
        const uintptr_t end = (uintptr_t)chunk + chunk->size_bytes;
        if (stream->next >= (uintptr_t)(chunk + 1) && stream->next <= end)
            memset((void *)stream->next, 0, end - stream->next);
        scope_stream_finish_chunk(stream);
        stream->chunk = NULL;
    }
}

bool scope_streams_pass_cut(const scope_session *session)
{
    bool pass = false;
    if (!scope_enter())
        return true;
    scope_engine_lock();
    for (const scope_stream *at = session->streams; at && !pass; at = at->next_of_session)
        pass = scope_fold_passes_cut(at);
    scope_engine_unlock();
    scope_leave();
    return pass;
}

bool scope_streams_inside(const void *start, const void *end)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        scope_thread *thread = entry->self; /* this one, too: a handler may have come */
        if (!thread)
            continue;
        const scope_slot *slot;
        for (unsigned i = 0; (slot = scope_slots_from(thread, &i)); i++) {
            const void *chunk = slot->stream ? slot->stream->chunk : NULL;
            if (chunk && chunk >= start && chunk < end)
                return true;
            /* moves on with the thread's next event elsewhere */
            const uintptr_t next = __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
            if (next > (uintptr_t)start && next < (uintptr_t)end)
                return true;
        }
    }
    return false;
}

bool scope_streams_all_inside(const void *start, const void *end)
{
    (void)start, (void)end;
    return true;
}
