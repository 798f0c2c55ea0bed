/* record.h - the hot path: one event word into this thread's own chunk.
 *
 *     id >= id_limit      off, paused, filtered or more than 20 bits: leave first
 *     ticks               read the clock
 *     claim               one instruction: whole against signal handlers
 *     slot + n <= limit   else: new chunk, stopped, never started
 *     epoch               the ticks' high bits are those in force, else: slow path
 *     store
 *
 * A handler that records between claim and check may change the chunk; the old
 * slot then passes against the new limit, or not, and lands in the room that
 * every chunk keeps behind its limit. Replay reads that room too.
 *
 * Threads    a slot is written by its thread alone, but for `limit`, which others
 *            set to 0 to stop it; only the owner sets another value, by
 *            compare-and-swap, and then looks at the session's state again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RECORD_H
#define SCOPE_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/event.h>

#include "clock.h"
#include "session_state.h"

#define SCOPE_SESSIONS_MAX 4096 /* explicit sessions at a time */
#define SCOPE_PAGE_SLOTS 32u    /* a thread's slots come in pages */
#define SCOPE_PAGES_MAX (SCOPE_SESSIONS_MAX / SCOPE_PAGE_SLOTS)

struct scope_stream;
struct scope_thread_entry;
struct scope_skips;

/* No event fits here, whatever the limit: one claimed before the first chunk, while a handler
 * starts that. */
#define SCOPE_NOWHERE (UINTPTR_MAX / 2)

/* Where one thread writes for one session. `next` and `ended` are nowhere at first. */
typedef struct scope_slot {
    uintptr_t next;               /* address of the next free word */
    _Atomic(uintptr_t) limit;     /* an event of n bytes fits iff slot + n <= limit */
    uint64_t epoch;               /* ticks >> SCOPE_TICK_BITS in force */
    struct scope_stream *stream;  /* NULL: none yet */
    uint32_t generation;          /* of the session that thread and stream belong to */
    uint32_t dropping;            /* the generation in which nothing fits any more */
    int64_t thread;               /* this thread's id in that session; -1: its stream's shared one */
    int64_t cpu_base_ns;          /* CPU time that it had before that session */
    uint64_t start_ticks;         /* of its lane there */
    uint32_t named;               /* by a host: a hash of the name, never 0; 0: not */
    _Atomic(uintptr_t) ended;     /* `next` behind its THREAD_END; 0: not ended */
    struct scope_skips *skips;    /* begins that fell into a pause; NULL none */
    struct scope_define_thread_state *state; /* written last in this generation; NULL none */
} scope_slot;

typedef struct scope_slot_page {
    scope_slot slots[SCOPE_PAGE_SLOTS];
} scope_slot_page;

typedef enum scope_thread_phase {
    SCOPE_THREAD_NEW = 0, /* not seen yet */
    SCOPE_THREAD_KNOWN,   /* in the registry */
    SCOPE_THREAD_GONE,    /* ended: nothing may be recorded any more */
} scope_thread_phase;

/* All that a thread has of ours; a few words, for static TLS is scarce. */
typedef struct scope_thread {
    scope_slot slot;          /* the process session's */
    volatile uint32_t busy;   /* in a slow path: a handler that finds it set is counted */
    uint32_t phase;           /* scope_thread_phase */
    int error;                /* errno, which no region call may change */
    uint16_t held;            /* scope_hold without its scope_release */
    uint8_t cancel_state, cancel_type; /* before, while held */
    uint64_t signals;         /* likewise: what was blocked */
    scope_slot_page **more;   /* SCOPE_PAGES_MAX pages for the explicit sessions, NULL each at first */
    struct scope_thread_entry *entry;
    uint32_t page_count;      /* pages of `more` behind which there is none */
} scope_thread;

