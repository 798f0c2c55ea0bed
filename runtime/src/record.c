/* record.c - what an event meets behind the hot path: a new chunk, a pause, a stop.
 *
 * SPDX-License-Identifier: MIT
 */
#include "record.h"

#include "engine.h"
#include "late_names.h"
#include "names.h"
#include "session_start.h"
#include "skip.h"
#include "slots.h"
#include "spool_chunk.h"
#include "spool_header.h"
#include "stream.h"
#include "thread.h"

#define WORD sizeof(uint64_t)

_Thread_local scope_thread scope_this_thread = {
    .slot = {.next = SCOPE_NOWHERE, .ended = SCOPE_NOWHERE}};

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

/* ---- a place for an event ---- */

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
        if (!scope_stream_join(session, slot, *ticks)) {
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
        if (!scope_stream_start_chunk(stream, scope_stream_thread(slot, stream))) {
            slot->dropping = generation;
            scope_count_dropped(session, 1);
            return 0;
        }
        now = keep_ticks ? *ticks : scope_ticks();
    }
    if (!scope_stream_set_epoch(stream, scope_stream_thread(slot, stream), &now))
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

/* ---- events of one word ---- */

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

/* ---- off, paused, filtered ---- */

void scope_record_rare(scope_session *session, scope_event_kind kind, uint32_t id)
{
    if (!session->index)
        scope_watch_now();
    if (!scope_session_is_live(session))
        return;
    if ((int32_t)id < 0) {
        if ((int32_t)id == SCOPE_NAME_BUSY)
            scope_count_dropped_in_handler(session);
        return;
    }
    scope_slot *slot = scope_slot_of(session);
    if (!slot)
        return;
    const bool late = !session->index &&
                      (kind == SCOPE_EVENT_BEGIN || kind == SCOPE_EVENT_END) &&
                      scope_late_names_has(id);
    if (atomic_load(&session->paused) || late) {
        if (kind == SCOPE_EVENT_BEGIN)
            scope_skips_push(session, slot, id);
        if (kind != SCOPE_EVENT_END)
            return;
    }
    if (id < SCOPE_ID_ESCAPE)
        scope_record_into(session, slot, kind, id);
    else if (!scope_skips_any(session, slot) || scope_skips_admit(session, slot, kind, id))
        scope_record_values(session, kind, id, NULL, 0);
}
