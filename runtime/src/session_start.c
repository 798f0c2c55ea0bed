/* session_start.c - the start of sessions: options, rank and filter, a recording opened.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_start.h"

#include <scope/sink.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "identity.h"
#include "marks.h"
#include "names.h"
#include "overhead.h"
#include "relatives.h"
#include "say.h"
#include "session_end.h"
#include "session_list.h"
#include "spool_header.h"
#include "thread.h"

static uint16_t session_count; /* in the open recording */
static bool was_started;

bool scope_session_was_started(void)
{
    return was_started;
}

/* ---- rank and filter ---- */

static void say_late(void)
{
    if (scope_session_may_say())
        scope_runtime_say("late-names",
                          "no memory to leave out regions that the program had before "
                          "SCOPE_FILTER could say so; they are recorded");
}

/* The launcher's, until MPI says it. A process that neither will tell counts as rank 0, as
 * in its file. */
void scope_session_take_rank(void)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    if (!scope_names_set_rank(rank < 0 && !scope_identity_has_mpi() ? 0 : rank))
        say_late();
}

static void take_environment(void)
{
    const char *text = scope_config_value("SCOPE_FILTER", NULL);
    scope_session_take_rank();
    if (text && *text)
        scope_names_set_filter(scope_filter_new(text));
}

void scope_names_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!scope_process_session.has_config)
        pthread_once(&once, take_environment);
}

/* ---- armed ---- */

static void expand_folder(scope_session *session)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    free(session->spool_folder);
    session->spool_folder = NULL;
    if (session->config.spool_dir && *session->config.spool_dir)
        session->spool_folder = scope_config_expand(session->config.spool_dir, rank, size);
}

/* The recording's header holds the pattern for who recovers it elsewhere. */
static void fix_output(scope_config *config)
{
    char *fixed = scope_config_fix(config->output);
    if (!fixed)
        return;
    free(config->output);
    config->output = fixed;
}

void scope_session_renew(scope_session *session)
{
    if (atomic_fetch_add(&session->generation, 1) + 1 == 0)
        atomic_store(&session->generation, 1);
    session->number = 0;
    session->definition = NULL;
    session->host_wrote = session->has_written = false;
    session->cut_count = 0;
    scope_threads_reset(session);
    atomic_store(&session->dropped_events, 0);
    atomic_store(&session->dropped_handler_events, 0);
    session->start = scope_clock_now();
}

/* Under the engine lock. */
static void arm(scope_session *session)
{
    scope_session_renew(session);
    atomic_store_explicit(&session->max_lanes, session->config.max_lanes, memory_order_relaxed);
    session->bounded = false;
    atomic_store(&session->paused, 0);
    session->streams = session->free_streams = NULL;
    if (!session->index)
        scope_definitions_forget();
    scope_threads_start(session);
    atomic_store(&session->phase, SCOPE_SESSION_ARMED);
    scope_session_refresh(session);
}

scope_status scope_session_arm(scope_session *session, const scope_options *options,
                               uint32_t host)
{
    uint8_t run_id[16];
    if (scope_process_has_ended())
        return SCOPE_ERR_STATE; /* nobody would write or end it */
    if (session->has_config) {
        if (!session->index)
            scope_names_set_filter(NULL);
        scope_config_free(&session->config);
        session->has_config = false;
    }
    const scope_status status =
        scope_config_load(options, &session->config, host ? NULL : scope_say_complaint);
    if (status == SCOPE_ERR_MEMORY)
        return status;
    session->has_config = was_started = true;
    session->host = host; /* one that is switched off is the host's, too: to give back */
    session->adopted = false;
    if (!session->config.enabled)
        return status;
    fix_output(&session->config);
    scope_clock_setup();
    scope_clock_ticks_per_second();
    if (!host || session->config.spool)
        scope_spool_describe();
    scope_identity_run(run_id);
    expand_folder(session);
    if (!session->index) {
        scope_session_take_rank();
        if (!scope_names_set_filter(session->config.filter))
            say_late();
        scope_names_set_limit(session->config.max_names);
    }
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    scope_engine_lock();
    arm(session);
    scope_engine_unlock();
    scope_leave();
    return status;
}

/* ---- what the recording says of it ---- */

/* `<run>/<rank>/<pid>/<host>` of who started this process, as keys of the metadata. */
static void define_parent(const scope_session *session)
{
    static const char *const keys[] = {"spawned_by_run", "spawned_by_rank", "spawned_by_pid",
                                       "spawned_by_host"};
    const char *text = scope_identity_parent();
    for (size_t i = 0; text && i < sizeof keys / sizeof *keys; i++) {
        const char *slash = i + 1 < sizeof keys / sizeof *keys ? strchr(text, '/') : NULL;
        char *part = slash ? strndup(text, (size_t)(slash - text)) : strdup(text);
        if (part)
            scope_define_text(session->number, keys[i], part);
        free(part);
        text = slash ? slash + 1 : NULL;
    }
}

