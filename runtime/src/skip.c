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

static bool grow(void)
{
    scope_skips *old = scope_this_thread.skips;
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
    scope_this_thread.skips = skips;
    return true;
}

static bool push(uint32_t region, uint32_t recorded)
{
    const uint32_t generation =
        atomic_load_explicit(&scope_process_session.generation, memory_order_relaxed);
    scope_skips *skips = scope_this_thread.skips;
    if ((!skips || skips->count == skips->capacity) && !grow())
        return false;
    skips = scope_this_thread.skips;
    if (skips->generation != generation) { /* the list of a session that is over */
        skips->generation = generation;
        skips->count = skips->skipped = 0;
    }
    skips->entries[skips->count++] = (uint64_t)region << 1 | recorded;
    skips->skipped += !recorded;
    return true;
}

void scope_skips_push(scope_session *session, uint32_t region)
{
    if (!scope_enter()) {
        scope_count_dropped_in_handler(session);
        return;
    }
    if (push(region, 0))
        atomic_store(&scope_this_thread.slot.limit, 0); /* every event of this thread asks now */
    scope_leave();
}

/* The innermost begin of this region since the first skipped one. */
static bool take(uint32_t region)
{
    scope_skips *skips = scope_this_thread.skips;
    for (uint32_t i = skips->count; i-- > 0;) {
        if (skips->entries[i] >> 1 != region)
            continue;
        const bool recorded = skips->entries[i] & 1;
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

bool scope_skips_admit(scope_session *session, scope_event_kind kind, uint32_t id)
{
    if (kind != SCOPE_EVENT_BEGIN && kind != SCOPE_EVENT_END)
        return true;
    if (!scope_enter()) {
        scope_count_dropped_in_handler(session);
        return false;
    }
    const bool admitted = kind == SCOPE_EVENT_BEGIN ? push(id, 1) : take(id);
    scope_leave();
    return admitted;
}

void scope_skips_clear(void)
{
    scope_skips *skips = scope_this_thread.skips;
    if (!skips)
        return;
    scope_this_thread.skips = NULL;
    scope_map_free(skips, sizeof *skips + skips->capacity * sizeof skips->entries[0]);
}
