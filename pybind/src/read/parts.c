/* parts.c - a whole table as a dict, and back, checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/check.h>

#include "column.h"
#include "fields.h"
#include "metadata.h"
#include "pairs.h"
#include "table.h"

/* NULL: there is no such table. */
static const scope_row_table *rows_find(const char *name)
{
    for (size_t i = 0; i < SCOPE_ROW_TABLES; i++)
        if (strcmp(scope_row_tables[i].name, name) == 0)
            return &scope_row_tables[i];
    return NULL;
}

/* ---- to Python ---- */

static PyObject *regions_to(const scope_calls *calls)
{
    PyObject *list = PyList_New((Py_ssize_t)calls->region_count);
    for (size_t i = 0; list && i < calls->region_count; i++) {
        PyObject *name = text_of(calls->regions[i].name);
        if (!name)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, name);
    }
    return list;
}

static PyObject *columns_to(read_state *state, const scope_calls *calls, PyObject *owner)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < SCOPE_CALL_COLUMNS; i++) {
        const scope_field *column = &scope_call_columns[i];
        void *data = *scope_column_of(calls, column);
        if (!data && i >= 2) /* the first two are always there */
            continue;
        PyObject *made = column_of(state, owner, data, calls->count, column_format(column));
        if (!made || PyDict_SetItemString(dict, column->name, made) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(made);
    }
    return dict;
}

static PyObject *part_of(read_state *state, const scope_calls *calls, PyObject *owner,
                         const char *name)
{
    const scope_row_table *rows = rows_find(name);
    if (rows)
        return fields_to_list(&rows->kind, *scope_rows_of(calls, rows),
                              *scope_row_count_of(calls, rows));
    if (strcmp(name, "rank_count") == 0)
        return PyLong_FromLong(calls->rank_count);
    if (strcmp(name, "is_aggregate") == 0)
        return PyBool_FromLong(calls->is_aggregate);
    if (strcmp(name, "start_time_ns") == 0)
        return PyLong_FromLongLong(calls->start_time_ns);
    if (strcmp(name, "end_time_ns") == 0)
        return PyLong_FromLongLong(calls->end_time_ns);
    if (strcmp(name, "regions") == 0)
        return regions_to(calls);
    if (strcmp(name, "pairs") == 0)
        return pairs_to(calls);
    if (strcmp(name, "columns") == 0)
        return columns_to(state, calls, owner);
    if (strcmp(name, "metadata") == 0)
        return metadata_to(calls);
    if (strcmp(name, "topology") == 0)
        return text_of(calls->topology);
    return PyErr_Format(PyExc_ValueError, "a table has no part '%.100s'", name);
}

PyObject *parts_of(read_state *state, const scope_calls *calls, PyObject *owner, const char *only)
{
    static const char *const others[] = {"rank_count", "is_aggregate", "start_time_ns",
                                         "end_time_ns", "regions", "pairs", "columns", "metadata",
                                         "topology"};
    enum { OTHERS = sizeof others / sizeof *others };
    if (only)
        return part_of(state, calls, owner, only);
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < OTHERS + SCOPE_ROW_TABLES; i++) {
        const char *name = i < OTHERS ? others[i] : scope_row_tables[i - OTHERS].name;
        PyObject *part = part_of(state, calls, owner, name);
        if (!part || PyDict_SetItemString(dict, name, part) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(part);
    }
    return dict;
}

/* ---- from Python ---- */

static int regions_from(scope_calls *calls, PyObject *list)
{
    PyObject *names = PySequence_Tuple(list);
    if (!names)
        return -1;
    const size_t count = (size_t)PyTuple_GET_SIZE(names);
    scope_region_row *rows = scope_calls_alloc(calls, count, sizeof *rows);
    int result = rows ? 0 : (PyErr_NoMemory(), -1);
    for (size_t i = 0; result == 0 && i < count; i++)
        result = text_to(calls, PyTuple_GET_ITEM(names, (Py_ssize_t)i), "a region's name",
                         &rows[i].name);
    Py_DECREF(names);
    calls->regions = rows;
    calls->region_count = result == 0 ? count : 0;
    return result;
}

