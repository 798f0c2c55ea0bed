/* rows.c - see rows.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "text.h"

static const void *column_cells(const scope_rows *rows, const scope_column *column)
{
    const char *at = (const char *)rows + column->offset;
    return *(const void *const *)(const void *)at;
}

static const char *table_rows(const scope_rows *rows, scope_table table)
{
    const char *at = (const char *)rows + scope_tables[table].rows_offset;
    return *(const char *const *)(const void *)at;
}

/* The cell of a row in memory; NULL: this rank does not have the column. */
static const void *cell_at(const scope_rows *rows, const scope_column *column, size_t row)
{
    if (column->flags & SCOPE_COLUMN_ARRAY) {
        const char *cells = column_cells(rows, column);
        return cells ? cells + row * scope_cell_memory_bytes(column->memory) : NULL;
    }
    return table_rows(rows, column->table) + row * scope_tables[column->table].row_bytes +
           column->offset;
}

scope_status scope_rows_take(const scope_calls *calls, scope_rows *rows)
{
    static const scope_calls nothing;
    memset(rows, 0, sizeof *rows);
    rows->given = &nothing;
    if (!calls)
        return SCOPE_OK;
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        const uint64_t count = scope_calls_pair_rows(calls, pair);
        if (pair->region >= calls->region_count || pair->first > calls->count ||
            count > calls->count - pair->first)
            return scope_fail(SCOPE_ERR_ARGUMENT, "the call table is inconsistent");
    }
    rows->given = calls;
    rows->calls = *calls;
    const scope_status status = scope_rows_derive(rows);
    if (calls->is_aggregate) {
        rows->aggregates = calls->pairs;
        rows->aggregate_count = calls->pair_count;
        rows->calls.pair_count = 0;
        rows->calls.count = 0;
    }
    return status;
}

/* A copy of an array of the table that belongs to the rows. */
static void *own(scope_rows *rows, size_t slot, const void *from, size_t count, size_t size)
{
    void *copy = malloc(count ? count * size : 1);
    if (copy && count)
        memcpy(copy, from, count * size);
    rows->owned[slot] = copy;
    return copy;
}

scope_status scope_rows_place(scope_rows *rows, const uint32_t *ids, const scope_plan *plan)
{
    scope_calls *calls = &rows->calls;
    const uint64_t moved_rows = plan->before[SCOPE_TABLE_EVENTS];
    const uint64_t moved_comms = plan->before[SCOPE_TABLE_COMMUNICATORS];
    const bool move_messages = calls->message_count && (moved_rows || moved_comms);
    const bool move_comms = calls->mpi_comms && moved_comms;
    scope_pair *pairs = own(rows, 0, calls->pairs, calls->pair_count, sizeof *pairs);
    scope_misuse_row *misuse = own(rows, 1, calls->misuse, calls->misuse_count, sizeof *misuse);
    scope_sum_row *sums = own(rows, 2, calls->sums, calls->sum_count, sizeof *sums);
    int32_t *comms =
        move_comms ? own(rows, 3, calls->mpi_comms, calls->count, sizeof *comms) : NULL;
    scope_message_row *messages =
        move_messages ? own(rows, 5, calls->messages, calls->message_count, sizeof *messages) : NULL;
    scope_pair *aggregates =
        own(rows, 4, rows->aggregates, rows->aggregate_count, sizeof *aggregates);
    if (!pairs || !misuse || !sums || !aggregates || (move_comms && !comms) ||
        (move_messages && !messages))
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; ids && i < rows->aggregate_count; i++)
        aggregates[i].region = ids[aggregates[i].region];
    rows->aggregates = aggregates;
    for (size_t i = 0; i < calls->pair_count; i++) {
        pairs[i].region = ids ? ids[pairs[i].region] : pairs[i].region;
        pairs[i].first += moved_rows;
    }
    for (size_t i = 0; ids && i < calls->misuse_count; i++)
        if (misuse[i].region < calls->region_count)
            misuse[i].region = ids[misuse[i].region];
    for (size_t i = 0; ids && i < calls->sum_count; i++)
        if (sums[i].region < calls->region_count)
            sums[i].region = ids[sums[i].region];
    for (size_t i = 0; i < rows->open_count; i++) {
        rows->open[i].row += moved_rows;
        rows->open[i].region = ids ? ids[rows->open[i].region] : rows->open[i].region;
    }
    for (size_t i = 0; ids && i < rows->overhead_count; i++)
        rows->overheads[i].region = ids[rows->overheads[i].region];
    for (size_t i = 0; i < rows->function_count; i++) {
        scope_function_row *row = &rows->functions[i];
        row->region = ids ? ids[row->region] : row->region;
        row->communicator += row->communicator >= 0 ? (int32_t)moved_comms : 0;
    }
    for (size_t i = 0; i < rows->peer_count; i++)
        rows->peers[i].communicator += rows->peers[i].communicator >= 0 ? (int32_t)moved_comms : 0;
    for (uint64_t i = 0; comms && i < calls->count; i++)
        if (comms[i] >= 0)
            comms[i] += (int32_t)moved_comms;
    for (size_t i = 0; messages && i < calls->message_count; i++) {
        messages[i].row += moved_rows;
        if (messages[i].communicator >= 0)
            messages[i].communicator += (int32_t)moved_comms;
    }
    calls->pairs = pairs;
    calls->misuse = misuse;
    calls->sums = sums;
    if (comms)
        calls->mpi_comms = comms;
    if (messages)
        calls->messages = messages;
    return SCOPE_OK;
}

