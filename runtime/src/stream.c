/* stream.c - the slow path: chunks of event words, one stream per writing thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stream.h"

#include <string.h>

#include "engine.h"
#include "fold.h"
#include "pool.h"
#include "skip.h"
#include "spool_chunk.h"
#include "spool_header.h"
#include "thread.h"
#include "throttle.h"

#define LARGEST_CHUNK_BYTES (1u << 20)
#define BOUNDED_CHUNK_BYTES (4 * SCOPE_CHUNK_UNIT_BYTES)
#define ROOM_BYTES (SCOPE_CHUNK_ROOM_WORDS * sizeof(uint64_t))
#define WORD sizeof(uint64_t)

_Thread_local scope_thread scope_this_thread = {
    .slot = {.next = SCOPE_NOWHERE, .ended = SCOPE_NOWHERE}};

static scope_stream *spare_streams; /* of sessions that are over */
static scope_chunk_ref *spare_refs;

/* Is there a header to count in? What came earlier is added when the session stops. */
static bool is_recorded(const scope_session *session)
{
    return scope_session_phase_of(session) >= SCOPE_SESSION_RECORDING;
}

void scope_count_dropped(scope_session *session, uint64_t count)
{
    atomic_fetch_add_explicit(&session->dropped_events, count, memory_order_relaxed);
    scope_spool_count(is_recorded(session) ? count : 0, 0);
}

void scope_count_dropped_in_handler(scope_session *session)
{
    atomic_fetch_add_explicit(&session->dropped_handler_events, 1, memory_order_relaxed);
    scope_spool_count(0, is_recorded(session) ? 1 : 0);
}

/* ---- chunks ---- */

static void keep_finished(scope_stream *stream)
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

/* The stream goes on in another chunk. */
static bool start_chunk(scope_stream *stream, int64_t thread)
{
    if (stream->chunk) {
        keep_finished(stream);
        scope_throttle_look(stream);
    }
    scope_chunk_header *chunk = take_chunk(stream, !stream->chunk &&
                                                       scope_fold_is_allowed(stream->session));
    stream->chunk = chunk; /* when there is none, the old one must not be finished twice */
    if (!chunk)
        return false;
    const scope_clock_point now = scope_clock_now();
    chunk->session = stream->session->number;
    chunk->stream = stream->id;
    chunk->sequence = stream->next_sequence++;
    chunk->further = 0;
    chunk->thread = thread;
    chunk->task = scope_stream_task(stream);
    chunk->ticks = now.ticks;
    chunk->monotonic_ns = now.monotonic_ns;
    scope_spool_publish(chunk);
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
        if (!start_chunk(stream, thread))
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

/* Make the epoch in force that of `ticks`, which is raised to it if it is older. */
static bool set_epoch(scope_stream *stream, int64_t thread, uint64_t *ticks)
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

/* As which thread the slot's owner writes into this stream. */
static int64_t thread_of(const scope_slot *slot, scope_stream *stream)
{
    return slot->thread >= 0 ? slot->thread : scope_thread_other(stream);
}

/* This thread goes on in a free stream of the session, or in a new one. */
static bool attach(scope_session *session, scope_slot *slot, uint64_t ticks)
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
    const int64_t thread = thread_of(slot, stream);
    ticks = scope_ticks();
    const bool fits = (stream->chunk || start_chunk(stream, thread)) &&
                      set_epoch(stream, thread, &ticks) &&
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
    if (!attach(session, slot, scope_ticks()))
        return false;
    slot->epoch = slot->stream->epoch;
    slot->next = slot->stream->next; /* with limit 0 the first event looks at everything else */
    return true;
}

/* ---- the slow path ---- */

/* Where the thread stands in its chunk, given that its last claim was not used. */
static uintptr_t cursor_of(const scope_slot *slot, uintptr_t claimed, size_t size_bytes,
                           uintptr_t seen)
{
    const scope_stream *stream = slot->stream;
    const uintptr_t first = (uintptr_t)(stream->chunk + 1);
    if (!stream->chunk || slot->next < first)
        return SCOPE_NOWHERE;
    if (claimed >= first && claimed + size_bytes == slot->next && claimed + size_bytes > seen)
        return claimed; /* not used, and nothing came after it */
    return slot->next;
}

/* A claim below the limit whose event goes elsewhere: nothing to see there. */
static void pad(uintptr_t claimed, size_t size_bytes, uint64_t ticks)
{
    for (size_t at = 0; at < size_bytes; at += WORD)
        scope_store_word(claimed + at,
                         scope_event(ticks, SCOPE_EXTENDED_PAD, SCOPE_EVENT_EXTENDED));
}

