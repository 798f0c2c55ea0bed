/* fields.h - rows of the call table's small tables as Python dicts, and back.
 *
 * A list of fields says what is in a struct; a missing key leaves the field's standard
 * value, an unknown key is ignored.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_FIELDS_H
#define SCOPE_PYBIND_FIELDS_H

#include "read.h"

typedef enum row_field_kind {
    FIELD_I32,
    FIELD_U32,
    FIELD_I64,
    FIELD_U64,
    FIELD_F64,
    FIELD_TEXT,
    FIELD_HISTOGRAM, /* uint32_t[64], left out when all are 0 */
    FIELD_END,
} row_field_kind;

typedef struct row_field {
    const char *name;
    row_field_kind kind;
    size_t offset;
    int64_t standard;
} row_field;

/* `what` names the row in errors. */
int fields_from_dict(const row_field *fields, scope_calls *calls, PyObject *dict, const char *what,
                     void *row);

/* A list of `count` rows of `size_bytes`. */
PyObject *fields_to_list(const row_field *fields, const void *rows, size_t count, size_t size_bytes);

/* Rows from a list of dicts, in the table's memory. */
int fields_from_list(const row_field *fields, scope_calls *calls, PyObject *list, const char *what,
                     size_t size_bytes, void **rows, size_t *count);

/* An integer of any kind that says so by __index__ (numpy's too). -1: no exception is set
 * where it is one, but not within the limits. */
int integer_from(PyObject *value, int64_t least, int64_t most, int64_t *integer);

/* Integers of `least` and more (else ValueError with this sentence), in *values (PyMem). */
int int32_array_from(PyObject *sequence, int32_t least, const char *sentence, int32_t **values,
                     size_t *count);

#endif
