/* session_end.c - the ends of sessions: where the file goes, write, tell, clean up.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "definitions.h"
#include "engine.h"
#include "handler.h"
#include "identity.h"
#include "marks.h"
#include "names.h"
#include "openmp.h"
#include "plugin.h"
#include "record.h"
#include "relatives.h"
#include "say.h"
#include "session_list.h"
#include "session_lock.h"
#include "session_start.h"
#include "session_streams.h"
#include "session_write.h"
#include "spool.h"
#include "spool_header.h"
#include "thread.h"

static scope_deferral deferral; /* of the process session: mpi's */
static bool keep_spool;         /* a session of this recording could not be written */
static bool has_ended;          /* atexit is over */
static bool gathered;           /* there may be a file of other ranks' calls */

/* ---- stop ---- */

static void define_topology(void)
{
    static const char key[] = "topology";
    static char text[65536];
    int rank, size;
    scope_identity_rank(&rank, &size);
    if (deferral && rank > 0)
        return; /* one file of all ranks has rank 0's */
    scope_topology_fn *topology = scope_plugin_topology();
    const int length = topology ? topology(text, sizeof text) : -1;
    if (length <= 0 || (size_t)length >= sizeof text || !scope_enter())
        return;
    scope_define_metadata entry = {.key_bytes = sizeof key - 1, .value_bytes = (uint32_t)length};
    const scope_part parts[] = {{key, entry.key_bytes}, {text, entry.value_bytes}};
    scope_engine_lock();
    scope_define(SCOPE_DEFINE_TOPOLOGY, 0, &entry, offsetof(scope_define_metadata, text), parts, 2);
    scope_engine_unlock();
    scope_leave();
}

static void define_count(const scope_session *session, const char *key, uint64_t count)
{
    char text[32];
    if (!count)
        return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    scope_define_text(session->number, key, text);
}

static void define_facts(const scope_session *session)
{
    char run_id[33];
    scope_runtime_run_id(run_id);
    scope_define_text(session->number, "run_id", run_id); /* by which recover knows the file */
    scope_define_text(session->number, "scope_spool",
                      !scope_store.path[0] || scope_store.in_memory ? "memory"
                      : scope_store.spilled                         ? "file, then memory"
                                                                    : "file");
    if (scope_relatives_left())
        scope_define_text(session->number, "scope_recording_before_exec", scope_relatives_left());
    if (scope_store.max_bytes != UINT64_MAX)
        define_count(session, "scope_max_bytes", scope_store.max_bytes);
    define_count(session, "scope_other_threads", (uint64_t)session->other_threads);
    define_count(session, "scope_other_tasks", (uint64_t)atomic_load(&session->other_tasks));
    define_count(session, "scope_other_lanes", (uint64_t)session->other_lanes);
    define_count(session, "scope_lost_definitions", scope_definitions_lost());
    if (scope_clock_is_counter && !scope_clock_is_trusted())
        scope_define_text(session->number, "scope_clock_warning",
                          "the kernel stopped trusting the time stamp counter during the run");
}

/* What was dropped before the recording was open could not be counted there. */
static void complete_counts(const scope_session *session)
{
    scope_recording_header *header = scope_store.header;
    const uint64_t dropped = atomic_load(&session->dropped_events);
    const uint64_t in_handlers = atomic_load(&session->dropped_handler_events);
    scope_spool_count(0, 0);
    const uint64_t counted = __atomic_load_n(&header->dropped_events, __ATOMIC_RELAXED);
    const uint64_t counted_in_handlers =
        __atomic_load_n(&header->dropped_handler_events, __ATOMIC_RELAXED);
    scope_spool_count(counted < dropped ? dropped - counted : 0,
                      counted_in_handlers < in_handlers ? in_handlers - counted_in_handlers : 0);
}

static void define_end(scope_session *session)
{
    const scope_clock_point now = scope_clock_now();
    scope_define_session_end entry = {
        .ticks = now.ticks,
        .monotonic_ns = now.monotonic_ns,
        .realtime_ns = now.realtime_ns,
        .filtered_count = UINT64_MAX,
    };
    scope_define(SCOPE_DEFINE_SESSION_END, session->number, &entry, sizeof entry, NULL, 0);
}