/* Under the lock, with limit 0: a place for size_bytes in this thread's stream, or 0. */
static uintptr_t find_place(scope_session *session, scope_slot *slot, uintptr_t claimed,
                            size_t size_bytes, uintptr_t seen, uint64_t *ticks, bool keep_ticks)
{
    if (!scope_session_is_live(session))
        return 0;
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    if (!scope_session_open(session)) {
        scope_count_dropped(session, 1);
        return 0;
    }
    if (slot->generation != generation || !slot->stream || !slot->stream->session) {
        if (!attach(session, slot, *ticks)) {
            if (scope_this_thread.phase != SCOPE_THREAD_GONE)
                slot->dropping = generation;
            scope_count_dropped(session, 1);
            return 0;
        }
    } else {
        slot->stream->next = cursor_of(slot, claimed, size_bytes, seen);
    }
    scope_stream *stream = slot->stream;
    uint64_t now = keep_ticks ? *ticks : scope_ticks();
    if (!stream->chunk || stream->next + size_bytes + 2 * WORD > stream->limit) {
        if (!start_chunk(stream, thread_of(slot, stream))) {
            slot->dropping = generation;
            scope_count_dropped(session, 1);
            return 0;
        }
        now = keep_ticks ? *ticks : scope_ticks();
    }
    if (!set_epoch(stream, thread_of(slot, stream), &now))
        return 0;
    *ticks = now;
    const uintptr_t place = stream->next;
    stream->next += size_bytes;
    slot->epoch = stream->epoch;
    slot->next = stream->next;
    return place;
}

/* After a claim that did not fit or whose epoch is another: where the event goes,
 * 0 when it is dropped. keep_ticks: the time was taken at the end of what is timed. */
static uintptr_t make_room(scope_session *session, scope_slot *slot, uintptr_t claimed,
                           size_t size_bytes, uint64_t *ticks, bool keep_ticks)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    if (slot->dropping == generation && scope_session_is_live(session)) {
        if (!scope_spool_may_retry()) {
            scope_count_dropped(session, 1);
            return 0;
        }
        slot->dropping = 0;
    }
    if (!scope_enter()) {
        scope_count_dropped_in_handler(session);
        return 0;
    }
    /* From here on a handler's claims fail, and it finds us busy. */
    const uintptr_t seen = atomic_exchange_explicit(&slot->limit, 0, memory_order_relaxed);
    if (claimed + size_bytes <= seen)
        pad(claimed, size_bytes, *ticks);
    scope_engine_lock();
    const uintptr_t place =
        find_place(session, slot, claimed, size_bytes, seen, ticks, keep_ticks);
    if (place && !scope_skips_any(session, slot)) {
        uintptr_t stopped = 0;
        atomic_compare_exchange_strong(&slot->limit, &stopped, slot->stream->limit);
        if (!scope_session_is_live(session))
            atomic_store(&slot->limit, 0);
    }
    scope_engine_unlock();
    scope_leave();
    return place;
}

