/* column.c - see column.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "column.h"

#include <stdlib.h>

typedef struct ColumnObject {
    PyObject_HEAD
    PyObject *owner; /* keeps `data` alive; NULL: data is ours */
    void *data;
    Py_ssize_t count, cell_bytes;
    char format[2];
} ColumnObject;

static PyObject *make(read_state *state, PyObject *owner, void *data, uint64_t count, char format)
{
    const size_t cell_bytes = column_cell_bytes(format);
    if (count > (uint64_t)PY_SSIZE_T_MAX / cell_bytes)
        return PyErr_NoMemory();
    ColumnObject *self = (ColumnObject *)state->column_type->tp_alloc(state->column_type, 0);
    if (!self)
        return NULL;
    self->owner = Py_XNewRef(owner);
    self->data = data;
    self->count = (Py_ssize_t)count;
    self->cell_bytes = (Py_ssize_t)cell_bytes;
    self->format[0] = format;
    return (PyObject *)self;
}

const scope_field *column_find(const char *name)
{
    for (size_t i = 0; i < SCOPE_CALL_COLUMNS; i++)
        if (strcmp(scope_call_columns[i].name, name) == 0)
            return &scope_call_columns[i];
    return NULL;
}

PyObject *column_of(read_state *state, PyObject *owner, const void *data, uint64_t count,
                    char format)
{
    return make(state, owner, (void *)data, count, format);
}

PyObject *column_take(read_state *state, void *data, uint64_t count, char format)
{
    PyObject *column = make(state, NULL, data, count, format);
    if (!column)
        free(data);
    return column;
}

/* The letters of one size: which of them is int64 depends on the platform and the maker. */
static int format_fits(const char *given, char format)
{
    if (!given)
        return format == 'B';
    if (*given == '@' || *given == '=' || *given == '<') /* little-endian is ours */
        given++;
    const char *letters = format == 'q' ? "ql" : format == 'i' ? "il" : "B?b";
    return *given && strchr(letters, *given) && !given[1];
}

int column_buffer(PyObject *from, char format, const char *what, Py_buffer *view)
{
    if (PyObject_GetBuffer(from, view, PyBUF_FORMAT | PyBUF_ND | PyBUF_C_CONTIGUOUS) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_MemoryError))
            PyErr_Format(PyExc_TypeError, "%s must be a contiguous buffer of %s", what,
                         format == 'q' ? "int64" : format == 'i' ? "int32" : "uint8");
        return -1;
    }
    if (view->ndim == 1 && (size_t)view->itemsize == column_cell_bytes(format) &&
        format_fits(view->format, format))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s must be a one-dimensional buffer of %s, not %d-dimensional '%s'",
                 what, format == 'q' ? "int64" : format == 'i' ? "int32" : "uint8", view->ndim,
                 view->format ? view->format : "B");
    PyBuffer_Release(view);
    return -1;
}

static void column_dealloc(ColumnObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->owner)
        Py_DECREF(self->owner);
    else
        free(self->data);
    type->tp_free(self);
    Py_DECREF(type);
}

static int column_get_buffer(ColumnObject *self, Py_buffer *view, int flags)
{
    static int64_t nothing;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a column is read-only");
        view->obj = NULL;
        return -1;
    }
    *view = (Py_buffer){.buf = self->data ? self->data : &nothing,
                        .obj = Py_NewRef(self),
                        .len = self->count * self->cell_bytes,
                        .itemsize = self->cell_bytes,
                        .readonly = 1,
                        .ndim = 1,
                        .format = flags & PyBUF_FORMAT ? self->format : NULL,
                        .shape = flags & PyBUF_ND ? &self->count : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &self->cell_bytes
                                                                            : NULL};
    return 0;
}

static Py_ssize_t column_length(ColumnObject *self)
{
    return self->count;
}

static PyType_Slot column_slots[] = {
    {Py_tp_dealloc, column_dealloc},
    {Py_sq_length, column_length},
    {Py_bf_getbuffer, column_get_buffer},
    {Py_tp_doc, "A one-dimensional array of int64, int32 or uint8; read-only."},
    {0, NULL},
};

static PyType_Spec column_spec = {
    .name = "scope_profiler._read.Column",
    .basicsize = sizeof(ColumnObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = column_slots,
};

int column_add(PyObject *module)
{
    read_state *state = read_state_of(module);
    state->column_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &column_spec, NULL);
    return state->column_type ? PyModule_AddType(module, state->column_type) : -1;
}
