/* merge.c - tables of several ranks or runs as one, on one clock.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "table.h"

static PyObject *raise_collision(scope_calls *const *parts, size_t count)
{
    scope_collision clash = {0};
    scope_calls_distinct(parts, count, &clash);
    return PyErr_Format(PyExc_ValueError,
                        "tables %zu and %zu both have rows of rank %d: they are two runs, or one "
                        "given twice", clash.first, clash.second, (int)clash.rank);
}

static PyObject *merge(PyObject *module, PyObject *tables)
{
    read_state *state = read_state_of(module);
    PyObject *items = PySequence_Tuple(tables); /* ours alone: it keeps them without the GIL */
    if (!items)
        return NULL;
    const size_t count = (size_t)PyTuple_GET_SIZE(items);
    PyObject *result = NULL;
    scope_calls *merged = NULL, **parts = calloc(count + 1, sizeof *parts);
    if (!parts) {
        PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const scope_calls *calls = table_calls(state, PyTuple_GET_ITEM(items, (Py_ssize_t)i));
        if (!calls)
            goto done;
        parts[i] = (scope_calls *)calls; /* merging reads them only */
    }
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_calls_merge(parts, count, &merged);
    Py_END_ALLOW_THREADS
    if (status == SCOPE_ERR_ARGUMENT)
        raise_collision(parts, count);
    else
        result = status == SCOPE_OK ? table_take(state, merged) : raise_status(state, status, NULL);
done:
    free(parts);
    Py_DECREF(items);
    return result;
}

static void set_rank(int32_t *rank, void *to)
{
    *rank = *(const int32_t *)to;
}

static PyObject *as_rank(PyObject *module, PyObject *arguments)
{
    read_state *state = read_state_of(module);
    PyObject *table;
    int rank, rank_count;
    long long offset_ns, at_ns, bound_ns;
    double drift;
    if (!PyArg_ParseTuple(arguments, "Oii(LdLL):place", &table, &rank, &rank_count, &offset_ns,
                          &drift, &at_ns, &bound_ns))
        return NULL;
    scope_calls *calls = (scope_calls *)table_calls(state, table), *placed = NULL;
    if (!calls)
        return NULL;
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_calls_merge(&calls, 1, &placed); /* a copy */
    if (status == SCOPE_OK) {
        scope_calls_map_clock(placed, offset_ns, drift, at_ns);
        scope_calls_each_rank(placed, set_rank, &rank);
        placed->rank_count = rank_count;
        for (size_t i = 0; i < placed->rank_row_count; i++) {
            placed->ranks[i].offset_ns = offset_ns;
            placed->ranks[i].drift = drift;
            placed->ranks[i].at_ns = at_ns;
            placed->ranks[i].bound_ns = bound_ns;
        }
    }
    Py_END_ALLOW_THREADS
    return status == SCOPE_OK ? table_take(state, placed) : raise_status(state, status, NULL);
}

static PyMethodDef functions[] = {
    {"merge", merge, METH_O, "One table of several; ValueError: two have rows of one rank."},
    {"place", as_rank, METH_VARARGS, "A copy of a one-rank table as this rank's, on rank 0's clock."},
    {NULL, NULL, 0, NULL},
};

int merge_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