void scope_rows_release(scope_rows *rows)
{
    for (size_t i = 0; i < sizeof rows->owned / sizeof rows->owned[0]; i++)
        free(rows->owned[i]);
    free(rows->open);
    free(rows->overheads);
    free(rows->functions);
    free(rows->peers);
    free(rows->listed);
    memset(rows, 0, sizeof *rows);
}

bool scope_rows_have(const scope_rows *rows, size_t index)
{
    const scope_column *column = &scope_columns[index];
    return !(column->flags & SCOPE_COLUMN_ARRAY) || column_cells(rows, column);
}

scope_string scope_rows_text(const scope_rows *rows, size_t index, size_t row)
{
    const scope_column *column = &scope_columns[index];
    const scope_string *text = cell_at(rows, column, row);
    if (text && text->bytes && text->length_bytes)
        return *text;
    return (scope_string){column->text, strlen(column->text)};
}

uint32_t scope_rows_width(const scope_rows *rows, size_t index)
{
    size_t widest = 0;
    const size_t count = scope_rows_count(rows, scope_columns[index].table);
    for (size_t row = 0; row < count; row++) {
        const scope_string text = scope_rows_text(rows, index, row);
        const size_t width = scope_text_display(text.bytes, text.length_bytes, NULL);
        widest = width > widest ? width : widest;
    }
    return widest > UINT32_MAX ? UINT32_MAX : (uint32_t)widest;
}

bool scope_plan_is_wide(const scope_plan *plan, size_t column)
{
    return scope_columns[column].file == SCOPE_CELL_TEXT &&
           plan->width[column] > SCOPE_WIDE_TEXT_BYTES;
}

bool scope_plan_is_chunked(const scope_plan *plan, size_t column)
{
    return plan->is_chunked && !plan->is_index &&
           scope_columns[column].table == SCOPE_TABLE_EVENTS && plan->total[SCOPE_TABLE_EVENTS];
}

bool scope_plan_is_virtual(const scope_plan *plan, size_t column)
{
    return plan->is_index && scope_columns[column].table == SCOPE_TABLE_EVENTS &&
           plan->total[SCOPE_TABLE_EVENTS];
}

size_t scope_plan_row_bytes(const scope_plan *plan, size_t column)
{
    const uint32_t width = plan->width[column] ? plan->width[column] : 1;
    return scope_cell_file_bytes(scope_columns[column].file, width);
}

static int64_t load(scope_cell cell, const void *at)
{
    switch (cell) {
    case SCOPE_CELL_I8:
        return *(const int8_t *)at;
    case SCOPE_CELL_U8:
        return *(const uint8_t *)at;
    case SCOPE_CELL_I32:
        return *(const int32_t *)at;
    case SCOPE_CELL_U32:
        return *(const uint32_t *)at;
    default:
        return *(const int64_t *)at;
    }
}

static void store(scope_cell cell, void *at, int64_t value)
{
    switch (cell) {
    case SCOPE_CELL_I8:
        *(int8_t *)at = (int8_t)value;
        break;
    case SCOPE_CELL_U8:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case SCOPE_CELL_I32:
        *(int32_t *)at = (int32_t)value;
        break;
    case SCOPE_CELL_U32:
        *(uint32_t *)at = (uint32_t)value;
        break;
    default:
        *(int64_t *)at = value;
    }
}

