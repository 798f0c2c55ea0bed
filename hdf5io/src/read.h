/* read.h - datasets and attributes of a file that nobody vouches for.
 *
 * Every shape, type and size is checked before memory is taken for it.
 *
 * Ownership  strings go into the table's memory.
 * Threads    none.
 * Errors     a scope_status with a message; ERR_CORRUPT: not what it should be.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_READ_H
#define SCOPE_HDF5_READ_H

#include <stdbool.h>

#include "layout.h"

typedef struct scope_reading {
    hid_t file;
    const char *path;
    uint64_t file_bytes;
    scope_calls *calls;
    bool is_packed_more; /* by another filter than deflate */
    bool rehearsal;      /* leave out what cannot go wrong: contiguous numbers */
} scope_reading;

#define SCOPE_READ_PATH_MAX 4096

/* false also of what a link leads to, other than HDF5's own kind: it may be in any file. */
bool scope_read_has(const scope_reading *reading, const char *path);

/* Length of the first dimension. */
scope_status scope_read_length(const scope_reading *reading, const char *path, uint64_t *length);

/* `count` values as cells of memory (not TEXT) into `out`. */
scope_status scope_read_cells(const scope_reading *reading, const char *path, scope_cell cell,
                              uint64_t count, void *out);

/* Rows [first, first + count) of a longer column. */
scope_status scope_read_slice(const scope_reading *reading, const char *path, scope_cell cell,
                              uint64_t first, uint64_t count, void *out);

/* Fixed or variable-length strings. A scalar counts as one. */
scope_status scope_read_texts(const scope_reading *reading, const char *path, uint64_t count,
                              scope_string *out);

/* Attributes of `object` ("/", "/metadata"). false: not there, or another type. */
bool scope_read_integer_attribute(const scope_reading *reading, const char *object,
                                  const char *name, int64_t *value, bool *exists);
bool scope_read_text_attribute(const scope_reading *reading, const char *object, const char *name,
                               scope_string *text);
/* All its strings, each followed by NUL; malloc'd, NULL: it has none. */
char *scope_read_texts_attribute(const scope_reading *reading, const char *object, const char *name,
                                 uint64_t *length_bytes);
scope_status scope_read_metadata(const scope_reading *reading);

/* Memory of the table for `count` values; refuses what such a file cannot hold. */
scope_status scope_read_room(const scope_reading *reading, uint64_t count, size_t size_bytes,
                             void **room);

/* read_tables.c: every table of layout.h that the file has, times as stored. */
scope_status scope_read_tables(const scope_reading *reading);

/* read_sources.c: of an index, the event columns, from the files that they lie in. */
bool scope_read_is_index(const scope_reading *reading);
scope_status scope_read_sources(const scope_reading *reading);

/* read_check.c: sort, decode and check what was read; fill what can be derived. */
scope_status scope_read_finish(const scope_reading *reading);

/* read_aggregate.c: aggregation mode: sums per region, no calls. */
scope_status scope_read_aggregate(const scope_reading *reading);

/* read_schema1.c: names and events of the oldest files. */
scope_status scope_read_schema1(const scope_reading *reading);

scope_status scope_read_corrupt(const scope_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
