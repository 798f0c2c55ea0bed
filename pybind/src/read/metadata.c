/* metadata.c - see metadata.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "metadata.h"

/* ---- to Python ---- */

/* Strings, each followed by NUL. */
static PyObject *texts_to(scope_string texts)
{
    PyObject *list = PyList_New(0);
    const char *at = texts.bytes, *end = texts.bytes + texts.length_bytes;
    while (list && at < end) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        if (!stop)
            stop = end;
        PyObject *text = text_of((scope_string){at, (uint64_t)(stop - at)});
        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
        at = stop + 1;
    }
    return list;
}

static PyObject *value_to(const scope_metadata_row *row)
{
    switch (row->kind) {
    case SCOPE_VALUE_INTEGER:
        return PyLong_FromLongLong(row->integer);
    case SCOPE_VALUE_TEXTS:
        return texts_to(row->text);
    default:
        return text_of(row->text);
    }
}

PyObject *metadata_to(const scope_calls *calls)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < calls->metadata_count; i++) {
        PyObject *key = text_of(calls->metadata[i].key);
        PyObject *value = key ? value_to(&calls->metadata[i]) : NULL;
        if (!value || PyDict_SetItem(dict, key, value) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

/* ---- from Python ---- */

static int text_value(scope_calls *calls, PyObject *value, scope_metadata_row *row)
{
    row->kind = SCOPE_VALUE_TEXT;
    return text_to(calls, value, "a metadata value", &row->text);
}

static int integer_value(scope_calls *calls, PyObject *value, scope_metadata_row *row)
{
    PyObject *number = PyNumber_Index(value);
    if (!number)
        return -1;
    int overflow;
    const long long read = PyLong_AsLongLongAndOverflow(number, &overflow);
    int result = read == -1 && PyErr_Occurred() ? -1 : 0;
    row->kind = SCOPE_VALUE_INTEGER;
    row->integer = read;
    if (overflow) {
        PyObject *text = PyObject_Str(number);
        result = text ? text_value(calls, text, row) : -1;
        Py_XDECREF(text);
    }
    Py_DECREF(number);
    return result;
}

static int texts_value(scope_calls *calls, PyObject *value, scope_metadata_row *row)
{
    PyObject *nul = PyUnicode_FromStringAndSize("\0", 1), *empty = PyUnicode_FromString("");
    PyObject *list = PySequence_List(value);
    int result = list && nul && empty ? PyList_Append(list, empty) : -1; /* a NUL after the last */
    PyObject *joined = result == 0 ? PyUnicode_Join(nul, list) : NULL;
    row->kind = SCOPE_VALUE_TEXTS;
    result = joined ? text_to(calls, joined, "metadata", &row->text) : -1;
    Py_XDECREF(nul);
    Py_XDECREF(empty);
    Py_XDECREF(list);
    Py_XDECREF(joined);
    return result;
}

static int row_from(scope_calls *calls, PyObject *key, PyObject *value, scope_metadata_row *row)
{
    *row = (scope_metadata_row){.text = {"", 0}};
    if (text_to(calls, key, "a metadata key", &row->key) < 0)
        return -1;
    if (PyUnicode_Check(value))
        return text_value(calls, value, row);
    if (PyIndex_Check(value))
        return integer_value(calls, value, row);
    if (PyList_Check(value) || PyTuple_Check(value))
        return texts_value(calls, value, row);
    PyErr_Format(PyExc_TypeError, "metadata %R must be str, int or a list of str, not %.80s", key,
                 Py_TYPE(value)->tp_name);
    return -1;
}

int metadata_from(scope_calls *calls, PyObject *dict)
{
    PyObject *items = PyMapping_Items(dict);
    if (!items)
        return -1;
    const size_t count = (size_t)PyList_GET_SIZE(items);
    scope_metadata_row *rows = scope_calls_alloc(calls, count, sizeof *rows);
    int result = rows ? 0 : (PyErr_NoMemory(), -1);
    for (size_t i = 0; result == 0 && i < count; i++) {
        PyObject *key, *value;
        result = PyArg_ParseTuple(PyList_GET_ITEM(items, (Py_ssize_t)i), "OO", &key, &value)
                     ? row_from(calls, key, value, &rows[i])
                     : -1;
    }
    Py_DECREF(items);
    if (result == 0) {
        calls->metadata = rows;
        calls->metadata_count = count;
    }
    return result;
}