/* The last claim, which nobody will use, is taken back: it would be a hole. */
static void unclaim(scope_slot *slot, uintptr_t claimed)
{
    uintptr_t next = claimed + WORD;
    __atomic_compare_exchange_n(&slot->next, &next, claimed, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

static bool keeps_ticks(scope_event_kind kind)
{
    return kind == SCOPE_EVENT_END || kind == SCOPE_EVENT_SUSPEND ||
           kind == SCOPE_EVENT_TASK_DONE || kind == SCOPE_EVENT_THREAD_END;
}

void scope_record_slow(scope_session *session, scope_slot *slot, uintptr_t claimed,
                       scope_event_kind kind, uint32_t id, uint64_t ticks)
{
    if (scope_skips_any(session, slot) && !scope_skips_admit(session, slot, kind, id)) {
        unclaim(slot, claimed);
        return;
    }
    const uintptr_t place =
        make_room(session, slot, claimed, WORD, &ticks, keeps_ticks(kind));
    if (place)
        scope_store_word(place, scope_event(ticks, id, kind));
}

static inline bool fits(const scope_slot *slot, uintptr_t claimed, size_t size_bytes,
                        uint64_t ticks)
{
    const uintptr_t limit = atomic_load_explicit(&slot->limit, memory_order_relaxed);
    return __builtin_expect(
        claimed + size_bytes <= limit && ticks >> SCOPE_TICK_BITS == slot->epoch, 1);
}

/* Claim room for `count` words with one clock reading; 0: dropped. */
static uintptr_t claim_words(scope_session *session, scope_slot *slot, unsigned count,
                             uint64_t *ticks, bool keep_ticks)
{
    const size_t size_bytes = count * WORD;
    *ticks = scope_ticks();
    const uintptr_t claimed = scope_claim(&slot->next, size_bytes);
    if (fits(slot, claimed, size_bytes, *ticks))
        return claimed;
    return make_room(session, slot, claimed, size_bytes, ticks, keep_ticks);
}

/* An event whose payload is stored first and whose head last. */
static inline void store_event(uintptr_t place, uint64_t ticks, scope_event_kind kind, uint64_t id,
                               const uint64_t *values, unsigned count)
{
    uintptr_t payload = place + WORD;
    uint32_t head_id = (uint32_t)id;
    if (scope_id_words(id) > 1) {
        head_id = SCOPE_ID_ESCAPE;
        scope_store_word(payload, scope_payload(id));
        payload += WORD;
    }
    for (unsigned i = 0; i < count; i++)
        scope_store_word(payload + i * WORD, scope_payload(values[i]));
    scope_publish_word(place, scope_event(ticks, head_id, kind));
}

bool scope_record_values(scope_session *session, scope_event_kind kind, uint64_t id,
                         const uint64_t *values, unsigned count)
{
    uint64_t ticks;
    scope_slot *slot = scope_slot_of(session);
    if (!slot || scope_id_words(id) + count > SCOPE_EVENT_WORDS_MAX)
        return false;
    const uintptr_t place =
        claim_words(session, slot, scope_id_words(id) + count, &ticks, keeps_ticks(kind));
    if (place)
        store_event(place, ticks, kind, id, values, count);
    return place != 0;
}

static inline void store_message_end(uintptr_t place, uint64_t ticks, uint64_t communicator,
                                     const uint64_t values[2], uint64_t region)
{
    const unsigned words = scope_id_words(communicator) + 2;
    store_event(place + words * WORD, ticks, SCOPE_EVENT_END, region, NULL, 0);
    store_event(place, ticks, SCOPE_EVENT_MESSAGE, communicator, values, 2);
}

/* Out of line: scope_record_message_end is in the path of every MPI call. */
__attribute__((cold, noinline)) static void
record_message_end_slow(uintptr_t claimed, size_t size_bytes, uint64_t ticks,
                        uint64_t communicator, const uint64_t values[2], uint64_t region)
{
    const uintptr_t place = make_room(&scope_process_session, &scope_this_thread.slot, claimed,
                                      size_bytes, &ticks, true);
    if (place)
        store_message_end(place, ticks, communicator, values, region);
}

void scope_record_message_end(uint64_t communicator, const uint64_t values[2], uint64_t region)
{
    scope_slot *slot = &scope_this_thread.slot;
    const size_t size_bytes = (scope_id_words(communicator) + 2 + scope_id_words(region)) * WORD;
    const uint64_t ticks = scope_ticks();
    const uintptr_t claimed = scope_claim(&slot->next, size_bytes);
    if (fits(slot, claimed, size_bytes, ticks))
        store_message_end(claimed, ticks, communicator, values, region);
    else
        record_message_end_slow(claimed, size_bytes, ticks, communicator, values, region);
}

/* ---- the end of threads and sessions ---- */

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
    if ((stream->chunk || start_chunk(stream, thread)) &&
        set_epoch(stream, thread, &start_ticks)) {
        unsigned count = head_words(words, start_ticks, SCOPE_EVENT_THREAD, (uint64_t)thread);
        append_words(stream, thread, words, count);
        if (set_epoch(stream, thread, &end_ticks)) {
            count = head_words(words, end_ticks, SCOPE_EVENT_THREAD_END, (uint64_t)thread);
            words[count++] = scope_payload((uint64_t)cpu_ns);
            append_words(stream, thread, words, count);
        }
    }
    push_free(stream);
}

void scope_streams_stop(scope_session *session)
{
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        scope_slot *slot = entry->self ? scope_slot_if_any(entry->self, session->index) : NULL;
        if (slot)
            atomic_store(&slot->limit, 0);
    }
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

/* The session is over. A stream that a thread still has is left to it, with the chunk
 * if that may be used again: its thread gives it back when it next looks. */
static void end_stream(scope_stream *stream, bool keep_chunk)
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
        end_stream(stream, true);
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
        end_stream(stream, false);
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
        keep_finished(stream);
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
