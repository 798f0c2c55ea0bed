/* region.c - the Region type: entered, left, counted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "region.h"

#include <stddef.h>

#include "compat.h"
#include "method.h"

/* ---- with ---- */

static PyObject *enter(PyObject *op, PyObject *Py_UNUSED(none))
{
    region_begin((RegionObject *)op);
    return Py_NewRef(op);
}

static PyObject *leave(PyObject *op, PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(count))
{
    region_end((RegionObject *)op);
    Py_RETURN_NONE;
}

static PyMethodDef enter_definition = {
    "__enter__", enter, METH_NOARGS,
    "__enter__($self, /)\n--\n\nA call begins; returns the region."};
static PyMethodDef leave_definition = {
    "__exit__", (PyCFunction)(void (*)(void))leave, METH_FASTCALL,
    "__exit__($self, kind=None, value=None, traceback=None, /)\n--\n\n"
    "The call ends; an exception goes on."};

PyObject *region_enter(RegionObject *self)
{
    if (!self->is_plain)
        return PyObject_CallMethod((PyObject *)self, "__enter__", NULL);
    region_begin(self);
    return Py_NewRef((PyObject *)self);
}

PyObject *region_exit(RegionObject *self, PyObject *const *three)
{
    if (!self->is_plain)
        return PyObject_CallMethod((PyObject *)self, "__exit__", "OOO", three[0], three[1],
                                   three[2]);
    region_end(self);
    Py_RETURN_NONE;
}

/* ---- other methods ---- */

static PyObject *begin(PyObject *op, PyObject *Py_UNUSED(none))
{
    region_begin((RegionObject *)op);
    Py_RETURN_NONE;
}

static PyObject *end(PyObject *op, PyObject *Py_UNUSED(none))
{
    region_end((RegionObject *)op);
    Py_RETURN_NONE;
}

static PyObject *call(PyObject *op, PyObject *const *args, Py_ssize_t count)
{
    RegionObject *self = (RegionObject *)op;
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "call() takes start_ns and end_ns (%zd given)", count);
    const long long start = PyLong_AsLongLong(args[0]);
    const long long end = start == -1 && PyErr_Occurred() ? -1 : PyLong_AsLongLong(args[1]);
    long long duration;
    if (end == -1 && PyErr_Occurred())
        return NULL;
    if (__builtin_sub_overflow(end, start, &duration))
        return record_raise(SCOPE_ERR_ARGUMENT);
    if (!self->enabled || !session_is_live(self->session))
        Py_RETURN_NONE;
    lane_check(self->session->state);
    const scope_status status = scope_host_call(self->session->session, self->id, start, duration);
    if (status == SCOPE_ERR_ARGUMENT)
        return record_raise(status);
    if (!self->session->paused) {
        self->calls++;
        self->exits++;
    }
    Py_RETURN_NONE;
}

static PyObject *repr(PyObject *op)
{
    const RegionObject *self = (RegionObject *)op;
    return PyUnicode_FromFormat("<%s %R>", _PyType_Name(Py_TYPE(op)), self->name);
}

/* ---- attributes ---- */

static PyObject *text_or_none(PyObject *text)
{
    return Py_NewRef(text && PyUnicode_GET_LENGTH(text) ? text : Py_None);
}

static PyObject *get_source_file(PyObject *op, void *Py_UNUSED(closure))
{
    return text_or_none(((RegionObject *)op)->source_file);
}

static PyObject *get_source_text(PyObject *op, void *Py_UNUSED(closure))
{
    return text_or_none(((RegionObject *)op)->source_text);
}

static PyObject *get_source_line(PyObject *op, void *Py_UNUSED(closure))
{
    const RegionObject *self = (RegionObject *)op;
    if (self->line < 0)
        Py_RETURN_NONE;
    return PyLong_FromLong(self->line);
}

static PyObject *get_enabled(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((RegionObject *)op)->enabled);
}

