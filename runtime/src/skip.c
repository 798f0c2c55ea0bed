/* skip.c - begins that fell into a pause, so that their ends are not recorded.
 *
 * SPDX-License-Identifier: MIT
 */
#include "skip.h"

#include <string.h>

#include "engine.h"
#include "pool.h"
#include "stream.h"

#define FIRST_CAPACITY 61u
#define GONE UINT64_MAX /* the state of a list that was followed by a larger one */

static uint64_t count_of(uint64_t state)
{
    return state & SCOPE_SKIP_MAX;
}

/* The state after this one. A list without skipped begins is an empty one. */
static uint64_t next_state(uint64_t state, uint64_t count, uint64_t skipped)
{
    const uint64_t changes = ((state >> 2 * SCOPE_SKIP_BITS) + 1) % UINT16_MAX;
    return changes << 2 * SCOPE_SKIP_BITS | (skipped ? skipped << SCOPE_SKIP_BITS | count : 0);
}

/* false: a handler changed it in between. */
static bool change(scope_skips *skips, uint64_t state, uint64_t count, uint64_t skipped)
{
    return atomic_compare_exchange_strong_explicit(&skips->state, &state,
                                                   next_state(state, count, skipped),
                                                   memory_order_relaxed, memory_order_relaxed);
}

static uint64_t state_of(const scope_skips *skips)
{
    const uint64_t state = atomic_load_explicit(&skips->state, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return state;
}

static bool has_room(const scope_slot *slot, uint32_t generation)
{
    const scope_skips *skips = slot->skips;
    return skips && skips->generation == generation && count_of(state_of(skips)) < skips->capacity;
}

/* A list of this generation with room for one more. */
static bool make_room(scope_slot *slot, uint32_t generation)
{
    scope_skips *old = slot->skips;
    const uint64_t before = old ? state_of(old) : 0;
    if (old && old->generation != generation) { /* of a session that is over */
        atomic_store(&old->state, next_state(before, 0, 0));
        old->generation = generation;
        return true;
    }
    const uint64_t capacity = old ? 2 * (uint64_t)old->capacity + 2 : FIRST_CAPACITY;
    if (capacity > SCOPE_SKIP_MAX)
        return false;
    scope_skips *skips = scope_map_alloc(sizeof *skips + capacity * sizeof skips->entries[0]);
    if (!skips)
        return false;
    skips->capacity = (uint32_t)capacity;
    skips->generation = generation;
    skips->older = old;
    if (old) {
        memcpy(skips->entries, old->entries, count_of(before) * sizeof old->entries[0]);
        atomic_store(&skips->state,
                     next_state(before, count_of(before), scope_skips_skipped(before)));
        atomic_store(&old->state, GONE);
    }
    slot->skips = skips;
    return true;
}

static int64_t task_of(const scope_session *session, const scope_slot *slot)
{
    const scope_stream *stream = slot->stream;
    return stream && stream->session == session ? scope_stream_task(stream) : -1;
}

static bool push(const scope_session *session, scope_slot *slot, uint32_t region, uint32_t recorded)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    for (;;) {
        if (!has_room(slot, generation)) {
            scope_hold();
            const bool roomy = has_room(slot, generation) || make_room(slot, generation);
            scope_release();
            if (!roomy)
                return false;
            continue;
        }
        scope_skips *skips = slot->skips;
        const uint64_t state = state_of(skips), count = count_of(state);
        if (state == GONE || count >= skips->capacity)
            continue;
        /* Of a handler that came since and left a begin open, misuse, the entry is lost here: then
         * its END is taken for one of before the pause. */
        skips->entries[count] =
            (scope_skip){(uint64_t)region << 1 | recorded, task_of(session, slot)};
        atomic_signal_fence(memory_order_seq_cst);
        /* an entry that is recorded counts only above one that is not */
        if (change(skips, state, count + 1, scope_skips_skipped(state) + !recorded))
            return true;
    }
}

void scope_skips_push(scope_session *session, scope_slot *slot, uint32_t region)
{
    if (push(session, slot, region, 0))
        atomic_store(&slot->limit, 0); /* every event of this thread asks now */
}

/* One from the middle: calls that cross. Held. */
static bool take_from(scope_skips *skips, uint64_t state, uint64_t at, uint64_t skipped)
{
    const uint64_t count = count_of(state);
    if (!change(skips, state, count - 1, skipped))
        return false;
    if (skipped)
        memmove(&skips->entries[at], &skips->entries[at + 1],
                (count - at - 1) * sizeof skips->entries[0]);
    return true;
}

/* The innermost begin of this region on this lane since the first skipped one: was it
 * recorded? */
static bool take(const scope_session *session, scope_slot *slot, uint32_t region)
{
    const int64_t task = task_of(session, slot);
    for (;;) {
        scope_skips *skips = slot->skips;
        const uint64_t state = state_of(skips), count = count_of(state);
        if (state == GONE)
            continue;
        uint64_t at = count;
        while (at &&
               (skips->entries[at - 1].begin >> 1 != region || skips->entries[at - 1].task != task))
            at--;
        if (!at)
            return true; /* it closes a call from before the pause */
        const bool recorded = skips->entries[at - 1].begin & 1;
        const uint64_t skipped = scope_skips_skipped(state) - !recorded;
        if (at == count) {
            if (change(skips, state, count - 1, skipped))
                return recorded;
            continue;
        }
        scope_hold();
        const bool taken = take_from(skips, state, at - 1, skipped);
        scope_release();
        if (taken)
            return recorded;
    }
}

bool scope_skips_admit(scope_session *session, scope_slot *slot, scope_event_kind kind, uint32_t id)
{
    if (kind == SCOPE_EVENT_BEGIN)
        return push(session, slot, id, 1);
    return kind != SCOPE_EVENT_END || take(session, slot, id);
}

void scope_skips_clear(scope_slot *slot)
{
    scope_skips *skips = slot->skips;
    slot->skips = NULL;
    while (skips) {
        scope_skips *older = skips->older;
        scope_map_free(skips, sizeof *skips + skips->capacity * sizeof skips->entries[0]);
        skips = older;
    }
}
