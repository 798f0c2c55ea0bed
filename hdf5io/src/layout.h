/* layout.h - the file's groups, datasets, attributes and types, each named once.
 *
 * A dataset is a column of a table. Tables lie in memory as arrays of rows (or,
 * for the event columns, as one array per column), which <scope/fields.h> describes;
 * `scope_columns` says for each dataset which member it is and what it is in the file.
 * Writer and reader walk over it; FORMAT.md says the same for people.
 *
 * Threads    constants only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_LAYOUT_H
#define SCOPE_HDF5_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include <scope/communication.h>
#include <scope/fields.h>

#include "h5.h"

#define SCOPE_SCHEMA 3         /* scope_profiler_schema: what 0.7.5 calls it */
#define SCOPE_FORMAT_VERSION 1 /* of what lies in /scope */

#define SCOPE_ATTRIBUTE_SCHEMA "scope_profiler_schema"
#define SCOPE_ATTRIBUTE_LAYOUT "storage_layout"
#define SCOPE_ATTRIBUTE_FORMAT "format_version"
#define SCOPE_LAYOUT_COLUMNAR "columnar"
#define SCOPE_LAYOUT_AGGREGATE "aggregate"

#define SCOPE_GROUP_METADATA "/metadata"
#define SCOPE_GROUP_OWN "/scope"
#define SCOPE_DATASET_NAMES "/region_table/names"
#define SCOPE_DATASET_EXACT_NAMES "/scope/region_names"
#define SCOPE_DATASET_EXACT_ENDS "/scope/region_names_ends"
#define SCOPE_DATASET_TOPOLOGY "/scope/topology"
#define SCOPE_DATASET_STATISTICS "/rank_region_index/summary_statistics"
#define SCOPE_DATASET_AGGREGATE_STATISTICS "/scope/aggregates/summary_statistics"
#define SCOPE_DATASET_FILE_ID "/scope/file_id"
#define SCOPE_GROUP_OF_JOB "/scope/job" /* of one file of many: numbers of the whole job */
#define SCOPE_FILE_ID_BYTES 16

/* Old encodings, read only. */
#define SCOPE_DATASET_START_TIMES "/events/start_times"
#define SCOPE_DATASET_DELTAS "/events/start_deltas"
#define SCOPE_DATASET_END_TIMES "/events/end_times"
#define SCOPE_GROUP_RANK_0 "/rank0/regions" /* schema 1 */

#define SCOPE_STATISTICS_BYTES 88
#define SCOPE_WIDE_TEXT_BYTES 256   /* a column with a wider value is variable-length */
#define SCOPE_SLAB_BYTES (1u << 20) /* encoded at once: stays in the cache */
#define SCOPE_CHUNK_ROWS 65536u     /* of compressed columns */
#define SCOPE_AUTO_CALLS 16384u     /* "auto" compresses from this many calls on */

typedef enum scope_table {
    SCOPE_TABLE_EVENTS,
    SCOPE_TABLE_PAIRS,
    SCOPE_TABLE_THREADS,
    SCOPE_TABLE_TASKS,
    SCOPE_TABLE_MARKS,
    SCOPE_TABLE_COUNTERS,
    SCOPE_TABLE_COMMUNICATORS,
    SCOPE_TABLE_MESSAGES,
    SCOPE_TABLE_MISUSE,
    SCOPE_TABLE_SUMS,
    SCOPE_TABLE_RANKS,
    SCOPE_TABLE_OPEN,
    SCOPE_TABLE_OVERHEAD,
    SCOPE_TABLE_FUNCTIONS,
    SCOPE_TABLE_PEERS,
    SCOPE_TABLE_LISTED,
    SCOPE_TABLE_SOURCES,
    SCOPE_TABLE_AGGREGATES, /* pairs of an aggregate table, in place of PAIRS */
    SCOPE_TABLE_COUNT,
} scope_table;

typedef struct scope_open_row { /* written from the flags, for people; not read back */
    uint64_t row;               /* of the event columns */
    uint32_t region;
    int32_t rank;
} scope_open_row;