static void define_session(scope_session *session)
{
    const char *label = session->config.label ? session->config.label : "";
    const char *output = session->config.output ? session->config.output : "";
    scope_define_session entry = {
        .is_process = !session->index,
        .label_bytes = (uint32_t)strlen(label),
        .ticks = session->start.ticks,
        .monotonic_ns = session->start.monotonic_ns,
        .realtime_ns = session->start.realtime_ns,
        .output_bytes = (uint32_t)strlen(output),
        .host = session->host,
    };
    const scope_part parts[] = {{label, entry.label_bytes}, {output, entry.output_bytes}};
    if (scope_define(SCOPE_DEFINE_SESSION, session->number, &entry,
                     offsetof(scope_define_session, text), parts, 2))
        session->definition = scope_definitions_last();
    scope_overhead_define(session->number);
    define_parent(session);
}

void scope_runtime_set_spawned(void)
{
    scope_identity_set_spawned();
    if (!scope_enter())
        return;
    scope_engine_lock();
    if (scope_process_session.number)
        define_parent(&scope_process_session);
    scope_engine_unlock();
    scope_leave();
}

void scope_session_calibrate(const scope_session *session)
{
    const scope_clock_point now = scope_clock_now();
    scope_define_calibration entry = {
        .ticks = now.ticks, .monotonic_ns = now.monotonic_ns, .realtime_ns = now.realtime_ns};
    scope_define(SCOPE_DEFINE_CALIBRATION, session->number, &entry, sizeof entry, NULL, 0);
}

/* ---- opened ---- */

static scope_spool_options options_of(const scope_session *session)
{
    scope_spool_options options = {
        .folder = session->spool_folder ? session->spool_folder : "",
        .memory_only = !session->config.spool,
        .small = session->host && !session->config.spool,
        .max_bytes = session->config.max_bytes,
        .output = session->config.output ? session->config.output : "",
        .start = session->start,
    };
    scope_identity_run(options.run_id);
    scope_identity_rank(&options.rank, &options.size);
    return options;
}

static bool open_recording(const scope_session *session)
{
    const scope_spool_options options = options_of(session);
    if (scope_spool_open(&options) != SCOPE_OK)
        return false;
    session_count = 0;
    scope_definitions_reset();
    scope_names_define_all();
    return true;
}

/* A recording in memory only, in which `session` opens, gets a file if that wants one:
 * with all names, and the sessions that record already. */
static void file_recording(const scope_session *session)
{
    const scope_spool_options options = options_of(session);
    if (!session->config.spool || !scope_spool_add_file(&options))
        return;
    scope_definitions_move(false);
    scope_names_define_all();
    for (unsigned i = 0; i <= scope_session_last_index(); i++) {
        scope_session *other = scope_session_at(i);
        if (other && other->number)
            define_session(other);
    }
}

bool scope_session_open(scope_session *session)
{
    if (scope_session_phase_of(session) == SCOPE_SESSION_RECORDING)
        return true;
    if (!scope_store.is_open && !open_recording(session))
        return false;
    if (session_count == UINT16_MAX)
        return false; /* its number would be another one's: the recording must end first */
    file_recording(session);
    scope_relatives_find();
    session->number = ++session_count;
    define_session(session);
    scope_session_calibrate(session);
    if (!session->index) {
        scope_definitions_flush(session->number);
        scope_threads_enrol_all(session);
    }
    atomic_store(&session->phase, SCOPE_SESSION_RECORDING);
    if (scope_identity_is_preloaded())
        scope_mark_recorded();
    scope_say_problems(session);
    return true;
}

void scope_session_go_on(scope_session *session)
{
    atomic_store(&session->phase, SCOPE_SESSION_RECORDING);
    scope_session_refresh(session);
    scope_spool_mark_end(SCOPE_END_OPEN, 0);
}

bool scope_session_numbers_left(void)
{
    if (!scope_enter())
        return true;
    scope_engine_lock();
    const bool left = session_count < UINT16_MAX || !scope_store.is_open;
    scope_engine_unlock();
    scope_leave();
    return left;
}

bool scope_define_of(scope_session *session, scope_definition_kind kind, void *entry,
                     size_t fixed_bytes, const scope_part *parts, size_t part_count)
{
    if (session->number)
        return scope_define(kind, session->number, entry, fixed_bytes, parts, part_count);
    if (session->index) /* explicit: open it now, so that the entry has its number */
        return scope_session_open(session) &&
               scope_define(kind, session->number, entry, fixed_bytes, parts, part_count);
    return scope_definition_keep(kind, true, entry, fixed_bytes, parts, part_count);
}
