/* fork.c - a forked child forgets its parent's recording; if it records, it gets its own.
 *
 * The spool's maps are not inherited (MADV_DONTFORK), so the child must touch none
 * of them: its one thread starts with limit 0 and its session armed anew. But a host's
 * session without lanes goes on in a copy (spool_fork.c), as the host's own data does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fork.h"

#include <pthread.h>

#include <scope/host.h>

#include "definitions.h"
#include "engine.h"
#include "identity.h"
#include "names.h"
#include "plugin.h"
#include "pool.h"
#include "record.h"
#include "session_end.h"
#include "session_list.h"
#include "session_lock.h"
#include "session_start.h"
#include "session_streams.h"
#include "skip.h"
#include "slots.h"
#include "spool.h"
#include "spool_header.h"
#include "thread.h"

static _Thread_local bool locked, alone;
static uintptr_t limits[1 + SCOPE_SESSIONS_MAX]; /* of slots by index; valid while locked */

/* All locks in their order (but for a writer's: session_lock.h), and this thread's limits at
 * 0: events of atfork handlers that run after ours go to the slow path, find it busy and are
 * counted. */
static void prepare(void)
{
    scope_thread *self = &scope_this_thread;
    alone = scope_session_enter_fork();
    locked = scope_enter();
    if (!locked)
        return; /* a handler on a thread that is inside: it holds the locks itself */
    scope_names_lock();
    scope_engine_lock();
    scope_pool_lock();
    scope_spool_hide(true);
    scope_slot *slot;
    for (unsigned i = 0; (slot = scope_slots_from(self, &i)); i++)
        limits[i] = atomic_exchange(&slot->limit, 0);
}

static void restore(scope_session *session, scope_slot *slot, uintptr_t limit)
{
    uintptr_t stopped = 0;
    if (!session || !limit)
        return;
    atomic_compare_exchange_strong(&slot->limit, &stopped, limit);
    if (!scope_session_is_live(session))
        atomic_store(&slot->limit, 0);
}

static void in_parent(void)
{
    scope_thread *self = &scope_this_thread;
    if (locked) {
        scope_slot *slot;
        for (unsigned i = 0; (slot = scope_slots_from(self, &i)); i++)
            restore(scope_session_at(i), slot, limits[i]);
        scope_spool_hide(false);
        scope_pool_unlock();
        scope_engine_unlock();
        scope_names_unlock();
        scope_leave();
    }
    scope_session_exit_fork();
}

/* A host's session without lanes: its calls of before the fork are the child's, too. */
static bool goes_on(const scope_session *session)
{
    return scope_session_is_quiet_host(session) && session->host == 1 + SCOPE_HOST_UNTRACKED &&
           scope_session_phase_of(session) == SCOPE_SESSION_RECORDING;
}

static bool inherit(void)
{
    bool any = false;
    for (unsigned i = 0; i <= scope_session_last_index(); i++)
        any = any || (scope_session_at(i) && goes_on(scope_session_at(i)));
    if (!any || !locked || !scope_spool_inherit())
        return false;
    scope_spool_hide(false);
    scope_definitions_move(true);
    for (unsigned i = 0; i <= scope_session_last_index(); i++)
        if (scope_session_at(i) && goes_on(scope_session_at(i)))
            scope_streams_inherit(scope_session_at(i));
    return true;
}

/* The session starts anew at its first event, if it was live. */
static void start_anew(scope_session *session)
{
    const bool live = scope_session_is_live(session);
    scope_streams_forget(session);
    scope_session_renew(session);
    atomic_store(&session->phase, live ? SCOPE_SESSION_ARMED : SCOPE_SESSION_IDLE);
    scope_session_refresh(session);
}

static void in_child(void)
{
    scope_thread *self = &scope_this_thread;
    scope_pool_reset_lock();
    scope_engine_reset_lock();
    scope_names_reset_lock();
    scope_identity_forked();
    self->busy = 1;
    const bool inherited = inherit();
    scope_slot *slot;
    for (unsigned i = 0; (slot = scope_slots_from(self, &i)); i++) {
        const scope_session *session = scope_session_at(i);
        atomic_store(&slot->limit, 0);
        slot->state = NULL;
        if (inherited && session && goes_on(session))
            continue;
        slot->generation = 0;
        slot->stream = NULL;
        scope_skips_clear(slot);
    }
    scope_threads_forget();
    for (unsigned i = 0; i <= scope_session_last_index(); i++) {
        scope_session *session = scope_session_at(i);
        if (session && !(inherited && goes_on(session)))
            start_anew(session);
    }
    scope_spool_describe();
    if (!inherited) {
        scope_spool_forget();
        scope_definitions_reset();
    }
    if (locked)
        scope_leave();
    else
        self->busy = 0;
    if (!alone)
        scope_plugin_close_sink("the process was forked while its parent wrote a file");
    scope_session_reset_fork(); /* last: handlers come again */
}

void scope_fork_setup(void)
{
    pthread_atfork(prepare, in_parent, in_child);
}
