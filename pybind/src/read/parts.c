/* parts.c - a whole table as a dict, and back, checked.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <stdlib.h>

#include "column.h"
#include "fields.h"
#include "metadata.h"
#include "pairs.h"
#include "table.h"

/* ---- what there is ---- */

#define COLUMN(name, format) {#name, format, offsetof(scope_calls, name)}
const table_column table_columns[] = {
    COLUMN(start_ns, 'q'),  COLUMN(duration_ns, 'q'), COLUMN(call_ids, 'q'),
    COLUMN(parent_ids, 'q'), COLUMN(thread_ids, 'q'),  COLUMN(task_ids, 'q'),
    COLUMN(await_ns, 'q'),  COLUMN(flags, 'B'),       COLUMN(mpi_bytes, 'q'),
    COLUMN(mpi_peers, 'i'), COLUMN(mpi_comms, 'i'),   COLUMN(gpu_ns, 'q'),
    COLUMN(mpi_tags, 'i'),  COLUMN(mpi_kinds, 'B'),
};
#undef COLUMN
const size_t table_column_count = sizeof table_columns / sizeof *table_columns;

const table_column *table_column_find(const char *name)
{
    for (size_t i = 0; i < table_column_count; i++)
        if (strcmp(table_columns[i].name, name) == 0)
            return &table_columns[i];
    return NULL;
}

#define FIELD(row, name, kind, standard) {#name, kind, offsetof(row, name), standard}
#define FIELDS_END {NULL, FIELD_END, 0, 0}

static const row_field thread_fields[] = {
    FIELD(scope_thread_row, rank, FIELD_I32, 0),
    FIELD(scope_thread_row, index, FIELD_I64, 0),
    FIELD(scope_thread_row, name, FIELD_TEXT, 0),
    FIELD(scope_thread_row, ident, FIELD_I64, -1),
    FIELD(scope_thread_row, native_id, FIELD_I64, -1),
    FIELD(scope_thread_row, daemon, FIELD_I32, 0),
    FIELD(scope_thread_row, start_ns, FIELD_I64, -1),
    FIELD(scope_thread_row, end_ns, FIELD_I64, -1),
    FIELD(scope_thread_row, cpu_ns, FIELD_I64, -1),
    FIELD(scope_thread_row, last_cpu, FIELD_I32, -1),
    FIELD(scope_thread_row, flags, FIELD_I32, 0),
    FIELD(scope_thread_row, binding, FIELD_TEXT, 0),
    FIELDS_END,
};

static const row_field task_fields[] = {
    FIELD(scope_task_row, rank, FIELD_I32, 0),
    FIELD(scope_task_row, index, FIELD_I64, 0),
    FIELD(scope_task_row, kind, FIELD_TEXT, 0),
    FIELD(scope_task_row, name, FIELD_TEXT, 0),
    FIELD(scope_task_row, coro_name, FIELD_TEXT, 0),
    FIELD(scope_task_row, thread_index, FIELD_I64, -1),
    FIELD(scope_task_row, created_ns, FIELD_I64, -1),
    FIELD(scope_task_row, done_ns, FIELD_I64, -1),
    FIELD(scope_task_row, steps, FIELD_I64, 0),
    FIELD(scope_task_row, running_ns, FIELD_I64, 0),
    FIELD(scope_task_row, suspended_ns, FIELD_I64, 0),
    FIELDS_END,
};

static const row_field sum_fields[] = {
    FIELD(scope_sum_row, rank, FIELD_I32, 0),
    FIELD(scope_sum_row, region, FIELD_U32, 0),
    FIELD(scope_sum_row, lane, FIELD_I64, -1),
    FIELD(scope_sum_row, count, FIELD_I64, 0),
    FIELD(scope_sum_row, total_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, minimum_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, maximum_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, exclusive_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, await_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, first_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, last_ns, FIELD_I64, 0),
    FIELD(scope_sum_row, bytes, FIELD_I64, 0),
    FIELD(scope_sum_row, histogram, FIELD_HISTOGRAM, 0),
    FIELDS_END,
};

static const row_field point_fields[] = {
    FIELD(scope_point_row, rank, FIELD_I32, 0),     FIELD(scope_point_row, name, FIELD_TEXT, 0),
    FIELD(scope_point_row, thread, FIELD_I64, -1),  FIELD(scope_point_row, task, FIELD_I64, -1),
    FIELD(scope_point_row, time_ns, FIELD_I64, 0), FIELD(scope_point_row, value, FIELD_F64, 0),
    FIELDS_END,
};

static const row_field communicator_fields[] = {
    FIELD(scope_communicator_row, rank, FIELD_I32, 0),
    FIELD(scope_communicator_row, id, FIELD_I32, 0),
    FIELD(scope_communicator_row, parent, FIELD_I32, -1),
    FIELD(scope_communicator_row, size, FIELD_I32, -1),
    FIELD(scope_communicator_row, rank_in, FIELD_I32, -1),
    FIELD(scope_communicator_row, serial, FIELD_I32, 0),
    FIELD(scope_communicator_row, members, FIELD_I64, 0),
    FIELD(scope_communicator_row, name, FIELD_TEXT, 0),
    FIELDS_END,
};

static const row_field message_fields[] = {
    FIELD(scope_message_row, rank, FIELD_I32, 0),
    FIELD(scope_message_row, row, FIELD_U64, 0),
    FIELD(scope_message_row, bytes, FIELD_I64, 0),
    FIELD(scope_message_row, peer, FIELD_I32, -1),
    FIELD(scope_message_row, communicator, FIELD_I32, -1),
    FIELD(scope_message_row, tag, FIELD_I32, -1),
    FIELD(scope_message_row, kind, FIELD_I32, 0),
    FIELDS_END,
};

