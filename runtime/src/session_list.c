/* session_list.c - all sessions of the process: 0 the process session, then explicit ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_list.h"

#include <stdlib.h>

#include "pool.h"

/* Explicit sessions: a place is filled once and its session used again, so that what
 * still points to one never points to anything else. */
static _Atomic(scope_session *) explicit_sessions[SCOPE_SESSIONS_MAX];
static _Atomic(uint32_t) explicit_count; /* places that are filled */
static unsigned first_free;              /* no place before it is free; under the session lock */

scope_session *scope_session_at(unsigned index)
{
    if (!index)
        return &scope_process_session;
    if (index > atomic_load_explicit(&explicit_count, memory_order_acquire))
        return NULL;
    scope_session *session =
        atomic_load_explicit(&explicit_sessions[index - 1], memory_order_relaxed);
    return atomic_load_explicit(&session->in_use, memory_order_acquire) ? session : NULL;
}

unsigned scope_session_last_index(void)
{
    return atomic_load_explicit(&explicit_count, memory_order_acquire);
}

scope_session *scope_session_take(void)
{
    const unsigned count = scope_session_last_index();
    for (unsigned i = first_free; i < count; i++) {
        scope_session *session = explicit_sessions[i];
        if (!atomic_load_explicit(&session->in_use, memory_order_relaxed)) {
            first_free = i;
            return session;
        }
    }
    first_free = count;
    scope_session *session = count < SCOPE_SESSIONS_MAX ? scope_pool_alloc(sizeof *session) : NULL;
    if (!session)
        return NULL;
    session->index = (uint16_t)(count + 1);
    atomic_store_explicit(&explicit_sessions[count], session, memory_order_relaxed);
    atomic_store_explicit(&explicit_count, count + 1, memory_order_release);
    return session;
}

void scope_session_put(scope_session *session)
{
    if (session->index - 1u < first_free)
        first_free = session->index - 1u;
    if (session->has_config)
        scope_config_free(&session->config);
    session->has_config = false;
    free(session->spool_folder);
    session->spool_folder = NULL;
    atomic_store_explicit(&session->in_use, 0, memory_order_release);
}

bool scope_session_is_last(const scope_session *session)
{
    for (unsigned i = 0; i <= scope_session_last_index(); i++) {
        const scope_session *other = scope_session_at(i);
        if (!other || other == session)
            continue;
        const uint32_t phase = scope_session_phase_of(other);
        if (phase == SCOPE_SESSION_RECORDING || phase == SCOPE_SESSION_STOPPED)
            return false;
    }
    return true;
}
