/* export_json.c - our own JSON: the format of scope-profiler 0.7.5, and under "scope" and in
 * keys that it ignores what only this version has.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_parts.h"

#include <scope/wrap.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_layout.h"
#include "json_reader.h"
#include "json_writer.h"

typedef struct document {
    const export_job *job;
    const scope_calls *calls;
    json_writer json;
} document;

static int64_t integer_at(const void *at, scope_cell cell)
{
    int64_t wide;
    int32_t narrow;
    if (cell == SCOPE_CELL_U8)
        return *(const uint8_t *)at;
    if (cell == SCOPE_CELL_I32) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* ---- JSON text that somebody else wrote ---- */

/* As it is if it is JSON and an array (`array`), else left out. */
static void put_foreign(document *to, const char *key, scope_string text, int array)
{
    json_reader reader;
    reader_memory(&reader, text.bytes, text.length_bytes);
    const int is_array = reader_peek(&reader) == '[';
    reader_copy(&reader);
    reader_end(&reader);
    if (reader.status == SCOPE_OK && (is_array || !array)) {
        put_item(&to->json, key);
        export_bytes(to->json.file, reader.raw.bytes, reader.raw.length);
    }
    reader_close(&reader);
}

static int is_empty_array(scope_string text)
{
    uint64_t brackets = 0;
    for (uint64_t i = 0; i < text.length_bytes; i++) {
        const char byte = text.bytes[i];
        if (byte == '[' || byte == ']')
            brackets++;
        else if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r')
            return 0;
    }
    return brackets == 2 || !text.length_bytes;
}

/* ---- metadata ---- */

static void put_texts(document *to, const char *key, scope_string texts)
{
    put_open(&to->json, key, '[');
    for (uint64_t start = 0, i = 0; i < texts.length_bytes; i++)
        if (texts.bytes[i] == '\0') {
            put_text(&to->json, NULL, (scope_string){texts.bytes + start, i - start});
            start = i + 1;
        }
    put_close(&to->json, ']');
}

static void put_metadata(document *to)
{
    const scope_calls *calls = to->calls;
    put_open(&to->json, "metadata", '{');
    for (size_t i = 0; i < calls->metadata_count; i++) {
        const scope_metadata_row *row = &calls->metadata[i];
        const char *key = row->key.bytes;
        if (scope_calls_metadata(calls, key) != row) /* the first of a key counts */
            continue;
        if (row->kind == SCOPE_VALUE_INTEGER)
            put_integer(&to->json, key, row->integer);
        else if (row->kind == SCOPE_VALUE_TEXTS)
            put_texts(to, key, row->text);
        else
            put_text(&to->json, key, row->text);
    }
    if (!scope_calls_metadata(calls, "start_time_ns") && calls->start_time_ns)
        put_integer(&to->json, "start_time_ns", calls->start_time_ns);
    if (!scope_calls_metadata(calls, "finalize_time_ns") && calls->end_time_ns)
        put_integer(&to->json, "finalize_time_ns", calls->end_time_ns);
    if (!scope_calls_metadata(calls, "mpi_size"))
        put_integer(&to->json, "mpi_size", calls->rank_count);
    put_close(&to->json, '}');
}

/* ---- regions ---- */

/* Nothing but "none" in these rows: such a column is not written. */
static int all_missing(const scope_calls *calls, const scope_field *field, const scope_pair *pair)
{
    const char *column = *scope_column_of(calls, field);
    const size_t bytes = scope_cell_memory_bytes(field->cell);
    for (uint64_t i = 0; column && i < pair->count; i++)
        if (integer_at(column + (pair->first + i) * bytes, field->cell) != field->missing)
            return 0;
    return 1;
}