static const row_field misuse_fields[] = {
    FIELD(scope_misuse_row, rank, FIELD_I32, 0),    FIELD(scope_misuse_row, region, FIELD_U32, 0),
    FIELD(scope_misuse_row, implied, FIELD_I64, 0), FIELD(scope_misuse_row, crossed, FIELD_I64, 0),
    FIELD(scope_misuse_row, orphans, FIELD_I64, 0), FIELDS_END,
};

static const row_field rank_fields[] = {
    FIELD(scope_rank_row, rank, FIELD_I32, 0),
    FIELD(scope_rank_row, end_kind, FIELD_I32, 0),
    FIELD(scope_rank_row, end_value, FIELD_I32, 0),
    FIELD(scope_rank_row, pid, FIELD_I64, 0),
    FIELD(scope_rank_row, start_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, end_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, realtime_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, offset_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, at_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, bound_ns, FIELD_I64, -1),
    FIELD(scope_rank_row, drift, FIELD_F64, 0),
    FIELD(scope_rank_row, last_event_ns, FIELD_I64, 0),
    FIELD(scope_rank_row, dropped, FIELD_I64, 0),
    FIELD(scope_rank_row, dropped_in_handlers, FIELD_I64, 0),
    FIELD(scope_rank_row, folded, FIELD_I64, 0),
    FIELD(scope_rank_row, holes, FIELD_I64, 0),
    FIELD(scope_rank_row, filtered, FIELD_I64, 0),
    FIELD(scope_rank_row, overhead_pair_ns, FIELD_F64, 0),
    FIELD(scope_rank_row, overhead_inside_ns, FIELD_F64, 0),
    FIELD(scope_rank_row, overhead_long_pair_ns, FIELD_F64, 0),
    FIELD(scope_rank_row, overhead_long_inside_ns, FIELD_F64, 0),
    FIELD(scope_rank_row, host, FIELD_TEXT, 0),
    FIELD(scope_rank_row, program, FIELD_TEXT, 0),
    FIELDS_END,
};

typedef struct row_part { /* a table of rows within the table */
    const char *name, *one;
    const row_field *fields;
    size_t rows, count, size_bytes; /* offsets of its pointer and count, size of a row */
} row_part;

#define PART(name, one, fields, count)                                                           \
    {#name, one, fields, offsetof(scope_calls, name), offsetof(scope_calls, count),               \
     sizeof *((scope_calls *)0)->name}
static const row_part row_parts[] = {
    PART(threads, "a thread", thread_fields, thread_count),
    PART(tasks, "a task", task_fields, task_count),
    PART(sums, "a sum", sum_fields, sum_count),
    PART(ranks, "a rank", rank_fields, rank_row_count),
    PART(marks, "a mark", point_fields, mark_count),
    PART(counters, "a counter", point_fields, counter_count),
    PART(communicators, "a communicator", communicator_fields, communicator_count),
    PART(messages, "a message", message_fields, message_count),
    PART(misuse, "a misuse", misuse_fields, misuse_count),
};
enum { ROW_PARTS = sizeof row_parts / sizeof *row_parts };

static void **rows_at(const scope_calls *calls, const row_part *part)
{
    return (void **)(void *)((char *)calls + part->rows);
}

static size_t *count_at(const scope_calls *calls, const row_part *part)
{
    return (size_t *)(void *)((char *)calls + part->count);
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
    for (size_t i = 0; dict && i < table_column_count; i++) {
        const table_column *column = &table_columns[i];
        void *data = *table_column_at(calls, column);
        if (!data && i >= 2) /* the first two are always there */
            continue;
        PyObject *made = column_of(state, owner, data, calls->count, column->format);
        if (!made || PyDict_SetItemString(dict, column->name, made) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(made);
    }
    return dict;
}

static PyObject *part_of(read_state *state, const scope_calls *calls, PyObject *owner,
                         const char *name)
{
    for (size_t i = 0; i < ROW_PARTS; i++)
        if (strcmp(row_parts[i].name, name) == 0)
            return fields_to_list(row_parts[i].fields, *rows_at(calls, &row_parts[i]),
                                  *count_at(calls, &row_parts[i]), row_parts[i].size_bytes);
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
    for (size_t i = 0; dict && i < OTHERS + ROW_PARTS; i++) {
        const char *name = i < OTHERS ? others[i] : row_parts[i - OTHERS].name;
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

static int column_from(scope_calls *calls, const table_column *column, PyObject *from)
{
    Py_buffer view;
    if (from == Py_None) {
        *table_column_at(calls, column) = NULL;
        return 0;
    }
    if (column_buffer(from, column->format, column->name, &view) < 0)
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
    *table_column_at(calls, column) = copy;
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
    for (size_t i = 0; count != calls->count && i < table_column_count; i++)
        *table_column_at(calls, &table_columns[i]) = NULL;
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
        const table_column *column = text ? table_column_find(text) : NULL;
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
    for (size_t i = 0; i < ROW_PARTS; i++)
        if (strcmp(row_parts[i].name, name) == 0)
            return fields_from_list(row_parts[i].fields, calls, value, row_parts[i].one,
                                    row_parts[i].size_bytes, rows_at(calls, &row_parts[i]),
                                    count_at(calls, &row_parts[i]));
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
