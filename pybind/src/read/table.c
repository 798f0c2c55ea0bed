/* table.c - see table.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <scope/check.h>

#include <stdlib.h>

#include "column.h"

/* ---- life ---- */

static PyObject *make(read_state *state, scope_calls *calls, scope_file *file)
{
    TableObject *self = (TableObject *)state->table_type->tp_alloc(state->table_type, 0);
    if (!self) {
        if (file)
            scope_file_close(file);
        else
            scope_calls_free(calls);
        return NULL;
    }
    self->calls = calls;
    self->file = file;
    return (PyObject *)self;
}

PyObject *table_take(read_state *state, scope_calls *calls)
{
    return make(state, calls, NULL);
}

PyObject *table_take_file(read_state *state, scope_file *file)
{
    /* the file owns its table and lets nobody change it; we change only what we add */
    return make(state, (scope_calls *)(void *)scope_file_calls(file), file);
}

const scope_calls *table_calls(read_state *state, PyObject *table)
{
    if (Py_IS_TYPE(table, state->table_type))
        return ((TableObject *)table)->calls;
    PyErr_Format(PyExc_TypeError, "a Table is wanted, not %.80s", Py_TYPE(table)->tp_name);
    return NULL;
}

scope_calls *table_overlay(const scope_calls *calls)
{
    scope_calls *copy;
    if (scope_calls_new(&copy) != SCOPE_OK)
        return NULL;
    struct scope_arena *arena = copy->arena;
    *copy = *calls;
    copy->arena = arena;
    copy->pairs = scope_calls_alloc(copy, calls->pair_count, sizeof *copy->pairs);
    if (!copy->pairs) {
        scope_calls_free(copy);
        return NULL;
    }
    if (calls->pair_count)
        memcpy(copy->pairs, calls->pairs, calls->pair_count * sizeof *copy->pairs);
    return copy;
}

/* `calls`, made from what the table shows now, takes its place. */
static int put_on_top(TableObject *self, scope_calls *calls)
{
    table_layer *layer = PyMem_Malloc(sizeof *layer);
    if (!layer) {
        scope_calls_free(calls);
        PyErr_NoMemory();
        return -1;
    }
    *layer = (table_layer){self->calls, self->below};
    self->below = layer;
    self->calls = calls;
    return 0;
}

static void table_dealloc(TableObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    for (table_layer *layer = self->below, *next; layer; layer = next) {
        scope_calls_free(self->calls);
        self->calls = layer->calls;
        next = layer->below;
        PyMem_Free(layer);
    }
    if (self->file)
        scope_file_close(self->file);
    else
        scope_calls_free(self->calls);
    free(self->exclusive);
    Py_XDECREF(self->base);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"parts", NULL};
    PyObject *parts;
    scope_calls *calls;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Table", keywords, &parts))
        return NULL;
    read_state *state = (read_state *)PyType_GetModuleState(type);
    if (scope_calls_new(&calls) != SCOPE_OK)
        return PyErr_NoMemory();
    if (parts_into(calls, parts) < 0) {
        scope_calls_free(calls);
        return NULL;
    }
    return table_take(state, calls);
}

/* ---- what it says ---- */

static Py_ssize_t table_length(TableObject *self)
{
    return (Py_ssize_t)self->calls->count;
}

static PyObject *table_parts(TableObject *self, PyObject *unused)
{
    (void)unused;
    return parts_of(read_state_of_object(self), self->calls, (PyObject *)self, NULL);
}

static PyObject *table_part(TableObject *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    return text ? parts_of(read_state_of_object(self), self->calls, (PyObject *)self, text) : NULL;
}

static PyObject *table_column_of(TableObject *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    if (!text)
        return NULL;
    const scope_field *column = column_find(text);
    if (!column)
        return PyErr_Format(PyExc_ValueError, "a table has no column '%.100s'", text);
    void *data = *scope_column_of(self->calls, column);
    if (!data && column->offset != offsetof(scope_calls, start_ns) &&
        column->offset != offsetof(scope_calls, duration_ns))
        Py_RETURN_NONE;
    return column_of(read_state_of_object(self), (PyObject *)self, data, self->calls->count,
                     column_format(column));
}

static PyObject *table_nests(TableObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->calls->call_ids != NULL);
}

static PyObject *table_is_aggregate(TableObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->calls->is_aggregate);
}

/* ---- nesting ---- */

static PyObject *table_nest(TableObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"first_call_id", NULL};
    long long first = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|L:nest", keywords, &first))
        return NULL;
    if (self->calls->is_aggregate)
        Py_RETURN_FALSE;
    const scope_calls *calls = self->calls;
    scope_calls *nested;
    scope_status status = SCOPE_ERR_MEMORY;
    Py_BEGIN_ALLOW_THREADS
    nested = table_overlay(calls);
    if (nested) {
        nested->call_ids = nested->parent_ids = NULL; /* new ones, in its own memory */
        status = scope_calls_nest(nested, first, NULL);
    }
    Py_END_ALLOW_THREADS
    if (status != SCOPE_OK && status != SCOPE_ERR_NESTING) {
        scope_calls_free(nested);
        return raise_status(read_state_of_object(self), status, NULL);
    }
    if (put_on_top(self, nested) < 0)
        return NULL;
    return PyBool_FromLong(status == SCOPE_OK);
}