/* The columns of tasks are written wherever they were recorded, as 0.7.5 does. */
static int is_wanted(const scope_calls *calls, const scope_field *column, const scope_pair *pair)
{
    if (!*scope_column_of(calls, column))
        return 0;
    if (column->offset == offsetof(scope_calls, task_ids) ||
        column->offset == offsetof(scope_calls, await_ns))
        return 1;
    if (column->offset == offsetof(scope_calls, parent_ids))
        column--; /* call_ids: all calls have one, not all a parent */
    return !all_missing(calls, column, pair);
}

static void put_column(document *to, const char *key, const void *column, scope_cell cell,
                       const scope_pair *pair)
{
    const size_t bytes = scope_cell_memory_bytes(cell);
    const char *at = (const char *)column + pair->first * bytes;
    put_open(&to->json, key, '[');
    for (uint64_t i = 0; i < pair->count; i++)
        put_integer(&to->json, NULL, integer_at(at + i * bytes, cell));
    put_close(&to->json, ']');
}

static void put_events(document *to, size_t p)
{
    const scope_calls *calls = to->calls;
    const scope_pair *pair = &calls->pairs[p];
    put_column(to, "start_times_ns", calls->start_ns, SCOPE_CELL_I64, pair);
    put_open(&to->json, "end_times_ns", '[');
    for (uint64_t i = pair->first; i < pair->first + pair->count; i++)
        put_integer(&to->json, NULL, export_end(calls, i));
    put_close(&to->json, ']');
    if (calls->event_metadata && !is_empty_array(calls->event_metadata[p]))
        put_foreign(to, "event_metadata", calls->event_metadata[p], 1);
    for (size_t c = 0; c < JSON_COLUMNS; c++)
        if (is_wanted(calls, &json_columns[c], pair))
            put_column(to, json_column_key(c), *scope_column_of(calls, &json_columns[c]),
                       json_columns[c].cell, pair);
    if (pair->exclusive_ns >= 0)
        put_integer(&to->json, "exclusive_total_ns", pair->exclusive_ns);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What was folded of the rank's pairs [first, end), all lanes together; malloc'd. */
static scope_sum_row *sums_of(const scope_calls *calls, int32_t rank, size_t first, size_t end)
{
    scope_sum_row *sums = calloc(end - first + 1, sizeof *sums);
    scope_sum_row **of_region = calloc(calls->region_count + 1, sizeof *of_region);
    if (!sums || !of_region) {
        free(sums);
        free(of_region);
        return NULL;
    }
    for (size_t p = first; p < end; p++)
        of_region[calls->pairs[p].region] = &sums[p - first];
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *sum = &calls->sums[i];
        scope_sum_row *all = sum->rank == rank ? of_region[sum->region] : NULL;
        if (!all || !sum->count)
            continue;
        all->minimum_ns = all->count ? smaller(all->minimum_ns, sum->minimum_ns) : sum->minimum_ns;
        all->maximum_ns =
            all->count && all->maximum_ns > sum->maximum_ns ? all->maximum_ns : sum->maximum_ns;
        all->count = wrap_add(all->count, sum->count);
        all->total_ns = wrap_add(all->total_ns, sum->total_ns);
        all->exclusive_ns = all->exclusive_ns < 0 || sum->exclusive_ns < 0
                                ? -1
                                : wrap_add(all->exclusive_ns, sum->exclusive_ns);
    }
    free(of_region);
    return sums;
}

static void put_aggregate(document *to, const scope_sum_row *sum)
{
    put_open(&to->json, "aggregate", '{');
    put_integer(&to->json, "count", sum->count);
    put_integer(&to->json, "total", sum->total_ns);
    put_integer(&to->json, "minimum", sum->minimum_ns);
    put_integer(&to->json, "maximum", sum->maximum_ns);
    put_integer(&to->json, "exclusive", sum->exclusive_ns);
    put_close(&to->json, '}');
}

