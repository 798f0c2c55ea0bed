/* overhead.c - see overhead.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "overhead.h"

#include <stdio.h>

#include <scope/recording.h>

#include "definitions.h"
#include "record.h"

enum { PAIRS = 32, ROUNDS = 6, SOME_STEPS = 32, MOST_STEPS = 400, TRIES = 4 };

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

/* What a program does meanwhile: each step waits for the one before. */
static inline uint64_t work(uint64_t state, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        __asm__ volatile("" : "+r"(state)); /* and is not left out */
    }
    return state;
}

static __attribute__((noinline)) uint64_t time_bare(unsigned steps)
{
    uint64_t state = 1;
    const uint64_t start = scope_ticks();
    for (uint32_t i = 0; i < PAIRS; i++)
        state = work(state, steps);
    return scope_ticks() - start;
}

/* `inside`: ticks between the clock readings of all pairs. UINT64_MAX: does not count. */
static __attribute__((noinline)) uint64_t time_recorded(unsigned steps, uint64_t *inside)
{
    uint64_t state = 1;
    bench.slot.next = (uintptr_t)bench.words;
    bench.slot.epoch = scope_ticks() >> SCOPE_TICK_BITS;
    bench.missed = 0;
    const uint64_t start = scope_ticks();
    for (uint32_t i = 0; i < PAIRS; i++) {
        if (__atomic_load_n(&bench.listening, __ATOMIC_RELAXED))
            call_begin(i);
        state = work(state, steps);
        if (__atomic_load_n(&bench.listening, __ATOMIC_RELAXED))
            call_end(i);
    }
    const uint64_t all = scope_ticks() - start;
    *inside = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint64_t begun = scope_word_ticks(bench.words[2 * i]);
        *inside += (scope_word_ticks(bench.words[2 * i + 1]) - begun) & SCOPE_TICK_MASK;
    }
    return bench.missed ? UINT64_MAX : all;
}

typedef struct fastest { /* of some rounds; UINT64_MAX: none counts */
    uint64_t bare, recorded, inside;
} fastest;

static fastest time_rounds(unsigned steps)
{
    fastest best = {UINT64_MAX, UINT64_MAX, 0};
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t inside;
        const uint64_t bare = time_bare(steps), recorded = time_recorded(steps, &inside);
        if (bare < best.bare)
            best.bare = bare;
        if (recorded < best.recorded) {
            best.recorded = recorded;
            best.inside = inside;
        }
    }
    return best;
}

static double without(uint64_t ticks, uint64_t bare)
{
    return ticks > bare ? (double)(ticks - bare) : 0;
}

static scope_overhead measure(void)
{
    atomic_store(&bench.session.id_limit, scope_clock_is_counter ? SCOPE_ID_ESCAPE : 0);
    atomic_store(&bench.session.attention, 1);
    atomic_store(&bench.session.phase, SCOPE_SESSION_RECORDING);
    atomic_store(&bench.slot.limit, (uintptr_t)(bench.words + 2 * PAIRS));
    const fastest empty = time_rounds(0);
    uint64_t some = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t ticks = time_bare(SOME_STEPS);
        some = ticks < some ? ticks : some;
    }
    if (empty.recorded == UINT64_MAX || !some)
        return (scope_overhead){0};
    unsigned steps = (unsigned)(2 * SOME_STEPS * empty.recorded / some);
    steps = steps < MOST_STEPS ? steps : MOST_STEPS;
    steps = steps > SOME_STEPS ? steps : SOME_STEPS; /* a busy machine made them look longer */
    const fastest busy = time_rounds(steps);
    if (busy.recorded == UINT64_MAX)
        return (scope_overhead){0};
    const double ns = 1e9 / (double)scope_clock_ticks_per_second() / PAIRS;
    return (scope_overhead){.pair_ns = (double)empty.recorded * ns,
                            .inside_ns = (double)empty.inside * ns,
                            .long_pair_ns = without(busy.recorded, busy.bare) * ns,
                            .long_inside_ns = ((double)busy.inside - (double)busy.bare) * ns};
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
    const long hundredths = (long)(ns * 100 + (ns < 0 ? -0.5 : 0.5));
    const long size = hundredths < 0 ? -hundredths : hundredths;
    snprintf(text, sizeof text, "%s%ld.%02ld", hundredths < 0 ? "-" : "", size / 100, size % 100);
    scope_define_text(session, key, text);
}

void scope_overhead_define(uint16_t session)
{
    const scope_overhead cost = scope_overhead_of_call();
    if (cost.pair_ns <= 0)
        return;
    define(session, "scope_overhead_pair_ns", cost.pair_ns);
    define(session, "scope_overhead_inside_ns", cost.inside_ns);
    define(session, "scope_overhead_long_pair_ns", cost.long_pair_ns);
    define(session, "scope_overhead_long_inside_ns", cost.long_inside_ns);
}
