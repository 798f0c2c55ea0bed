/* stream.c - chunks of event words, one stream per writing thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stream.h"

#include <string.h>

#include "fold.h"
#include "pool.h"
#include "slots.h"
#include "spool_chunk.h"
#include "thread.h"
#include "throttle.h"

#define LARGEST_CHUNK_BYTES (1u << 20)
#define BOUNDED_CHUNK_BYTES (4 * SCOPE_CHUNK_UNIT_BYTES)
#define ROOM_BYTES (SCOPE_CHUNK_ROOM_WORDS * sizeof(uint64_t))
#define WORD sizeof(uint64_t)

static scope_stream *spare_streams; /* of sessions that are over */
static scope_chunk_ref *spare_refs;

/* ---- chunks ---- */

void scope_stream_finish_chunk(scope_stream *stream)
{
    scope_chunk_ref *ref = spare_refs;
    if (ref)
        spare_refs = ref->next;
    else
        ref = scope_pool_alloc(sizeof *ref);
    if (!ref)
        return; /* still in the recording, but no fold will find it */
    ref->next = NULL;
    ref->previous = stream->newest;
    ref->chunk = stream->chunk;
    if (stream->newest)
        stream->newest->next = ref;
    else
        stream->oldest = ref;
    stream->newest = ref;
    stream->finished_count++;
}

void scope_stream_take_oldest(scope_stream *stream)
{
    scope_chunk_ref *ref = stream->oldest;
    stream->oldest = ref->next;
    if (stream->oldest)
        stream->oldest->previous = NULL;
    else
        stream->newest = NULL;
    stream->finished_count--;
    ref->next = spare_refs;
    spare_refs = ref;
}

void scope_stream_take_out(scope_stream *stream, scope_chunk_ref *ref)
{
    ref->previous->next = ref->next;
    ref->next->previous = ref->previous;
    stream->finished_count--;
    ref->next = spare_refs;
    spare_refs = ref;
}

static scope_chunk_header *take_chunk(scope_stream *stream, bool must)
{
    scope_session *session = stream->session;
    for (uint64_t reclaimed = 0, bytes = 1; bytes && reclaimed < stream->chunk_bytes;
         reclaimed += bytes)
        bytes = scope_fold_written(stream);
    if (session->bounded) {
        stream->chunk_bytes = BOUNDED_CHUNK_BYTES;
        scope_fold_down(stream, 1);
    }
    scope_chunk_header *chunk = scope_spool_take(SCOPE_CHUNK_EVENTS, stream->chunk_bytes, must);
    if (!chunk)
        chunk = scope_fold_oldest(stream);
    if (!chunk && must)
        chunk = scope_spool_take_last(stream->chunk_bytes);
    if (chunk && !session->bounded && stream->chunk_bytes < LARGEST_CHUNK_BYTES && stream->chunk)
        stream->chunk_bytes *= 2;
    return chunk;
}

bool scope_stream_start_chunk(scope_stream *stream, int64_t thread)
{
    if (stream->chunk) {
        scope_stream_finish_chunk(stream);
        scope_throttle_look(stream);
    }
    scope_chunk_header *chunk = take_chunk(stream, !stream->chunk &&
                                                       scope_fold_is_allowed(stream->session));
    stream->chunk = chunk; /* when there is none, the old one must not be finished twice */
    if (!chunk)
        return false;
    const scope_clock_point now =
        scope_spool_begin(chunk, stream->session->number, stream->id, stream->next_sequence++,
                          thread, scope_stream_task(stream));
    stream->limit = (uintptr_t)chunk + chunk->size_bytes - ROOM_BYTES;
    stream->next = (uintptr_t)(chunk + 1);
    stream->epoch = now.ticks >> SCOPE_TICK_BITS;
    return true;
}

/* ---- streams ---- */

static scope_stream *new_stream(scope_session *session)
{
    scope_stream *stream = spare_streams;
    if (stream)
        spare_streams = stream->next_free;
    else
        stream = scope_pool_alloc(sizeof *stream);
    if (!stream)
        return NULL;
    memset(stream, 0, sizeof *stream);
    stream->session = session;
    stream->id = scope_store.stream_count++;
    stream->chunk_bytes = SCOPE_CHUNK_UNIT_BYTES;
    stream->other_thread = -1;
    stream->next_of_session = session->streams;
    session->streams = stream;
    return stream;
}

/* Words at the stream's own cursor, before a thread goes on there. */
static bool append_words(scope_stream *stream, int64_t thread, const uint64_t *words,
                         unsigned count)
{
    if (!stream->chunk || stream->next + count * WORD > stream->limit)
        if (!scope_stream_start_chunk(stream, thread))
            return false;
    for (unsigned i = count; i-- > 0;)
        scope_publish_word(stream->next + i * WORD, words[i]);
    stream->next += count * WORD;
    return true;
}

static unsigned head_words(uint64_t *words, uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    if (id < SCOPE_ID_ESCAPE) {
        words[0] = scope_event(ticks, (uint32_t)id, kind);
        return 1;
    }
    words[0] = scope_event(ticks, SCOPE_ID_ESCAPE, kind);
    words[1] = scope_payload(id);
    return 2;
}

