/* relay.h - columns that go through rank 0's HDF5: wide text and compressed ones.
 *
 * Each rank packs its rows of a column into bytes; rank 0 takes everybody's
 * bytes in rank order, in pieces of any size, and writes whole batches.
 *
 * Ownership  packed bytes are malloc'd, the caller frees them.
 * Threads    none.
 * Errors     a taker remembers its first failure and swallows what follows, so
 *            that a collective transfer always runs to its end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_RELAY_H
#define SCOPE_HDF5_RELAY_H

#include "rows.h"

typedef struct scope_buffer { /* grows; bytes may be NULL when length is 0 */
    char *bytes;
    size_t length, room;
} scope_buffer;

scope_status scope_buffer_append(scope_buffer *buffer, const void *bytes, size_t length);

/* This rank's rows of a wide (wide.c) or chunked (chunked.c) column. */
scope_status scope_wide_pack(const scope_rows *rows, size_t column, scope_buffer *packed);
scope_status scope_chunked_pack(const scope_rows *rows, const scope_plan *plan, size_t column,
                                scope_buffer *packed);

typedef struct scope_taker scope_taker;

/* Open the dataset of a column on rank 0, take bytes, flush and close. `end`
 * fails unless exactly the rows of the plan came. */
scope_status scope_wide_begin(hid_t file, const scope_plan *plan, size_t column,
                              scope_taker **taker);
scope_status scope_chunked_begin(hid_t file, const scope_plan *plan, size_t column,
                                 scope_taker **taker);
scope_status scope_taker_take(void *taker, int32_t rank, const void *bytes, size_t length_bytes);
scope_status scope_taker_end(scope_taker *taker);

/* For wide.c and chunked.c: the common part. */
struct scope_taker {
    hid_t dataset;
    const scope_plan *plan;
    size_t column;
    scope_status status;
    uint64_t next_row;    /* rows written or ready so far */
    scope_buffer waiting; /* bytes not used yet */
    scope_buffer chunk;   /* deflate: rows of the chunk that is being put together */
    /* Use what can be used from the front of `waiting`; returns the bytes used. */
    size_t (*use)(scope_taker *, int last);
};
scope_status scope_taker_new(hid_t file, const scope_plan *plan, size_t column,
                             size_t (*use)(scope_taker *, int), scope_taker **taker);

#endif