static PyObject *table_nesting_error(TableObject *self, PyObject *number)
{
    const long rank = PyLong_AsLong(number);
    if (rank == -1 && PyErr_Occurred())
        return NULL;
    if (rank < 0 || rank >= self->calls->rank_count)
        return PyErr_Format(PyExc_ValueError, "the table has no rank %ld", rank);
    const scope_calls *calls = self->calls;
    uint64_t clash[2];
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_calls_clash(calls, (int32_t)rank, clash);
    Py_END_ALLOW_THREADS
    if (status == SCOPE_OK)
        return PyUnicode_FromString("");
    return status == SCOPE_ERR_NESTING ? nest_sentence(calls, clash)
                                       : raise_status(read_state_of_object(self), status, NULL);
}

static PyObject *table_exclusive(TableObject *self, PyObject *unused)
{
    (void)unused;
    read_state *state = read_state_of_object(self);
    if (!self->exclusive) {
        const scope_calls *calls = self->calls;
        int64_t *exclusive = NULL;
        uint64_t clash[2];
        scope_status status;
        Py_BEGIN_ALLOW_THREADS
        status = nest_exclusive(calls, &exclusive, clash);
        Py_END_ALLOW_THREADS
        if (status == SCOPE_ERR_NESTING)
            return raise_clash(state, clash[0], clash[1]);
        if (status != SCOPE_OK)
            return raise_status(state, status, NULL);
        if (self->exclusive) /* another thread was faster */
            free(exclusive);
        else
            self->exclusive = exclusive;
    }
    return column_of(state, (PyObject *)self, self->exclusive, self->calls->count, 'q');
}

/* ---- other tables from it ---- */

static PyObject *table_aggregate(TableObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"per_lane", NULL};
    int per_lane = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|p:aggregate", keywords, &per_lane))
        return NULL;
    read_state *state = read_state_of_object(self);
    const scope_calls *calls = self->calls;
    scope_calls *aggregate = NULL;
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_calls_aggregate(calls, per_lane, &aggregate);
    Py_END_ALLOW_THREADS
    return status == SCOPE_OK ? table_take(state, aggregate) : raise_status(state, status, NULL);
}

static PyObject *table_replace(TableObject *self, PyObject *args, PyObject *parts)
{
    if (!PyArg_ParseTuple(args, ":replace"))
        return NULL;
    scope_calls *calls = table_overlay(self->calls);
    if (!calls)
        return PyErr_NoMemory();
    if ((parts ? parts_into(calls, parts) : parts_check_and_sort(calls)) < 0) {
        scope_calls_free(calls);
        return NULL;
    }
    PyObject *table = table_take(read_state_of_object(self), calls);
    if (table)
        ((TableObject *)table)->base = Py_NewRef(self);
    return table;
}

/* ---- the type ---- */

static PyMethodDef table_methods[] = {
    {"parts", (PyCFunction)table_parts, METH_NOARGS, "The whole table as a dict."},
    {"part", (PyCFunction)table_part, METH_O, "One of parts() alone."},
    {"column", (PyCFunction)table_column_of, METH_O, "A column by name; None: not recorded."},
    {"nest", (PyCFunction)(void (*)(void))table_nest, METH_VARARGS | METH_KEYWORDS,
     "Compute call ids, exclusive totals and statistics; False: not all ranks' calls nest."},
    {"nesting_error", (PyCFunction)table_nesting_error, METH_O,
     "Which calls of a rank do not nest; '' when all do."},
    {"exclusive", (PyCFunction)table_exclusive, METH_NOARGS, "Exclusive ns of each row."},
    {"aggregate", (PyCFunction)(void (*)(void))table_aggregate, METH_VARARGS | METH_KEYWORDS,
     "The same run as counts and sums."},
    {"replace", (PyCFunction)(void (*)(void))table_replace, METH_VARARGS | METH_KEYWORDS,
     "A new table with these parts in place of its own."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_properties[] = {
    {"nests", (getter)table_nests, NULL, "It has call ids.", NULL},
    {"is_aggregate", (getter)table_is_aggregate, NULL, "It has sums instead of rows.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_sq_length, table_length},
    {Py_tp_methods, table_methods},
    {Py_tp_getset, table_properties},
    {Py_tp_doc, "A call table: Table(parts)."},
    {0, NULL},
};

static PyType_Spec table_spec = {
    .name = "scope_profiler._read.Table",
    .basicsize = sizeof(TableObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = table_slots,
};

int table_add(PyObject *module)
{
    read_state *state = read_state_of(module);
    state->table_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &table_spec, NULL);
    return state->table_type ? PyModule_AddType(module, state->table_type) : -1;
}
