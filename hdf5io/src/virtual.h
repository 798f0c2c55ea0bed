/* virtual.h - event columns of an index, whose rows lie in other files.
 *
 * The index names them relative to itself: files that are moved together still read.
 *
 * Threads    none.
 * Errors     a scope_status with a message.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_VIRTUAL_H
#define SCOPE_HDF5_VIRTUAL_H

#include "rows.h"

typedef struct scope_piece { /* a rank's rows in one of the files */
    int32_t leader;          /* the rank that the file is called after */
    uint64_t first, rows;    /* in the file */
    uint64_t total;          /* rows that the file has */
} scope_piece;

typedef struct scope_pieces { /* in the order of ranks */
    const char *index;        /* name of the index, with or without folders */
    const char *what;         /* "rank" or "node": in the names of the files */
    const scope_piece *rows;
    size_t count;
} scope_pieces;

/* "run.h5" -> "run.rank3.h5", in the same folder; malloc'd, NULL: no memory. */
char *scope_piece_name(const char *index, const char *what, int32_t leader);

/* Where the rows of a column lie in those files. A column of row numbers is there twice: as
 * the file alone has them, and, in SCOPE_GROUP_OF_JOB, as the whole job. */
const char *scope_virtual_source(const scope_plan *plan, size_t column);

/* How a column of the index is stored; the caller closes the list. */
scope_status scope_virtual_storage(const scope_plan *plan, size_t column,
                                   const scope_pieces *pieces, hid_t *list);

#endif
