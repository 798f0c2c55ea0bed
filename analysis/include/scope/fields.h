/* fields.h - what the tables of calls.h consist of: each column and each member of a row once.
 *
 * Whoever stores, shows or joins call tables walks over these lists: JSON (json_layout.h), HDF5
 * (hdf5io/src/layout.h), Python (pybind/src/read), merge.c. Names, offsets and types are those of
 * calls.h; a format adds its own names and what it writes in another way.
 *
 * Threads    constants only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FIELDS_H
#define SCOPE_FIELDS_H

#include <stddef.h>

#include <scope/calls.h>

/* a value, in memory or in a file */
typedef enum scope_cell {
    SCOPE_CELL_I8, /* in files only */
    SCOPE_CELL_U8,
    SCOPE_CELL_I32,
    SCOPE_CELL_U32,
    SCOPE_CELL_I64,
    SCOPE_CELL_U64,
    SCOPE_CELL_F64,
    SCOPE_CELL_TEXT,       /* memory: scope_string */
    SCOPE_CELL_STATISTICS, /* memory: scope_statistics */
    SCOPE_CELL_HISTOGRAM,  /* SCOPE_HISTOGRAM_LENGTH of uint32_t */
} scope_cell;

#define SCOPE_HISTOGRAM_LENGTH 64

/* What a number says beside its unit, which is in its name. */
typedef enum scope_meaning {
    SCOPE_IS_PLAIN,
    SCOPE_IS_RANK,     /* of MPI_COMM_WORLD, below SCOPE_RANKS_MAX */
    SCOPE_IS_REGION,   /* row of regions */
    SCOPE_IS_TRUTH,    /* 0 or 1 */
    SCOPE_IS_RELATIVE, /* a time; files have it since start_time_ns, -1 stays */
} scope_meaning;

typedef struct scope_field {
    const char *name; /* of the member */
    scope_cell cell;
    scope_meaning meaning;
    size_t offset;    /* in the row; of a column: of its pointer in scope_calls */
    int64_t missing;  /* where a source does not say it; of texts: "" */
} scope_field;

/* The cell that a member of this type is. An array is seen as a pointer here. */
#define SCOPE_CELL_OF(member)                                                                      \
    _Generic((member),                                                                             \
        uint8_t: SCOPE_CELL_U8,                                                                    \
        int32_t: SCOPE_CELL_I32,                                                                   \
        uint32_t: SCOPE_CELL_U32,                                                                  \
        int64_t: SCOPE_CELL_I64,                                                                   \
        uint64_t: SCOPE_CELL_U64,                                                                  \
        double: SCOPE_CELL_F64,                                                                    \
        scope_string: SCOPE_CELL_TEXT,                                                             \
        scope_statistics: SCOPE_CELL_STATISTICS,                                                   \
        uint32_t *: SCOPE_CELL_HISTOGRAM)

/* A scope_field of a struct's member. `meaning` is without its prefix. */
#define SCOPE_FIELD(row, member, meaning, missing)                                                 \
    {                                                                                              \
        #member, SCOPE_CELL_OF(((row *)0)->member), SCOPE_IS_##meaning, offsetof(row, member),     \
            missing                                                                                \
    }

/* Of rows that are only shown: nothing is missing there. */
#define SCOPE_FIELD_SHOWN(row, member) SCOPE_FIELD(row, member, PLAIN, 0)

typedef struct scope_row_kind { /* what a row consists of */
    const char *one;            /* "a thread": for sentences */
    size_t row_bytes;
    const scope_field *fields;
    size_t field_count;
} scope_row_kind;

/* A scope_row_kind with a static array of fields. */
#define SCOPE_ROW_KIND(one, row, fields)                                                           \
    {                                                                                              \
        one, sizeof(row), fields, sizeof(fields) / sizeof *(fields)                                \
    }

typedef struct scope_row_table { /* rows of one kind, in a call table */
    const char *name;            /* of the member of scope_calls */
    size_t rows_offset, count_offset; /* in scope_calls: of the pointer, of a size_t */
    scope_row_kind kind;
} scope_row_table;

/* Columns of the calls, start_ns and duration_ns first: these two are always there. */
enum { SCOPE_CALL_COLUMNS = 14 };
extern const scope_field scope_call_columns[SCOPE_CALL_COLUMNS];

/* Tables beside them. The first field of each is the rank, an int32_t. */
enum {
    SCOPE_ROWS_THREADS,
    SCOPE_ROWS_TASKS,
    SCOPE_ROWS_MARKS,
    SCOPE_ROWS_COUNTERS,
    SCOPE_ROWS_COMMUNICATORS,
    SCOPE_ROWS_MESSAGES,
    SCOPE_ROWS_MISUSE,
    SCOPE_ROWS_SUMS,
    SCOPE_ROWS_RANKS,
    SCOPE_ROW_TABLES,
};
extern const scope_row_table scope_row_tables[SCOPE_ROW_TABLES];

/* Pairs are no such table: rows follow them, and formats write them in several parts. Without
 * tags and statistics. */
extern const scope_row_kind scope_pair_kind;

/* Bytes of a cell in memory. */
size_t scope_cell_memory_bytes(scope_cell cell);

/* The field at this offset; NULL: there is none. */
const scope_field *scope_field_at(const scope_field *fields, size_t field_count, size_t offset);

/* Put a whole number into a cell. A text becomes "", statistics and histograms all zeros. */
void scope_cell_set(void *at, scope_cell cell, int64_t value);

/* Give every member of a row what it has where nothing is known. */
void scope_row_clear(const scope_row_kind *kind, void *row);

/* A column's pointer, a table's rows and count: where they are in the table. */
static inline void **scope_column_of(const scope_calls *calls, const scope_field *column)
{
    return (void **)(void *)((char *)calls + column->offset);
}

static inline void **scope_rows_of(const scope_calls *calls, const scope_row_table *table)
{
    return (void **)(void *)((char *)calls + table->rows_offset);
}

static inline size_t *scope_row_count_of(const scope_calls *calls, const scope_row_table *table)
{
    return (size_t *)(void *)((char *)calls + table->count_offset);
}

#endif
