/* fields.h - rows of tables as Python dicts, and back.
 *
 * <scope/fields.h> says what is in a row. A missing key leaves what the field has where nothing
 * is known, an unknown key is ignored. A histogram of zeros is left out.
 *
 * Threads    all of them want the GIL. -1 and NULL: an exception is set.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_FIELDS_H
#define SCOPE_PYBIND_FIELDS_H

#include <scope/fields.h>

#include "read.h"

/* One row; the others are lists of rows, which lie in the table's memory. */
int fields_from_dict(const scope_row_kind *kind, scope_calls *calls, PyObject *dict, void *row);
PyObject *fields_to_list(const scope_row_kind *kind, const void *rows, size_t count);
int fields_from_list(const scope_row_kind *kind, scope_calls *calls, PyObject *list, void **rows,
                     size_t *count);

/* An integer of any kind that says so by __index__ (numpy's too). -1: no exception is set
 * where it is one, but not within the limits. */
int integer_from(PyObject *value, int64_t least, int64_t most, int64_t *integer);

/* Integers of `least` and more (else ValueError with this sentence), in *values (PyMem). */
int int32_array_from(PyObject *sequence, int32_t least, const char *sentence, int32_t **values,
                     size_t *count);

#endif
