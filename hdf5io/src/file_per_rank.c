/* file_per_rank.c - see file_per_rank.h.
 *
 * Two jobs (job.h) at a time: `index` of all ranks, `part` of those that share a file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "file_per_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "job.h"
#include "message.h"

typedef struct per_rank {
    scope_job index, part;
    bool has_part;
    scope_world alone, *world; /* of the part */
    char target[PATH_MAX];     /* of the index, links followed, on every rank */
    const char *what;          /* a file per "rank" or "node" */
    int32_t leader;            /* of the part */
    char *path;                /* of the part */
    scope_source_row row;      /* about my rows; its texts: */
    char host[72], id[2 * SCOPE_FILE_ID_BYTES + 1];
    char checksums[SCOPE_COLUMN_MAX * 32];
} per_rank;

static bool share_target(per_rank *job)
{
    scope_job *index = &job->index;
    if (!scope_job_open(index))
        return false;
    if (index->world->rank == 0)
        snprintf(job->target, sizeof job->target, "%s", index->draft.target);
    return scope_job_connected(
        index, index->world->broadcast(index->world, job->target, sizeof job->target));
}

/* Who shares a file with whom. */
static bool open_part(per_rank *job, int32_t most_files)
{
    scope_world *all = job->index.world;
    job->what = "rank";
    job->leader = all->rank;
    job->alone = *scope_world_serial();
    job->world = &job->alone;
    if (all->size > most_files && all->open_node) {
        scope_world *node = NULL;
        if (!scope_job_connected(&job->index, all->open_node(all, &node)))
            return false;
        job->world = node;
        job->what = "node";
        if (!scope_job_connected(&job->index,
                                 node->broadcast(node, &job->leader, sizeof job->leader)))
            return false;
    }
    job->path = scope_piece_name(job->target, job->what, job->leader);
    if (!job->path)
        job->index.status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    return scope_job_all_well(&job->index);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What /scope/sources will say of my rows: room for it in the plan. */
static void reserve_row(per_rank *job)
{
    char *to = job->checksums;
    for (size_t i = 0; i < scope_column_count; i++)
        if (scope_columns[i].table == SCOPE_TABLE_EVENTS)
            to += snprintf(to, 32, "%.20s:%08x ", strrchr(scope_columns[i].path, '/') + 1, 0u);
    memset(job->id, '0', sizeof job->id - 1);
    gethostname(job->host, sizeof job->host - 1);
    job->row = (scope_source_row){.rank = job->index.world->rank,
                                  .file = {base_name(job->path), strlen(base_name(job->path))},
                                  .host = {job->host, strlen(job->host)},
                                  .file_id = {job->id, strlen(job->id)},
                                  .checksums = {job->checksums, strlen(job->checksums)}};
    job->index.rows.sources = &job->row;
    job->index.rows.source_count = 1;
}

/* The part's columns and chunks are the index's: one type for a virtual dataset. */
static void follow_index(per_rank *job)
{
    const scope_plan *all = &job->index.plan;
    scope_plan *plan = &job->part.plan;
    for (size_t i = 0; i < scope_column_count; i++)
        if (scope_columns[i].table == SCOPE_TABLE_EVENTS &&
            scope_columns[i].offset != offsetof(scope_rows, job_comms))
            plan->present[i] = all->present[i];
    for (size_t i = 0; i < scope_column_count; i++)
        if (scope_columns[i].offset == offsetof(scope_calls, mpi_comms))
            for (size_t own = 0; own < scope_column_count; own++)
                if (scope_columns[own].offset == offsetof(scope_rows, job_comms))
                    plan->present[own] = all->present[i];
    plan->filter = all->filter;
    plan->filter_level = all->filter_level;
    plan->is_extendible = all->is_extendible;
    plan->is_chunked = all->is_chunked;
    const uint64_t rows = plan->total[SCOPE_TABLE_EVENTS];
    plan->chunk_rows =
        all->is_extendible || rows >= all->chunk_rows || !rows ? all->chunk_rows : rows;
}

/* The file of my part, complete but for its name. */
static bool write_part(per_rank *job, const scope_calls *calls)
{
    scope_job *part = &job->part;
    scope_job_begin(part, job->path, calls, job->world, job->index.options, &job->index.mode);
    job->has_part = true;
    part->rows.job_comms = job->index.rows.calls.mpi_comms;
    bool good = scope_job_agree(part);
    if (good)
        follow_index(job);
    good = good && scope_job_open(part) && scope_job_create(part, NULL) &&
           scope_job_write_slices(part);
    if (!good && job->index.status == SCOPE_OK)
        job->index.status = part->status == SCOPE_OK ? SCOPE_ERR_RANK : part->status;
    if (!good && part->status != SCOPE_OK && !strstr(scope_file_message(), job->path))
        scope_fail(part->status, "%s: %s", job->path, scope_file_message());
    return scope_job_all_well(&job->index);
}

/* CRC-32 of my rows of a column, as they are in the files. */
static uint32_t checksum(const scope_job *index, size_t column, void *slab)
{
    const size_t count = scope_rows_count(&index->rows, SCOPE_TABLE_EVENTS);
    const size_t row_bytes = scope_plan_row_bytes(&index->plan, column);
    const size_t per_slab = SCOPE_SLAB_BYTES / row_bytes;
    uLong sum = crc32(0, NULL, 0);
    for (size_t first = 0; first < count; first += per_slab) {
        const size_t now = count - first < per_slab ? count - first : per_slab;
        const void *bytes = scope_rows_encode(&index->rows, &index->plan, column, first, now, slab);
        sum = crc32(sum, bytes, (uInt)(now * row_bytes));
    }
    return (uint32_t)sum;
}

static void describe_rows(per_rank *job)
{
    const scope_job *index = &job->index, *part = &job->part;
    char *to = job->checksums;
    void *slab = malloc(SCOPE_SLAB_BYTES);
    if (!slab) {
        job->index.status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
        return;
    }
    for (size_t i = 0; i < scope_column_count; i++)
        if (scope_plan_is_virtual(&index->plan, i) && index->plan.present[i])
            to += snprintf(to, 32, "%.20s:%08x ", strrchr(scope_columns[i].path, '/') + 1,
                           checksum(index, i, slab));
    *to = '\0';
    free(slab);
    for (size_t i = 0; i < SCOPE_FILE_ID_BYTES; i++)
        snprintf(job->id + 2 * i, 3, "%02x", part->plan.file_id[i]);
    job->row.first = part->plan.before[SCOPE_TABLE_EVENTS];
    job->row.rows = scope_rows_count(&index->rows, SCOPE_TABLE_EVENTS);
    job->row.checksums.length_bytes = strlen(job->checksums);
}

static bool create_index(per_rank *job)
{
    scope_job *index = &job->index;
    scope_world *world = index->world;
    const scope_piece mine = {job->leader, job->row.first, job->row.rows,
                              job->part.plan.total[SCOPE_TABLE_EVENTS]};
    void *all = NULL;
    const bool first = world->rank == 0; /* nobody else needs the ends of all ranks' */
    uint64_t *ends = first ? calloc((size_t)world->size, sizeof *ends) : NULL;
    if (first && !ends)
        index->status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    const bool good =
        scope_job_all_well(index) &&
        scope_job_connected(index, world->gather(world, &mine, sizeof mine, &all, ends));
    const scope_pieces pieces = {job->target, job->what, all, (size_t)world->size};
    const bool created = good && scope_job_create(index, &pieces);
    free(all);
    free(ends);
    return created;
}

/* Once all are on the disks: the parts, then the index that knows them. Where a part has its name
 * and only its folder could not be synced, the index follows all the same: the set is whole. */
static void publish(per_rank *job)
{
    scope_job *index = &job->index, *part = &job->part;
    if (!scope_job_sync(part) && index->status == SCOPE_OK)
        index->status = part->status;
    if (!scope_job_sync(index))
        return;
    scope_job_publish(part);
    if (part->draft.temporary)
        index->status = part->status;
    if (scope_job_all_well(index) && scope_job_publish(index) && part->status != SCOPE_OK)
        index->status = part->status;
    scope_job_all_well(index);
}

scope_status scope_file_write_per_rank(const char *path, const scope_calls *calls,
                                       scope_world *world, const scope_file_options *options,
                                       const scope_mode *mode, int32_t most_files,
                                       scope_sink_report *report)
{
    per_rank *job = calloc(1, sizeof *job);
    const scope_status ready = world->worst(world, job ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (ready != SCOPE_OK) {
        free(job);
        return scope_fail(ready, "%s: out of memory", path);
    }
    scope_job *index = &job->index;
    scope_job_begin(index, path, calls, world, options, mode);
    bool good = share_target(job) && open_part(job, most_files);
    if (good)
        reserve_row(job);
    good = good && scope_job_agree(index) && scope_job_all_well(index);
    index->plan.is_index = 1;
    good = good && write_part(job, calls);
    if (good)
        describe_rows(job);
    if (good && create_index(job) && scope_job_write_slices(index))
        publish(job);
    if (job->has_part)
        scope_job_end(&job->part, NULL);
    const scope_status status = scope_job_end(index, report);
    if (job->world && job->world != &job->alone)
        world->close_node(world, job->world);
    free(job->path);
    free(job);
    return status;
}
