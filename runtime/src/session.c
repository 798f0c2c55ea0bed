/* session.c - what programs and plug-ins call: start, pause, explicit sessions.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/host.h>
#include <scope/session.h>
#include <scope/sink.h>

#include <string.h>

#include "definitions.h"
#include "engine.h"
#include "identity.h"
#include "names.h"
#include "record.h"
#include "session_end.h"
#include "session_list.h"
#include "session_lock.h"
#include "session_start.h"
#include "slots.h"
#include "spool.h"

scope_status scope_init(const scope_options *options)
{
    scope_session *session = &scope_process_session;
    scope_status status = SCOPE_OK;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    const uint32_t phase = scope_session_phase_of(session);
    if (phase == SCOPE_SESSION_STOPPED) {
        scope_session_go_on(session);
    } else if (phase == SCOPE_SESSION_IDLE) {
        status = scope_session_arm(session, options, 0);
    }
    scope_session_exit();
    return status;
}

scope_status scope_runtime_start(void)
{
    return scope_init(NULL);
}

int scope_runtime_wanted(void)
{
    return scope_config_flag("SCOPE_ENABLE");
}

int scope_runtime_has_events(void)
{
    const uint32_t phase = scope_session_phase_of(&scope_process_session);
    return (phase == SCOPE_SESSION_RECORDING || phase == SCOPE_SESSION_STOPPED) &&
           !scope_session_is_kept_from_ends(&scope_process_session);
}

int scope_runtime_is_hosts(void)
{
    return scope_session_is_kept_from_ends(&scope_process_session);
}

const char *scope_runtime_option(const char *name)
{
    return scope_config_value(name, NULL);
}

int scope_runtime_flag(const char *name)
{
    return scope_config_flag(name);
}

double scope_runtime_seconds(const char *name)
{
    return scope_config_seconds(name);
}

void scope_runtime_set_rank(int rank, int size)
{
    scope_identity_set_rank(rank, size);
    scope_session_take_rank();
    if (scope_enter()) {
        scope_engine_lock();
        scope_session_refresh(&scope_process_session);
        if (scope_store.is_open) {
            scope_store.header->rank = rank;
            scope_store.header->size = size;
        }
        scope_engine_unlock();
        scope_leave();
    }
}

int scope_runtime_rank(void)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    return rank;
}

void scope_runtime_communicator(uint32_t communicator, int32_t size, int32_t rank, int32_t parent,
                                const char *name, uint64_t members, int32_t serial)
{
    if (!scope_enter())
        return;
    scope_define_communicator entry = {
        .communicator = communicator,
        .size = size,
        .rank = rank,
        .parent = parent,
        .length_bytes = name ? strlen(name) : 0,
    };
    scope_define_group group = {
        .communicator = communicator, .serial = serial, .members = members};
    const scope_part text = {name, entry.length_bytes};
    scope_engine_lock();
    if (scope_session_is_live(&scope_process_session)) {
        scope_define_of(&scope_process_session, SCOPE_DEFINE_COMMUNICATOR, &entry,
                        offsetof(scope_define_communicator, name), &text, 1);
        scope_define_of(&scope_process_session, SCOPE_DEFINE_GROUP, &group, sizeof group, NULL, 0);
    }
    scope_engine_unlock();
    scope_leave();
}

int scope_is_active(void)
{
    if (!scope_session_is_live(&scope_process_session))
        scope_watch_now(); /* SCOPE_REGION asks before it begins anything */
    if (scope_session_is_live(&scope_process_session))
        return 1;
    scope_names_asked();
    return 0;
}

int64_t scope_now_ns(void)
{
    return scope_clock_monotonic_ns();
}

/* ---- pause ---- */

static void change_pauses(scope_session *session, int change)
{
    if (!session || !scope_enter())
        return;
    scope_engine_lock();
    const uint32_t paused = atomic_load(&session->paused);
    if (scope_session_is_live(session) && (change > 0 || paused)) {
        atomic_store(&session->paused, paused + (uint32_t)change);
        scope_session_refresh(session);
    }
    scope_engine_unlock();
    scope_leave();
}

void scope_pause(void)
{
    change_pauses(&scope_process_session, 1);
}

void scope_resume(void)
{
    change_pauses(&scope_process_session, -1);
}

void scope_host_pause(scope_session *session)
{
    change_pauses(session, 1);
}

void scope_host_resume(scope_session *session)
{
    change_pauses(session, -1);
}

/* ---- explicit sessions ---- */

scope_status scope_session_create(const scope_options *options, scope_session **created)
{
    scope_status status = SCOPE_ERR_MEMORY;
    if (!created || (options && options->filter))
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session *session = scope_session_take();
    if (session) {
        status = scope_session_arm(session, options, 0);
        if (status == SCOPE_OK || status == SCOPE_ERR_ARGUMENT) {
            atomic_store_explicit(&session->in_use, 1, memory_order_release);
            *created = session;
        }
    }
    scope_session_exit();
    return status;
}

scope_status scope_session_close(scope_session *session)
{
    if (!session)
        return SCOPE_OK;
    if (!session->index || session->host || scope_session_at(session->index) != session)
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session_stop(session);
    const scope_status status = scope_session_write_local(session, false);
    scope_session_put(session);
    scope_session_exit();
    return status;
}

static void record_explicit(scope_session *session, scope_event_kind kind, scope_region region)
{
    if (!session)
        return;
    if ((uint32_t)region >= scope_session_id_limit(session)) {
        if (!scope_session_is_quiet(session))
            scope_record_rare(session, kind, (uint32_t)region);
        return;
    }
    scope_slot *slot = scope_slot_if_any(&scope_this_thread, session->index);
    if (!slot)
        slot = scope_slot_of(session);
    if (slot) /* with an id limit above 0 there is a counter */
        scope_record_at(session, slot, kind, (uint32_t)region, scope_counter_ticks());
}

void scope_session_begin(scope_session *session, scope_region region)
{
    record_explicit(session, SCOPE_EVENT_BEGIN, region);
}

void scope_session_end(scope_session *session, scope_region region)
{
    record_explicit(session, SCOPE_EVENT_END, region);
}
