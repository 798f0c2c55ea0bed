/* waits.c - who waited for whom in MPI, of a table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/waits.h>

#include "fields.h"
#include "table.h"

#define SUM(row, member)                                                                           \
    {                                                                                              \
        #member, SCOPE_CELL_I64, SCOPE_IS_PLAIN, offsetof(row, sum.member), 0                      \
    }
#define SUM_FIELDS(row)                                                                            \
    SUM(row, count), SUM(row, total_ns), SUM(row, maximum_ns), SUM(row, bound_ns),                 \
        SUM(row, short_count), SUM(row, short_ns), SUM(row, unknown_count), SUM(row, unknown_ns)

typedef struct all_row { /* a sum where the others have one */
    scope_wait_sum sum;
} all_row;

static const scope_field total_fields[] = {SUM_FIELDS(all_row)};
static const scope_row_kind total_kind = SCOPE_ROW_KIND("", all_row, total_fields);

static const scope_field call_fields[] = {
    SCOPE_FIELD_SHOWN(scope_wait_call_row, rank),
    SCOPE_FIELD_SHOWN(scope_wait_call_row, call),
    SCOPE_FIELD_SHOWN(scope_wait_call_row, kind),
    SUM_FIELDS(scope_wait_call_row),
};
static const scope_row_kind call_kind = SCOPE_ROW_KIND("", scope_wait_call_row, call_fields);

static const scope_field region_fields[] = {
    SCOPE_FIELD_SHOWN(scope_wait_region_row, rank),
    SCOPE_FIELD_SHOWN(scope_wait_region_row, region),
    SUM_FIELDS(scope_wait_region_row),
};
static const scope_row_kind region_kind = SCOPE_ROW_KIND("", scope_wait_region_row, region_fields);

static const scope_field cause_fields[] = {
    SCOPE_FIELD_SHOWN(scope_wait_cause_row, rank),
    SCOPE_FIELD_SHOWN(scope_wait_cause_row, region),
    SCOPE_FIELD_SHOWN(scope_wait_cause_row, total_ns),
};
static const scope_row_kind cause_kind = SCOPE_ROW_KIND("", scope_wait_cause_row, cause_fields);

static const scope_field rank_fields[] = {
    SCOPE_FIELD_SHOWN(scope_wait_rank_row, rank),
    SCOPE_FIELD_SHOWN(scope_wait_rank_row, mpi_ns),
    SCOPE_FIELD_SHOWN(scope_wait_rank_row, span_ns),
    {"waited_ns", SCOPE_CELL_I64, SCOPE_IS_PLAIN,
     offsetof(scope_wait_rank_row, waited.total_ns), 0},
    {"caused_ns", SCOPE_CELL_I64, SCOPE_IS_PLAIN,
     offsetof(scope_wait_rank_row, caused.total_ns), 0},
};
static const scope_row_kind rank_kind = SCOPE_ROW_KIND("", scope_wait_rank_row, rank_fields);

static const scope_field wait_fields[] = {
    SCOPE_FIELD_SHOWN(scope_wait, row),
    SCOPE_FIELD_SHOWN(scope_wait, late_row),
    SCOPE_FIELD_SHOWN(scope_wait, ns),
    SCOPE_FIELD_SHOWN(scope_wait, bound_ns),
    SCOPE_FIELD_SHOWN(scope_wait, rank),
    SCOPE_FIELD_SHOWN(scope_wait, late_rank),
    SCOPE_FIELD_SHOWN(scope_wait, call),
    SCOPE_FIELD_SHOWN(scope_wait, region),
    SCOPE_FIELD_SHOWN(scope_wait, kind),
};
static const scope_row_kind wait_kind = SCOPE_ROW_KIND("", scope_wait, wait_fields);

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
        "total", fields_to_list(&total_kind, &total, 1), "calls",
        fields_to_list(&call_kind, found->calls, found->call_count),
        "regions",
        fields_to_list(&region_kind, found->regions, found->region_count),
        "causes",
        fields_to_list(&cause_kind, found->causes, found->cause_count),
        "ranks", fields_to_list(&rank_kind, found->ranks, found->rank_count),
        "sent_count", (long long)found->sent_count, "received_count",
        (long long)found->received_count, "collective_count", (long long)found->collective_count,
        "nonblocking_count", (long long)found->nonblocking_count, "unposted_count",
        (long long)found->unposted_count, "unmatched_sent", reasons_to(found->unmatched_sent),
        "unmatched_received", reasons_to(found->unmatched_received), "unmatched_collective",
        reasons_to(found->unmatched_collective), "rows",
        fields_to_list(&wait_kind, found->rows, each ? found->count : 0));
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