static int column_from(scope_calls *calls, const scope_field *column, PyObject *from)
{
    Py_buffer view;
    if (from == Py_None) {
        *scope_column_of(calls, column) = NULL;
        return 0;
    }
    if (column_buffer(from, column_format(column), column->name, &view) < 0)
        return -1;
    const uint64_t count = (uint64_t)view.shape[0];
    void *copy = count == calls->count ? scope_calls_alloc(calls, count, (size_t)view.itemsize)
                                       : NULL;
    if (copy && count)
        memcpy(copy, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (count != calls->count)
        PyErr_Format(PyExc_ValueError, "%s has %llu rows, start_ns has %llu", column->name,
                     (unsigned long long)count, (unsigned long long)calls->count);
    else if (!copy)
        PyErr_NoMemory();
    *scope_column_of(calls, column) = copy;
    return copy ? 0 : -1;
}

/* start_ns says how many rows there are; with other rows no old column fits. */
static int row_count_from(scope_calls *calls, PyObject *columns)
{
    PyObject *starts = PyDict_GetItemString(columns, "start_ns");
    if (!starts)
        return 0;
    Py_buffer view;
    if (column_buffer(starts, 'q', "start_ns", &view) < 0)
        return -1;
    const uint64_t count = (uint64_t)view.shape[0];
    PyBuffer_Release(&view);
    for (size_t i = 0; count != calls->count && i < SCOPE_CALL_COLUMNS; i++)
        *scope_column_of(calls, &scope_call_columns[i]) = NULL;
    calls->count = count;
    return 0;
}

static int columns_from(scope_calls *calls, PyObject *columns)
{
    if (!PyDict_Check(columns)) {
        PyErr_SetString(PyExc_TypeError, "columns must be dict");
        return -1;
    }
    PyObject *own = PyDict_Copy(columns); /* __buffer__ may run code that changes theirs */
    int result = own ? row_count_from(calls, own) : -1;
    PyObject *name, *value;
    for (Py_ssize_t at = 0; result == 0 && PyDict_Next(own, &at, &name, &value);) {
        const char *text = PyUnicode_AsUTF8(name);
        const scope_field *column = text ? column_find(text) : NULL;
        if (text && !column)
            PyErr_Format(PyExc_ValueError, "a table has no column '%.100s'", text);
        result = column ? column_from(calls, column, value) : -1;
    }
    Py_XDECREF(own);
    return result;
}

static int number_from(PyObject *value, const char *name, int64_t least, int64_t most,
                       int64_t *number)
{
    if (integer_from(value, least, most, number) == 0)
        return 0;
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s does not fit: %lld", name, (long long)*number);
    return -1;
}

static int part_from(scope_calls *calls, const char *name, PyObject *value, char **uncounted)
{
    int64_t integer = 0;
    int result;
    const scope_row_table *rows = rows_find(name);
    if (rows)
        return fields_from_list(&rows->kind, calls, value, scope_rows_of(calls, rows),
                                scope_row_count_of(calls, rows));
    if (strcmp(name, "rank_count") == 0) {
        result = number_from(value, name, 0, INT32_MAX, &integer);
        calls->rank_count = (int32_t)integer;
        return result;
    }
    if (strcmp(name, "start_time_ns") == 0)
        return number_from(value, name, INT64_MIN, INT64_MAX, &calls->start_time_ns);
    if (strcmp(name, "end_time_ns") == 0)
        return number_from(value, name, INT64_MIN, INT64_MAX, &calls->end_time_ns);
    if (strcmp(name, "is_aggregate") == 0) {
        result = PyObject_IsTrue(value);
        calls->is_aggregate = result == 1;
        return result < 0 ? -1 : 0;
    }
    if (strcmp(name, "topology") == 0)
        return text_to(calls, value, name, &calls->topology);
    if (strcmp(name, "metadata") == 0)
        return metadata_from(calls, value);
    if (strcmp(name, "regions") == 0)
        return regions_from(calls, value);
    if (strcmp(name, "columns") == 0)
        return columns_from(calls, value);
    if (strcmp(name, "pairs") == 0) {
        PyMem_Free(*uncounted);
        *uncounted = NULL;
        return pairs_from(calls, value, uncounted);
    }
    PyErr_Format(PyExc_ValueError, "a table has no part '%.100s'", name);
    return -1;
}

int parts_check_and_sort(scope_calls *calls)
{
    char why[SCOPE_WHY_BYTES];
    scope_status status = scope_calls_check(calls, why);
    if (status == SCOPE_OK)
        status = scope_calls_check_times(calls, why);
    if (status == SCOPE_OK)
        status = scope_calls_order(calls);
    if (status == SCOPE_ERR_MEMORY)
        PyErr_NoMemory();
    else if (status != SCOPE_OK)
        PyErr_SetString(PyExc_ValueError, why);
    return status == SCOPE_OK ? 0 : -1;
}

int parts_into(scope_calls *calls, PyObject *parts)
{
    char *uncounted = NULL; /* of pairs that are new */
    PyObject *own = PyDict_New(); /* of ours: no code of others changes it on the way */
    int result = own ? PyDict_Update(own, parts) : -1;
    PyObject *name, *value;
    for (Py_ssize_t at = 0; result == 0 && PyDict_Next(own, &at, &name, &value);) {
        const char *text = PyUnicode_AsUTF8(name);
        result = text ? part_from(calls, text, value, &uncounted) : -1;
    }
    Py_XDECREF(own);
    if (result == 0)
        result = parts_check_and_sort(calls);
    for (size_t i = 0; result == 0 && uncounted && i < calls->pair_count; i++)
        if (uncounted[i] && !calls->is_aggregate)
            scope_calls_statistics(calls, &calls->pairs[i]);
    PyMem_Free(uncounted);
    return result;
}