typedef struct scope_overhead_row { /* written for people; overhead.h has it of any table */
    int32_t rank;
    uint32_t region;
    int64_t count, total_ns, exclusive_ns; /* folded calls included; exclusive -1: unknown */
    int64_t overhead_ns, corrected_total_ns, corrected_exclusive_ns; /* -1 unknown */
} scope_overhead_row;

typedef struct scope_listed_row { /* whether a rank's messages are in functions and peers */
    int32_t rank;
    int32_t listed;        /* 0: it has too many, a reader works it out */
    int64_t untold_count, untold_bytes, lost_count; /* as in communication.h; -1 if not listed */
} scope_listed_row;
typedef struct scope_source_row { /* of an index: where the calls of a rank are */
    int32_t rank;
    uint64_t first, rows; /* of the event columns of `file` */
    scope_string file, host, file_id, checksums;
} scope_source_row;

/* The tables of one rank, ready to be written: `calls` comes first, so that an
 * offset in scope_calls is one in scope_rows. */
typedef struct scope_rows {
    scope_calls calls;
    scope_open_row *open;
    size_t open_count;
    scope_overhead_row *overheads;
    size_t overhead_count;
    scope_function_row *functions; /* these two and `listed`: for people, as overheads */
    size_t function_count;
    scope_peer_row *peers;
    size_t peer_count;
    scope_listed_row *listed;
    size_t listed_count;
    scope_source_row *sources;
    size_t source_count;
    const int32_t *job_comms; /* mpi_comms in the numbering of the whole job */
    scope_pair *aggregates; /* pairs of an aggregate table; then `calls` has none */
    size_t aggregate_count;
    const scope_calls *given; /* the table as it was; never NULL */
    void *owned[6]; /* rows.c: what was copied and is freed with the rows */
} scope_rows;

typedef enum scope_column_flags {
    SCOPE_COLUMN_ARRAY = 1,       /* `offset` is of a pointer to an array of cells */
    SCOPE_COLUMN_OPTIONAL = 2,    /* with ARRAY: not in the file when no rank has the array */
    SCOPE_COLUMN_REQUIRED = 4,    /* a file without it cannot be read */
    SCOPE_COLUMN_RELATIVE = 8,    /* file: minus start_time_ns */
    SCOPE_COLUMN_KEEP_NONE = 16,  /* with RELATIVE: -1 stays -1 */
    SCOPE_COLUMN_DELTA = 32,      /* file: per pair, minus the value before */
    SCOPE_COLUMN_WRITE_ONLY = 64, /* the reader has it from elsewhere */
} scope_column_flags;

typedef struct scope_column {
    const char *path;
    scope_table table;
    scope_cell file, memory;
    unsigned flags;
    size_t offset;    /* of the member in the row, or of the pointer in scope_calls */
    const char *text; /* of a rank, or of a file, without it; numbers: scope_column_missing */
} scope_column;

typedef struct scope_table_place {
    const char *group;  /* where the datasets lie; the table exists iff the group does */
    const char *probe;  /* the dataset that says how many rows there are */
    size_t row_bytes;   /* 0: events, which have no rows in memory */
    size_t rows_offset; /* of the pointer in scope_rows */
    size_t count_offset;
    int always; /* 1: written even when empty */
} scope_table_place;

#define SCOPE_COLUMN_MAX 192
extern const scope_column scope_columns[];
extern const size_t scope_column_count;
extern const scope_table_place scope_tables[SCOPE_TABLE_COUNT];

/* What the member of a rank, or of a file, without the column is. */
int64_t scope_column_missing(const scope_column *column);

/* Bytes of a cell in the file; TEXT is `width` long. */
size_t scope_cell_file_bytes(scope_cell cell, uint32_t width);

/* HDF5 types; the caller closes them. width 0: variable-length text. */
hid_t scope_cell_type(scope_cell cell, uint32_t width);
hid_t scope_text_type(size_t width);

static inline size_t scope_rows_count(const scope_rows *rows, scope_table table)
{
    const char *at = (const char *)rows + scope_tables[table].count_offset;
    return table == SCOPE_TABLE_EVENTS ? (size_t) * (const uint64_t *)(const void *)at
                                       : *(const size_t *)(const void *)at;
}

#endif