static PyGetSetDef attributes[] = {
    {"source_file", get_source_file, NULL, "Where it was first entered; None: unknown.", NULL},
    {"source_lineno", get_source_line, NULL, "The line there; None: unknown.", NULL},
    {"source_text", get_source_text, NULL, "The source there; None: not captured.", NULL},
    {"enabled", get_enabled, NULL, "Entering it records a call while its session is live.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef members[] = {
    {"region_name", T_OBJECT, offsetof(RegionObject, name), READONLY, NULL},
    {"tags", T_OBJECT, offsetof(RegionObject, tags), READONLY, NULL},
    {"session", T_OBJECT, offsetof(RegionObject, session), READONLY, NULL},
    {"id", T_INT, offsetof(RegionObject, id), READONLY, "Of libscope; -1: not recorded."},
    {"num_calls", T_LONGLONG, offsetof(RegionObject, calls), READONLY,
     "Calls entered, the open ones included."},
    {"num_exits", T_LONGLONG, offsetof(RegionObject, exits), READONLY, "Calls left."},
    {"ptr_base", T_LONGLONG, offsetof(RegionObject, ptr_base), 0,
     "num_calls at the last written finalize."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(RegionObject, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"begin", begin, METH_NOARGS, "begin($self, /)\n--\n\nAs __enter__, returns None."},
    {"end", end, METH_NOARGS, "end($self, /)\n--\n\nAs __exit__."},
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL,
     "call($self, start_ns, end_ns, /)\n--\n\n"
     "A call with times of its own, ns of time.perf_counter_ns(). ValueError: not in order."},
    {NULL, NULL, 0, NULL},
};

/* ---- life ---- */

static PyObject *refuse(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    return PyErr_Format(PyExc_TypeError, "%s is made by Session.add_region()", type->tp_name);
}

/* Both methods as they are on the class: ours, or some override. */
static int has_our_methods(const module_state *state, PyTypeObject *type)
{
    PyObject *on_enter = PyObject_GetAttrString((PyObject *)type, "__enter__");
    PyObject *on_exit = on_enter ? PyObject_GetAttrString((PyObject *)type, "__exit__") : NULL;
    const int ours = on_enter == state->region_enter && on_exit == state->region_exit;
    const int result = on_enter && on_exit ? ours : -1;
    Py_XDECREF(on_enter);
    Py_XDECREF(on_exit);
    return result;
}

/* Any str, lone surrogates too, as valid UTF-8. New reference to bytes. */
static PyObject *utf8(PyObject *text)
{
    return PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
}

static scope_status describe(RegionObject *self)
{
    scope_session *session = self->session->session;
    scope_status status = SCOPE_OK;
    PyObject *text;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self->tags) && status == SCOPE_OK; i++) {
        if (!(text = utf8(PyTuple_GET_ITEM(self->tags, i))))
            return SCOPE_ERR_MEMORY;
        status = scope_host_tag(session, self->id, PyBytes_AS_STRING(text),
                                (size_t)PyBytes_GET_SIZE(text));
        Py_DECREF(text);
    }
    if (status != SCOPE_OK || !PyUnicode_GET_LENGTH(self->source_file))
        return status;
    if (!(text = utf8(self->source_file)))
        return SCOPE_ERR_MEMORY;
    status = scope_host_source(session, self->id, PyBytes_AS_STRING(text),
                               (size_t)PyBytes_GET_SIZE(text), self->line);
    Py_DECREF(text);
    return status;
}

/* It gets its id, and the recording its tags and source. */
static int enrol(RegionObject *self)
{
    PyObject *name = utf8(self->name);
    if (!name)
        return -1;
    scope_status status = scope_region_register_bytes(PyBytes_AS_STRING(name),
                                                      (size_t)PyBytes_GET_SIZE(name), &self->id);
    Py_DECREF(name);
    if (status != SCOPE_OK) {
        self->id = SCOPE_REGION_NONE;
        record_raise(status);
        return -1;
    }
    if (self->id == SCOPE_REGION_NONE) /* a filter excludes it */
        self->enabled = 0;
    else if (session_is_live(self->session) && describe(self) == SCOPE_ERR_MEMORY) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        return -1;
    }
    return 0;
}

PyObject *region_new(SessionObject *session, PyTypeObject *type, PyObject *name, PyObject *tags,
                     PyObject *source_file, int line, PyObject *source_text, int enabled)
{
    PyObject *made = NULL;
    if (!session->regions) /* cleared: it is being collected */
        return record_raise(SCOPE_ERR_STATE);
    RegionObject *self = (RegionObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->session = (SessionObject *)Py_NewRef((PyObject *)session);
    self->name = Py_NewRef(name);
    self->tags = Py_NewRef(tags);
    self->source_file = Py_NewRef(source_file);
    self->source_text = Py_NewRef(source_text);
    self->line = line;
    self->enabled = enabled;
    self->id = SCOPE_REGION_NONE;
    self->is_plain = has_our_methods(session->state, type);
    if (self->is_plain >= 0 && (!enabled || enrol(self) == 0))
        made = Py_XNewRef(PyDict_SetDefault(session->regions, name, (PyObject *)self));
    Py_DECREF(self);
    return made;
}

static int traverse(PyObject *op, visitproc visit, void *arg)
{
    RegionObject *self = (RegionObject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->enter);
    Py_VISIT(self->leave);
    Py_VISIT(self->session);
    Py_VISIT(self->tags);
    return 0;
}

/* Not the session: a region that something still reaches may be entered. The session
 * drops its regions instead. */
static int clear(PyObject *op)
{
    RegionObject *self = (RegionObject *)op;
    Py_CLEAR(self->enter);
    Py_CLEAR(self->leave);
    return 0;
}

static void dealloc(PyObject *op)
{
    RegionObject *self = (RegionObject *)op;
    record_dealloc_begin(op, self->weakrefs);
    clear(op);
    Py_CLEAR(self->session);
    Py_CLEAR(self->name);
    Py_CLEAR(self->tags);
    Py_CLEAR(self->source_file);
    Py_CLEAR(self->source_text);
    record_dealloc_end(op);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "A named region of one session: a context manager, re-entrant and recursive."},
    {Py_tp_new, refuse},
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
    .name = "scope_profiler._record.Region",
    .basicsize = sizeof(RegionObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

int region_add(PyObject *module)
{
    module_state *state = record_state(module);
    if (record_add_type(module, &spec, &state->region_type) < 0)
        return -1;
    if (method_install(module, state->region_type, &enter_definition, offsetof(RegionObject, enter),
                       &state->region_enter) < 0)
        return -1;
    return method_install(module, state->region_type, &leave_definition,
                          offsetof(RegionObject, leave), &state->region_exit);
}
