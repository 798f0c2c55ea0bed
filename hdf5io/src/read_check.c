/* read_check.c - sort, decode and check what was read; see read.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

typedef struct seen_ranks {
    int32_t highest;
    bool good;
} seen_ranks;

static void check_rank(int32_t *rank, void *context)
{
    seen_ranks *seen = context;
    seen->good = seen->good && *rank >= 0 && *rank < SCOPE_RANKS_MAX;
    seen->highest = *rank > seen->highest ? *rank : seen->highest;
}

/* Ranks of rows that cannot be: a damaged file must not make anybody allocate
 * two thousand million ranks. */
static scope_status check_ranks(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    seen_ranks seen = {-1, true};
    scope_calls_each_rank(calls, check_rank, &seen);
    if (!seen.good)
        return scope_read_corrupt(reading, "a row is of an impossible rank");
    const scope_metadata_row *size = scope_calls_metadata(calls, "mpi_size");
    int64_t ranks =
        size && size->kind == SCOPE_VALUE_INTEGER && size->integer > 0 ? size->integer : 1;
    ranks = ranks > SCOPE_RANKS_MAX ? 1 : ranks;
    ranks = calls->rank_count > ranks ? calls->rank_count : ranks; /* schema 1 counts groups */
    calls->rank_count = (int32_t)(ranks > seen.highest + 1 ? ranks : seen.highest + 1);
    return SCOPE_OK;
}

typedef struct placed { /* a pair, to sort by place or by rank, and its number */
    uint64_t key;
    size_t index;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->index > b->index) - (a->index < b->index);
}

static placed *sorted_pairs(const scope_calls *calls, bool by_rank)
{
    placed *order = malloc((calls->pair_count + 1) * sizeof *order);
    for (size_t i = 0; order && i < calls->pair_count; i++)
        order[i] = (placed){by_rank ? (uint64_t)calls->pairs[i].rank : calls->pairs[i].first, i};
    if (order)
        qsort(order, calls->pair_count, sizeof *order, compare_placed);
    return order;
}

static scope_status check_pairs(const scope_reading *reading)
{
    const scope_calls *calls = reading->calls;
    if (calls->is_aggregate && calls->count)
        return scope_read_corrupt(reading, "it has sums of regions and calls");
    placed *order = sorted_pairs(calls, false);
    if (!order)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    uint64_t end = 0;
    bool good = true;
    for (size_t i = 0; good && i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[order[i].index];
        const uint64_t count = scope_calls_pair_rows(calls, pair);
        good = pair->region < calls->region_count && pair->first <= calls->count &&
               count <= calls->count - pair->first && (!count || pair->first >= end);
        end = count ? pair->first + count : end;
    }
    free(order);
    for (size_t i = 0; i < calls->misuse_count; i++)
        good &= calls->misuse[i].region < calls->region_count;
    for (size_t i = 0; i < calls->sum_count; i++)
        good &= calls->sums[i].region < calls->region_count;
    for (uint64_t i = 0; calls->mpi_comms && i < calls->count; i++)
        good &= calls->mpi_comms[i] < 0 || (size_t)calls->mpi_comms[i] < calls->communicator_count;
    for (size_t i = 0; i < calls->message_count; i++) {
        const scope_message_row *message = &calls->messages[i];
        good &= message->row < calls->count && (!i || message[-1].row <= message->row) &&
                (message->communicator < 0 ||
                 (size_t)message->communicator < calls->communicator_count);
    }
    return good ? SCOPE_OK
                : scope_read_corrupt(reading, "the rows of the index do not fit the calls");
}

/* Starts from differences. A call may end before it begins: hosts record what they are told,
 * and nesting says so. */
static scope_status decode_times(const scope_reading *reading, bool deltas)
{
    scope_calls *calls = reading->calls;
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t i = pair->first; i < pair->first + scope_calls_pair_rows(calls, pair); i++) {
            if (deltas && i > pair->first)
                calls->start_ns[i] =
                    (int64_t)((uint64_t)calls->start_ns[i] + (uint64_t)calls->start_ns[i - 1]);
            if (calls->start_ns[i] < -SCOPE_TIME_MAX_NS || calls->start_ns[i] > SCOPE_TIME_MAX_NS ||
                calls->duration_ns[i] < -SCOPE_TIME_MAX_NS ||
                calls->duration_ns[i] > SCOPE_TIME_MAX_NS)
                return scope_read_corrupt(reading, "a call has an impossible time");
        }
    }
    return SCOPE_OK;
}

/* Give one column the order of the sorted pairs. */
static int reorder_column(scope_calls *calls, size_t offset, size_t cell_bytes, const placed *order,
                          uint64_t total)
{
    char **column = (char **)(void *)((char *)calls + offset);
    if (!*column)
        return 0;
    char *sorted = scope_calls_alloc(calls, (size_t)total, cell_bytes);
    if (!sorted)
        return 1;
    char *at = sorted;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[order[i].index];
        if (scope_calls_pair_rows(calls, pair))
            memcpy(at, *column + pair->first * cell_bytes, pair->count * cell_bytes);
        at += scope_calls_pair_rows(calls, pair) * cell_bytes;
    }
    *column = sorted;
    return 0;
}

