/* nest.c - nesting, statistics and names of lanes, for tables and for bare columns.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <scope/check.h>
#include <scope/overhead.h>
#include <scope/results.h>

#include "column.h"
#include "table.h"

/* ---- of a table ---- */

scope_status nest_exclusive(const scope_calls *calls, int64_t **exclusive, uint64_t clash[2])
{
    scope_calls *nested = table_overlay(calls);
    int64_t *values = nested ? calloc(calls->count + 1, sizeof *values) : NULL;
    scope_status status = SCOPE_ERR_MEMORY;
    clash[0] = clash[1] = 0;
    if (values && calls->is_aggregate) {
        status = SCOPE_OK;
    } else if (values) {
        nested->call_ids = nested->parent_ids = NULL;
        status = scope_calls_nest(nested, 0, values);
    }
    scope_calls_free(nested);
    scope_status of_rank = SCOPE_OK;
    for (size_t i = 0; status == SCOPE_ERR_NESTING && of_rank == SCOPE_OK && i < calls->pair_count;
         i++)
        if (i == 0 || calls->pairs[i].rank != calls->pairs[i - 1].rank)
            of_rank = scope_calls_clash(calls, calls->pairs[i].rank, clash);
    if (of_rank != SCOPE_OK)
        status = of_rank;
    if (status != SCOPE_OK)
        free(values);
    else
        *exclusive = values;
    return status;
}

/* ---- a sentence on two calls ---- */

static const scope_pair *pair_of_row(const scope_calls *calls, uint64_t row)
{
    for (size_t i = 0; i < calls->pair_count; i++)
        if (row >= calls->pairs[i].first && row - calls->pairs[i].first < calls->pairs[i].count)
            return &calls->pairs[i];
    return NULL;
}

/* 'solve' call 3 (12000 to 15000 ns) */
static PyObject *call_text(const scope_calls *calls, const scope_pair *pair, uint64_t row)
{
    PyObject *name = text_of(calls->regions[pair->region].name);
    const int64_t start = calls->start_ns[row] - calls->start_time_ns;
    PyObject *text =
        name ? PyUnicode_FromFormat("%R call %llu (%lld to %lld ns)", name,
                                    (unsigned long long)(row - pair->first), (long long)start,
                                    (long long)(start + calls->duration_ns[row]))
             : NULL;
    Py_XDECREF(name);
    return text;
}

static PyObject *lane_text(const scope_calls *calls, int32_t rank, int64_t lane)
{
    const size_t length = scope_lane_label(calls, rank, lane, NULL, 0);
    char *label = PyMem_Malloc(length + 1);
    if (!label)
        return PyErr_NoMemory();
    scope_lane_label(calls, rank, lane, label, length + 1);
    PyObject *text = text_of((scope_string){label, length});
    PyMem_Free(label);
    return text;
}

PyObject *nest_sentence(const scope_calls *calls, const uint64_t clash[2])
{
    const scope_pair *pairs[2] = {pair_of_row(calls, clash[0]), pair_of_row(calls, clash[1])};
    if (!pairs[0] || !pairs[1])
        return PyUnicode_FromString("calls overlap without nesting");
    const int lanes = calls->thread_ids || calls->task_ids;
    PyObject *first = call_text(calls, pairs[0], clash[0]);
    PyObject *second = call_text(calls, pairs[1], clash[1]);
    PyObject *lane =
        lanes ? lane_text(calls, pairs[0]->rank, scope_calls_lane(calls, clash[0])) : NULL;
    PyObject *sentence = NULL;
    if (first && second && (lane || !lanes))
        sentence = clash[0] == clash[1]
                       ? PyUnicode_FromFormat("rank %d: %U ends before it starts",
                                              (int)pairs[0]->rank, first)
                       : PyUnicode_FromFormat("rank %d%s%V: %U and %U overlap without nesting",
                                              (int)pairs[0]->rank, lanes ? ", " : "", lane, "",
                                              first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_XDECREF(lane);
    return sentence;
}

/* ---- of bare columns ---- */

static PyObject *take_nesting(read_state *state, scope_nesting *nesting)
{
    int64_t **arrays[4] = {&nesting->order, &nesting->depth, &nesting->parent,
                           &nesting->exclusive_ns};
    PyObject *result = PyTuple_New(4);
    for (int i = 0; result && i < 4; i++) {
        PyObject *column = column_take(state, *arrays[i], nesting->count, 'q');
        *arrays[i] = NULL;
        if (!column)
            Py_CLEAR(result);
        else
            PyTuple_SET_ITEM(result, i, column);
    }
    scope_nesting_free(nesting);
    return result;
}

static PyObject *nest(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"start_ns", "duration_ns", "lanes", NULL};
    PyObject *from[3] = {NULL, NULL, Py_None}, *result = NULL;
    Py_buffer view[3] = {{0}};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O:nest", keywords, &from[0], &from[1],
                                     &from[2]))
        return NULL;
    int used = 0;
    const int wanted = from[2] == Py_None ? 2 : 3;
    while (used < wanted && column_buffer(from[used], 'q', keywords[used], &view[used]) == 0)
        used++;
    if (used < wanted)
        goto done;
    if (view[1].shape[0] != view[0].shape[0] ||
        (wanted == 3 && view[2].shape[0] != view[0].shape[0])) {
        PyErr_SetString(PyExc_ValueError, "start_ns, duration_ns and lanes must be of one length");
        goto done;
    }
    scope_nesting nesting = {0};
    scope_status status;
    const uint64_t count = (uint64_t)view[0].shape[0];
    Py_BEGIN_ALLOW_THREADS
    status = scope_nest(view[0].buf, view[1].buf, wanted == 3 ? view[2].buf : NULL, count,
                        &nesting);
    Py_END_ALLOW_THREADS
    read_state *state = read_state_of(module);
    if (status == SCOPE_OK)
        result = take_nesting(state, &nesting);
    else if (status == SCOPE_ERR_NESTING)
        raise_clash(state, nesting.clash[0], nesting.clash[1]);
    else
        raise_status(state, status, NULL);
