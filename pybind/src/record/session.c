/* session.c - the Session type: one manager's recording.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"

#include <stddef.h>

#include "../capsules.h"
#include "compat.h"
#include "region.h"

/* Counts who took the process session. Only the main interpreter does, under its GIL. */
static uint64_t process_turn;

/* ---- region() ---- */

/* The arguments of region() by position or name, None where not given: 0, or -1. */
static int take_arguments(PyObject *const *args, Py_ssize_t count, PyObject *keywords,
                          PyObject *taken[3])
{
    static const char *const names[] = {"region_name", "functions", "tags"};
    const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
    taken[0] = NULL;
    taken[1] = taken[2] = Py_None;
    if (count > 3) {
        PyErr_Format(PyExc_TypeError, "region() takes at most 3 arguments (%zd given)",
                     count + named);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        taken[i] = args[i];
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *keyword = PyTuple_GET_ITEM(keywords, i);
        Py_ssize_t at = 0;
        while (at < 3 && PyUnicode_CompareWithASCIIString(keyword, names[at]))
            at++;
        if (at == 3 || at < count) {
            PyErr_Format(PyExc_TypeError,
                         at == 3 ? "region() got an unexpected keyword argument '%U'"
                                 : "region() got multiple values for argument '%U'",
                         keyword);
            return -1;
        }
        taken[at] = args[count + i];
    }
    if (!taken[0])
        PyErr_SetString(PyExc_TypeError, "region() missing 1 required argument: 'region_name'");
    return taken[0] ? 0 : -1;
}

/* Without on_miss: a region of that name, nothing more. */
static PyObject *plain_region(SessionObject *self, PyObject *name)
{
    PyTypeObject *type = self->state->region_type;
    if (!type || !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "a region's name must be a str");
        return NULL;
    }
    Py_INCREF(self);
    PyObject *made = NULL, *empty = PyUnicode_New(0, 0), *tags = PyTuple_New(0);
    name = PyUnicode_FromObject(name);
    if (name && empty && tags)
        made = region_new(self, type, name, tags, empty, -1, empty, session_is_live(self));
    Py_XDECREF(name);
    Py_XDECREF(empty);
    Py_XDECREF(tags);
    Py_DECREF(self);
    return made;
}

/* Borrowed; NULL: not there, or an exception. A str of a subclass is looked up as a plain
 * one, so that no code of it runs here. */
static PyObject *look_up(const SessionObject *self, PyObject *name)
{
    if (PyUnicode_CheckExact(name))
        return PyDict_GetItemWithError(self->regions, name);
    PyObject *plain = PyUnicode_Check(name) ? PyUnicode_FromObject(name) : NULL;
    PyObject *found = plain ? PyDict_GetItemWithError(self->regions, plain) : NULL;
    Py_XDECREF(plain);
    return found;
}

PyObject *session_find(SessionObject *self, PyObject *miss, PyObject *const *args, Py_ssize_t count,
                       PyObject *keywords)
{
    PyObject *taken[3] = {count ? args[0] : NULL, Py_None, Py_None};
    if ((count != 1 || keywords) && take_arguments(args, count, keywords, taken) < 0)
        return NULL;
    if (self && self->regions && taken[1] == Py_None && taken[2] == Py_None &&
        session_is_live(self)) {
        PyObject *found = look_up(self, taken[0]);
        if (found || PyErr_Occurred())
            return Py_XNewRef(found);
    }
    if (miss && miss != Py_None) {
        PyObject *keep = Py_NewRef(miss);
        PyObject *made = PyObject_Vectorcall(miss, taken, 3, NULL);
        Py_DECREF(keep);
        return made;
    }
    if (self)
        return plain_region(self, taken[0]);
    PyErr_SetString(PyExc_RuntimeError, "no session, and nobody to ask for one");
    return NULL;
}

static PyObject *region(PyObject *op, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    SessionObject *self = (SessionObject *)op;
    return session_find(self, self->on_miss, args, count, keywords);
}

