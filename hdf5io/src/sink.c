/* sink.c - the plug-in's two symbols: a finished recording, or a call table that a host
 * made of its own, becomes the file.
 *
 *     replay -> rank 0's clock -> metadata -> file_direct, parallel or file_per_rank
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/sink.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <scope/replay.h>

#include "file_direct.h"
#include "file_per_rank.h"
#include "message.h"
#include "metadata.h"
#include "parallel.h"

static void set_rank(int32_t *rank, void *to)
{
    *rank = *(const int32_t *)to;
}

/* In a job of several ranks every row is this rank's, whatever the recording knew
 * of ranks when it began. Alone, the recording's own rank stands. */
static void set_ranks(scope_calls *calls, const scope_world *world)
{
    int32_t rank = world->rank;
    calls->rank_count = world->size;
    scope_calls_each_rank(calls, set_rank, &rank);
}

/* A rank without a recording has a row in the file, so that the file knows of it. */
static scope_status add_rank_row(scope_calls *calls, const scope_world *world, int32_t end_kind)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    calls->ranks = scope_calls_alloc(calls, 1, sizeof *calls->ranks);
    if (!calls->ranks)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    calls->ranks[0] = (scope_rank_row){.rank = world->rank,
                                       .pid = getpid(),
                                       .end_kind = end_kind,
                                       .start_ns = calls->start_time_ns,
                                       .end_ns = calls->end_time_ns,
                                       .host = scope_calls_string(calls, host, strlen(host)),
                                       .program = {"", 0}};
    calls->rank_row_count = 1;
    return SCOPE_OK;
}

static scope_status replay(const scope_sink_request *request, scope_calls **calls)
{
    const scope_status status = request->recording
                                    ? scope_replay(request->recording, request->session, calls)
                                    : scope_calls_new(calls);
    return status == SCOPE_OK
               ? SCOPE_OK
               : scope_fail(status, "reading the recording: %s", scope_status_text(status));
}

/* How wrong a time of this table can be: a recording may begin before MPI, and the first
 * measurement, did. */
static int64_t clock_bound(const scope_world *world, int64_t start_ns)
{
    const int64_t before_ns = world->clock_since_ns - start_ns;
    if (world->clock_bound_ns < 0 || before_ns <= 0)
        return world->clock_bound_ns;
    return world->clock_bound_ns + (int64_t)(world->clock_drift_bound * (double)before_ns);
}

/* To rank 0's clock. Without a recording there are no times to map. */
static void map_clock(scope_calls *calls, const scope_world *world, bool has_times)
{
    const int64_t bound_ns =
        has_times ? clock_bound(world, calls->start_time_ns) : world->clock_bound_ns;
    if (has_times && (world->clock_offset_ns || world->clock_drift != 0))
        scope_calls_map_clock(calls, world->clock_offset_ns, world->clock_drift,
                              world->clock_at_ns);
    scope_rank_row *row = &calls->ranks[0];
    row->offset_ns = world->clock_offset_ns;
    row->drift = world->clock_drift;
    row->at_ns = world->clock_at_ns;
    row->bound_ns = bound_ns;
}

static scope_status check_request(const scope_sink_request *request)
{
    if (request->size_bytes < sizeof *request)
        return scope_fail(SCOPE_ERR_VERSION, "this writer is of a newer version than libscope");
    return scope_mode_check(request->output_mode);
}

/* Rank 0's is the job's; a rank's own file says where that rank was. */
static bool has_metadata(const scope_world *world, const char *mode)
{
    return world->rank == 0 || (mode && strcmp(mode, scope_mode_name(SCOPE_MODE_PER_RANK)) == 0);
}

static scope_status make_table(const scope_sink_request *request, scope_calls **calls)
{
    const scope_world *world = request->world;
    scope_status status = check_request(request);
    if (status == SCOPE_OK)
        status = replay(request, calls);
    if (status == SCOPE_OK && !(*calls)->rank_row_count)
        status = add_rank_row(*calls, world, SCOPE_END_NO_RECORDING);
    if (status != SCOPE_OK)
        return status;
    map_clock(*calls, world, request->recording);
    if (world->size > 1)
        set_ranks(*calls, world);
    return has_metadata(world, request->output_mode) ? scope_metadata_machine(*calls) : SCOPE_OK;
}