/* Start times as differences; the first call of a pair is absolute. */
static void encode_deltas(const scope_rows *rows, const scope_plan *plan, size_t first,
                          size_t count, int64_t *out)
{
    const scope_calls *calls = &rows->calls;
    for (size_t i = 0; i < count; i++)
        out[i] = wrap_subtract(calls->start_ns[first + i],
                               first + i ? calls->start_ns[first + i - 1] : 0);
    for (size_t p = 0; p < calls->pair_count; p++) {
        const uint64_t row = calls->pairs[p].first - plan->before[SCOPE_TABLE_EVENTS];
        if (calls->pairs[p].count && row >= first && row < first + count)
            out[row - first] = calls->start_ns[row];
    }
}

static void encode_statistics(const scope_rows *rows, const scope_plan *plan, scope_table table,
                              size_t row, int64_t *out)
{
    const scope_pair *pair =
        (table == SCOPE_TABLE_PAIRS ? rows->calls.pairs : rows->aggregates) + row;
    const scope_statistics *from = &pair->statistics;
    const int64_t values[] = {from->total, from->minimum,       from->maximum,    from->first,
                              from->last,  from->start_minimum, from->end_maximum};
    memcpy(out, values, sizeof values);
    out[7] = out[8] = 0; /* GPU: count and total */
    const uint64_t first = pair->first - plan->before[SCOPE_TABLE_EVENTS];
    const bool has_gpu = table == SCOPE_TABLE_PAIRS && rows->calls.gpu_ns;
    for (uint64_t i = 0; has_gpu && i < pair->count; i++)
        if (rows->calls.gpu_ns[first + i] >= 0) {
            out[7]++;
            out[8] = wrap_add(out[8], rows->calls.gpu_ns[first + i]);
        }
    memcpy(&out[9], &from->mean, sizeof(double));
    memcpy(&out[10], &from->m2, sizeof(double));
}

static void encode_texts(const scope_rows *rows, size_t index, size_t first, size_t count,
                         size_t width, char *out)
{
    memset(out, 0, count * width);
    for (size_t i = 0; i < count; i++) {
        const scope_string text = scope_rows_text(rows, index, first + i);
        scope_text_display(text.bytes, text.length_bytes, out + i * width);
    }
}

bool scope_rows_are_encoded(const scope_rows *rows, size_t index)
{
    const scope_column *column = &scope_columns[index];
    return column->flags & SCOPE_COLUMN_ARRAY && !(column->flags & SCOPE_COLUMN_DELTA) &&
           column->memory != SCOPE_CELL_TEXT && scope_rows_have(rows, index);
}

const void *scope_rows_encode(const scope_rows *rows, const scope_plan *plan, size_t index,
                              size_t first, size_t count, void *out)
{
    const scope_column *column = &scope_columns[index];
    const size_t row_bytes = scope_plan_row_bytes(plan, index);
    char *at = out;
    switch (column->file) {
    case SCOPE_CELL_TEXT:
        encode_texts(rows, index, first, count, row_bytes, out);
        return out;
    case SCOPE_CELL_STATISTICS:
        for (size_t i = 0; i < count; i++)
            encode_statistics(rows, plan, column->table, first + i,
                              (int64_t *)out + i * (SCOPE_STATISTICS_BYTES / 8));
        return out;
    case SCOPE_CELL_HISTOGRAM:
    case SCOPE_CELL_F64:
        for (size_t i = 0; i < count; i++, at += row_bytes)
            memcpy(at, cell_at(rows, column, first + i), row_bytes);
        return out;
    default:
        break;
    }
    if (column->flags & SCOPE_COLUMN_DELTA) {
        encode_deltas(rows, plan, first, count, out);
        return out;
    }
    if (scope_rows_are_encoded(rows, index))
        return cell_at(rows, column, first);
    const int64_t missing = scope_column_missing(column);
    for (size_t i = 0; i < count; i++, at += row_bytes) {
        const void *cell = cell_at(rows, column, first + i);
        int64_t value = cell ? load(column->memory, cell) : missing;
        if (column->flags & SCOPE_COLUMN_RELATIVE &&
            !(column->flags & SCOPE_COLUMN_KEEP_NONE && value == -1))
            value = wrap_subtract(value, plan->start_time_ns);
        store(column->file, at, value);
    }
    return out;
}
