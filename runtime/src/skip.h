/* skip.h - begins that fell into a pause, so that their ends are not recorded.
 *
 * While paused a BEGIN records nothing and an END still closes a call that was
 * recorded open. Which of the two an END means is known only from the BEGINs of
 * its lane since the pause; so these are remembered, and while any is left the
 * thread stays off the session's fast path (limit 0), after the pause too.
 *
 * Threads    each its own list per session. A handler may come anywhere: what counts is one
 *            word, changed by compare-and-swap, and a list that became too small stays until
 *            the thread's end. Only growing and taking from the middle are held (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SKIP_H
#define SCOPE_SKIP_H

#include "record.h"

typedef struct scope_skip {
    uint64_t begin; /* region << 1 | recorded */
    int64_t task;   /* that ran; -1 none */
} scope_skip;

typedef struct scope_skips {
    _Atomic(uint64_t) state; /* changes, 16 bits | skipped, 24 | entries, 24 */
    uint32_t capacity;
    uint32_t generation;       /* of the session that was paused */
    struct scope_skips *older; /* lists that were too small */
    scope_skip entries[];      /* innermost last */
} scope_skips;

#define SCOPE_SKIP_BITS 24
#define SCOPE_SKIP_MAX ((UINT64_C(1) << SCOPE_SKIP_BITS) - 1)

/* Begins in the list that were not recorded. */
static inline uint64_t scope_skips_skipped(uint64_t state)
{
    return state >> SCOPE_SKIP_BITS & SCOPE_SKIP_MAX;
}

static inline bool scope_skips_any(const scope_session *session, const scope_slot *slot)
{
    const scope_skips *skips = slot->skips;
    return skips &&
           scope_skips_skipped(atomic_load_explicit(&skips->state, memory_order_relaxed)) &&
           skips->generation == atomic_load_explicit(&session->generation, memory_order_relaxed);
}

/* Remember a begin that is not recorded. */
void scope_skips_push(scope_session *session, scope_slot *slot, uint32_t region);

/* Of a slot with skips: may this event be recorded? A begin is remembered as
 * recorded; the end of a skipped begin is not recorded. */
bool scope_skips_admit(scope_session *session, scope_slot *slot, scope_event_kind kind,
                       uint32_t id);

/* The thread ends. What is of an earlier session counts no more. */
void scope_skips_clear(scope_slot *slot);

#endif
