/* rows.h - one rank's rows, as they will lie in the file of all ranks.
 *
 * Units      rows; bytes where the name says so.
 * Ownership  rows point into the call table, which must outlive them, but for
 *            what `place` copies; release frees that.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_ROWS_H
#define SCOPE_HDF5_ROWS_H

#include <stdbool.h>

#include <scope/world.h>

#include "layout.h"
#include "mode.h"

#define SCOPE_NO_OFFSET UINT64_MAX

/* What all ranks agree on before a byte is written. */
typedef struct scope_plan {
    uint64_t total[SCOPE_TABLE_COUNT];  /* rows over all ranks */
    uint64_t before[SCOPE_TABLE_COUNT]; /* rows of lower ranks: differs per rank */
    uint8_t present[SCOPE_COLUMN_MAX];  /* the file has this column */
    uint32_t width[SCOPE_COLUMN_MAX];   /* text: bytes of the widest value */
    uint64_t offset[SCOPE_COLUMN_MAX];  /* in the file; SCOPE_NO_OFFSET: written by HDF5 */
    int64_t start_time_ns, end_time_ns;
    uint64_t unlisted_names; /* regions without a row in the index, over all ranks */
    uint64_t shown_names;    /* names that are in /region_table */
    int32_t rank_count;
    int32_t node_count;
    int32_t is_aggregate;         /* sums, no calls */
    int32_t is_mixed;             /* sums on some ranks, calls on others: not to be written */
    int32_t is_chunked;           /* the event columns */
    int32_t is_extendible;        /* the caller named the size of chunks: kept exactly */
    int32_t filter, filter_level; /* of event columns: scope_filter */
    uint64_t chunk_rows;
    int32_t is_index; /* the event columns are those of other files: virtual.h */
    scope_mode mode;
    uint64_t file_id_offset;
    uint8_t file_id[SCOPE_FILE_ID_BYTES];
} scope_plan;

/* The rows of `calls` (NULL: none), numbered as this rank alone would. */
scope_status scope_rows_take(const scope_calls *calls, scope_rows *rows);

/* derive.c: the tables that follow from those of the call table. */
scope_status scope_rows_derive(scope_rows *rows);

/* Number them for the file: region i becomes ids[i] (NULL: stays), row numbers
 * move by what lower ranks have. Once. */
scope_status scope_rows_place(scope_rows *rows, const uint32_t *ids, const scope_plan *plan);
void scope_rows_release(scope_rows *rows);

bool scope_rows_have(const scope_rows *rows, size_t column);

/* Text as it will be in the file is its displayed form (text.h). */
scope_string scope_rows_text(const scope_rows *rows, size_t column, size_t row);
uint32_t scope_rows_width(const scope_rows *rows, size_t column);

/* None of them: pwrite of this column's slices. Wide and chunked ones are written by HDF5, on
 * rank 0 or, chunks of a parallel file, by all; virtual ones are of other files. */
bool scope_plan_is_wide(const scope_plan *plan, size_t column);
bool scope_plan_is_chunked(const scope_plan *plan, size_t column);
bool scope_plan_is_virtual(const scope_plan *plan, size_t column);

/* Bytes of one row of a column in the file (not for wide text). */
size_t scope_plan_row_bytes(const scope_plan *plan, size_t column);

/* `count` rows from local row `first` on, as they lie in the file. `out` has room
 * for them. Returns out, or the rows themselves where they already look so. */
const void *scope_rows_encode(const scope_rows *rows, const scope_plan *plan, size_t column,
                              size_t first, size_t count, void *out);

/* true: they already look so, `out` is not used. */
bool scope_rows_are_encoded(const scope_rows *rows, size_t column);

#endif
