/* fields.c - see fields.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fields.h"

#define BUCKETS 64
#define MOST_FIELDS 32

/* The fields' names as keys, made once for all rows of a list. */
static void free_keys(PyObject *keys[MOST_FIELDS])
{
    for (size_t i = 0; i < MOST_FIELDS; i++)
        Py_CLEAR(keys[i]);
}

static int make_keys(const row_field *fields, PyObject *keys[MOST_FIELDS])
{
    memset(keys, 0, MOST_FIELDS * sizeof *keys);
    for (size_t i = 0; fields[i].kind != FIELD_END; i++)
        if (i >= MOST_FIELDS || !(keys[i] = PyUnicode_InternFromString(fields[i].name))) {
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

static PyObject *value_to(const row_field *field, const char *at)
{
    switch (field->kind) {
    case FIELD_I32:
        return PyLong_FromLong(*(const int32_t *)(const void *)at);
    case FIELD_U32:
        return PyLong_FromUnsignedLong(*(const uint32_t *)(const void *)at);
    case FIELD_I64:
        return PyLong_FromLongLong(*(const int64_t *)(const void *)at);
    case FIELD_U64:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)(const void *)at);
    case FIELD_F64:
        return PyFloat_FromDouble(*(const double *)(const void *)at);
    case FIELD_TEXT:
        return text_of(*(const scope_string *)(const void *)at);
    default:
        return histogram_to((const uint32_t *)(const void *)at);
    }
}

static PyObject *to_dict(const row_field *fields, PyObject *const *keys, const void *row)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && fields[i].kind != FIELD_END; i++) {
        PyObject *value = value_to(&fields[i], (const char *)row + fields[i].offset);
        const int left_out = value == Py_None;
        if (!value || (!left_out && PyDict_SetItem(dict, keys[i], value) < 0))
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *fields_to_list(const row_field *fields, const void *rows, size_t count, size_t size_bytes)
{
    PyObject *keys[MOST_FIELDS];
    if (make_keys(fields, keys) < 0)
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *dict = to_dict(fields, keys, (const char *)rows + i * size_bytes);
        if (!dict)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, dict);
    }
    free_keys(keys);
    return list;
}

/* ---- from Python ---- */

static int refuse(const char *what, const row_field *field, const char *why)
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

static int value_from(const row_field *field, scope_calls *calls, PyObject *value, const char *what,
                      char *at)
{
    int64_t integer = 0;
    const char *why = "does not fit";
    int bad = 0;
    switch (field->kind) {
    case FIELD_I32:
        bad = integer_from(value, INT32_MIN, INT32_MAX, &integer);
        *(int32_t *)(void *)at = (int32_t)integer;
        break;
    case FIELD_U32:
        bad = integer_from(value, 0, UINT32_MAX, &integer);
        *(uint32_t *)(void *)at = (uint32_t)integer;
        break;
    case FIELD_I64:
        bad = integer_from(value, INT64_MIN, INT64_MAX, &integer);
        *(int64_t *)(void *)at = integer;
        break;
    case FIELD_U64:
        bad = integer_from(value, 0, INT64_MAX, &integer);
        *(uint64_t *)(void *)at = (uint64_t)integer;
        break;
    case FIELD_F64:
        *(double *)(void *)at = PyFloat_AsDouble(value);
        bad = PyErr_Occurred() != NULL;
        break;
    case FIELD_TEXT:
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

static void standard_value(const row_field *field, char *at)
{
    switch (field->kind) {
    case FIELD_I32:
    case FIELD_U32:
        *(int32_t *)(void *)at = (int32_t)field->standard;
        break;
    case FIELD_F64:
        *(double *)(void *)at = (double)field->standard;
        break;
    case FIELD_TEXT:
        *(scope_string *)(void *)at = (scope_string){"", 0};
        break;
    case FIELD_HISTOGRAM:
        memset(at, 0, BUCKETS * sizeof(uint32_t));
        break;
    default:
        *(int64_t *)(void *)at = field->standard;
    }
}

static int from_dict(const row_field *fields, PyObject *const *keys, scope_calls *calls,
                     PyObject *dict, const char *what, void *row)
{
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s must be dict, not %.80s", what, Py_TYPE(dict)->tp_name);
        return -1;
    }
    for (size_t i = 0; fields[i].kind != FIELD_END; i++) {
        char *at = (char *)row + fields[i].offset;
        standard_value(&fields[i], at);
        PyObject *value = PyDict_GetItemWithError(dict, keys[i]);
        if (!value && PyErr_Occurred())
            return -1;
        if (!value)
            continue;
        Py_INCREF(value); /* __index__ may run code that changes the dict */
        const int result = value_from(&fields[i], calls, value, what, at);
        Py_DECREF(value);
        if (result < 0)
            return -1;
    }
    return 0;
}

int fields_from_dict(const row_field *fields, scope_calls *calls, PyObject *dict, const char *what,
                     void *row)
{
    PyObject *keys[MOST_FIELDS];
    if (make_keys(fields, keys) < 0)
        return -1;
    const int result = from_dict(fields, keys, calls, dict, what, row);
    free_keys(keys);
    return result;
}

int fields_from_list(const row_field *fields, scope_calls *calls, PyObject *list, const char *what,
                     size_t size_bytes, void **rows, size_t *count)
{
    PyObject *keys[MOST_FIELDS];
    PyObject *items = PySequence_Tuple(list); /* ours alone: nobody can change it meanwhile */
    if (!items)
        return -1;
    const size_t length = (size_t)PyTuple_GET_SIZE(items);
    char *made = scope_calls_alloc(calls, length, size_bytes);
    int result = made ? make_keys(fields, keys) : (PyErr_NoMemory(), -1);
    const int have_keys = made && result == 0;
    for (size_t i = 0; result == 0 && i < length; i++)
        result = from_dict(fields, keys, calls, PyTuple_GET_ITEM(items, (Py_ssize_t)i), what,
                           made + i * size_bytes);
    if (have_keys)
        free_keys(keys);
    Py_DECREF(items);
    if (result == 0) {
        *rows = made;
        *count = length;
    }
    return result;
}
