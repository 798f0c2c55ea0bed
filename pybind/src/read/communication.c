/* communication.c - who moved how much to whom, of a table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/communication.h>

#include "fields.h"
#include "table.h"

static const scope_field function_fields[] = {
    SCOPE_FIELD_SHOWN(scope_function_row, rank),
    SCOPE_FIELD_SHOWN(scope_function_row, communicator),
    SCOPE_FIELD_SHOWN(scope_function_row, region),
    SCOPE_FIELD_SHOWN(scope_function_row, kind),
    SCOPE_FIELD_SHOWN(scope_function_row, call_count),
    SCOPE_FIELD_SHOWN(scope_function_row, message_count),
    SCOPE_FIELD_SHOWN(scope_function_row, bytes),
    SCOPE_FIELD_SHOWN(scope_function_row, total_ns),
};
static const scope_row_kind function_kind = SCOPE_ROW_KIND("", scope_function_row, function_fields);

static const scope_field peer_fields[] = {
    SCOPE_FIELD_SHOWN(scope_peer_row, rank),
    SCOPE_FIELD_SHOWN(scope_peer_row, communicator),
    SCOPE_FIELD_SHOWN(scope_peer_row, kind),
    SCOPE_FIELD_SHOWN(scope_peer_row, peer),
    SCOPE_FIELD_SHOWN(scope_peer_row, size_class),
    SCOPE_FIELD_SHOWN(scope_peer_row, message_count),
    SCOPE_FIELD_SHOWN(scope_peer_row, bytes),
};
static const scope_row_kind peer_kind = SCOPE_ROW_KIND("", scope_peer_row, peer_fields);

static const scope_field untold_fields[] = {
    SCOPE_FIELD_SHOWN(scope_untold_row, rank),
    SCOPE_FIELD_SHOWN(scope_untold_row, call_count),
    SCOPE_FIELD_SHOWN(scope_untold_row, bytes),
    SCOPE_FIELD_SHOWN(scope_untold_row, lost_count),
};
static const scope_row_kind untold_kind = SCOPE_ROW_KIND("", scope_untold_row, untold_fields);

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
                               fields_to_list(&function_kind, list.functions, list.function_count),
                               "peers",
                               fields_to_list(&peer_kind, list.peers, list.peer_count),
                               "untold",
                               fields_to_list(&untold_kind, list.untold, list.untold_count));
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