done:
    while (used > 0)
        PyBuffer_Release(&view[--used]);
    return result;
}

static PyObject *percentile(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *from;
    double q, value = 0.0;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "Od:percentile", &from, &q))
        return NULL;
    if (!(q >= 0.0 && q <= 100.0)) {
        PyErr_SetString(PyExc_ValueError, "a percentile is from 0 to 100");
        return NULL;
    }
    if (column_buffer(from, 'q', "values_ns", &view) < 0)
        return NULL;
    int64_t *copy = malloc((size_t)view.len + 1); /* it is reordered */
    if (copy && view.len) {
        Py_BEGIN_ALLOW_THREADS
        memcpy(copy, view.buf, (size_t)view.len);
        value = scope_percentile(copy, (uint64_t)view.shape[0], q / 100.0);
        Py_END_ALLOW_THREADS
    }
    free(copy);
    PyBuffer_Release(&view);
    return copy ? PyFloat_FromDouble(value) : PyErr_NoMemory();
}

/* ---- statistics ---- */

static PyObject *summary_to(const scope_calls *calls, const scope_summary *row)
{
    PyObject *name = text_of(calls->regions[row->region].name);
    PyObject *lane = row->lane == INT64_MIN ? Py_NewRef(Py_None) : PyLong_FromLongLong(row->lane);
    PyObject *dict = NULL;
    if (name && lane)
        dict = Py_BuildValue(
            "{s:O,s:I,s:i,s:O,s:i,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:d,s:d,s:d,s:d,s:d,s:d,s:d,"
            "s:L,s:L,s:L,s:L,s:L,s:L}",
            "name", name, "region", row->region, "rank", (int)row->rank, "lane", lane,
            "rank_count", (int)row->rank_count, "call_count", (long long)row->call_count,
            "folded_count", (long long)row->folded_count, "total_ns", (long long)row->total_ns,
            "exclusive_ns", (long long)row->exclusive_ns, "minimum_ns", (long long)row->minimum_ns,
            "maximum_ns", (long long)row->maximum_ns, "first_ns", (long long)row->first_ns,
            "last_ns", (long long)row->last_ns, "await_ns", (long long)row->await_ns, "mean_ns",
            row->mean_ns, "deviation_ns", row->deviation_ns, "p50_ns", row->p50_ns, "p95_ns",
            row->p95_ns, "p99_ns", row->p99_ns, "share", row->share, "imbalance", row->imbalance,
            "first_start_ns", (long long)row->first_start_ns, "mpi_bytes",
            (long long)row->mpi_bytes, "overhead_ns", (long long)row->overhead_ns,
            "corrected_total_ns", (long long)row->corrected_total_ns, "corrected_exclusive_ns",
            (long long)row->corrected_exclusive_ns, "unplaced_count",
            (long long)row->unplaced_count);
    Py_XDECREF(name);
    Py_XDECREF(lane);
    return dict;
}

static PyObject *summarize(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"table", "by", "overhead", NULL};
    static const char *const kinds[] = {"region", "rank", "lane"};
    PyObject *table;
    const char *by = "region";
    int overhead = 0;
    read_state *state = read_state_of(module);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|s$p:summarize", keywords, &table, &by,
                                     &overhead))
        return NULL;
    const scope_calls *calls = table_calls(state, table);
    int kind = 0;
    while (kind < 3 && strcmp(kinds[kind], by) != 0)
        kind++;
    if (!calls || kind == 3)
        return !calls ? NULL
                      : PyErr_Format(PyExc_ValueError, "by must be region, rank or lane, not '%s'",
                                     by);
    scope_summaries summaries = {0};
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_summarize(calls, (scope_summary_by)kind, &summaries);
    if (status == SCOPE_OK && overhead)
        status = scope_overhead_fill(calls, (scope_summary_by)kind, &summaries);
    Py_END_ALLOW_THREADS
    if (status != SCOPE_OK) {
        scope_summaries_free(&summaries);
        return raise_status(state, status, NULL);
    }
    PyObject *list = PyList_New((Py_ssize_t)summaries.count);
    for (size_t i = 0; list && i < summaries.count; i++) {
        PyObject *row = summary_to(calls, &summaries.rows[i]);
        if (!row)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, row);
    }
    scope_summaries_free(&summaries);
    return list;
}

static PyObject *lane_label(PyObject *module, PyObject *args)
{
    PyObject *table;
    int rank;
    long long lane;
    if (!PyArg_ParseTuple(args, "OiL:lane_label", &table, &rank, &lane))
        return NULL;
    const scope_calls *calls = table_calls(read_state_of(module), table);
    return calls ? lane_text(calls, rank, lane) : NULL;
}

static PyMethodDef functions[] = {
    {"nest", (PyCFunction)(void (*)(void))nest, METH_VARARGS | METH_KEYWORDS,
     "order, depth, parent and exclusive ns of calls in no table."},
    {"percentile", percentile, METH_VARARGS, "Of int64 values; q from 0 to 100."},
    {"summarize", (PyCFunction)(void (*)(void))summarize, METH_VARARGS | METH_KEYWORDS,
     "Statistics by region, rank or lane."},
    {"lane_label", lane_label, METH_VARARGS, "What a lane is called."},
    {NULL, NULL, 0, NULL},
};

int nest_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
