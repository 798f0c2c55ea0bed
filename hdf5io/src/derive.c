/* derive.c - one rank's rows of tables that follow from its others: for people, not read back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <stdlib.h>

#include <scope/lane.h>
#include <scope/overhead.h>

#include "message.h"

static scope_status collect_open(scope_rows *rows)
{
    const scope_calls *calls = &rows->calls;
    size_t count = 0;
    for (uint64_t i = 0; calls->flags && i < calls->count; i++)
        count += (calls->flags[i] & SCOPE_CALL_OPEN) != 0;
    if (!count)
        return SCOPE_OK;
    rows->open = malloc(count * sizeof *rows->open);
    if (!rows->open)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t i = pair->first; i < pair->first + pair->count && rows->open_count < count;
             i++)
            if (calls->flags[i] & SCOPE_CALL_OPEN)
                rows->open[rows->open_count++] = (scope_open_row){i, pair->region, pair->rank};
    }
    return SCOPE_OK;
}

/* It takes 24 bytes a call beside the table, at the end of a job, and time: a reader has both. */
#define OVERHEAD_CALLS_MAX ((uint64_t)1 << 20)

/* What the recorder took, while the rows are at hand. Without memory for it the file goes
 * without: it can be made of the file again. */
static void collect_overheads(scope_rows *rows)
{
    scope_summaries list;
    if (!rows->given->is_aggregate && rows->given->count > OVERHEAD_CALLS_MAX)
        return;
    if (scope_overhead_list(rows->given, &list) != SCOPE_OK)
        return;
    rows->overheads = malloc((list.count + 1) * sizeof *rows->overheads);
    for (size_t i = 0; rows->overheads && i < list.count; i++) {
        const scope_summary *row = &list.rows[i];
        if (row->region < rows->given->region_count)
            rows->overheads[rows->overhead_count++] =
                (scope_overhead_row){row->rank,
                                     row->region,
                                     row->call_count,
                                     row->total_ns,
                                     row->exclusive_ns,
                                     row->overhead_ns,
                                     row->corrected_total_ns,
                                     row->corrected_exclusive_ns};
    }
    scope_summaries_free(&list);
}

#define MESSAGES_MAX ((uint64_t)1 << 20) /* calls and messages: as above */

/* A row for each rank, in the order of the pairs. */
static void collect_listed(scope_rows *rows, int listed, const scope_communication *list)
{
    const scope_calls *calls = rows->given;
    rows->listed = malloc((calls->pair_count + list->untold_count + 1) * sizeof *rows->listed);
    if (!rows->listed)
        return;
    const int64_t untold = listed ? 0 : -1;
    size_t next = 0;
    for (size_t i = 0; i <= calls->pair_count; i++) {
        const int32_t rank = i < calls->pair_count ? calls->pairs[i].rank : INT32_MAX;
        if (i < calls->pair_count && rows->listed_count &&
            rows->listed[rows->listed_count - 1].rank == rank)
            continue;
        for (; next < list->untold_count && list->untold[next].rank < rank; next++)
            rows->listed[rows->listed_count++] =
                (scope_listed_row){list->untold[next].rank, listed, list->untold[next].call_count,
                                   list->untold[next].bytes, list->untold[next].lost_count};
        if (i == calls->pair_count)
            break;
        scope_listed_row *row = &rows->listed[rows->listed_count++];
        *row = (scope_listed_row){rank, listed, untold, untold, untold};
        if (next < list->untold_count && list->untold[next].rank == rank) {
            row->untold_count = list->untold[next].call_count;
            row->untold_bytes = list->untold[next].bytes;
            row->lost_count = list->untold[next++].lost_count;
        }
    }
}

/* Who moved how much to whom. Without memory for it, or where ranks have too many calls, it can
 * be made of the file again. */
static void collect_messages(scope_rows *rows)
{
    const scope_calls *calls = rows->given;
    scope_communication list = {0};
    const bool has_rows = !calls->is_aggregate && (calls->mpi_bytes || calls->message_count);
    const bool too_many = has_rows && calls->count + calls->message_count > MESSAGES_MAX;
    if (too_many) {
        collect_listed(rows, 0, &list);
        return;
    }
    if (scope_communication_list(calls, &list) != SCOPE_OK)
        return;
    bool is_mpi = has_rows;
    for (size_t i = 0; i < list.untold_count; i++)
        is_mpi = is_mpi || list.untold[i].call_count;
    if (is_mpi)
        collect_listed(rows, 1, &list);
    rows->functions = list.functions; /* ours now */
    rows->function_count = list.function_count;
    rows->peers = list.peers;
    rows->peer_count = list.peer_count;
    list.functions = NULL;
    list.peers = NULL;
    scope_communication_free(&list);
}

scope_status scope_rows_derive(scope_rows *rows)
{
    collect_overheads(rows);
    collect_messages(rows);
    return rows->given->is_aggregate ? SCOPE_OK : collect_open(rows);
}
