/* job.c - see job.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"
#include "message.h"
#include "names.h"
#include "relay.h"
#include "text.h"

bool scope_job_all_well(scope_job *job)
{
    const scope_status worst = job->world->worst(job->world, job->status);
    if (worst != SCOPE_OK && job->status == SCOPE_OK)
        job->status =
            scope_fail(SCOPE_ERR_RANK, "another rank failed: %s", scope_status_text(worst));
    return worst == SCOPE_OK;
}

bool scope_job_connected(scope_job *job, scope_status status)
{
    if (status != SCOPE_OK && job->status == SCOPE_OK)
        job->status =
            scope_fail(status, "exchange with the other ranks: %s", scope_status_text(status));
    return status == SCOPE_OK;
}

static bool agree_on_plan(scope_job *job)
{
    if (!scope_job_connected(job,
                             scope_plan_agree(job->world, &job->rows, job->options, &job->plan)))
        return false;
    if (job->plan.is_mixed) /* on every rank alike */
        job->status =
            scope_fail(SCOPE_ERR_ARGUMENT, "some ranks have calls and others only their sums");
    job->plan.mode = job->mode;
    return !job->plan.is_mixed;
}

/* One numbering for all regions; this rank's rows get it. */
static bool agree_on_names(scope_job *job)
{
    const scope_calls *calls = job->rows.given;
    uint32_t *ids = calloc(calls->region_count + 1, sizeof *ids);
    if (!ids)
        job->status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    const bool good =
        scope_job_all_well(job) &&
        scope_job_connected(job, scope_names_agree(job->world, calls, job->plan.unlisted_names, ids,
                                                   &job->names, &job->plan.shown_names));
    if (good)
        job->status = scope_rows_place(&job->rows, ids, &job->plan);
    free(ids);
    return good;
}

bool scope_job_agree(scope_job *job)
{
    return scope_job_all_well(job) && agree_on_plan(job) && agree_on_names(job);
}

bool scope_job_open(scope_job *job)
{
    if (job->world->rank == 0 && job->status == SCOPE_OK)
        job->status = scope_publish_open(job->path, &job->draft);
    return scope_job_all_well(job);
}

/* One wide or chunked column of all ranks, through rank 0. */
static bool relay_column(scope_job *job, size_t column)
{
    const bool wide = scope_plan_is_wide(&job->plan, column);
    scope_buffer packed = {0};
    if (job->status == SCOPE_OK)
        job->status = wide ? scope_wide_pack(&job->rows, column, &packed)
                           : scope_chunked_pack(&job->rows, &job->plan, column, &packed);
    if (job->world->rank == 0 && job->status == SCOPE_OK)
        job->status = scope_maker_column(&job->maker, column);
    const bool good =
        scope_job_connected(job, job->world->relay(job->world, packed.bytes,
                                                   job->status == SCOPE_OK ? packed.length : 0,
                                                   scope_maker_take, &job->maker));
    free(packed.bytes);
    if (job->world->rank == 0 && job->status == SCOPE_OK)
        job->status = scope_maker_column_end(&job->maker);
    return good;
}

/* Rank 0 alone can write it. */
static bool is_relayed(const scope_plan *plan, size_t column)
{
    return plan->present[column] && plan->total[scope_columns[column].table] &&
           (scope_plan_is_wide(plan, column) ||
            (scope_plan_is_chunked(plan, column) && plan->mode.kind != SCOPE_MODE_PARALLEL));
}

bool scope_job_create(scope_job *job, const scope_pieces *pieces)
{
    const bool first = job->world->rank == 0;
    bool good = true;
    if (first && job->status == SCOPE_OK)
        job->status = scope_maker_begin(&job->maker, job->draft.fd, job->is_apart, &job->plan,
                                        &job->rows.calls, &job->names, pieces);
    for (size_t i = 0; good && i < scope_column_count; i++)
        if (is_relayed(&job->plan, i))
            good = relay_column(job, i);
    if (first)
        job->status = scope_maker_end(&job->maker, job->status);
    return good && scope_job_all_well(job);
}

