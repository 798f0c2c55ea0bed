/* sink.c - the plug-in's one symbol: a finished recording becomes the file.
 *
 *     replay -> rank 0's clock -> metadata -> file_direct
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/sink.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <scope/replay.h>

#include "file_direct.h"
#include "message.h"
#include "metadata.h"

/* In a job of several ranks every row is this rank's, whatever the recording knew
 * of ranks when it began. Alone, the recording's own rank stands. */
static void set_ranks(scope_calls *calls, const scope_world *world)
{
    const int32_t rank = world->rank;
    calls->rank_count = world->size;
    for (size_t i = 0; i < calls->pair_count; i++)
        calls->pairs[i].rank = rank;
    for (size_t i = 0; i < calls->thread_count; i++)
        calls->threads[i].rank = rank;
    for (size_t i = 0; i < calls->task_count; i++)
        calls->tasks[i].rank = rank;
    for (size_t i = 0; i < calls->mark_count; i++)
        calls->marks[i].rank = rank;
    for (size_t i = 0; i < calls->counter_count; i++)
        calls->counters[i].rank = rank;
    for (size_t i = 0; i < calls->communicator_count; i++)
        calls->communicators[i].rank = rank;
    for (size_t i = 0; i < calls->misuse_count; i++)
        calls->misuse[i].rank = rank;
    for (size_t i = 0; i < calls->sum_count; i++)
        calls->sums[i].rank = rank;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        calls->ranks[i].rank = rank;
}

/* One row says how this rank's clock was placed; a rank without a recording has
 * one, too, so that the file knows of it. */
static scope_status set_clock(scope_calls *calls, const scope_world *world)
{
    if (!calls->rank_row_count) {
        calls->ranks = scope_calls_alloc(calls, 1, sizeof *calls->ranks);
        if (!calls->ranks)
            return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
        calls->ranks[0].rank = world->rank;
        calls->ranks[0].pid = -1;
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        calls->ranks[0].host = scope_calls_string(calls, host, strlen(host));
        calls->ranks[0].program = (scope_string){"", 0};
        calls->rank_row_count = 1;
    }
    scope_rank_row *row = &calls->ranks[0];
    row->offset_ns = world->clock_offset_ns;
    row->drift = world->clock_drift;
    row->at_ns = world->clock_at_ns;
    row->bound_ns = world->clock_bound_ns;
    if (world->clock_offset_ns || world->clock_drift != 0)
        scope_calls_map_clock(calls, world->clock_offset_ns, world->clock_drift,
                              world->clock_at_ns);
    return SCOPE_OK;
}

static scope_status make_table(const scope_sink_request *request, scope_calls **out)
{
    const scope_world *world = request->world;
    scope_calls *calls = NULL;
    scope_status status = SCOPE_OK;
    if (request->recording) {
        status = scope_replay(request->recording, request->session, &calls);
        if (status != SCOPE_OK)
            return scope_fail(status, "reading the recording: %s", scope_status_text(status));
    } else {
        status = scope_calls_new(&calls);
        if (status != SCOPE_OK)
            return scope_fail(status, "out of memory");
    }
    status = set_clock(calls, world);
    if (world->size > 1)
        set_ranks(calls, world);
    if (status == SCOPE_OK && world->rank == 0)
        status = scope_metadata_machine(calls);
    *out = calls;
    return status;
}

SCOPE_API scope_status scope_sink_write(const scope_sink_request *request,
                                        scope_sink_report *report)
{
    memset(report, 0, sizeof *report);
    scope_world *world = request->world;
    const scope_file_options options = {request->compression, request->compression_level, 0};
    scope_calls *calls = NULL;
    const scope_status mine = make_table(request, &calls);
    scope_status status = world->worst(world, mine);
    if (status == SCOPE_OK)
        status = scope_file_write_direct(request->output, calls, world, &options, report);
    else
        snprintf(report->message, sizeof report->message, "%s",
                 mine != SCOPE_OK ? scope_file_message()
                                  : "the recording of another rank cannot be read");
    scope_calls_free(calls);
    return mine != SCOPE_OK ? mine : status;
}
