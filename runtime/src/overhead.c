/* overhead.c - see overhead.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "overhead.h"

#include <stdio.h>

#include <scope/recording.h>

#include "definitions.h"
#include "record.h"

enum { PAIRS = 64, ROUNDS = 12 };

static struct {
    scope_session session; /* its gates are open; it is in no list and no recording */
    scope_slot slot;
    uint64_t words[2 * PAIRS + SCOPE_CHUNK_ROOM_WORDS];
    uint32_t listening; /* as scope_listening, which a caller looks at */
    uint32_t missed;    /* the epoch changed: the round does not count */
} bench = {.listening = 1};

static inline void store(scope_event_kind kind, uint32_t id, uint64_t ticks)
{
    const uintptr_t claimed = scope_claim(&bench.slot.next, sizeof(uint64_t));
    const uintptr_t limit = atomic_load_explicit(&bench.slot.limit, memory_order_relaxed);
    if (__builtin_expect(claimed + sizeof(uint64_t) > limit ||
                             ticks >> SCOPE_TICK_BITS != bench.slot.epoch,
                         0)) {
        bench.missed++;
        return;
    }
    scope_store_word(claimed, scope_event(ticks, id, kind));
}

/* As scope_record_rare: where the clock is no counter, every event takes that way. */
static __attribute__((noinline)) void record_rare(scope_event_kind kind, uint32_t id)
{
    if (scope_session_is_live(&bench.session) && bench.slot.generation == 0 &&
        !atomic_load(&bench.session.paused))
        store(kind, id, scope_ticks());
}

/* As scope_record, which knows where the session and the slot are. */
static inline void record(scope_event_kind kind, uint32_t id)
{
    if (__builtin_expect(id >= scope_session_id_limit(&bench.session), 0)) {
        if (scope_session_is_quiet(&bench.session))
            return;
        record_rare(kind, id);
        return;
    }
    store(kind, id, scope_counter_ticks());
}

static __attribute__((noinline)) void begin(uint32_t id)
{
    record(SCOPE_EVENT_BEGIN, id);
}

static __attribute__((noinline)) void end(uint32_t id)
{
    record(SCOPE_EVENT_END, id);
}

/* A program calls through its table of addresses. */
static void (*volatile const call_begin)(uint32_t) = begin;
static void (*volatile const call_end)(uint32_t) = end;

/* Ticks of one round; `inside`: between the clock readings of its pairs. */
static uint64_t time_round(uint64_t *inside)
{
    bench.slot.next = (uintptr_t)bench.words;
    bench.slot.epoch = scope_ticks() >> SCOPE_TICK_BITS;
    bench.missed = 0;
    const uint64_t start = scope_ticks();
    for (uint32_t i = 0; i < PAIRS; i++) {
        if (__atomic_load_n(&bench.listening, __ATOMIC_RELAXED))
            call_begin(i);
        if (__atomic_load_n(&bench.listening, __ATOMIC_RELAXED))
            call_end(i);
    }
    const uint64_t all = scope_ticks() - start;
    *inside = 0;
    for (uint32_t i = 0; i < PAIRS; i++)
        *inside +=
            (scope_word_ticks(bench.words[2 * i + 1]) - scope_word_ticks(bench.words[2 * i])) &
            SCOPE_TICK_MASK;
    return all;
}

static scope_overhead measure(void)
{
    uint64_t best = UINT64_MAX, best_inside = 0;
    atomic_store(&bench.session.id_limit, scope_clock_is_counter ? SCOPE_ID_ESCAPE : 0);
    atomic_store(&bench.session.attention, 1);
    atomic_store(&bench.session.phase, SCOPE_SESSION_RECORDING);
    atomic_store(&bench.slot.limit, (uintptr_t)(bench.words + 2 * PAIRS));
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t inside;
        const uint64_t ticks = time_round(&inside);
        if (bench.missed || ticks >= best)
            continue;
        best = ticks;
        best_inside = inside < ticks ? inside : ticks;
    }
    if (best == UINT64_MAX)
        return (scope_overhead){0, 0};
    const double ns = 1e9 / (double)scope_clock_ticks_per_second() / PAIRS;
    return (scope_overhead){(double)best * ns, (double)best_inside * ns};
}

scope_overhead scope_overhead_of_call(void)
{
    static scope_overhead known;
    if (known.pair_ns <= 0)
        known = measure();
    return known;
}

/* Not by printf's %f, which asks the locale for its point. */
static void define(uint16_t session, const char *key, double ns)
{
    char text[32];
    const unsigned long hundredths = (unsigned long)(ns * 100 + 0.5);
    snprintf(text, sizeof text, "%lu.%02lu", hundredths / 100, hundredths % 100);
    scope_define_text(session, key, text);
}

void scope_overhead_define(uint16_t session)
{
    const scope_overhead cost = scope_overhead_of_call();
    if (cost.pair_ns <= 0)
        return;
    define(session, "scope_overhead_pair_ns", cost.pair_ns);
    define(session, "scope_overhead_inside_ns", cost.inside_ns);
}