static void put_region(document *to, size_t p, const scope_sum_row *sum)
{
    const scope_calls *calls = to->calls;
    const scope_pair *pair = &calls->pairs[p];
    put_open(&to->json, NULL, '{');
    put_text(&to->json, "name", calls->regions[pair->region].name);
    put_integer(&to->json, "rank", pair->rank);
    if (pair->source_file.length_bytes)
        put_text(&to->json, "source_file", pair->source_file);
    if (pair->source_line >= 0)
        put_integer(&to->json, "source_lineno", pair->source_line);
    if (calls->source_texts && calls->source_texts[p].length_bytes)
        put_text(&to->json, "source_text", calls->source_texts[p]);
    if (!is_empty_array(pair->tags))
        put_foreign(to, "tags", pair->tags, 1);
    if (calls->is_aggregate || (!pair->count && sum->count))
        put_aggregate(to, sum);
    else
        put_events(to, p);
    put_close(&to->json, '}');
}

static scope_status put_regions(document *to)
{
    put_open(&to->json, "regions", '[');
    for (size_t i = 0; i < to->job->rank_count; i++) {
        size_t first, end;
        export_pairs(to->calls, to->job->ranks[i], &first, &end);
        scope_sum_row *sums = sums_of(to->calls, to->job->ranks[i], first, end);
        if (!sums)
            return SCOPE_ERR_MEMORY;
        for (size_t p = first; p < end; p++)
            put_region(to, p, &sums[p - first]);
        free(sums);
    }
    put_close(&to->json, ']');
    return SCOPE_OK;
}

/* ---- tables ---- */

static void put_integer_field(document *to, const scope_field *field, const void *at)
{
    int64_t value = integer_at(at, field->cell);
    uint32_t region;
    switch (field->meaning) {
    case SCOPE_IS_REGION:
        memcpy(&region, at, sizeof region);
        put_text(&to->json, field->name, to->calls->regions[region].name);
        return;
    case SCOPE_IS_TRUTH:
        put_literal(&to->json, field->name, value ? "true" : "false");
        return;
    case SCOPE_IS_RELATIVE:
        if (value != -1)
            value = wrap_subtract(value, to->calls->start_time_ns);
        break;
    default:
        break;
    }
    put_integer(&to->json, field->name, value);
}

static void put_field(document *to, const scope_field *field, const char *row)
{
    const char *at = row + field->offset;
    scope_string text;
    double number;
    switch (field->cell) {
    case SCOPE_CELL_TEXT:
        memcpy(&text, at, sizeof text);
        put_text(&to->json, field->name, text);
        break;
    case SCOPE_CELL_F64:
        memcpy(&number, at, sizeof number);
        put_item(&to->json, field->name);
        export_number(to->json.file, number);
        break;
    case SCOPE_CELL_HISTOGRAM:
        put_open(&to->json, field->name, '[');
        for (size_t i = 0; i < SCOPE_HISTOGRAM_LENGTH; i++)
            put_integer(&to->json, NULL, ((const uint32_t *)(const void *)at)[i]);
        put_close(&to->json, ']');
        break;
    default:
        put_integer_field(to, field, at);
    }
}

static void put_row(document *to, const json_table *table, const char *row)
{
    put_open(&to->json, NULL, '{');
    for (size_t i = 0; i < json_field_count(table); i++)
        put_field(to, &json_fields(table)[i], row);
    put_close(&to->json, '}');
}

static int is_exported(const document *to, int32_t rank)
{
    if (to->job->all_ranks)
        return 1;
    for (size_t i = 0; i < to->job->rank_count; i++)
        if (to->job->ranks[i] == rank)
            return 1;
    return 0;
}

static int32_t rank_of(const scope_row_kind *kind, const char *row)
{
    int32_t rank;
    memcpy(&rank, row + kind->fields[0].offset, sizeof rank);
    return rank;
}

