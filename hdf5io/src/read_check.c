/* read_check.c - decode what was read, have it checked and put in order; see read.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <string.h>

#include <scope/check.h>
#include <scope/wrap.h>

#include "message.h"

/* The size of the job, as far as the file says it. */
static void set_rank_count(scope_calls *calls)
{
    const scope_metadata_row *size = scope_calls_metadata(calls, "mpi_size");
    int64_t ranks =
        size && size->kind == SCOPE_VALUE_INTEGER && size->integer > 0 ? size->integer : 1;
    ranks = ranks > SCOPE_RANKS_MAX ? 1 : ranks;
    if (calls->rank_count < ranks) /* schema 1 counts groups */
        calls->rank_count = (int32_t)ranks;
}

/* Starts from differences. A call may end before it begins: hosts record what they are told,
 * and nesting says so. */
static void decode_times(scope_calls *calls)
{
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t i = 1; i < scope_calls_pair_rows(calls, pair); i++) {
            int64_t *start_ns = &calls->start_ns[pair->first + i];
            *start_ns = wrap_add(*start_ns, start_ns[-1]);
        }
    }
}

static scope_status check(const scope_reading *reading, bool deltas)
{
    scope_calls *calls = reading->calls;
    char why[SCOPE_WHY_BYTES];
    if (calls->is_aggregate && calls->count)
        return scope_read_corrupt(reading, "it has sums of regions and calls");
    scope_status status = scope_calls_check(calls, why);
    if (status == SCOPE_OK && deltas)
        decode_times(calls);
    if (status == SCOPE_OK)
        status = scope_calls_check_times(calls, why);
    if (status == SCOPE_OK)
        status = scope_calls_order(calls);
    if (status == SCOPE_ERR_MEMORY)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    return status == SCOPE_OK ? SCOPE_OK : scope_read_corrupt(reading, "%s", why);
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
    int64_t first, last;
    scope_calls_span(calls, &first, &last);
    calls->start_time_ns = metadata_time(calls, "start_time_ns", first);
    calls->end_time_ns =
        metadata_time(calls, "finalize_time_ns", calls->count ? last : calls->start_time_ns);
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
                *time = wrap_add(*time, calls->start_time_ns);
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
    set_rank_count(calls);
    const scope_status status = check(reading, deltas);
    if (status != SCOPE_OK)
        return status;
    place_times(calls);
    forget_none(calls);
    const bool derive = !calls->is_aggregate && !scope_read_has(reading, SCOPE_DATASET_STATISTICS);
    for (size_t i = 0; derive && i < calls->pair_count; i++)
        scope_calls_statistics(calls, &calls->pairs[i]);
    return SCOPE_OK;
}
