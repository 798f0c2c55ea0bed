/* session_state.c - the process session, and whether events are recorded at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_state.h"

#include <scope/sink.h>

#include "engine.h"
#include "late_names.h"
#include "session_lock.h"

scope_session scope_process_session;
uint32_t scope_runtime_recording;
SCOPE_API uint32_t scope_listening;

int (*_Atomic scope_watch)(void);
static _Thread_local bool watching __attribute__((tls_model("initial-exec")));

void scope_session_refresh(scope_session *session)
{
    const bool live = scope_session_is_live(session);
    const bool watched = !session->index && atomic_load(&scope_watch);
    const bool open =
        live && !atomic_load(&session->paused) && !watched && scope_clock_is_counter &&
        (session->index || !scope_late_names_any());
    atomic_store(&session->id_limit, open ? SCOPE_ID_ESCAPE : 0);
    atomic_store(&session->attention, live || watched);
    if (!session->index) {
        __atomic_store_n(&scope_listening, live || watched, __ATOMIC_RELAXED);
        __atomic_store_n(&scope_runtime_recording, live ? atomic_load(&session->generation) : 0,
                         __ATOMIC_RELEASE);
    }
}

void scope_runtime_watch(int (*function)(void))
{
    if (!scope_enter())
        return;
    scope_engine_lock();
    atomic_store(&scope_watch, function);
    scope_session_refresh(&scope_process_session);
    scope_engine_unlock();
    scope_leave();
}

void scope_watch_ask(void)
{
    int (*const function)(void) = atomic_load(&scope_watch);
    if (!function || watching || scope_session_has_lock() || scope_this_thread.busy)
        return;
    watching = true;
    if (function())
        scope_runtime_watch(NULL);
    watching = false;
}