/* Rank 0 tells where everything lies; the others find the file, or do not. */
bool scope_job_announce(scope_job *job, scope_news *news)
{
    memset(news, 0, sizeof *news);
    if (job->world->rank == 0) {
        scope_node_here(&news->node);
        memcpy(news->offset, job->plan.offset, sizeof news->offset);
        memcpy(news->file_id, job->plan.file_id, sizeof news->file_id);
        news->file_id_offset = job->plan.file_id_offset;
        snprintf(news->path, sizeof news->path, "%s", job->draft.temporary);
    }
    if (!scope_job_connected(job, job->world->broadcast(job->world, news, sizeof *news)))
        return false;
    memcpy(job->plan.offset, news->offset, sizeof news->offset);
    memcpy(job->plan.file_id, news->file_id, sizeof news->file_id);
    job->plan.file_id_offset = news->file_id_offset;
    return true;
}

bool scope_job_write_slices(scope_job *job)
{
    scope_world *world = job->world;
    scope_news *news = malloc(sizeof *news);
    if (!news)
        job->status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    if (!scope_job_all_well(job) || !scope_job_announce(job, news)) {
        free(news);
        return false;
    }
    const bool first = world->rank == 0;
    const int fd = first ? job->draft.fd : scope_slices_open(news->path, &job->plan, &news->node);
    free(news);
    const int64_t blind = fd < 0;
    int64_t before, blind_count;
    if (!scope_job_connected(job, world->sums(world, &blind, &before, &blind_count, 1))) {
        if (!first && fd >= 0)
            close(fd);
        return false;
    }
    if (!blind)
        job->status = scope_slices_write(fd, &job->rows, &job->plan);
    if (blind_count) {
        const scope_status relayed = scope_slices_relay(fd, blind, &job->rows, &job->plan, world);
        if (job->status == SCOPE_OK)
            job->status = relayed;
    }
    if (!first && fd >= 0) {
        const bool no_sync = job->options && job->options->no_sync;
        if (job->status == SCOPE_OK && !no_sync && fsync(fd) != 0)
            job->status = scope_fail(scope_status_of_errno(errno), "%s", strerror(errno));
        if (close(fd) != 0 && errno != EINTR && job->status == SCOPE_OK)
            job->status = scope_fail(scope_status_of_errno(errno), "%s", strerror(errno));
    }
    return scope_job_all_well(job);
}

bool scope_job_sync(scope_job *job)
{
    const bool syncs = job->world->rank == 0 && !(job->options && job->options->no_sync);
    const int error = syncs && job->status == SCOPE_OK ? scope_draft_sync(&job->draft) : 0;
    if (error)
        job->status = scope_fail(scope_status_of_errno(error), "%s: %s", job->draft.target,
                                 strerror(error));
    return scope_job_all_well(job);
}

bool scope_job_publish(scope_job *job)
{
    if (job->world->rank == 0) {
        job->draft.keep = job->options && job->options->keep;
        job->status = scope_publish_rename(&job->draft, job->options && job->options->no_sync);
    }
    return scope_job_all_well(job);
}

/* Of counts that a damaged spool may have. */
static void add_count(int64_t *sum, int64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum))
        *sum = more < 0 ? INT64_MIN : INT64_MAX;
}