bool scope_stream_set_epoch(scope_stream *stream, int64_t thread, uint64_t *ticks)
{
    const uint64_t epoch = *ticks >> SCOPE_TICK_BITS;
    if (epoch < stream->epoch) {
        *ticks = stream->epoch << SCOPE_TICK_BITS;
    } else if (epoch > stream->epoch) {
        const uint64_t words[2] = {
            scope_event(*ticks, SCOPE_EXTENDED_EPOCH, SCOPE_EVENT_EXTENDED), scope_payload(epoch)};
        if (!append_words(stream, thread, words, 2))
            return false;
        stream->epoch = epoch;
    }
    return true;
}

/* What this thread kept of a session that is over: now nobody stores there. */
static void give_orphan(scope_slot *slot)
{
    scope_stream *stream = slot->stream;
    if (!stream || stream->session)
        return;
    slot->stream = NULL;
    if (stream->chunk)
        scope_spool_give(stream->chunk);
    stream->chunk = NULL;
    stream->next_free = spare_streams;
    spare_streams = stream;
}

static scope_stream *pop_free(scope_session *session)
{
    scope_stream *stream = session->free_streams;
    if (stream)
        session->free_streams = stream->next_free;
    return stream;
}

static void push_free(scope_stream *stream)
{
    stream->next_free = stream->session->free_streams;
    stream->session->free_streams = stream;
}

int64_t scope_stream_thread(const scope_slot *slot, scope_stream *stream)
{
    return slot->thread >= 0 ? slot->thread : scope_thread_other(stream);
}

/* This thread goes on in a free stream of the session, or in a new one. */
bool scope_stream_join(scope_session *session, scope_slot *slot, uint64_t ticks)
{
    uint64_t words[2];
    if (!scope_thread_know(ticks, 0))
        return false;
    give_orphan(slot);
    scope_thread_enrol(session, slot, scope_this_thread.entry);
    scope_stream *stream = pop_free(session);
    if (!stream)
        stream = new_stream(session);
    if (!stream)
        return false;
    const int64_t thread = scope_stream_thread(slot, stream);
    ticks = scope_ticks();
    const bool fits = (stream->chunk || scope_stream_start_chunk(stream, thread)) &&
                      scope_stream_set_epoch(stream, thread, &ticks) &&
                      append_words(stream, thread, words,
                                   head_words(words, ticks, SCOPE_EVENT_THREAD, (uint64_t)thread));
    if (!fits) {
        push_free(stream);
        return false;
    }
    slot->stream = stream;
    return true;
}

bool scope_stream_attach(scope_session *session, scope_slot *slot)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    if (slot->generation == generation && slot->stream && slot->stream->session)
        return true;
    atomic_store(&slot->limit, 0);
    if (!scope_stream_join(session, slot, scope_ticks()))
        return false;
    slot->epoch = slot->stream->epoch;
    slot->next = slot->stream->next; /* with limit 0 the first event looks at everything else */
    return true;
}

/* ---- the end ---- */

void scope_stream_release(scope_session *session, scope_slot *slot)
{
    atomic_store(&slot->limit, 0);
    give_orphan(slot);
    scope_stream *stream = slot->stream;
    if (stream && session && session->number &&
        slot->generation == atomic_load_explicit(&session->generation, memory_order_relaxed)) {
        if (stream->chunk && slot->next >= (uintptr_t)(stream->chunk + 1) &&
            slot->next <= stream->limit)
            stream->next = slot->next;
        else
            stream->next = UINTPTR_MAX / 2;
        stream->task_depth = 0;
        push_free(stream);
    }
    slot->stream = NULL;
}

void scope_stream_write_past_thread(scope_session *session, int64_t thread, uint64_t start_ticks,
                                    uint64_t end_ticks, int64_t cpu_ns)
{
    uint64_t words[8];
    scope_stream *stream = pop_free(session);
    if (!stream)
        stream = new_stream(session);
    if (!stream)
        return;
    if ((stream->chunk || scope_stream_start_chunk(stream, thread)) &&
        scope_stream_set_epoch(stream, thread, &start_ticks)) {
        unsigned count = head_words(words, start_ticks, SCOPE_EVENT_THREAD, (uint64_t)thread);
        append_words(stream, thread, words, count);
        if (scope_stream_set_epoch(stream, thread, &end_ticks)) {
            count = head_words(words, end_ticks, SCOPE_EVENT_THREAD_END, (uint64_t)thread);
            words[count++] = scope_payload((uint64_t)cpu_ns);
            append_words(stream, thread, words, count);
        }
    }
    push_free(stream);
}

/* Another thread may be about to store into it. */
static bool is_attached(const scope_stream *stream)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        if (!entry->self || entry->self == &scope_this_thread)
            continue;
        const scope_slot *slot = scope_slot_if_any(entry->self, stream->session->index);
        if (slot && slot->stream == stream)
            return true;
    }
    return false;
}

void scope_stream_end(scope_stream *stream, bool keep_chunk)
{
    while (stream->oldest)
        scope_stream_take_oldest(stream);
    scope_fold_free(stream);
    scope_throttle_free(stream);
    if (!keep_chunk)
        stream->chunk = NULL;
    if (is_attached(stream)) {
        stream->session = NULL;
        return;
    }
    if (stream->chunk)
        scope_spool_give(stream->chunk);
    stream->chunk = NULL;
    stream->next_free = spare_streams;
    spare_streams = stream;
}