static PyObject *add_region(PyObject *op, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"name",        "tags",    "source_file", "source_line",
                               "source_text", "enabled", "cls",         NULL};
    SessionObject *self = (SessionObject *)op;
    PyTypeObject *region_type = self->state->region_type;
    PyObject *name, *tags = NULL, *file = NULL, *text = NULL, *cls = Py_None, *made = NULL;
    int line = -1, enabled = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "U|$OUiUpO:add_region", keywords, &name, &tags,
                                     &file, &line, &text, &enabled, &cls))
        return NULL;
    if (!region_type)
        return record_raise(SCOPE_ERR_STATE);
    if (cls == Py_None)
        cls = (PyObject *)region_type;
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, region_type))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Region, not %R", cls);
    name = PyUnicode_FromObject(name);
    if (!name)
        return NULL;
    PyObject *empty = PyUnicode_New(0, 0);
    tags = tags ? PySequence_Tuple(tags) : PyTuple_New(0);
    if (!empty || !tags)
        goto done;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tags); i++)
        if (!PyUnicode_Check(PyTuple_GET_ITEM(tags, i))) {
            PyErr_SetString(PyExc_TypeError, "a tag must be a str");
            goto done;
        }
    made = self->regions ? Py_XNewRef(PyDict_GetItemWithError(self->regions, name)) : NULL;
    if (!made && !PyErr_Occurred())
        made = region_new(self, (PyTypeObject *)cls, name, tags, file ? file : empty, line,
                          text ? text : empty, enabled);
done:
    Py_DECREF(name);
    Py_XDECREF(empty);
    Py_XDECREF(tags);
    return made;
}

/* ---- state ---- */

static PyObject *pause_session(PyObject *op, PyObject *Py_UNUSED(none))
{
    SessionObject *self = (SessionObject *)op;
    if (session_is_live(self) && !self->paused) {
        scope_host_pause(self->session);
        self->paused = 1;
    }
    Py_RETURN_NONE;
}

static PyObject *resume_session(PyObject *op, PyObject *Py_UNUSED(none))
{
    SessionObject *self = (SessionObject *)op;
    if (session_is_live(self) && self->paused)
        scope_host_resume(self->session);
    self->paused = 0;
    Py_RETURN_NONE;
}

static PyObject *bound(PyObject *op, PyObject *Py_UNUSED(none))
{
    SessionObject *self = (SessionObject *)op;
    if (session_is_live(self))
        scope_host_bound(self->session);
    Py_RETURN_NONE;
}

/* None instead of a name: the calls stay ours. */
static PyObject *leave(PyObject *op, PyObject *output)
{
    SessionObject *self = (SessionObject *)op;
    PyObject *path = NULL;
    if (output != Py_None && !PyUnicode_FSConverter(output, &path))
        return NULL;
    const scope_status status =
        session_is_live(self)
            ? scope_host_leave(self->session, path ? PyBytes_AS_STRING(path) : NULL)
            : SCOPE_ERR_STATE;
    Py_XDECREF(path);
    return PyBool_FromLong(path && status == SCOPE_OK);
}

static PyObject *metadata(PyObject *op, PyObject *args)
{
    SessionObject *self = (SessionObject *)op;
    PyObject *texts[2], *bytes[2] = {NULL, NULL};
    scope_status status = SCOPE_OK;
    if (!PyArg_ParseTuple(args, "UU:metadata", &texts[0], &texts[1]))
        return NULL;
    for (int i = 0; i < 2; i++)
        bytes[i] = PyUnicode_AsEncodedString(texts[i], "utf-8", "backslashreplace");
    if (bytes[0] && bytes[1] && session_is_live(self))
        status = scope_host_metadata(
            self->session, PyBytes_AS_STRING(bytes[0]), (size_t)PyBytes_GET_SIZE(bytes[0]),
            PyBytes_AS_STRING(bytes[1]), (size_t)PyBytes_GET_SIZE(bytes[1]));
    Py_XDECREF(bytes[0]);
    Py_XDECREF(bytes[1]);
    if (PyErr_Occurred())
        return NULL;
    if (status != SCOPE_OK)
        return record_raise(status);
    Py_RETURN_NONE;
}