extern _Thread_local scope_thread scope_this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The slot of a thread for the session with this index; NULL: it has none yet. */
static inline scope_slot *scope_slot_if_any(scope_thread *thread, unsigned index)
{
    if (!index)
        return &thread->slot;
    scope_slot_page *page = thread->more ? thread->more[(index - 1) / SCOPE_PAGE_SLOTS] : NULL;
    return page ? &page->slots[(index - 1) % SCOPE_PAGE_SLOTS] : NULL;
}

/* Slow and rare paths, in record.c. Out of line, cold. */
void scope_record_rare(scope_session *session, scope_event_kind kind, uint32_t id)
    __attribute__((cold, visibility("hidden")));
void scope_record_slow(scope_session *session, scope_slot *slot, uintptr_t claimed,
                       scope_event_kind kind, uint32_t id, uint64_t ticks)
    __attribute__((cold, noinline, visibility("hidden")));

/* An event with `count` values behind its (possibly escaped) id, into the slot of
 * this thread. Returns false when it was dropped. */
bool scope_record_values(scope_session *session, scope_event_kind kind, uint64_t id,
                         const uint64_t *values, unsigned count)
    __attribute__((visibility("hidden")));

/* Into the process session: a MESSAGE of the innermost open call and the END of that call, with
 * one clock reading, claimed at once. */
void scope_record_message_end(uint64_t communicator, const uint64_t values[2], uint64_t region)
    __attribute__((visibility("hidden")));

/* Words of an id: beyond 20 bits it follows in one of its own. */
static inline unsigned scope_id_words(uint64_t id)
{
    return id >= SCOPE_ID_ESCAPE ? 2 : 1;
}

static inline uintptr_t scope_claim(uintptr_t *next, uintptr_t size_bytes)
{
#if defined(__x86_64__)
    /* Without lock prefix: whole against handlers on this thread, all we need. */
    __asm__ volatile("xaddq %0, %1" : "+r"(size_bytes), "+m"(*next) : : "cc", "memory");
    return size_bytes;
#else
    return __atomic_fetch_add(next, size_bytes, __ATOMIC_RELAXED);
#endif
}

static inline void scope_store_word(uintptr_t slot, uint64_t word)
{
    __atomic_store_n((uint64_t *)slot, word, __ATOMIC_RELAXED);
}

static inline void scope_publish_word(uintptr_t slot, uint64_t word)
{
    __atomic_store_n((uint64_t *)slot, word, __ATOMIC_RELEASE);
}

/* At `ticks` into `slot` of this thread, which belongs to `session`. */
static inline void scope_record_at(scope_session *session, scope_slot *slot,
                                   scope_event_kind kind, uint32_t id, uint64_t ticks)
{
    const uintptr_t claimed = scope_claim(&slot->next, sizeof(uint64_t));
    const uintptr_t limit = atomic_load_explicit(&slot->limit, memory_order_relaxed);
    if (__builtin_expect(claimed + sizeof(uint64_t) > limit ||
                             ticks >> SCOPE_TICK_BITS != slot->epoch,
                         0)) {
        scope_record_slow(session, slot, claimed, kind, id, ticks);
        return;
    }
    scope_store_word(claimed, scope_event(ticks, id, kind));
}

/* With whatever clock there is. */
static inline void scope_record_into(scope_session *session, scope_slot *slot,
                                     scope_event_kind kind, uint32_t id)
{
    scope_record_at(session, slot, kind, id, scope_ticks());
}

/* Into the process session. Without a counter its id limit is 0: the hot path has
 * one clock only. */
static inline void scope_record(scope_event_kind kind, uint32_t id)
{
    if (__builtin_expect(id >= scope_session_id_limit(&scope_process_session), 0)) {
        if (scope_session_is_quiet(&scope_process_session))
            return;
        scope_record_rare(&scope_process_session, kind, id);
        return;
    }
    scope_record_at(&scope_process_session, &scope_this_thread.slot, kind, id,
                    scope_counter_ticks());
}

/* Count events that could not be kept: in the session and in the recording. */
void scope_count_dropped(scope_session *session, uint64_t count);
void scope_count_dropped_in_handler(scope_session *session);

#endif
