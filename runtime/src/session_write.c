/* session_write.c - hand a recording to the sink, say how it went.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "definitions.h"
#include "engine.h"
#include "identity.h"
#include "marks.h"
#include "names.h"
#include "plugin.h"
#include "record.h"
#include "roomy.h"
#include "session_list.h"
#include "session_start.h"
#include "spool.h"
#include "throttle.h"

/* With rows of its own: what a host has written, or will, is not written again. */
static bool takes_part(const scope_session *session)
{
    return session->number && !scope_session_is_kept_from_ends(session);
}

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

/* Which region of this process was throttled most; "": none. */
static void describe_tiny(const scope_session *session, const scope_world *world, char *text,
                          size_t size_bytes)
{
    char name[80];
    uint32_t region = 0;
    const uint64_t calls = scope_throttle_most(session, &region);
    text[0] = '\0';
    if (!calls)
        return;
    scope_name_show(SCOPE_NAME_REGION, (int32_t)region, name, sizeof name);
    snprintf(text, size_bytes, " (%llu of %s%s, too many and too short to keep each; "
             "SCOPE_THROTTLE=0 does)", (unsigned long long)calls, name,
             world->size > 1 ? " on rank 0" : "");
}

static void say_report(const scope_session *session, const scope_world *world, const char *output,
                       const scope_sink_report *report)
{
    char text[512], tiny[224];
    int length = 0;
    const struct {
        int64_t count;
        const char *what;
        const char *more;
    } parts[] = {
        {report->dropped, "events dropped", ""},
        {report->folded, "calls folded into sums", tiny},
        {report->orphans, "ends without a begin", ""},
        {report->implied, "calls closed by the end of another", ""},
        {report->crossed, "calls that cross another", ""},
    };
    describe_tiny(session, world, tiny, sizeof tiny);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count > 0)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%lld %s%s",
                               length ? ", " : "", (long long)parts[i].count, parts[i].what,
                               parts[i].more);
    if (length)
        scope_runtime_say(NULL, "%s: %s", output, text);
}

typedef struct kept_spools { /* what is left of a recording that could not be written */
    char folder[sizeof scope_store.path];
    bool is_folder;
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

/* Somebody removed it, with its folder perhaps; a program in a chroot only does not see it. */
static bool spool_is_gone(void)
{
    struct stat status;
    return access(scope_store.path, F_OK) != 0 && errno == ENOENT &&
           (fstat(scope_store.fd, &status) != 0 || status.st_nlink == 0);
}

/* Collective; *kept is rank 0's. */
static void look_what_is_kept(scope_world *world, const scope_session *session, kept_spools *kept)
{
    const bool in_file = scope_store.path[0] && !spool_is_gone();
    const char *mine = !takes_part(session) ? "" : in_file ? scope_store.path : "memory";
    const char *slash = strrchr(mine, '/');
    const size_t length = world->size > 1 && slash ? (size_t)(slash - mine) : strlen(mine);
    memset(kept, 0, sizeof *kept);
    kept->is_folder = world->size > 1;
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
    char run[64] = ""; /* its folder may hold those of other runs */
    if (kept->is_folder) {
        char id[33];
        scope_runtime_run_id(id);
        snprintf(run, sizeof run, "--run=%.12s ", id);
    }
    if (kept->files)
        scope_runtime_say(NULL, "%s was not written: %s; the recording is kept: scope recover %s "
                          "%s-o %s%s", output, why, kept->folder, run, output, lost);
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
    const bool has = takes_part(session);
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

bool scope_session_wants_file(const scope_session *session)
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

void scope_session_remember_written(const char *name)
{
    if (was_written(name))
        return;
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
    for (int i = 2; free_name && (was_written(free_name) || scope_mark_wrote_before(free_name)); i++) {
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
        if (takes_part(session) && !flush) {
            define_checkpoint(session, output);
            scope_session_remember_written(output);
            if (world->rank == 0)
                scope_mark_wrote(output);
        }
        if (world->rank == 0 && session->has_config && session->config.verbose)
            scope_runtime_say(NULL, "wrote %s", output);
        if (world->rank == 0 && !flush)
            say_report(session, world, output, &report);
    }
    return status;
}

static void say_split(const char *output, scope_deferral deferral)
{
    int rank, size;
    scope_identity_rank(&rank, &size);
    if (deferral == SCOPE_DEFERRED_ALONE)
        return;
    if (deferral == SCOPE_DEFERRED)
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

scope_status scope_session_write_own(scope_session *session, bool flush, scope_deferral deferral)
{
    bool split = false;
    scope_status status = SCOPE_ERR_MEMORY;
    if (!scope_session_wants_file(session))
        return SCOPE_OK;
    char *output = unwritten(scope_identity_output(session->config.output, &split));
    if (output) {
        local_write local = {session, output, flush, SCOPE_OK};
        scope_run_roomy(write_alone, &local);
        status = local.status;
    }
    if (status == SCOPE_OK && split && !flush)
        say_split(output, deferral);
    free(output);
    return status;
}

/* Rank 0's name of the file on every rank: %h, %x and %j need not be the same there.
 * malloc'd; collective. */
static scope_status agree_on_name(const scope_session *session, scope_world *world, char **output)
{
    const char *pattern = scope_session_wants_file(session) ? session->config.output : "";
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
scope_status scope_session_write_one(scope_session *session, scope_world *world)
{
    char *output = NULL;
    scope_status status = agree_on_name(session, world, &output);
    if (status == SCOPE_OK)
        status = write_as(session, world, output, false);
    free(output);
    return status;
}
