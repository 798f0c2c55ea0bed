/* join.c - several profiles as one: one timeline, each rank once, one file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "join.h"

#include <stdlib.h>
#include <string.h>

#include <scope/file.h>

#include "command.h"
#include "progress.h"

/* Clocks of one boot differ by CLOCK_REALTIME's own steps only. */
#define SAME_BOOT_NS INT64_C(10000000000)

/* ---- ranks ---- */

typedef struct owner {
    int32_t rank;
    size_t part;
} owner;

static int compare_owners(const void *a, const void *b)
{
    const owner *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return (left->part > right->part) - (left->part < right->part);
}

/* Every rank that a part has rows of, in rank_row or pairs; a file of an older
 * writer has no rank rows, and a rank without calls no pairs. */
static owner *owners(const join_part *parts, size_t count, size_t *owner_count)
{
    size_t room = 1, used = 0;
    for (size_t i = 0; i < count; i++)
        room += parts[i].calls->pair_count + parts[i].calls->rank_row_count;
    owner *all = malloc(room * sizeof *all);
    for (size_t i = 0; all && i < count; i++) {
        const scope_calls *calls = parts[i].calls;
        for (size_t k = 0; k < calls->pair_count; k++)
            if (!k || calls->pairs[k].rank != calls->pairs[k - 1].rank)
                all[used++] = (owner){calls->pairs[k].rank, i};
        for (size_t k = 0; k < calls->rank_row_count; k++)
            all[used++] = (owner){calls->ranks[k].rank, i};
    }
    if (all)
        qsort(all, used, sizeof *all, compare_owners);
    *owner_count = used;
    return all;
}

bool join_distinct(const join_part *parts, size_t count, join_collision *collision)
{
    size_t used;
    owner *all = owners(parts, count, &used);
    bool distinct = true;
    for (size_t i = 1; all && i < used && distinct; i++)
        if (all[i].rank == all[i - 1].rank && all[i].part != all[i - 1].part) {
            *collision = (join_collision){all[i].rank, all[i - 1].part, all[i].part};
            distinct = false;
        }
    free(all);
    return distinct;
}

static void shift_ranks(scope_calls *calls, int32_t by)
{
    for (size_t i = 0; i < calls->pair_count; i++)
        calls->pairs[i].rank += by;
    for (size_t i = 0; i < calls->thread_count; i++)
        calls->threads[i].rank += by;
    for (size_t i = 0; i < calls->task_count; i++)
        calls->tasks[i].rank += by;
    for (size_t i = 0; i < calls->mark_count; i++)
        calls->marks[i].rank += by;
    for (size_t i = 0; i < calls->counter_count; i++)
        calls->counters[i].rank += by;
    for (size_t i = 0; i < calls->communicator_count; i++)
        calls->communicators[i].rank += by;
    for (size_t i = 0; i < calls->misuse_count; i++)
        calls->misuse[i].rank += by;
    for (size_t i = 0; i < calls->sum_count; i++)
        calls->sums[i].rank += by;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        calls->ranks[i].rank += by;
    calls->rank_count += by;
}

void join_renumber(join_part *parts, size_t count)
{
    int32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        size_t used;
        owner *all = owners(&parts[i], 1, &used);
        const int32_t lowest = all && used ? all[0].rank : 0;
        const int32_t highest = all && used ? all[used - 1].rank : 0;
        free(all);
        shift_ranks(parts[i].calls, next - lowest);
        next += highest - lowest + 1;
    }
    for (size_t i = 0; i < count; i++) /* one job of them all */
        parts[i].calls->rank_count = next;
}

/* ---- clocks ---- */

static const scope_rank_row *lowest_row(const scope_calls *calls)
{
    const scope_rank_row *lowest = NULL;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        if (!lowest || calls->ranks[i].rank < lowest->rank)
            lowest = &calls->ranks[i];
    return lowest && lowest->realtime_ns > 0 ? lowest : NULL;
}

static bool same_host(const scope_rank_row *a, const scope_rank_row *b)
{
    return a->host.length_bytes == b->host.length_bytes &&
           memcmp(a->host.bytes, b->host.bytes, a->host.length_bytes) == 0;
}

/* Shift a whole part. What its ranks know of their own clocks stays: their times
 * were on the clock of the part's first rank before. */
static void place(scope_calls *calls, int64_t offset_ns, int64_t at_ns)
{
    const size_t count = calls->rank_row_count;
    scope_rank_row *before = malloc(count * sizeof *before);
    if (before)
        memcpy(before, calls->ranks, count * sizeof *before);
    scope_calls_map_clock(calls, offset_ns, 0.0, at_ns);
    for (size_t i = 0; before && i < count; i++) {
        calls->ranks[i].offset_ns = before[i].offset_ns + offset_ns;
        calls->ranks[i].at_ns = before[i].at_ns;
        calls->ranks[i].drift = before[i].drift;
        calls->ranks[i].bound_ns = -1;
    }
    free(before);
}

void join_clocks(join_part *parts, size_t count)
{
    const scope_rank_row *base = NULL;
    for (size_t i = 0; i < count; i++) {
        const scope_rank_row *row = lowest_row(parts[i].calls);
        if (row && (!base || row->rank < base->rank))
            base = row;
    }
    for (size_t i = 0; base && i < count; i++) {
        const scope_rank_row *row = lowest_row(parts[i].calls);
        if (!row || row == base)
            continue;
        const int64_t offset =
            (row->realtime_ns - row->start_ns) - (base->realtime_ns - base->start_ns);
        if (same_host(row, base) && offset < SAME_BOOT_NS && offset > -SAME_BOOT_NS)
            continue;
        place(parts[i].calls, offset, row->start_ns);
    }
}

/* ---- the file ---- */

scope_status join_write(const char *command, const join_part *parts, size_t count,
                        const char *output, const char *compression)
{
    scope_calls *merged = NULL;
    scope_calls **tables = calloc(count, sizeof *tables);
    scope_status status = SCOPE_ERR_MEMORY;
    if (!tables)
        goto done;
    for (size_t i = 0; i < count; i++)
        tables[i] = parts[i].calls;
    progress_begin("joining %zu profiles", count);
    status = count == 1 ? SCOPE_OK : scope_calls_merge(tables, count, &merged);
    progress_end();
    if (status != SCOPE_OK)
        goto done;
    const scope_file_options options = {.compression = compression};
    progress_begin("writing %s", output);
    status = scope_file_write(output, merged ? merged : tables[0], &options);
    progress_end();
    if (status != SCOPE_OK && *scope_file_message()) {
        command_say(command, "%s", scope_file_message());
        goto done_said;
    }
done:
    if (status != SCOPE_OK)
        command_say(command, "%s: %s", output, scope_status_text(status));
done_said:
    scope_calls_free(merged);
    free(tables);
    return status;
}
