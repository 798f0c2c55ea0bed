/* skip.c - begins that fell into a pause, so that their ends are not recorded.
 *
 * SPDX-License-Identifier: MIT
 */
#include "skip.h"

#include <string.h>

#include "pool.h"
#include "stream.h"

#define FIRST_CAPACITY 62u
#define LAST_CAPACITY (1u << 24)

static bool grow(scope_slot *slot)
{
    scope_skips *old = slot->skips;
    const uint32_t capacity = old ? 2 * old->capacity + 2 : FIRST_CAPACITY;
    if (capacity > LAST_CAPACITY)
        return false;
    scope_skips *skips = scope_map_alloc(sizeof *skips + capacity * sizeof skips->entries[0]);
    if (!skips)
        return false;
    if (old) {
        memcpy(skips, old, sizeof *old + old->count * sizeof old->entries[0]);
        scope_map_free(old, sizeof *old + old->capacity * sizeof old->entries[0]);
    }
    skips->capacity = capacity;
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
    if ((!slot->skips || slot->skips->count == slot->skips->capacity) && !grow(slot))
        return false;
    scope_skips *skips = slot->skips;
    if (skips->generation != generation) { /* the list of a session that is over */
        skips->generation = generation;
        skips->count = skips->skipped = 0;
    }
    skips->entries[skips->count++] =
        (scope_skip){(uint64_t)region << 1 | recorded, task_of(session, slot)};
    skips->skipped += !recorded;
    return true;
}

void scope_skips_push(scope_session *session, scope_slot *slot, uint32_t region)
{
    if (!scope_enter()) {
        scope_count_dropped_in_handler(session);
        return;
    }
    if (push(session, slot, region, 0))
        atomic_store(&slot->limit, 0); /* every event of this thread asks now */
    scope_leave();
}

/* The innermost begin of this region on this lane since the first skipped one. */
static bool take(const scope_session *session, scope_slot *slot, uint32_t region)
{
    scope_skips *skips = slot->skips;
    const int64_t task = task_of(session, slot);
    for (uint32_t i = skips->count; i-- > 0;) {
        if (skips->entries[i].begin >> 1 != region || skips->entries[i].task != task)
            continue;
        const bool recorded = skips->entries[i].begin & 1;
        memmove(&skips->entries[i], &skips->entries[i + 1],
                (skips->count - i - 1) * sizeof skips->entries[0]);
        skips->count--;
        skips->skipped -= !recorded;
        if (!skips->skipped)
            skips->count = 0;
        return recorded;
    }
    return true; /* it closes a call from before the pause */
}

bool scope_skips_admit(scope_session *session, scope_slot *slot, scope_event_kind kind, uint32_t id)
{
    if (kind != SCOPE_EVENT_BEGIN && kind != SCOPE_EVENT_END)
        return true;
    if (!scope_enter()) {
        scope_count_dropped_in_handler(session);
        return false;
    }
    const bool admitted =
        kind == SCOPE_EVENT_BEGIN ? push(session, slot, id, 1) : take(session, slot, id);
    scope_leave();
    return admitted;
}

void scope_skips_clear(scope_slot *slot)
{
    scope_skips *skips = slot->skips;
    if (!skips)
        return;
    slot->skips = NULL;
    scope_map_free(skips, sizeof *skips + skips->capacity * sizeof skips->entries[0]);
}
