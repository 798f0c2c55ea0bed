/* json_layout.h - which member of a call table has which name in our JSON.
 *
 * Writer and reader walk over these tables, as hdf5io does over layout.h. Keys that
 * scope-profiler 0.7.5 knows are as it has them; what only this version has lies under "scope",
 * and in keys of a region that 0.7.5 does not read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_LAYOUT_H
#define SCOPE_JSON_LAYOUT_H

#include <scope/calls.h>

#define JSON_FORMAT "scope-profiler-profile"
#define JSON_FORMAT_VERSION 1

typedef enum json_cell {
    JSON_U8,
    JSON_I32,
    JSON_I64,
    JSON_F64,
    JSON_BOOL, /* int32_t in memory */
    JSON_TEXT,
    JSON_REGION,   /* row of regions in memory, the name in the file */
    JSON_RELATIVE, /* int64_t; file: since start_time_ns, -1 stays */
    JSON_HISTOGRAM,
} json_cell;

typedef struct json_field {
    const char *key;
    json_cell cell;
    size_t offset;
    int64_t missing;
} json_field;

typedef struct json_table { /* rows as objects */
    const char *key;
    size_t row_bytes, rows_offset, count_offset; /* offsets in scope_calls */
    const json_field *fields;
    size_t field_count;
} json_table;

/* by rank: {"0": [{..}, ..], "1": ..}; the rank is no field there */
enum { JSON_THREADS, JSON_TASKS, JSON_LANE_TABLES };
extern const json_table json_lane_tables[JSON_LANE_TABLES];

enum { JSON_OWN_TABLES = 7 };
extern const json_table json_own_tables[JSON_OWN_TABLES]; /* under "scope" */

/* Columns beside begin and end; offset is of the pointer in scope_calls. */
enum {
    JSON_COLUMN_IDS,
    JSON_COLUMN_PARENTS,
    JSON_COLUMN_THREADS,
    JSON_COLUMN_GPU = 5,
    JSON_COLUMNS = 12,
};
extern const json_field json_columns[JSON_COLUMNS];

size_t json_cell_bytes(json_cell cell);

/* Is the number one of those that such a cell can hold? */
int json_cell_holds(json_cell cell, int64_t value);

#endif