void scope_session_stop(scope_session *session)
{
    if (!scope_session_is_live(session) || !scope_enter())
        return;
    scope_engine_lock();
    scope_openmp_settle(session);
    const bool recorded = scope_session_phase_of(session) == SCOPE_SESSION_RECORDING;
    atomic_store(&session->phase, recorded ? SCOPE_SESSION_STOPPED : SCOPE_SESSION_IDLE);
    scope_session_refresh(session);
    scope_streams_stop(session);
    if (recorded) {
        scope_threads_define_states(session);
        complete_counts(session);
        if (!scope_session_is_quiet_host(session))
            define_facts(session);
        define_end(session);
        if (!session->index)
            scope_spool_mark_end(SCOPE_END_FINISHED, 0);
    }
    scope_engine_unlock();
    scope_leave();
    if (recorded && !session->index && !scope_session_is_kept_from_ends(session))
        define_topology();
}

void scope_session_leave(scope_session *session, bool keep)
{
    const bool in_handler = scope_in_handler(); /* asks the loader: without the engine lock */
    if (scope_session_phase_of(session) != SCOPE_SESSION_STOPPED || !scope_enter())
        return;
    scope_engine_lock();
    keep_spool = keep_spool || keep;
    atomic_store(&session->phase, SCOPE_SESSION_IDLE);
    scope_session_refresh(session);
    if (scope_session_is_last(session)) {
        scope_spool_close(keep_spool,
                          in_handler ? scope_streams_all_inside : scope_streams_inside);
        scope_streams_forget(session);
        keep_spool = false;
    } else if (keep) {
        scope_streams_forget(session);
    } else {
        scope_streams_free(session);
    }
    session->number = 0;
    session->definition = NULL;
    scope_engine_unlock();
    scope_leave();
}

/* ---- write ---- */

scope_status scope_session_write_local(scope_session *session, bool flush)
{
    if (!session->number)
        return SCOPE_OK;
    if (scope_session_is_kept_from_ends(session)) {
        if (!flush)
            scope_session_leave(session, false);
        return SCOPE_OK;
    }
    scope_session_let_handlers();
    const scope_status status = scope_session_write_own(session, flush, deferral);
    scope_session_keep_handlers();
    if (!flush)
        scope_session_leave(session, status != SCOPE_OK);
    return status;
}

scope_status scope_runtime_write(scope_world *world)
{
    scope_session *session = &scope_process_session;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    const bool of_host = scope_session_is_hosts(session);
    gathered = gathered || world || deferral == SCOPE_DEFERRED_ALONE;
    if (!of_host) /* else it goes on, and takes part with zero rows */
        scope_session_stop(session);
    scope_status status = SCOPE_OK;
    if (!world || world->size < 2) {
        if (!of_host)
            status = scope_session_write_local(session, false);
        scope_session_exit();
        return status;
    }
    if (!session->has_config && scope_config_load(NULL, &session->config, NULL) != SCOPE_ERR_MEMORY)
        session->has_config = true;
    /* Rank 0's options decide for all: the ranks must go the same way. */
    enum { NO_FILE, OWN_FILES, ONE_FILE };
    int32_t way = !scope_session_wants_file(session)                    ? NO_FILE
                  : scope_config_is_per_process(session->config.output) ? OWN_FILES
                                                                        : ONE_FILE;
    scope_session_let_handlers();
    status = world->broadcast(world, &way, sizeof way);
    if (status == SCOPE_OK && way == ONE_FILE)
        status = scope_session_write_one(session, world);
    scope_session_keep_handlers();
    if (status == SCOPE_OK && way == OWN_FILES) {
        deferral = SCOPE_DEFERRED_ALONE; /* as rank 0's options ask: nothing to explain */
        status = scope_session_write_local(session, false);
    } else {
        const bool missed = way == NO_FILE && scope_session_wants_file(session) &&
                            !scope_session_is_kept_from_ends(session);
        scope_session_leave(session, status != SCOPE_OK || missed);
    }
    scope_session_exit();
    return status;
}

