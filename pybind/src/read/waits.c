/* waits.c - who waited for whom in MPI, of a table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include <scope/waits.h>

#include "fields.h"
#include "table.h"

#define FIELD(row, name, kind) {#name, kind, offsetof(row, name), 0}
#define SUM(row, name, kind) {#name, kind, offsetof(row, sum) + offsetof(scope_wait_sum, name), 0}
#define SUM_FIELDS(row)                                                                            \
    SUM(row, count, FIELD_I64), SUM(row, total_ns, FIELD_I64), SUM(row, maximum_ns, FIELD_I64),    \
        SUM(row, bound_ns, FIELD_I64), SUM(row, short_count, FIELD_I64),                           \
        SUM(row, short_ns, FIELD_I64), SUM(row, unknown_count, FIELD_I64),                         \
        SUM(row, unknown_ns, FIELD_I64)
#define FIELDS_END {NULL, FIELD_END, 0, 0}

typedef struct all_row { /* a sum where the others have one */
    scope_wait_sum sum;
} all_row;

static const row_field total_fields[] = {SUM_FIELDS(all_row), FIELDS_END};

static const row_field call_fields[] = {
    FIELD(scope_wait_call_row, rank, FIELD_I32),
    FIELD(scope_wait_call_row, call, FIELD_U32),
    FIELD(scope_wait_call_row, kind, FIELD_I32),
    SUM_FIELDS(scope_wait_call_row),
    FIELDS_END,
};

static const row_field region_fields[] = {
    FIELD(scope_wait_region_row, rank, FIELD_I32),
    FIELD(scope_wait_region_row, region, FIELD_U32),
    SUM_FIELDS(scope_wait_region_row),
    FIELDS_END,
};

static const row_field cause_fields[] = {
    FIELD(scope_wait_cause_row, rank, FIELD_I32),
    FIELD(scope_wait_cause_row, region, FIELD_U32),
    FIELD(scope_wait_cause_row, total_ns, FIELD_I64),
    FIELDS_END,
};

static const row_field rank_fields[] = {
    FIELD(scope_wait_rank_row, rank, FIELD_I32),
    FIELD(scope_wait_rank_row, mpi_ns, FIELD_I64),
    FIELD(scope_wait_rank_row, span_ns, FIELD_I64),
    {"waited_ns", FIELD_I64,
     offsetof(scope_wait_rank_row, waited) + offsetof(scope_wait_sum, total_ns), 0},
    {"caused_ns", FIELD_I64,
     offsetof(scope_wait_rank_row, caused) + offsetof(scope_wait_sum, total_ns), 0},
    FIELDS_END,
};

static const row_field wait_fields[] = {
    FIELD(scope_wait, row, FIELD_U64),
    FIELD(scope_wait, late_row, FIELD_U64),
    FIELD(scope_wait, ns, FIELD_I64),
    FIELD(scope_wait, bound_ns, FIELD_I64),
    FIELD(scope_wait, rank, FIELD_I32),
    FIELD(scope_wait, late_rank, FIELD_I32),
    FIELD(scope_wait, call, FIELD_U32),
    FIELD(scope_wait, region, FIELD_U32),
    FIELD(scope_wait, kind, FIELD_I32),
    FIELDS_END,
};

/* {"numbers differ": 3}; without those that are 0. */
static PyObject *reasons_to(const int64_t *counts)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < SCOPE_UNMATCHED_REASONS; i++) {
        PyObject *count = counts[i] ? PyLong_FromLongLong(counts[i]) : NULL;
        if (counts[i] && (!count || PyDict_SetItemString(dict, scope_unmatched_name(i), count) < 0))
            Py_CLEAR(dict);
        Py_XDECREF(count);
    }
    return dict;
}

static PyObject *kinds_to(void)
{
    PyObject *list = PyList_New(SCOPE_WAIT_KINDS);
    for (int i = 0; list && i < SCOPE_WAIT_KINDS; i++) {
        PyObject *name = PyUnicode_FromString(scope_wait_kind_name(i));
        if (!name)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, name);
    }
    return list;
}

static PyObject *waits_to(const scope_waits *found, int each)
{
    const all_row total = {found->total};
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:L,s:L,s:L,s:L,s:L,s:N,s:N,s:N,s:N}", "kinds", kinds_to(),
        "total", fields_to_list(total_fields, &total, 1, sizeof total), "calls",
        fields_to_list(call_fields, found->calls, found->call_count, sizeof *found->calls),
        "regions",
        fields_to_list(region_fields, found->regions, found->region_count, sizeof *found->regions),
        "causes",
        fields_to_list(cause_fields, found->causes, found->cause_count, sizeof *found->causes),
        "ranks", fields_to_list(rank_fields, found->ranks, found->rank_count, sizeof *found->ranks),
        "sent_count", (long long)found->sent_count, "received_count",
        (long long)found->received_count, "collective_count", (long long)found->collective_count,
        "nonblocking_count", (long long)found->nonblocking_count, "unposted_count",
        (long long)found->unposted_count, "unmatched_sent", reasons_to(found->unmatched_sent),
        "unmatched_received", reasons_to(found->unmatched_received), "unmatched_collective",
        reasons_to(found->unmatched_collective), "rows",
        fields_to_list(wait_fields, found->rows, each ? found->count : 0, sizeof *found->rows));
}

static PyObject *waits(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"table", "each", NULL};
    PyObject *table;
    int each = 0;
    read_state *state = read_state_of(module);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$p:waits", keywords, &table, &each))
        return NULL;
    const scope_calls *calls = table_calls(state, table);
    scope_waits found;
    scope_status status;
    if (!calls)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = scope_waits_find(calls, &found);
    Py_END_ALLOW_THREADS
    if (status != SCOPE_OK)
        return raise_status(state, status, NULL);
    PyObject *result = waits_to(&found, each);
    scope_waits_free(&found);
    return result;
}

static PyMethodDef functions[] = {
    {"waits", (PyCFunction)(void (*)(void))waits, METH_VARARGS | METH_KEYWORDS,
     "Who waited for whom in MPI."},
    {NULL, NULL, 0, NULL},
};

int waits_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