static void close_session(SessionObject *self)
{
    scope_session *session = self->session;
    if (!session)
        return;
    self->session = NULL; /* from here on its regions do nothing */
    if (self->pointer)
        PyCapsule_SetName(self->pointer, SESSION_CAPSULE " (closed)");
    if (self->next)
        self->next->previous = self->previous;
    if (self->previous)
        self->previous->next = self->next;
    else
        self->state->sessions = self->next;
    self->next = self->previous = NULL;
    /* The process session may be a later Session's; one that ends with the interpreter is
     * not given back: what C and MPI still record at their ends makes no file. */
    if (!self->is_process || (self->turn == process_turn && !compat_is_finalizing()))
        scope_host_close(session);
}

static PyObject *close_method(PyObject *op, PyObject *Py_UNUSED(none))
{
    close_session((SessionObject *)op);
    Py_RETURN_NONE;
}

/* ---- attributes ---- */

static PyObject *get_live(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(session_is_live((SessionObject *)op));
}

static PyObject *get_adopted(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((SessionObject *)op)->adopted);
}

static PyObject *get_dropped(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(scope_host_dropped(((SessionObject *)op)->session));
}

static PyObject *get_paused(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((SessionObject *)op)->paused);
}

static PyObject *get_pointer(PyObject *op, void *Py_UNUSED(closure))
{
    SessionObject *self = (SessionObject *)op;
    if (!self->session)
        return record_raise(SCOPE_ERR_STATE);
    if (!self->pointer)
        self->pointer = PyCapsule_New(self->session, SESSION_CAPSULE, NULL);
    return Py_XNewRef(self->pointer);
}

