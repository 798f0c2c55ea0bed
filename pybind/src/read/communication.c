/* communication.c - who moved how much to whom, of a table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include <scope/communication.h>

#include "fields.h"
#include "table.h"

#define FIELD(row, name, kind) {#name, kind, offsetof(row, name), 0}
#define FIELDS_END {NULL, FIELD_END, 0, 0}

static const row_field function_fields[] = {
    FIELD(scope_function_row, rank, FIELD_I32),
    FIELD(scope_function_row, communicator, FIELD_I32),
    FIELD(scope_function_row, region, FIELD_U32),
    FIELD(scope_function_row, kind, FIELD_I32),
    FIELD(scope_function_row, call_count, FIELD_I64),
    FIELD(scope_function_row, message_count, FIELD_I64),
    FIELD(scope_function_row, bytes, FIELD_I64),
    FIELD(scope_function_row, total_ns, FIELD_I64),
    FIELDS_END,
};

static const row_field peer_fields[] = {
    FIELD(scope_peer_row, rank, FIELD_I32),
    FIELD(scope_peer_row, communicator, FIELD_I32),
    FIELD(scope_peer_row, kind, FIELD_I32),
    FIELD(scope_peer_row, peer, FIELD_I32),
    FIELD(scope_peer_row, size_class, FIELD_I32),
    FIELD(scope_peer_row, message_count, FIELD_I64),
    FIELD(scope_peer_row, bytes, FIELD_I64),
    FIELDS_END,
};

static const row_field untold_fields[] = {
    FIELD(scope_untold_row, rank, FIELD_I32),
    FIELD(scope_untold_row, call_count, FIELD_I64),
    FIELD(scope_untold_row, bytes, FIELD_I64),
    FIELD(scope_untold_row, lost_count, FIELD_I64),
    FIELDS_END,
};

static PyObject *joined_to(const scope_joined_communicators *joined, size_t number)
{
    const scope_joined_communicator *row = &joined->rows[number];
    PyObject *name = text_of(row->name), *dict = NULL;
    PyObject *ranks = PyList_New((Py_ssize_t)row->count);
    for (size_t i = 0; ranks && i < row->count; i++) {
        PyObject *rank = PyLong_FromLong(joined->ranks[row->first + i]);
        if (!rank)
            Py_CLEAR(ranks);
        else
            PyList_SET_ITEM(ranks, (Py_ssize_t)i, rank);
    }
    if (name && ranks)
        dict = Py_BuildValue("{s:O,s:i,s:i,s:i,s:L,s:O}", "name", name, "size", (int)row->size,
                             "parent", (int)row->parent, "serial", (int)row->serial, "members",
                             (long long)row->members, "ranks", ranks);
    Py_XDECREF(name);
    Py_XDECREF(ranks);
    return dict;
}

static PyObject *all_joined_to(const scope_joined_communicators *joined)
{
    PyObject *list = PyList_New((Py_ssize_t)joined->count);
    for (size_t i = 0; list && i < joined->count; i++) {
        PyObject *row = joined_to(joined, i);
        if (!row)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, row);
    }
    return list;
}

/* Rows of the table's communicators become those of the joined ones. */
static void renumber(scope_communication *list, const scope_joined_communicators *joined)
{
    for (size_t i = 0; i < list->function_count; i++)
        if (list->functions[i].communicator >= 0)
            list->functions[i].communicator = joined->of_row[list->functions[i].communicator];
    for (size_t i = 0; i < list->peer_count; i++)
        if (list->peers[i].communicator >= 0)
            list->peers[i].communicator = joined->of_row[list->peers[i].communicator];
}

static PyObject *communication(PyObject *module, PyObject *table)
{
    read_state *state = read_state_of(module);
    const scope_calls *calls = table_calls(state, table);
    scope_communication list = {0};
    scope_joined_communicators joined = {0};
    scope_status status;
    if (!calls)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = scope_communication_list(calls, &list);
    if (status == SCOPE_OK)
        status = scope_communicators_join(calls, &joined);
    if (status == SCOPE_OK)
        renumber(&list, &joined);
    Py_END_ALLOW_THREADS
    PyObject *result = NULL;
    if (status != SCOPE_OK)
        raise_status(state, status, NULL);
    else
        result = Py_BuildValue("{s:N,s:N,s:N,s:N}", "communicators", all_joined_to(&joined),
                               "functions",
                               fields_to_list(function_fields, list.functions, list.function_count,
                                              sizeof *list.functions),
                               "peers",
                               fields_to_list(peer_fields, list.peers, list.peer_count,
                                              sizeof *list.peers),
                               "untold",
                               fields_to_list(untold_fields, list.untold, list.untold_count,
                                              sizeof *list.untold));
    scope_communicators_free(&joined);
    scope_communication_free(&list);
    return result;
}

static PyMethodDef functions[] = {
    {"communication", communication, METH_O, "Messages by function and by peer; communicators."},
    {NULL, NULL, 0, NULL},
};

int communication_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
