/* json_layout.c - see json_layout.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_layout.h"

#include <string.h>

const json_table json_lane_tables[JSON_LANE_TABLES] = {
    [JSON_THREADS] = {"threads", &scope_row_tables[SCOPE_ROWS_THREADS], 1, 0},
    [JSON_TASKS] = {"tasks", &scope_row_tables[SCOPE_ROWS_TASKS], 1, 0},
};

const json_table json_own_tables[JSON_OWN_TABLES] = {
    {"ranks", &scope_row_tables[SCOPE_ROWS_RANKS], 0, 0},
    {"communicators", &scope_row_tables[SCOPE_ROWS_COMMUNICATORS], 0, 0},
    {"messages", &scope_row_tables[SCOPE_ROWS_MESSAGES], 0, 0},
    {"marks", &scope_row_tables[SCOPE_ROWS_MARKS], 0, 1}, /* they have no value */
    {"counters", &scope_row_tables[SCOPE_ROWS_COUNTERS], 0, 0},
    {"misuse", &scope_row_tables[SCOPE_ROWS_MISUSE], 0, 0},
    {"folded", &scope_row_tables[SCOPE_ROWS_SUMS], 0, 0},
};

const char *json_column_key(size_t column)
{
    const char *name = json_columns[column].name;
    return strcmp(name, "gpu_ns") == 0 ? "gpu_durations_ns" : name; /* as 0.7.5 has it */
}
