/* method.c - __enter__ and __exit__ that cost no allocation in a `with`.
 *
 * SPDX-License-Identifier: MIT
 */
#include "method.h"

typedef struct MethodObject {
    PyObject_HEAD
    PyTypeObject *owner;
    PyTypeObject *seen; /* the last type that was found to be a subtype of owner */
    PyMethodDef *definition;
    PyObject *plain; /* PyDescr_NewMethod(owner, definition) */
    Py_ssize_t offset_bytes;
} MethodObject;

static int check_instance(MethodObject *self, PyObject *instance)
{
    if (!self->owner || !PyObject_TypeCheck(instance, self->owner)) {
        PyErr_Format(PyExc_TypeError, "descriptor '%s' does not apply to a '%s' object",
                     self->definition->ml_name, Py_TYPE(instance)->tp_name);
        return -1;
    }
    PyTypeObject *before = self->seen;
    self->seen = (PyTypeObject *)Py_NewRef(Py_TYPE(instance));
    Py_XDECREF(before);
    return 0;
}

static PyObject *method_get(PyObject *op, PyObject *instance, PyObject *Py_UNUSED(type))
{
    MethodObject *self = (MethodObject *)op;
    if (!instance || instance == Py_None)
        return self->plain ? Py_NewRef(self->plain) : Py_NewRef(op);
    if (Py_TYPE(instance) != self->seen && check_instance(self, instance) < 0)
        return NULL;
    PyObject **kept = (PyObject **)((char *)instance + self->offset_bytes);
    if (!*kept) {
        PyObject *bound = PyCFunction_New(self->definition, instance);
        if (!bound || *kept) /* making it may have run code that made it first */
            return bound;
        *kept = bound;
    }
    return Py_NewRef(*kept);
}

/* As PyMethodDescr has it, for who reads the type's __dict__. */
static PyObject *method_attribute(PyObject *op, PyObject *name)
{
    const MethodObject *self = (MethodObject *)op;
    PyObject *value = PyObject_GenericGetAttr(op, name);
    if (value || !self->plain || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyErr_Clear();
    return PyObject_GetAttr(self->plain, name);
}

static PyObject *method_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    const MethodObject *self = (MethodObject *)op;
    if (self->plain)
        return PyObject_Call(self->plain, args, kwargs);
    PyErr_SetString(PyExc_RuntimeError, "the interpreter is shutting down");
    return NULL;
}

static int method_traverse(PyObject *op, visitproc visit, void *arg)
{
    MethodObject *self = (MethodObject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->owner);
    Py_VISIT(self->seen);
    Py_VISIT(self->plain);
    return 0;
}

static int method_clear(PyObject *op)
{
    MethodObject *self = (MethodObject *)op;
    Py_CLEAR(self->owner);
    Py_CLEAR(self->seen);
    Py_CLEAR(self->plain);
    return 0;
}

static void method_dealloc(PyObject *op)
{
    record_dealloc_begin(op, NULL);
    method_clear(op);
    record_dealloc_end(op);
}

int method_install(PyObject *module, PyTypeObject *type, PyMethodDef *definition,
                   Py_ssize_t offset_bytes, PyObject **plain)
{
    PyTypeObject *method_type = record_state(module)->method_type;
    MethodObject *self = (MethodObject *)method_type->tp_alloc(method_type, 0);
    if (!self)
        return -1;
    self->owner = (PyTypeObject *)Py_NewRef((PyObject *)type);
    self->definition = definition;
    self->offset_bytes = offset_bytes;
    self->plain = PyDescr_NewMethod(type, definition);
    const int failed = !self->plain || PyObject_SetAttrString((PyObject *)type, definition->ml_name,
                                                              (PyObject *)self) < 0;
    if (!failed && plain)
        *plain = Py_NewRef(self->plain);
    Py_DECREF(self);
    return failed ? -1 : 0;
}

static PyType_Slot slots[] = {
    {Py_tp_descr_get, method_get},
    {Py_tp_getattro, method_attribute},
    {Py_tp_call, method_call},
    {Py_tp_traverse, method_traverse},
    {Py_tp_clear, method_clear},
    {Py_tp_dealloc, method_dealloc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record._Method",
    .basicsize = sizeof(MethodObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE |
             Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

int method_add(PyObject *module)
{
    module_state *state = record_state(module);
    state->method_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return state->method_type ? 0 : -1;
}