/* {"0": [..], "1": [..]}; rows of a rank lie together. */
static void put_lanes(document *to, const json_table *table)
{
    const scope_row_kind *kind = &table->rows->kind;
    const char *rows = *scope_rows_of(to->calls, table->rows);
    const size_t count = *scope_row_count_of(to->calls, table->rows);
    if (!count)
        return;
    put_open(&to->json, table->key, '{');
    for (size_t i = 0; i < count;) {
        const int32_t rank = rank_of(kind, rows + i * kind->row_bytes);
        const int wanted = is_exported(to, rank);
        char key[16];
        snprintf(key, sizeof key, "%" PRId32, rank);
        if (wanted)
            put_open(&to->json, key, '[');
        for (; i < count && rank_of(kind, rows + i * kind->row_bytes) == rank; i++)
            if (wanted)
                put_row(to, table, rows + i * kind->row_bytes);
        if (wanted)
            put_close(&to->json, ']');
    }
    put_close(&to->json, '}');
}

static void put_own_table(document *to, const json_table *table)
{
    const scope_row_kind *kind = &table->rows->kind;
    const char *rows = *scope_rows_of(to->calls, table->rows);
    const size_t count = *scope_row_count_of(to->calls, table->rows);
    /* rows of communicators are numbered by the calls: all of them or none */
    const int all = table->rows == &scope_row_tables[SCOPE_ROWS_COMMUNICATORS];
    if (!count)
        return;
    put_open(&to->json, table->key, '[');
    for (size_t i = 0; i < count; i++, rows += kind->row_bytes)
        if (all || is_exported(to, rank_of(kind, rows)))
            put_row(to, table, rows);
    put_close(&to->json, ']');
}

/* Rows are numbered anew where ranks are left out. */
static void put_messages(document *to, const json_table *table)
{
    const scope_calls *calls = to->calls;
    uint64_t left_out = 0;
    size_t p = 0;
    if (!calls->message_count)
        return;
    put_open(&to->json, table->key, '[');
    for (size_t i = 0; i < calls->message_count; i++) {
        scope_message_row message = calls->messages[i];
        const scope_pair *pair = calls->pairs + p;
        for (; p < calls->pair_count && message.row - pair->first >= pair->count; p++, pair++)
            left_out += is_exported(to, pair->rank) ? 0 : pair->count;
        message.row -= left_out;
        if (is_exported(to, message.rank))
            put_row(to, table, (const char *)&message);
    }
    put_close(&to->json, ']');
}

static void put_own(document *to)
{
    int any = to->calls->topology.length_bytes > 0;
    for (size_t t = 0; t < JSON_OWN_TABLES; t++)
        any |= *scope_row_count_of(to->calls, json_own_tables[t].rows) > 0;
    if (!any)
        return;
    put_open(&to->json, "scope", '{');
    for (size_t t = 0; t < JSON_OWN_TABLES; t++)
        if (json_own_tables[t].rows == &scope_row_tables[SCOPE_ROWS_MESSAGES])
            put_messages(to, &json_own_tables[t]);
        else
            put_own_table(to, &json_own_tables[t]);
    if (to->calls->topology.length_bytes)
        put_foreign(to, "topology", to->calls->topology, 0);
    put_close(&to->json, '}');
}

scope_status export_json(const export_job *job)
{
    document to = {job, job->calls, {job->file, job->indent, 0, 1}};
    json_writer *json = &to.json;
    put_open(json, NULL, '{');
    put_text(json, "format", (scope_string){JSON_FORMAT, sizeof JSON_FORMAT - 1});
    put_integer(json, "format_version", JSON_FORMAT_VERSION);
    put_text(json, "exporter", job->exporter);
    put_literal(json, "time_unit", "\"nanoseconds\"");
    put_integer(json, "num_ranks", job->calls->rank_count);
    put_literal(json, "event_data_available", "true");
    put_metadata(&to);
    const scope_status status = put_regions(&to);
    for (size_t t = 0; t < JSON_LANE_TABLES; t++)
        put_lanes(&to, &json_lane_tables[t]);
    put_own(&to);
    put_close(json, '}');
    export_literal(job->file, "\n");
    return status;
}
