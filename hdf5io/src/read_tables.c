/* read_tables.c - every table of layout.h that a file has; see read.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

#include "message.h"

/* A column that is one array of the table in memory. */
static scope_status read_array(const scope_reading *reading, const scope_column *column,
                               uint64_t count)
{
    void *cells = NULL;
    scope_status status =
        scope_read_room(reading, count, scope_cell_memory_bytes(column->memory), &cells);
    if (status == SCOPE_OK)
        status = column->memory == SCOPE_CELL_TEXT
                     ? scope_read_texts(reading, column->path, count, cells)
                     : scope_read_cells(reading, column->path, column->memory, count, cells);
    if (status == SCOPE_OK)
        *(void **)(void *)((char *)reading->calls + column->offset) = cells;
    return status;
}

/* A column that is one member of each row. */
static scope_status read_members(const scope_reading *reading, const scope_column *column,
                                 uint64_t count, char *rows, size_t row_bytes)
{
    const size_t cell_bytes = scope_cell_memory_bytes(column->memory);
    char *cells = calloc(count ? count : 1, cell_bytes);
    if (!cells)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    const scope_status status =
        column->memory == SCOPE_CELL_TEXT
            ? scope_read_texts(reading, column->path, count, (scope_string *)(void *)cells)
            : scope_read_cells(reading, column->path, column->memory, count, cells);
    for (uint64_t i = 0; status == SCOPE_OK && i < count; i++)
        memcpy(rows + i * row_bytes + column->offset, cells + i * cell_bytes, cell_bytes);
    free(cells);
    return status;
}

static void fill_members(const scope_column *column, uint64_t count, char *rows, size_t row_bytes)
{
    const int64_t missing = scope_column_missing(column);
    for (uint64_t i = 0; i < count; i++) {
        char *at = rows + i * row_bytes + column->offset;
        if (column->memory == SCOPE_CELL_TEXT) {
            const scope_string text = {column->text, strlen(column->text)};
            memcpy(at, &text, sizeof text);
        } else {
            scope_cell_set(at, column->memory, missing);
        }
    }
}

static scope_status read_column(const scope_reading *reading, const scope_column *column,
                                uint64_t count, char *rows, size_t row_bytes)
{
    const bool array = column->flags & SCOPE_COLUMN_ARRAY;
    if (column->flags & SCOPE_COLUMN_WRITE_ONLY)
        return SCOPE_OK;
    if (scope_read_has(reading, column->path))
        return array ? read_array(reading, column, count)
                     : read_members(reading, column, count, rows, row_bytes);
    if (column->flags & SCOPE_COLUMN_REQUIRED)
        return scope_read_corrupt(reading, "%s is missing", column->path);
    if (!array)
        fill_members(column, count, rows, row_bytes);
    return SCOPE_OK;
}

/* Schema 2: absolute begin and end. */
static scope_status read_absolute_times(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    uint64_t count;
    void *starts, *ends;
    scope_status status = scope_read_length(reading, SCOPE_DATASET_START_TIMES, &count);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, sizeof(int64_t), &starts);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, sizeof(int64_t), &ends);
    if (status == SCOPE_OK)
        status =
            scope_read_cells(reading, SCOPE_DATASET_START_TIMES, SCOPE_CELL_I64, count, starts);
    if (status == SCOPE_OK)
        status = scope_read_cells(reading, SCOPE_DATASET_END_TIMES, SCOPE_CELL_I64, count, ends);
    if (status != SCOPE_OK)
        return status;
    calls->count = count;
    calls->start_ns = starts;
    calls->duration_ns = ends;
    for (uint64_t i = 0; i < count; i++)
        calls->duration_ns[i] = wrap_subtract(calls->duration_ns[i], calls->start_ns[i]);
    return SCOPE_OK;
}

static scope_status read_events(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    if (scope_read_is_index(reading))
        return scope_read_sources(reading);
    const bool absolute = scope_read_has(reading, SCOPE_DATASET_START_TIMES);
    scope_status status =
        absolute
            ? read_absolute_times(reading)
            : scope_read_length(reading, scope_tables[SCOPE_TABLE_EVENTS].probe, &calls->count);
    for (size_t i = 0; status == SCOPE_OK && i < scope_column_count; i++) {
        const scope_column *column = &scope_columns[i];
        const bool times = column->offset == offsetof(scope_calls, start_ns) ||
                           column->offset == offsetof(scope_calls, duration_ns);
        if (column->table == SCOPE_TABLE_EVENTS && !(absolute && times))
            status = read_column(reading, column, calls->count, NULL, 0);
    }
    return status;
}

static scope_status read_rows(const scope_reading *reading, scope_table table)
{
    const scope_table_place *place = &scope_tables[table];
    const scope_table other =
        reading->calls->is_aggregate ? SCOPE_TABLE_PAIRS : SCOPE_TABLE_AGGREGATES;
    const bool needed = place->always || table == SCOPE_TABLE_AGGREGATES;
    /* from the others, or read_sources.c */
    const bool follows = table == SCOPE_TABLE_OPEN || table == SCOPE_TABLE_OVERHEAD ||
                         table == SCOPE_TABLE_FUNCTIONS || table == SCOPE_TABLE_PEERS ||
                         table == SCOPE_TABLE_LISTED || table == SCOPE_TABLE_SOURCES;
    if (follows || table == other ||
        (!needed && !scope_read_has(reading, place->probe)))
        return SCOPE_OK;
    uint64_t count;
    void *rows = NULL;
    scope_status status = scope_read_length(reading, place->probe, &count);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, place->row_bytes, &rows);
    for (size_t i = 0; status == SCOPE_OK && i < scope_column_count; i++)
        if (scope_columns[i].table == table)
            status = read_column(reading, &scope_columns[i], count, rows, place->row_bytes);
    if (status != SCOPE_OK)
        return status;
    if (table == SCOPE_TABLE_AGGREGATES) {
        reading->calls->pairs = rows;
        reading->calls->pair_count = (size_t)count;
        return SCOPE_OK;
    } /* offsets of scope_rows, whose first member is the table */
    *(void **)(void *)((char *)reading->calls + place->rows_offset) = rows;
    *(size_t *)(void *)((char *)reading->calls + place->count_offset) = (size_t)count;
    return SCOPE_OK;
}

scope_status scope_read_tables(const scope_reading *reading)
{
    scope_status status = read_events(reading);
    for (int t = SCOPE_TABLE_PAIRS; status == SCOPE_OK && t < SCOPE_TABLE_COUNT; t++)
        status = read_rows(reading, (scope_table)t);
    return status;
}