void scope_runtime_set_deferred(scope_deferral now)
{
    deferral = now;
}

scope_status scope_runtime_stop(void)
{
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    if (!scope_session_is_hosts(&scope_process_session))
        scope_session_stop(&scope_process_session);
    scope_session_exit();
    return SCOPE_OK;
}

scope_status scope_finalize(void)
{
    scope_session *session = &scope_process_session;
    scope_status status = SCOPE_OK;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    if (!session->host) {
        scope_session_stop(session);
        if (!deferral)
            status = scope_session_write_local(session, false);
    }
    scope_session_exit();
    return status;
}

scope_status scope_flush(void)
{
    scope_session *session = &scope_process_session;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_status status = SCOPE_OK;
    if (!session->host && scope_session_phase_of(session) == SCOPE_SESSION_RECORDING) {
        if (scope_enter()) {
            scope_engine_lock();
            scope_openmp_settle(session);
            scope_threads_define_states(session);
            scope_engine_unlock();
            scope_leave();
        }
        status = scope_session_write_local(session, true);
    }
    scope_session_exit();
    return status;
}

/* A file is where the output of this run would be: it is easily taken for that. */
static void old_file(const scope_session *session, char *text, size_t size_bytes)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    char *output = session->config.output && *session->config.output
                       ? scope_config_expand(session->config.output, rank, size)
                       : NULL;
    text[0] = '\0';
    if (output && access(output, F_OK) == 0)
        snprintf(text, size_bytes, "; %s is of an earlier run", output);
    free(output);
}

/* This process recorded nothing, and neither did what it started, or another rank. Without
 * `scope run` that is worth a line where the filter did it: a program may well be linked with
 * us and use nothing of it. */
static void say_nothing_recorded(void)
{
    const scope_session *session = &scope_process_session;
    const bool is_run = scope_identity_is_run();
    if (!session->has_config || !session->config.enabled || (!is_run && session->host))
        return;
    char spool[sizeof scope_store.path] = "", file[1024];
    const bool others = is_run && scope_mark_take_recorded(spool, sizeof spool);
    const size_t excluded = session->config.filter ? scope_names_all_excluded() : 0;
    if ((scope_store.generation && !excluded) || gathered || !scope_session_may_say() ||
        (!is_run && (!excluded || scope_identity_is_child())))
        return;
    old_file(session, file, sizeof file);
    if (scope_store.generation)
        file[0] = '\0'; /* an empty one will be written */
    if (spool[0] && access(spool, F_OK) == 0)
        scope_say_left(spool);
    else if (!others && excluded)
        scope_runtime_say("nothing",
                          "nothing was recorded: the filter %.200s leaves out all regions and MPI "
                          "functions that were called (%zu)%s",
                          scope_filter_text(session->config.filter), excluded, file);
    else if (!others)
        scope_runtime_say("nothing",
                          "nothing was recorded: no region and no MPI call was reached%s", file);
}

/* With SCOPE_VERBOSE=1: a program that is instrumented and has nothing to record it. */
static void say_nothing_started(void)
{
    if (!scope_session_was_started() && scope_names_any() && scope_config_flag("SCOPE_VERBOSE") &&
        scope_runtime_wanted() && scope_session_may_say())
        scope_runtime_say("idle", "regions were called, but nothing started the profiler: call "
                                  "scope_init, link -lscope_mpi or use scope run");
}

bool scope_end_process(void)
{
    if (!scope_session_enter())
        return false;
    scope_mark_ending();
    say_nothing_recorded();
    say_nothing_started();
    scope_openmp_say_end();
    for (unsigned i = 0; i <= scope_session_last_index(); i++) {
        scope_session *session = scope_session_at(i);
        if (!session)
            continue;
        scope_session_stop(session);
        scope_session_write_local(session, false);
    }
    scope_mark_end();
    has_ended = true;
    scope_session_exit();
    return true;
}

bool scope_process_has_ended(void)
{
    return has_ended;
}
