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
#include "identity.h"
#include "marks.h"
#include "names.h"
#include "plugin.h"
#include "roomy.h"
#include "rare.h"
#include "session_list.h"
#include "session_lock.h"
#include "spool.h"
#include "stream.h"
#include "thread.h"

static int deferred;      /* an owner (mpi) writes the process session later */
static bool keep_spool;   /* a session of this recording could not be written */

/* ---- stop ---- */

static void define_topology(void)
{
    static const char key[] = "topology";
    static char text[65536];
    int rank, size;
    scope_identity_rank(&rank, &size);
    if (deferred && rank > 0)
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
                      scope_store.path[0] && !scope_store.in_memory ? "file" : "memory");
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
    const bool recorded = scope_session_phase_of(session) == SCOPE_SESSION_RECORDING;
    atomic_store(&session->phase, recorded ? SCOPE_SESSION_STOPPED : SCOPE_SESSION_IDLE);
    scope_session_refresh(session);
    scope_streams_stop(session);
    if (recorded) {
        scope_threads_define_states(session);
        complete_counts(session);
        define_facts(session);
        define_end(session);
        if (!session->index)
            scope_spool_mark_end(SCOPE_END_FINISHED, 0);
    }
    scope_engine_unlock();
    scope_leave();
    if (recorded && !session->index)
        define_topology();
}

void scope_session_leave(scope_session *session, bool keep)
{
    if (scope_session_phase_of(session) != SCOPE_SESSION_STOPPED || !scope_enter())
        return;
    scope_engine_lock();
    keep_spool = keep_spool || keep;
    atomic_store(&session->phase, SCOPE_SESSION_IDLE);
    scope_session_refresh(session);
    if (scope_session_is_last(session)) {
        scope_spool_close(keep_spool, scope_streams_inside);
        scope_streams_forget(session);
        keep_spool = false;
    } else if (keep) {
        scope_streams_forget(session);
    } else {
        scope_streams_free(session);
    }
    session->number = 0;
    scope_engine_unlock();
    scope_leave();
}

/* ---- write ---- */

static void define_checkpoint(const scope_session *session, const char *output)
{
    scope_define_checkpoint entry = {.cut = UINT64_MAX, .output_bytes = strlen(output)};
    const scope_part text = {output, entry.output_bytes};
    if (!scope_enter())
        return;
    scope_engine_lock();
    scope_define(SCOPE_DEFINE_CHECKPOINT, session->number, &entry,
                 offsetof(scope_define_checkpoint, output), &text, 1);
    scope_engine_unlock();
    scope_leave();
}

static void say_report(const char *output, const scope_sink_report *report)
{
    char text[512];
    int length = 0;
    const struct {
        int64_t count;
        const char *what;
    } parts[] = {
        {report->dropped, "events dropped"},
        {report->folded, "calls folded into sums"},
        {report->orphans, "ends without a begin"},
        {report->implied, "calls closed by the end of another"},
        {report->crossed, "calls that cross another"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count > 0)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%lld %s",
                               length ? ", " : "", (long long)parts[i].count, parts[i].what);
    if (length)
        scope_runtime_say(NULL, "%s: %s", output, text);
}

typedef struct kept_spools { /* what is left of a recording that could not be written */
    char folder[sizeof scope_store.path];
    int32_t files, in_memory; /* ranks */
} kept_spools;

static scope_status count_kept(void *context, int32_t rank, const void *bytes, size_t length_bytes)
{
    kept_spools *kept = context;
    (void)rank;
    if (!length_bytes || length_bytes >= sizeof kept->folder)
        return SCOPE_OK; /* a rank without a recording */
    if (*(const char *)bytes != '/') {
        kept->in_memory++;
    } else if (!kept->files++) {
        memcpy(kept->folder, bytes, length_bytes);
        kept->folder[length_bytes] = 0;
    }
    return SCOPE_OK;
}

/* Collective; *kept is rank 0's. */
static void look_what_is_kept(scope_world *world, const scope_session *session, kept_spools *kept)
{
    const char *mine = !session->number ? "" : scope_store.path[0] ? scope_store.path : "memory";
    const char *slash = strrchr(mine, '/');
    const size_t length = world->size > 1 && slash ? (size_t)(slash - mine) : strlen(mine);
    memset(kept, 0, sizeof *kept);
    world->relay(world, mine, length, count_kept, kept);
}

static void say_failure(const char *output, scope_status status, const char *message,
                        const kept_spools *kept)
{
    const char *why = message && *message ? message : scope_status_text(status);
    char lost[64] = "";
    if (kept->files && kept->in_memory)
        snprintf(lost, sizeof lost, "; that of %d rank%s was in memory and is lost",
                 (int)kept->in_memory, kept->in_memory > 1 ? "s" : "");
    if (kept->files)
        scope_runtime_say(NULL, "%s was not written: %s; the recording is kept: scope recover %s "
                          "-o %s%s", output, why, kept->folder, output, lost);
    else
        scope_runtime_say(NULL, "%s was not written: %s%s", output, why,
                          kept->in_memory ? "; the recording was in memory and is lost" : "");
}

