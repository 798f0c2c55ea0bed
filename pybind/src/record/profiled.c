/* profiled.c - the Profiled type: a plain function whose every call is a region's.
 *
 * It behaves as the function: what it does not have itself is the function's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compat.h"
#include "handle.h"
#include "stack.h"

#include <stddef.h>

typedef struct ProfiledObject {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *function, *resolve;
    module_state *state;
    bound_region bound;
    PyObject *dict; /* __wrapped__, __name__ ... as functools.wraps() leaves it */
    PyObject *weakrefs;
} ProfiledObject;

/* ---- call ---- */

/* The region's class overrides __enter__ or __exit__: what `with` does, but that a true
 * __exit__ does not silence the exception: the call has no other result. */
static PyObject *call_within(RegionObject *region, PyObject *function, PyObject *const *args,
                             size_t count, PyObject *keywords)
{
    PyObject *entered = region_enter(region);
    PyObject *three[3] = {NULL, NULL, NULL}, *none[3] = {Py_None, Py_None, Py_None};
    if (!entered)
        return NULL;
    Py_DECREF(entered);
    PyObject *result = compat_call(function, args, count, keywords);
    if (!result) {
        PyErr_Fetch(&three[0], &three[1], &three[2]);
        PyErr_NormalizeException(&three[0], &three[1], &three[2]);
        for (int i = 0; i < 3; i++)
            none[i] = three[i] ? three[i] : Py_None;
    }
    PyObject *left = region_exit(region, none);
    if (three[0] && left)
        PyErr_Restore(three[0], three[1], three[2]);
    else
        for (int i = 0; i < 3; i++)
            Py_XDECREF(three[i]);
    if (!left)
        Py_CLEAR(result);
    Py_XDECREF(left);
    return result;
}

static PyObject *call(PyObject *op, PyObject *const *args, size_t count, PyObject *keywords)
{
    ProfiledObject *self = (ProfiledObject *)op;
    if (bound_region_refresh(&self->bound, self->state, self->resolve) < 0)
        return NULL;
    PyObject *function = self->function;
    RegionObject *region = self->bound.region;
    if (!function) {
        PyErr_SetString(PyExc_ReferenceError, "the wrapped function is gone");
        return NULL;
    }
    if (stack_is_low()) {
        PyErr_SetString(PyExc_RecursionError,
                        "maximum recursion depth exceeded: no room on the C stack");
        return NULL;
    }
    if (!region)
        return compat_call(function, args, count, keywords);
    Py_INCREF(region); /* a rebind() inside the call may drop it */
    PyObject *result;
    if (region->is_plain) {
        region_begin(region);
        result = compat_call(function, args, count, keywords);
        region_end(region);
    } else {
        result = call_within(region, function, args, count, keywords);
    }
    Py_DECREF(region);
    return result;
}

static PyObject *bind(PyObject *op, PyObject *instance, PyObject *Py_UNUSED(type))
{
    return !instance || instance == Py_None ? Py_NewRef(op) : PyMethod_New(op, instance);
}

/* ---- as the function ---- */

static PyObject *attribute(PyObject *op, PyObject *name)
{
    const ProfiledObject *self = (ProfiledObject *)op;
    PyObject *value = PyObject_GenericGetAttr(op, name);
    if (value || !self->function || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyErr_Clear();
    return PyObject_GetAttr(self->function, name);
}

static PyObject *repr(PyObject *op)
{
    PyObject *name = PyObject_GetAttrString(op, "__qualname__");
    if (!name)
        return NULL;
    PyObject *text = PyUnicode_FromFormat("<function %S at %p>", name, op);
    Py_DECREF(name);
    return text;
}

/* Pickled as a function is: by its module and qualified name. */
static PyObject *reduce(PyObject *op, PyObject *Py_UNUSED(none))
{
    return PyObject_GetAttrString(op, "__qualname__");
}

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(ProfiledObject, vectorcall), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(ProfiledObject, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ProfiledObject, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- life ---- */

/* As functools.update_wrapper(): attributes that our type has too, the function's own
 * dict, and __wrapped__. */
static int take_attributes(ProfiledObject *self)
{
    static const char *const names[] = {"__module__", "__name__", "__qualname__", "__doc__"};
    if (!(self->dict = PyDict_New()))
        return -1;
    PyObject *own = PyObject_GetAttrString(self->function, "__dict__");
    if (!own)
        PyErr_Clear();
    const int failed = own && PyDict_Update(self->dict, own) < 0;
    Py_XDECREF(own);
    if (failed)
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        PyObject *value = PyObject_GetAttrString(self->function, names[i]);
        if (!value) {
            PyErr_Clear();
            continue;
        }
        const int set = PyDict_SetItemString(self->dict, names[i], value);
        Py_DECREF(value);
        if (set < 0)
            return -1;
    }
    return PyDict_SetItemString(self->dict, "__wrapped__", self->function);
}

static PyObject *new_profiled(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"function", "resolve", NULL};
    PyObject *function, *resolve;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:Profiled", keywords, &function, &resolve))
        return NULL;
    if (!PyCallable_Check(function))
        return PyErr_Format(PyExc_TypeError, "%R is not callable", function);
    ProfiledObject *self = (ProfiledObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->vectorcall = call;
    self->function = Py_NewRef(function);
    self->resolve = Py_NewRef(resolve);
    self->state = record_state_of(type);
    if (take_attributes(self) < 0)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int traverse(PyObject *op, visitproc visit, void *arg)
{
    ProfiledObject *self = (ProfiledObject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->function);
    Py_VISIT(self->resolve);
    Py_VISIT(self->bound.region);
    Py_VISIT(self->dict);
    return 0;
}

static int clear(PyObject *op)
{
    ProfiledObject *self = (ProfiledObject *)op;
    Py_CLEAR(self->function);
    Py_CLEAR(self->resolve);
    Py_CLEAR(self->bound.region);
    Py_CLEAR(self->dict);
    return 0;
}

static void dealloc(PyObject *op)
{
    ProfiledObject *self = (ProfiledObject *)op;
    record_dealloc_begin(op, self->weakrefs);
    clear(op);
    record_dealloc_end(op);
}

static PyType_Slot slots[] = {
    {Py_tp_new, new_profiled},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, bind},
    {Py_tp_getattro, attribute},
    {Py_tp_setattro, PyObject_GenericSetAttr},
    {Py_tp_repr, repr},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record.Profiled",
    .basicsize = sizeof(ProfiledObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
             Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

int profiled_add(PyObject *module)
{
    return record_add_type(module, &spec, &record_state(module)->profiled_type);
}