/* As was asked for, or the other way if that cannot be: the file says which and why. */
static scope_status write_as(scope_world *world, const scope_calls *calls, const char *output,
                             const scope_file_options *options, scope_sink_report *report)
{
    scope_mode mode;
    char declined[256] = "";
    scope_status status = scope_mode_agree(world, options->output_mode, &mode);
    if (status == SCOPE_OK && mode.kind == SCOPE_MODE_PARALLEL) {
        status = scope_parallel_write(output, calls, world, options, &mode, report, declined);
        if (status != SCOPE_OK || !declined[0])
            return status;
        mode.kind = SCOPE_MODE_DIRECT;
        snprintf(mode.reason, sizeof mode.reason, "parallel was asked for, but %.220s", declined);
    }
    if (status != SCOPE_OK)
        return status;
    return mode.kind == SCOPE_MODE_PER_RANK
               ? scope_file_write_per_rank(output, calls, world, options, &mode, SCOPE_PER_RANK_MAX,
                                           report)
               : scope_file_write_direct(output, calls, world, options, &mode, report);
}

/* `mine`: what became of this rank's table. */
static scope_status write_table(scope_world *world, const scope_calls *calls, scope_status mine,
                                const char *output, const scope_file_options *options,
                                scope_sink_report *report)
{
    const scope_status worst = world->worst(world, mine);
    if (worst == SCOPE_OK)
        return write_as(world, calls, output, options, report);
    snprintf(report->message, sizeof report->message, "%s",
             mine != SCOPE_OK ? scope_file_message()
                              : "the recording of another rank cannot be read");
    return mine != SCOPE_OK ? mine : worst;
}

SCOPE_API scope_status scope_sink_write(const scope_sink_request *request,
                                        scope_sink_report *report)
{
    memset(report, 0, sizeof *report);
    scope_world *world = request->world;
    if (world->size_bytes < sizeof *world)
        return SCOPE_ERR_VERSION; /* on every rank: its functions cannot be trusted */
    const scope_file_options options = {.compression = request->compression,
                                        .compression_level = request->compression_level,
                                        .output_mode = request->output_mode};
    scope_calls *calls = NULL;
    const scope_status mine = make_table(request, &calls);
    const scope_status status = write_table(world, calls, mine, request->output, &options, report);
    scope_calls_free(calls);
    return status;
}

/* ---- a host's table ---- */

static int64_t lowest_id(const scope_calls *calls)
{
    int64_t lowest = INT64_MAX;
    for (uint64_t i = 0; calls->call_ids && i < calls->count; i++)
        if (calls->call_ids[i] >= 0 && calls->call_ids[i] < lowest)
            lowest = calls->call_ids[i];
    return lowest == INT64_MAX ? 0 : lowest;
}

/* A clock that drifts moves calls against each other by rounding: what follows from their
 * times is computed again, under the ids that the host has told others. */
static void map_host_clock(scope_calls *calls, const scope_world *world)
{
    const int64_t first_id = lowest_id(calls);
    const bool has_ids = calls->call_ids;
    map_clock(calls, world, true);
    if (world->clock_drift == 0)
        return;
    if (has_ids && first_id)
        scope_calls_nest(calls, first_id, NULL);
    else if (!has_ids)
        calls->call_ids = calls->parent_ids = NULL;
}

static scope_status take_table(scope_calls *given, const scope_world *world, const char *mode,
                               scope_calls **made)
{
    scope_status status = scope_mode_check(mode);
    if (status != SCOPE_OK)
        return status;
    status = given ? SCOPE_OK : scope_calls_new(made);
    if (status != SCOPE_OK)
        return scope_fail(status, "out of memory");
    scope_calls *calls = given ? given : *made;
    if (!calls->rank_row_count)
        status = add_rank_row(calls, world, given ? SCOPE_END_FINISHED : SCOPE_END_NO_RECORDING);
    if (status != SCOPE_OK)
        return status;
    if (given)
        map_host_clock(calls, world);
    else
        map_clock(calls, world, false);
    if (world->size > 1)
        set_ranks(calls, world);
    /* a host that says something about the machine has said what it wants to say */
    return has_metadata(world, mode) && !calls->metadata_count ? scope_metadata_machine(calls)
                                                               : SCOPE_OK;
}

SCOPE_API scope_status scope_sink_write_calls(scope_calls *calls, scope_world *world,
                                              const char *output, const scope_file_options *options,
                                              scope_sink_report *report)
{
    memset(report, 0, sizeof *report);
    if (world->size_bytes < sizeof *world)
        return SCOPE_ERR_VERSION; /* on every rank: its functions cannot be trusted */
    static const scope_file_options usual;
    options = options ? options : &usual;
    scope_calls *made = NULL;
    const scope_status mine = take_table(calls, world, options->output_mode, &made);
    const scope_status status =
        write_table(world, calls ? calls : made, mine, output, options, report);
    scope_calls_free(made);
    return status;
}
