/* column.h - the Column type: an array of numbers as a read-only buffer.
 *
 * Ownership  a column either owns its array (malloc) or keeps alive who does.
 * Threads    immutable once made.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_COLUMN_H
#define SCOPE_PYBIND_COLUMN_H

#include <scope/fields.h>

#include "read.h"

/* `format`: q (int64), i (int32) or B (uint8). */
PyObject *column_of(read_state *state, PyObject *owner, const void *data, uint64_t count,
                    char format);

/* Takes over `data`, also when it fails. */
PyObject *column_take(read_state *state, void *data, uint64_t count, char format);

/* A buffer of this format, contiguous, one-dimensional; other sizes and kinds are refused
 * with a TypeError that names `what`. */
int column_buffer(PyObject *from, char format, const char *what, Py_buffer *view);

/* The column of a call table with this name. NULL: there is none; no exception is set. */
const scope_field *column_find(const char *name);

static inline char column_format(const scope_field *column)
{
    return column->cell == SCOPE_CELL_I64 ? 'q' : column->cell == SCOPE_CELL_I32 ? 'i' : 'B';
}

static inline size_t column_cell_bytes(char format)
{
    return format == 'q' ? 8 : format == 'i' ? 4 : 1;
}

#endif