static void sum_report(scope_job *job, scope_sink_report *report)
{
    enum { CALLS, DROPPED, FOLDED, ORPHANS, IMPLIED, CROSSED, OPEN, COUNT };
    const scope_calls *calls = job->rows.given;
    int64_t mine[COUNT] = {[CALLS] = (int64_t)calls->count, [OPEN] = (int64_t)job->rows.open_count};
    int64_t before[COUNT], total[COUNT];
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        add_count(&mine[DROPPED], calls->ranks[i].dropped);
        add_count(&mine[DROPPED], calls->ranks[i].dropped_in_handlers);
        add_count(&mine[FOLDED], calls->ranks[i].folded);
    }
    for (size_t i = 0; calls->is_aggregate && i < calls->pair_count; i++)
        add_count(&mine[CALLS], (int64_t)calls->pairs[i].count);
    for (size_t i = 0; i < calls->misuse_count; i++) {
        add_count(&mine[ORPHANS], calls->misuse[i].orphans);
        add_count(&mine[IMPLIED], calls->misuse[i].implied);
        add_count(&mine[CROSSED], calls->misuse[i].crossed);
    }
    if (job->world->sums(job->world, mine, before, total, COUNT) != SCOPE_OK || !report)
        return; /* the file is there all the same */
    report->calls = total[CALLS];
    report->dropped = total[DROPPED];
    report->folded = total[FOLDED];
    report->orphans = total[ORPHANS];
    report->implied = total[IMPLIED];
    report->crossed = total[CROSSED];
    report->open_calls = total[OPEN];
}

/* For who names the file himself. */
static const char *message_without(const char *path)
{
    const char *message = scope_file_message();
    const size_t length = strlen(path);
    return strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0
               ? message + length + 2
               : message;
}

static scope_status take_message(void *context, int32_t rank, const void *bytes,
                                 size_t length_bytes)
{
    (void)context;
    if (rank)
        scope_fail(SCOPE_ERR_RANK, "rank %d: %.*s", (int)rank,
                   (int)(length_bytes < 480 ? length_bytes : 480), (const char *)bytes);
    return SCOPE_OK;
}

/* Rank 0 hears what the first failing rank has to say. */
static void hear_message(scope_job *job)
{
    scope_world *world = job->world;
    const bool own = job->status != SCOPE_OK && job->status != SCOPE_ERR_RANK;
    const int64_t mine = own ? -world->rank : INT64_MIN;
    int64_t first = INT64_MIN;
    char text[512] = "";
    if (world->most(world, &mine, &first, 1) != SCOPE_OK)
        return;
    if (own && first == mine)
        snprintf(text, sizeof text, "%s", message_without(job->path));
    world->relay(world, text, strlen(text), take_message, NULL);
}

void scope_job_begin(scope_job *job, const char *path, const scope_calls *calls, scope_world *world,
                     const scope_file_options *options, const scope_mode *mode)
{
    scope_filter filter;
    int32_t level;
    *job = (scope_job){.path = path,
                       .world = world,
                       .options = options,
                       .mode = *mode,
                       .draft = {.fd = -1},
                       .maker = {.apart = {-1, -1}, .here = {{-1, 0}, H5I_INVALID_HID}}};
    scope_size_guard_enter(&job->guard);
    job->is_apart = world->rank == 0 && scope_h5_check() != SCOPE_OK;
    job->is_quiet = !job->is_apart && (world->rank == 0 || mode->kind == SCOPE_MODE_PARALLEL);
    if (job->is_quiet) /* else this rank uses no HDF5 */
        scope_h5_quiet(&job->errors);
    job->status = scope_rows_take(calls, &job->rows);
    if (job->status == SCOPE_OK)
        job->status = scope_filter_choose(options, 0, &filter, &level);
    scope_fail(SCOPE_OK, "%s", job->status == SCOPE_OK ? "" : scope_file_message());
}

scope_status scope_job_end(scope_job *job, scope_sink_report *report)
{
    scope_draft_discard(&job->draft);
    if (job->status == SCOPE_OK)
        sum_report(job, report);
    else if (job->world->size > 1)
        hear_message(job);
    if (job->status != SCOPE_OK && !strstr(scope_file_message(), job->path))
        scope_fail(job->status, "%s: %s", job->path, scope_file_message());
    if (report)
        snprintf(report->message, sizeof report->message, "%s",
                 job->status == SCOPE_OK ? "" : message_without(job->path));
    scope_rows_release(&job->rows);
    scope_strings_free(&job->names);
    if (job->is_quiet)
        scope_h5_restore(&job->errors);
    scope_size_guard_leave(&job->guard);
    return job->status;
}
