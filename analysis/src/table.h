/* table.h - what replay.c and table_*.c share while they make a table.
 *
 * Ownership  the table goes to the caller of replay.c; all else of the maker is freed there.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TABLE_H
#define SCOPE_TABLE_H

#include "cursor.h"

typedef struct late_call { /* a row that has no settled end in the cursor */
    uint64_t row;
    scope_call call;
} late_call;

typedef struct table_maker {
    const scope_cursor *cursor;
    const scope_table_options *options;
    scope_cursor *spend;       /* the same, if its rows may be freed on the way; else NULL */
    scope_calls *calls;
    int32_t rank;
    int64_t end_ns;            /* the recording's last time */
    uint32_t *region_of_slot;  /* row of regions; ID_MAP_NONE: not in the table */
    uint32_t *thread_of_slot;  /* index; ID_MAP_NONE: not in the table */
    uint32_t *task_of_slot;
    size_t thread_count, task_count; /* in the table */
    late_call *late;           /* sorted by row */
    size_t late_count, late_capacity;
    uint64_t *region_rows;     /* per slot: rows in the table */
    struct placed_messages *placed; /* of each row that has a list */
    size_t placed_count;
} table_maker;

/* Index of a slot, -1 for none. */
static inline int64_t table_index(const uint32_t *of_slot, uint32_t slot)
{
    return slot == ID_MAP_NONE || of_slot[slot] == ID_MAP_NONE ? -1 : (int64_t)of_slot[slot];
}

/* ---- replay.c ---- */

/* The call of a row that has no settled end in the cursor; NULL: it has, or is left out. */
const scope_call *table_late_of(const table_maker *maker, uint64_t row);

/* ---- table_pairs.c ---- */

/* Rows per slot that are in the table, and their number. */
scope_status table_count_rows(table_maker *maker);
scope_status table_pairs(table_maker *maker); /* and regions, misuse */

/* ---- table_messages.c ---- */

/* Before the rows are placed; a row that has several messages was placed; all are. */
scope_status table_messages_start(table_maker *maker);
void table_messages_place(table_maker *maker, uint64_t row, uint64_t place);
scope_status table_messages(table_maker *maker);

/* ---- table_lanes.c ---- */

/* Number the threads and tasks that are in the table, in order of their ids. */
scope_status table_number_lanes(table_maker *maker);
scope_status table_threads(table_maker *maker);
scope_status table_tasks(table_maker *maker);
scope_status table_points(table_maker *maker);
scope_status table_communicators(table_maker *maker);
scope_status table_rank(table_maker *maker);

/* Row of communicators of each id of the recording; -1 unknown. */
int32_t table_communicator_row(const table_maker *maker, int32_t communicator);

#endif
