/* fields.c - see fields.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fields.h"

#define BUCKETS SCOPE_HISTOGRAM_LENGTH
#define MOST_FIELDS 32

/* The fields' names as keys, made once for all rows of a list. */
static void free_keys(PyObject *keys[MOST_FIELDS])
{
    for (size_t i = 0; i < MOST_FIELDS; i++)
        Py_CLEAR(keys[i]);
}

static int make_keys(const scope_row_kind *kind, PyObject *keys[MOST_FIELDS])
{
    memset(keys, 0, MOST_FIELDS * sizeof *keys);
    for (size_t i = 0; i < kind->field_count; i++)
        if (i >= MOST_FIELDS || !(keys[i] = PyUnicode_InternFromString(kind->fields[i].name))) {
            free_keys(keys);
            return -1;
        }
    return 0;
}

/* ---- to Python ---- */

static PyObject *histogram_to(const uint32_t *buckets)
{
    int any = 0;
    for (int i = 0; i < BUCKETS; i++)
        any |= buckets[i] != 0;
    PyObject *list = any ? PyList_New(BUCKETS) : Py_NewRef(Py_None);
    for (int i = 0; any && list && i < BUCKETS; i++) {
        PyObject *value = PyLong_FromUnsignedLong(buckets[i]);
        if (!value)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, value);
    }
    return list;
}

static PyObject *value_to(const scope_field *field, const char *at)
{
    switch (field->cell) {
    case SCOPE_CELL_I32:
        return PyLong_FromLong(*(const int32_t *)(const void *)at);
    case SCOPE_CELL_U32:
        return PyLong_FromUnsignedLong(*(const uint32_t *)(const void *)at);
    case SCOPE_CELL_I64:
        return PyLong_FromLongLong(*(const int64_t *)(const void *)at);
    case SCOPE_CELL_U64:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)(const void *)at);
    case SCOPE_CELL_F64:
        return PyFloat_FromDouble(*(const double *)(const void *)at);
    case SCOPE_CELL_TEXT:
        return text_of(*(const scope_string *)(const void *)at);
    default:
        return histogram_to((const uint32_t *)(const void *)at);
    }
}

static PyObject *to_dict(const scope_row_kind *kind, PyObject *const *keys, const void *row)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < kind->field_count; i++) {
        PyObject *value =
            value_to(&kind->fields[i], (const char *)row + kind->fields[i].offset);
        const int left_out = value == Py_None;
        if (!value || (!left_out && PyDict_SetItem(dict, keys[i], value) < 0))
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *fields_to_list(const scope_row_kind *kind, const void *rows, size_t count)
{
    PyObject *keys[MOST_FIELDS];
    if (make_keys(kind, keys) < 0)
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *dict = to_dict(kind, keys, (const char *)rows + i * kind->row_bytes);
        if (!dict)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, dict);
    }
    free_keys(keys);
    return list;
}

/* ---- from Python ---- */

static int refuse(const char *what, const scope_field *field, const char *why)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError) ||
        PyErr_ExceptionMatches(PyExc_TypeError)) {
        const int wrong_type = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError);
        PyErr_Format(wrong_type ? PyExc_TypeError : PyExc_ValueError, "%s: %s %s", what,
                     field->name, why);
    }
    return -1;
}

int integer_from(PyObject *value, int64_t least, int64_t most, int64_t *out)
{
    PyObject *number = PyNumber_Index(value);
    if (!number)
        return -1;
    const long long read = PyLong_AsLongLong(number);
    Py_DECREF(number);
    if (read == -1 && PyErr_Occurred())
        return -1;
    *out = read;
    return read < least || read > most ? -1 : 0;
}

int int32_array_from(PyObject *sequence, int32_t least, const char *sentence, int32_t **values,
                     size_t *count)
{
    PyObject *items = PySequence_Tuple(sequence);
    if (!items)
        return -1;
    *count = (size_t)PyTuple_GET_SIZE(items);
    *values = PyMem_Malloc((*count + 1) * sizeof **values);
    int result = *values ? 0 : (PyErr_NoMemory(), -1);
    for (size_t i = 0; result == 0 && i < *count; i++) {
        int64_t value = 0;
        result = integer_from(PyTuple_GET_ITEM(items, (Py_ssize_t)i), least, INT32_MAX, &value);
        (*values)[i] = (int32_t)value;
    }
    Py_DECREF(items);
    if (result == 0)
        return 0;
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, sentence);
    PyMem_Free(*values);
    *values = NULL;
    return -1;
}

