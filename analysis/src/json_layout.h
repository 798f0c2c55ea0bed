/* json_layout.h - which part of a call table has which name in our JSON.
 *
 * Writer and reader walk over these tables, whose members <scope/fields.h> names. Keys that
 * scope-profiler 0.7.5 knows are as it has them; what only this version has lies under "scope",
 * and in keys of a region that 0.7.5 does not read.
 *
 * Threads    constants only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_LAYOUT_H
#define SCOPE_JSON_LAYOUT_H

#include <scope/fields.h>

#define JSON_FORMAT "scope-profiler-profile"
#define JSON_FORMAT_VERSION 1

typedef struct json_table { /* rows as objects */
    const char *key;
    const scope_row_table *rows;
    size_t before, behind; /* so many of its fields, first and last, are no members */
} json_table;

/* by rank: {"0": [{..}, ..], "1": ..}; the rank is no member there */
enum { JSON_THREADS, JSON_TASKS, JSON_LANE_TABLES };
extern const json_table json_lane_tables[JSON_LANE_TABLES];

enum { JSON_OWN_TABLES = 7 };
extern const json_table json_own_tables[JSON_OWN_TABLES]; /* under "scope" */

/* Columns beside begin and end. */
enum { JSON_COLUMNS = SCOPE_CALL_COLUMNS - 2 };
#define json_columns (scope_call_columns + 2)
const char *json_column_key(size_t column);

static inline const scope_field *json_fields(const json_table *table)
{
    return table->rows->kind.fields + table->before;
}

static inline size_t json_field_count(const json_table *table)
{
    return table->rows->kind.field_count - table->before - table->behind;
}

#endif