static PyGetSetDef attributes[] = {
    {"live", get_live, NULL, "Not closed, and the same recording still runs.", NULL},
    {"adopted", get_adopted, NULL, "C or MPI had started the process session before.", NULL},
    {"dropped", get_dropped, NULL, NULL, NULL},
    {"paused", get_paused, NULL, NULL, NULL},
    {"pointer", get_pointer, NULL, "For _read.Cursor; not valid any more once closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef members[] = {
    {"lanes", T_INT, offsetof(SessionObject, lanes), READONLY, "UNTRACKED, THREADS or TASKS."},
    {"regions", T_OBJECT, offsetof(SessionObject, regions), READONLY,
     "Name to Region, in order of registration."},
    {"on_miss", T_OBJECT, offsetof(SessionObject, on_miss), 0,
     "Called with the arguments of region() for a name that is not there."},
    {"owner", T_OBJECT, offsetof(SessionObject, owner), 0, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(SessionObject, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef methods[] = {
    {"region", (PyCFunction)(void (*)(void))region, METH_FASTCALL | METH_KEYWORDS,
     "region($self, /, region_name, functions=None, tags=None)\n--\n\n"
     "The region of that name, else what on_miss returns."},
    {"add_region", (PyCFunction)(void (*)(void))add_region, METH_VARARGS | METH_KEYWORDS,
     "add_region($self, /, name, *, tags=(), source_file='', source_line=-1, source_text='',\n"
     "           enabled=True, cls=None)\n--\n\n"
     "A new region, or the one of that name that is there. cls.__init__ is not called."},
    {"pause", pause_session, METH_NOARGS, "pause($self, /)\n--\n\nTwice is once."},
    {"resume", resume_session, METH_NOARGS, "resume($self, /)\n--\n\n"},
    {"bound", bound, METH_NOARGS,
     "bound($self, /)\n--\n\nKeep only a few chunks of what is recorded from now on."},
    {"leave", leave, METH_O,
     "leave($self, output, /)\n--\n\nTo the end of MPI, which writes the calls, under this name."},
    {"metadata", metadata, METH_VARARGS,
     "metadata($self, key, value, /)\n--\n\nText for the recording, for who recovers it."},
    {"close", close_method, METH_NOARGS,
     "close($self, /)\n--\n\nGive the recording back; its regions do nothing from now on."},
    {NULL, NULL, 0, NULL},
};

/* ---- life ---- */

static scope_status start(SessionObject *self, const scope_host_options *options)
{
    scope_session *session = scope_host_process();
    const scope_status status = self->is_process ? scope_host_start(options, &self->adopted)
                                                 : scope_host_create(options, &session);
    if (status != SCOPE_OK)
        return status;
    self->turn = self->is_process ? ++process_turn : 0;
    self->generation = scope_host_generation(session);
    if (!self->generation)
        self->generation = NO_RECORDING;
    self->session = session;
    return SCOPE_OK;
}

static PyObject *new_session(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"process", "output", "label", "memory_only",
                               "lanes",   "closed", NULL};
    scope_host_options options = {.size_bytes = sizeof options};
    module_state *state = record_state_of(type);
    int process = 0, memory_only = 0, lanes = 0, closed = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$pzzpip:Session", keywords, &process,
                                     &options.output, &options.label, &memory_only, &lanes,
                                     &closed))
        return NULL;
    if (lanes < SCOPE_HOST_UNTRACKED || lanes > SCOPE_HOST_TASKS)
        return PyErr_Format(PyExc_ValueError, "lanes must be 0, 1 or 2, not %d", lanes);
    SessionObject *self = (SessionObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->module = Py_NewRef(state->module);
    self->state = state;
    self->is_process = process && compat_is_main_interpreter();
    self->lanes = lanes;
    options.memory_only = memory_only;
    options.lanes = (scope_host_lanes)lanes;
    self->regions = PyDict_New();
    if (self->regions && closed)
        return (PyObject *)self;
    const scope_status status = self->regions ? start(self, &options) : SCOPE_OK;
    if (!self->session) {
        Py_DECREF(self);
        return status == SCOPE_OK ? NULL : record_raise(status);
    }
    self->next = state->sessions;
    if (self->next)
        self->next->previous = self;
    state->sessions = self;
    lane_next_epoch(state);
    return (PyObject *)self;
}

static int traverse(PyObject *op, visitproc visit, void *arg)
{
    SessionObject *self = (SessionObject *)op;
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(self->module);
    Py_VISIT(self->regions);
    Py_VISIT(self->on_miss);
    Py_VISIT(self->owner);
    return 0;
}

static int clear(PyObject *op)
{
    SessionObject *self = (SessionObject *)op;
    Py_CLEAR(self->regions);
    Py_CLEAR(self->on_miss);
    Py_CLEAR(self->owner);
    return 0;
}

static void dealloc(PyObject *op)
{
    SessionObject *self = (SessionObject *)op;
    record_dealloc_begin(op, self->weakrefs);
    close_session(self);
    clear(op);
    Py_CLEAR(self->pointer);
    PyObject *module = self->module;
    record_dealloc_end(op);
    Py_XDECREF(module); /* cleared before us when the interpreter ends, but not freed */
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Session(*, process=False, output=None, label=None, memory_only=False, lanes=0,\n"
                "        closed=False)\n"
                "--\n\nOne recording of one manager."},
    {Py_tp_new, new_session},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getset, attributes},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record.Session",
    .basicsize = sizeof(SessionObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

int session_add(PyObject *module)
{
    module_state *state = record_state(module);
    if (PyModule_AddIntConstant(module, "UNTRACKED", SCOPE_HOST_UNTRACKED) < 0 ||
        PyModule_AddIntConstant(module, "THREADS", SCOPE_HOST_THREADS) < 0 ||
        PyModule_AddIntConstant(module, "TASKS", SCOPE_HOST_TASKS) < 0)
        return -1;
    return record_add_type(module, &spec, &state->session_type);
}