/* Let the sink write; collective over the world. */
static scope_status call_sink(scope_session *session, scope_world *world, const char *output,
                              scope_sink_report *report)
{
    scope_recording view;
    char why[sizeof report->message];
    const bool has = session->number != 0;
    scope_sink_write_fn *sink = scope_plugin_sink(why, sizeof why);
    const scope_status found = world->worst(world, sink ? SCOPE_OK : SCOPE_ERR_LIBRARY);
    if (found != SCOPE_OK) {
        snprintf(report->message, sizeof report->message, "%s",
                 sink ? "another rank has no writer" : why);
        return found;
    }
    bool ready = !has;
    if (has && scope_enter()) {
        scope_engine_lock();
        scope_session_calibrate(session);
        scope_spool_view(&view);
        scope_engine_unlock();
        scope_leave();
        ready = true;
    }
    /* exit() in a handler that came while this thread was in the recorder */
    const scope_status stood = world->worst(world, ready ? SCOPE_OK : SCOPE_ERR_STATE);
    if (stood != SCOPE_OK)
        return stood;
    const scope_sink_request request = {
        .size_bytes = sizeof request,
        .recording = has ? &view : NULL,
        .session = session->number,
        .world = world,
        .output = output,
        .output_mode = session->config.output_mode ? session->config.output_mode : "auto",
        .compression = session->config.compression ? session->config.compression : "none",
        .compression_level = session->config.compression_level,
    };
    return sink(&request, report);
}

static bool wants_file(const scope_session *session)
{
    return session->has_config && session->config.output && *session->config.output;
}

/* ---- names that this process has written: a later recording gets another ---- */

typedef struct written_name {
    struct written_name *next;
    char name[];
} written_name;

static written_name *written;

static bool was_written(const char *name)
{
    for (const written_name *at = written; at; at = at->next)
        if (strcmp(at->name, name) == 0)
            return true;
    return false;
}

static void remember_written(const char *name)
{
    written_name *entry = malloc(sizeof *entry + strlen(name) + 1);
    if (!entry)
        return;
    strcpy(entry->name, name);
    entry->next = written;
    written = entry;
}

/* `name`, or the first of name.2, name.3 ... that is free; takes and gives ownership. */
static char *unwritten(char *name)
{
    char insert[24];
    char *free_name = name;
    for (int i = 2; free_name && was_written(free_name); i++) {
        if (free_name != name)
            free(free_name);
        snprintf(insert, sizeof insert, ".%d", i);
        free_name = scope_config_insert(name, insert);
    }
    if (free_name != name)
        free(name);
    return free_name;
}

static scope_status write_as(scope_session *session, scope_world *world, const char *output,
                             bool flush)
{
    scope_sink_report report = {0};
    const scope_status status = call_sink(session, world, output, &report);
    if (status != SCOPE_OK) {
        kept_spools kept;
        look_what_is_kept(world, session, &kept);
        if (world->rank == 0)
            say_failure(output, status, report.message, &kept);
    } else {
        if (session->number && !flush) {
            define_checkpoint(session, output);
            remember_written(output);
        }
        if (world->rank == 0 && session->has_config && session->config.verbose)
            scope_runtime_say(NULL, "wrote %s", output);
        if (world->rank == 0 && !flush)
            say_report(output, &report);
    }
    return status;
}

static void say_split(const char *output)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    if (deferred > 1)
        return; /* mpi has told why */
    if (deferred)
        scope_runtime_say("split", "rank %d ended without MPI_Finalize: its own file is %s; join "
                          "such files with scope merge", rank, output);
    else if (rank == 0)
        scope_runtime_say("split", "%d ranks and no MPI wrapper to gather them: each writes its "
                          "own file, this one %s; join them with scope merge, or link -lscope_mpi",
                          size, output);
}

typedef struct local_write {
    scope_session *session;
    const char *output;
    bool flush;
    scope_status status;
} local_write;

static void write_alone(void *context)
{
    local_write *local = context;
    scope_world world = *scope_world_serial();
    local->status = write_as(local->session, &world, local->output, local->flush);
}

scope_status scope_session_write_local(scope_session *session, bool flush)
{
    bool split = false;
    scope_status status = SCOPE_OK;
    char *output = NULL;
    if (!session->number)
        return SCOPE_OK;
    if (wants_file(session)) {
        status = SCOPE_ERR_MEMORY;
        output = unwritten(scope_identity_output(session->config.output, &split));
        if (output) {
            local_write local = {session, output, flush, SCOPE_OK};
            scope_run_roomy(write_alone, &local);
            status = local.status;
        }
        if (status == SCOPE_OK && split && !flush)
            say_split(output);
    }
    if (!flush)
        scope_session_leave(session, status != SCOPE_OK);
    free(output);
    return status;
}

/* Rank 0's name of the file on every rank: %h, %x and %j need not be the same there.
 * malloc'd; collective. */