static int histogram_from(PyObject *value, uint32_t *buckets)
{
    PyObject *items = PySequence_Tuple(value); /* ours alone, as in fields_from_list() */
    int good = items && PyTuple_GET_SIZE(items) == BUCKETS;
    for (int i = 0; good && i < BUCKETS; i++) {
        int64_t number;
        good = integer_from(PyTuple_GET_ITEM(items, i), 0, UINT32_MAX, &number) == 0;
        buckets[i] = good ? (uint32_t)number : 0;
    }
    Py_XDECREF(items);
    return good ? 0 : -1;
}

static int value_from(const scope_field *field, scope_calls *calls, PyObject *value,
                      const char *what, char *at)
{
    int64_t integer = 0;
    const char *why = "does not fit";
    int bad = 0;
    switch (field->cell) {
    case SCOPE_CELL_I32:
        bad = integer_from(value, INT32_MIN, INT32_MAX, &integer);
        *(int32_t *)(void *)at = (int32_t)integer;
        break;
    case SCOPE_CELL_U32:
        bad = integer_from(value, 0, UINT32_MAX, &integer);
        *(uint32_t *)(void *)at = (uint32_t)integer;
        break;
    case SCOPE_CELL_I64:
        bad = integer_from(value, INT64_MIN, INT64_MAX, &integer);
        *(int64_t *)(void *)at = integer;
        break;
    case SCOPE_CELL_U64:
        bad = integer_from(value, 0, INT64_MAX, &integer);
        *(uint64_t *)(void *)at = (uint64_t)integer;
        break;
    case SCOPE_CELL_F64:
        *(double *)(void *)at = PyFloat_AsDouble(value);
        bad = PyErr_Occurred() != NULL;
        break;
    case SCOPE_CELL_TEXT:
        return text_to(calls, value, field->name, (scope_string *)(void *)at);
    default:
        bad = histogram_from(value, (uint32_t *)(void *)at);
        why = "is not 64 counts";
    }
    return bad ? refuse(what, field, PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError)
                                         ? "has a wrong type"
                                         : why)
               : 0;
}

static int from_dict(const scope_row_kind *kind, PyObject *const *keys, scope_calls *calls,
                     PyObject *dict, void *row)
{
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s must be dict, not %.80s", kind->one,
                     Py_TYPE(dict)->tp_name);
        return -1;
    }
    scope_row_clear(kind, row);
    for (size_t i = 0; i < kind->field_count; i++) {
        const scope_field *field = &kind->fields[i];
        PyObject *value = PyDict_GetItemWithError(dict, keys[i]);
        if (!value && PyErr_Occurred())
            return -1;
        if (!value)
            continue;
        Py_INCREF(value); /* __index__ may run code that changes the dict */
        const int result =
            value_from(field, calls, value, kind->one, (char *)row + field->offset);
        Py_DECREF(value);
        if (result < 0)
            return -1;
    }
    return 0;
}

int fields_from_dict(const scope_row_kind *kind, scope_calls *calls, PyObject *dict, void *row)
{
    PyObject *keys[MOST_FIELDS];
    if (make_keys(kind, keys) < 0)
        return -1;
    const int result = from_dict(kind, keys, calls, dict, row);
    free_keys(keys);
    return result;
}

int fields_from_list(const scope_row_kind *kind, scope_calls *calls, PyObject *list, void **rows,
                     size_t *count)
{
    PyObject *keys[MOST_FIELDS];
    PyObject *items = PySequence_Tuple(list); /* ours alone: nobody can change it meanwhile */
    if (!items)
        return -1;
    const size_t length = (size_t)PyTuple_GET_SIZE(items);
    char *made = scope_calls_alloc(calls, length, kind->row_bytes);
    int result = made ? make_keys(kind, keys) : (PyErr_NoMemory(), -1);
    const int have_keys = made && result == 0;
    for (size_t i = 0; result == 0 && i < length; i++)
        result = from_dict(kind, keys, calls, PyTuple_GET_ITEM(items, (Py_ssize_t)i),
                           made + i * kind->row_bytes);
    if (have_keys)
        free_keys(keys);
    Py_DECREF(items);
    if (result == 0) {
        *rows = made;
        *count = length;
    }
    return result;
}