static int reorder_pairs(scope_calls *calls, void **rows, size_t row_bytes, const placed *order)
{
    if (!*rows)
        return 0;
    char *sorted = scope_calls_alloc(calls, calls->pair_count, row_bytes);
    if (!sorted)
        return 1;
    for (size_t i = 0; i < calls->pair_count; i++)
        memcpy(sorted + i * row_bytes, (const char *)*rows + order[i].index * row_bytes, row_bytes);
    *rows = sorted;
    return 0;
}

/* Pairs by rank, their calls one after the other without gaps, as calls.h says. */
static scope_status order_pairs(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    uint64_t total = 0;
    bool in_order = true;
    for (size_t i = 0; i < calls->pair_count; i++) {
        in_order &= calls->pairs[i].first == total &&
                    (!i || calls->pairs[i].rank >= calls->pairs[i - 1].rank);
        total += scope_calls_pair_rows(calls, &calls->pairs[i]);
    }
    if (in_order && total == calls->count)
        return SCOPE_OK;
    placed *order = sorted_pairs(calls, true);
    int failed = !order;
    for (size_t i = 0; !failed && i < scope_column_count; i++)
        if (scope_columns[i].table == SCOPE_TABLE_EVENTS &&
            !(scope_columns[i].flags & SCOPE_COLUMN_WRITE_ONLY))
            failed = reorder_column(calls, scope_columns[i].offset,
                                    scope_cell_memory_bytes(scope_columns[i].memory), order, total);
    failed = failed ||
             reorder_pairs(calls, (void **)&calls->event_metadata, sizeof(scope_string), order) ||
             reorder_pairs(calls, (void **)&calls->source_texts, sizeof(scope_string), order) ||
             reorder_pairs(calls, (void **)&calls->pairs, sizeof(scope_pair), order);
    free(order);
    if (failed)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    calls->count = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        calls->pairs[i].first = calls->count;
        calls->count += scope_calls_pair_rows(calls, &calls->pairs[i]);
    }
    return SCOPE_OK;
}

static int64_t metadata_time(const scope_calls *calls, const char *key, int64_t otherwise)
{
    const scope_metadata_row *row = scope_calls_metadata(calls, key);
    const bool usable =
        row && row->kind == SCOPE_VALUE_INTEGER && row->integer > 0 &&
        row->integer < SCOPE_TIME_MAX_NS;
    return usable ? row->integer : otherwise;
}

static void place_times(scope_calls *calls)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint64_t i = 0; i < calls->count; i++) {
        const int64_t end = calls->start_ns[i] + calls->duration_ns[i];
        first = calls->start_ns[i] < first ? calls->start_ns[i] : first;
        last = end > last ? end : last;
    }
    calls->start_time_ns = metadata_time(calls, "start_time_ns", first == INT64_MAX ? 0 : first);
    calls->end_time_ns =
        metadata_time(calls, "finalize_time_ns", last == INT64_MIN ? calls->start_time_ns : last);
    for (size_t c = 0; c < scope_column_count; c++) {
        const scope_column *column = &scope_columns[c];
        const scope_table_place *place = &scope_tables[column->table];
        if (!(column->flags & SCOPE_COLUMN_RELATIVE))
            continue;
        char *rows = *(char **)(void *)((char *)calls + place->rows_offset);
        const size_t count = *(size_t *)(void *)((char *)calls + place->count_offset);
        for (size_t i = 0; i < count; i++) {
            int64_t *time = (int64_t *)(void *)(rows + i * place->row_bytes + column->offset);
            if (!(column->flags & SCOPE_COLUMN_KEEP_NONE) || *time != -1)
                *time = (int64_t)((uint64_t)*time + (uint64_t)calls->start_time_ns);
        }
    }
}

/* Files that 0.7.5 wrote with MPI-IO say "None" where there is no source text. */
static void forget_none(scope_calls *calls)
{
    bool any = false;
    for (size_t i = 0; calls->source_texts && i < calls->pair_count; i++) {
        scope_string *text = &calls->source_texts[i];
        if (strcmp(text->bytes, "None") == 0)
            *text = (scope_string){"", 0};
        any |= text->length_bytes > 0;
    }
    if (!any) /* a column that every file has, mostly for nothing */
        calls->source_texts = NULL;
}

scope_status scope_read_finish(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    const bool deltas = scope_read_has(reading, SCOPE_DATASET_DELTAS) &&
                        !scope_read_has(reading, SCOPE_DATASET_START_TIMES);
    scope_status status = check_ranks(reading);
    if (status == SCOPE_OK)
        status = check_pairs(reading);
    if (status == SCOPE_OK)
        status = decode_times(reading, deltas);
    if (status == SCOPE_OK)
        status = order_pairs(reading);
    if (status != SCOPE_OK)
        return status;
    place_times(calls);
    forget_none(calls);
    const bool derive = !calls->is_aggregate && !scope_read_has(reading, SCOPE_DATASET_STATISTICS);
    for (size_t i = 0; derive && i < calls->pair_count; i++)
        scope_calls_statistics(calls, &calls->pairs[i]);
    return SCOPE_OK;
}