static scope_status agree_on_name(const scope_session *session, scope_world *world, char **output)
{
    const char *pattern = wants_file(session) ? session->config.output : "";
    *output = world->rank ? NULL
                          : unwritten(scope_identity_expand(pattern, world->rank, world->size));
    uint64_t length = *output ? strlen(*output) : 0;
    scope_status status = world->worst(world, world->rank || *output ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK)
        status = world->broadcast(world, &length, sizeof length);
    if (status == SCOPE_OK && world->rank)
        *output = calloc(1, length + 1);
    if (status == SCOPE_OK)
        status = world->worst(world, *output ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK)
        status = world->broadcast(world, *output, length);
    return status;
}

/* Collective: one file of all ranks, under rank 0's name. */
static scope_status write_one(scope_session *session, scope_world *world)
{
    char *output = NULL;
    scope_status status = agree_on_name(session, world, &output);
    if (status == SCOPE_OK)
        status = write_as(session, world, output, false);
    free(output);
    return status;
}

scope_status scope_runtime_write(scope_world *world)
{
    scope_session *session = &scope_process_session;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session_stop(session);
    scope_status status = SCOPE_OK;
    if (!world || world->size < 2) {
        status = scope_session_write_local(session, false);
        scope_session_exit();
        return status;
    }
    if (!session->has_config &&
        scope_config_load(NULL, &session->config, NULL) != SCOPE_ERR_MEMORY)
        session->has_config = true;
    /* Rank 0's options decide for all: the ranks must go the same way. */
    enum { NO_FILE, OWN_FILES, ONE_FILE };
    int32_t way = !wants_file(session)                                    ? NO_FILE
                  : scope_config_is_per_process(session->config.output) ? OWN_FILES
                                                                          : ONE_FILE;
    status = world->broadcast(world, &way, sizeof way);
    if (status == SCOPE_OK && way == OWN_FILES) {
        deferred = 2; /* as rank 0's options ask: nothing to explain */
        status = scope_session_write_local(session, false);
    } else {
        if (status == SCOPE_OK && way == ONE_FILE)
            status = write_one(session, world);
        const bool missed = way == NO_FILE && wants_file(session);
        scope_session_leave(session, status != SCOPE_OK || missed);
    }
    scope_session_exit();
    return status;
}

void scope_runtime_set_deferred(int is_deferred)
{
    deferred = is_deferred;
}

scope_status scope_runtime_stop(void)
{
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session_stop(&scope_process_session);
    scope_session_exit();
    return SCOPE_OK;
}

scope_status scope_finalize(void)
{
    scope_status status = SCOPE_OK;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session_stop(&scope_process_session);
    if (!deferred)
        status = scope_session_write_local(&scope_process_session, false);
    scope_session_exit();
    return status;
}

scope_status scope_flush(void)
{
    scope_session *session = &scope_process_session;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_status status = SCOPE_OK;
    if (scope_session_phase_of(session) == SCOPE_SESSION_RECORDING) {
        if (scope_enter()) {
            scope_engine_lock();
            scope_threads_define_states(session);
            scope_engine_unlock();
            scope_leave();
        }
        status = scope_session_write_local(session, true);
    }
    scope_session_exit();
    return status;
}

/* What `scope run` became recorded nothing, and neither did what it started. */
static void say_nothing_recorded(void)
{
    const scope_session *session = &scope_process_session;
    if (!scope_identity_is_run() || !session->has_config || !session->config.enabled)
        return;
    const bool others = scope_mark_take_recorded();
    if (!others && !scope_store.generation && scope_session_may_say())
        scope_runtime_say("nothing", "nothing was recorded: no region and no MPI call was reached");
}

/* With SCOPE_VERBOSE=1: a program that is instrumented and has nothing to record it. */
static void say_nothing_started(void)
{
    if (!scope_session_was_started() && scope_names_any() && scope_config_flag("SCOPE_VERBOSE") && scope_runtime_wanted() &&
        scope_session_may_say())
        scope_runtime_say("idle", "regions were called, but nothing started the profiler: call "
                          "scope_init, link -lscope_mpi or use scope run");
}

void scope_end_process(void)
{
    if (!scope_session_enter())
        return;
    say_nothing_recorded();
    say_nothing_started();
    for (unsigned i = 0; i <= SCOPE_SESSIONS_MAX; i++) {
        scope_session *session = scope_session_at(i);
        if (!session)
            continue;
        scope_session_stop(session);
        scope_session_write_local(session, false);
    }
    scope_session_exit();
}

void scope_runtime_communicator(uint32_t communicator, int32_t size, int32_t rank, int32_t parent,
                                const char *name)
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
    const scope_part text = {name, entry.length_bytes};
    scope_engine_lock();
    if (scope_session_is_live(&scope_process_session))
        scope_define_of(&scope_process_session, SCOPE_DEFINE_COMMUNICATOR, &entry,
                        offsetof(scope_define_communicator, name), &text, 1);
    scope_engine_unlock();
    scope_leave();
}
