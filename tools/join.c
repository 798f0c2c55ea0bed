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

static scope_calls **tables_of(const join_part *parts, size_t count)
{
    scope_calls **tables = calloc(count + 1, sizeof *tables);
    for (size_t i = 0; tables && i < count; i++)
        tables[i] = parts[i].calls;
    return tables;
}

bool join_distinct(const join_part *parts, size_t count, scope_collision *collision)
{
    scope_calls **tables = tables_of(parts, count);
    const bool distinct =
        !tables || scope_calls_distinct(tables, count, collision) != SCOPE_ERR_ARGUMENT;
    free(tables);
    return distinct;
}

typedef struct rank_span {
    int32_t lowest, highest;
} rank_span;

static void widen(int32_t *rank, void *context)
{
    rank_span *span = context;
    span->lowest = *rank < span->lowest ? *rank : span->lowest;
    span->highest = *rank > span->highest ? *rank : span->highest;
}

static void shift(int32_t *rank, void *by)
{
    *rank += *(const int32_t *)by;
}

void join_renumber(join_part *parts, size_t count)
{
    int32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        rank_span span = {INT32_MAX, -1};
        scope_calls_each_rank(parts[i].calls, widen, &span);
        if (span.highest < 0) /* no rows: a rank all the same */
            span.lowest = span.highest = 0;
        int32_t by = next - span.lowest;
        scope_calls_each_rank(parts[i].calls, shift, &by);
        next += span.highest - span.lowest + 1;
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
                        const char *output, const char *compression, bool keep)
{
    scope_calls *merged = NULL;
    scope_calls **tables = tables_of(parts, count);
    scope_status status = SCOPE_ERR_MEMORY;
    if (!tables)
        goto done;
    progress_begin("joining %zu profiles", count);
    status = count == 1 ? SCOPE_OK : scope_calls_merge(tables, count, &merged);
    progress_end();
    if (status != SCOPE_OK)
        goto done;
    const scope_file_options options = {.compression = compression, .keep = keep};
    progress_begin("writing %s", output);
    status = scope_file_write(output, merged ? merged : tables[0], &options);
    progress_end();
    if (status == SCOPE_ERR_STATE && keep)
        goto done_said;
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
