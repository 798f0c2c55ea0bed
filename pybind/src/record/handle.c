/* handle.c - the Handle type: a region by name that survives sessions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "handle.h"

#include <stddef.h>

#include "compat.h"
#include "entered.h"
#include "method.h"

typedef struct HandleObject {
    PyObject_HEAD
    PyObject *enter, *leave; /* bound builtins (method.h) */
    PyObject *name, *resolve;
    module_state *state;
    bound_region bound;
    entered entered;
    PyObject *weakrefs;
} HandleObject;

/* ---- bound_region, for Profiled too ---- */

int bound_region_resolve(bound_region *self, module_state *state, PyObject *resolve)
{
    const uint64_t binding = state->binding; /* of before: resolve may rebind() */
    if (!resolve || !state->region_type)
        return 0; /* cleared: what it had, it keeps */
    PyObject *keep = Py_NewRef(resolve);
    PyObject *found = PyObject_CallNoArgs(resolve);
    Py_DECREF(keep);
    if (!found)
        return -1;
    if (found != Py_None &&
        (!state->region_type || !PyObject_TypeCheck(found, state->region_type))) {
        PyErr_Format(PyExc_TypeError, "resolve() must return a Region or None, not %s",
                     Py_TYPE(found)->tp_name);
        Py_DECREF(found);
        return -1;
    }
    if (found == Py_None)
        Py_CLEAR(found);
    RegionObject *before = self->region;
    self->region = (RegionObject *)found;
    self->binding = binding;
    Py_XDECREF((PyObject *)before);
    return 0;
}

/* ---- with ---- */

static PyObject *enter(PyObject *op, PyObject *Py_UNUSED(none))
{
    HandleObject *self = (HandleObject *)op;
    if (bound_region_refresh(&self->bound, self->state, self->resolve) < 0)
        return NULL;
    RegionObject *region = self->bound.region;
    if (!region) {
        PyErr_Format(PyExc_RuntimeError, "no region for %R", self->name);
        return NULL;
    }
    Py_INCREF(region); /* what follows may run code that binds anew */
    PyObject *result = NULL, *context = compat_context();
    if (context && entered_push(&self->entered, context, region) < 0)
        PyErr_NoMemory();
    else if (context && !(result = region_enter(region)))
        Py_XDECREF((PyObject *)entered_pop(&self->entered, context));
    Py_DECREF(region);
    return result;
}

static PyObject *leave(PyObject *op, PyObject *const *args, Py_ssize_t count)
{
    HandleObject *self = (HandleObject *)op;
    PyObject *const none[3] = {Py_None, Py_None, Py_None};
    PyObject *context = compat_context();
    RegionObject *region = context ? entered_pop(&self->entered, context) : NULL;
    if (!context)
        return NULL;
    if (!region)
        Py_RETURN_NONE;
    PyObject *result = region_exit(region, count == 3 ? args : none);
    Py_DECREF(region);
    return result;
}

static PyMethodDef enter_definition = {
    "__enter__", enter, METH_NOARGS,
    "__enter__($self, /)\n--\n\nA call of the region of that name begins; returns it."};
static PyMethodDef leave_definition = {
    "__exit__", (PyCFunction)(void (*)(void))leave, METH_FASTCALL,
    "__exit__($self, kind=None, value=None, traceback=None, /)\n--\n\n"
    "The call that this context entered ends; an exception goes on."};

/* ---- life ---- */

static PyObject *repr(PyObject *op)
{
    return PyUnicode_FromFormat("<%s %R>", _PyType_Name(Py_TYPE(op)), ((HandleObject *)op)->name);
}

static PyObject *new_handle(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"name", "resolve", NULL};
    PyObject *name, *resolve;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UO:Handle", keywords, &name, &resolve))
        return NULL;
    HandleObject *self = (HandleObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->name = Py_NewRef(name);
    self->resolve = Py_NewRef(resolve);
    self->state = record_state_of(type);
    return (PyObject *)self;
}

static int traverse(PyObject *op, visitproc visit, void *arg)
{
    HandleObject *self = (HandleObject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->enter);
    Py_VISIT(self->leave);
    Py_VISIT(self->resolve);
    Py_VISIT(self->bound.region);
    return entered_traverse(&self->entered, visit, arg);
}

static int clear(PyObject *op)
{
    HandleObject *self = (HandleObject *)op;
    Py_CLEAR(self->enter);
    Py_CLEAR(self->leave);
    Py_CLEAR(self->resolve);
    Py_CLEAR(self->bound.region);
    entered_clear(&self->entered);
    return 0;
}

static void dealloc(PyObject *op)
{
    HandleObject *self = (HandleObject *)op;
    record_dealloc_begin(op, self->weakrefs);
    clear(op);
    Py_CLEAR(self->name);
    record_dealloc_end(op);
}

static PyMemberDef members[] = {
    {"name", T_OBJECT, offsetof(HandleObject, name), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(HandleObject, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Handle(name, resolve)\n--\n\n"
                "A region by name: asks `resolve` for it at the first entry after rebind()."},
    {Py_tp_new, new_handle},
    {Py_tp_repr, repr},
    {Py_tp_members, members},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record.Handle",
    .basicsize = sizeof(HandleObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

int handle_add(PyObject *module)
{
    module_state *state = record_state(module);
    if (record_add_type(module, &spec, &state->handle_type) < 0)
        return -1;
    if (method_install(module, state->handle_type, &enter_definition, offsetof(HandleObject, enter),
                       NULL) < 0)
        return -1;
    return method_install(module, state->handle_type, &leave_definition,
                          offsetof(HandleObject, leave), NULL);
}
