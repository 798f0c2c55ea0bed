/* task.c - the coroutine around a task's coroutine: each step is a RESUME and a SUSPEND.
 *
 * asyncio's Task drives it as any coroutine; no frame is added. What it does not define
 * itself (cr_frame, cr_await, __qualname__ ...) is the inner coroutine's.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include "compat.h"
#include "lane.h"

typedef struct TaskObject {
    PyObject_HEAD
    PyObject *coroutine;
    PyObject *name, *code_name; /* as described last; NULL none */
    PyObject *task;             /* weak reference to the asyncio task; NULL: not said, or done */
    PyObject *weakrefs;
    lane_set lanes;
    char is_open, is_running, has_started, is_named, is_done; /* is_open: its lanes were made */
} TaskObject;

/* ---- steps ---- */

static void enter(TaskObject *self)
{
    lane_set *set = &self->lanes;
    self->is_running = self->has_started = 1;
    set->outer = lane_this_thread.running;
    lane_this_thread.running = set;
    if (!lane_set_resume(set))
        lane_set_close(set);
}

static void leave(TaskObject *self)
{
    lane_set *set = &self->lanes;
    lane_set_suspend(set);
    self->is_running = 0;
    /* It is the first one, unless greenlets were switched while nobody looked. */
    for (lane_set **holder = &lane_this_thread.running; *holder; holder = &(*holder)->outer)
        if (*holder == set) {
            *holder = set->outer;
            break;
        }
    set->outer = NULL;
}

/* The task may have been renamed since. Keeps the exception that is set. */
static void describe_again(TaskObject *self)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *task = PyObject_CallNoArgs(self->task);
    PyObject *name = task && task != Py_None ? PyObject_CallMethod(task, "get_name", NULL) : NULL;
    if (name && PyUnicode_Check(name) &&
        (!self->name || PyUnicode_Compare(name, self->name) != 0)) {
        lane_set_describe(&self->lanes, SCOPE_TASK_KIND_TASK, name, self->code_name);
        Py_XSETREF(self->name, name);
        name = NULL;
    }
    Py_XDECREF(name);
    Py_XDECREF(task);
    PyErr_Restore(type, value, traceback);
}

/* It returned, raised or was closed. */
static void done(TaskObject *self)
{
    if (self->is_done)
        return;
    self->is_done = 1;
    lane_set_done(&self->lanes);
    if (!self->task)
        return; /* an eager task, over before create_task returned: its name comes yet */
    describe_again(self);
    Py_CLEAR(self->task);
    lane_set_close(&self->lanes);
}

/* Its lanes, once it has a task or starts: what no loop takes gets none. */
static void open_lanes(TaskObject *self)
{
    module_state *state = record_state_of(Py_TYPE(self));
    self->is_open = 1;
    if (state)
        lane_set_open(&self->lanes, state, SCOPE_TASK_KIND_TASK, self->name, self->code_name);
}

/* Nothing to record, or it is an error that the inner coroutine will tell. */
static int is_plain(TaskObject *self)
{
    if (!self->is_open)
        open_lanes(self);
    return !self->lanes.count || self->is_running || self->is_done;
}

static PySendResult task_am_send(PyObject *object, PyObject *value, PyObject **result)
{
    TaskObject *self = (TaskObject *)object;
    if (is_plain(self))
        return PyIter_Send(self->coroutine, value, result);
    enter(self);
    const PySendResult outcome = PyIter_Send(self->coroutine, value, result);
    leave(self);
    if (outcome != PYGEN_NEXT) {
        done(self);
    } else if (!self->is_named && self->task) {
        self->is_named = 1; /* create_task names it late: now, for whom a kill leaves no end */
        describe_again(self);
    }
    return outcome;
}

/* The exception is an instance made here: a tuple or an exception as value would else be
 * taken for its arguments. */
static void raise_stop(PyObject *value)
{
    PyObject *stop = PyObject_CallOneArg(PyExc_StopIteration, value);
    if (stop)
        PyErr_SetObject(PyExc_StopIteration, stop);
    Py_XDECREF(stop);
}

static PyObject *step(PyObject *self, PyObject *value)
{
    PyObject *result;
    switch (task_am_send(self, value, &result)) {
    case PYGEN_NEXT: return result;
    case PYGEN_RETURN:
        raise_stop(result);
        Py_DECREF(result);
        return NULL;
    default: return NULL;
    }
}

static PyObject *task_iternext(PyObject *self)
{
    return step(self, Py_None);
}

/* Call a method of the inner coroutine as a step of the task. */
static PyObject *forward(TaskObject *self, const char *name, PyObject *const *arguments,
                         Py_ssize_t count, int is_step)
{
    PyObject *method = PyObject_GetAttrString(self->coroutine, name);
    if (!method)
        return NULL;
    if (is_step)
        enter(self);
    PyObject *result = PyObject_Vectorcall(method, arguments, (size_t)count, NULL);
    if (is_step)
        leave(self);
    Py_DECREF(method);
    return result;
}

static PyObject *task_throw(TaskObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    const int plain = is_plain(self);
    PyObject *result = forward(self, "throw", arguments, count, !plain);
    if (!result && !plain)
        done(self);
    return result;
}

static PyObject *task_close(TaskObject *self, PyObject *Py_UNUSED(ignored))
{
    const int plain = !self->is_open || is_plain(self);
    /* Closing what never started runs no code. */
    PyObject *result = forward(self, "close", NULL, 0, !plain && self->has_started);
    if (!plain && (result || !PyErr_ExceptionMatches(PyExc_RuntimeError)))
        done(self); /* else it ignored GeneratorExit and lives */
    return result;
}

static PyObject *task_self(PyObject *self)
{
    Py_INCREF(self);
    return self;
}

static PyObject *task_await(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return task_self(self);
}

/* ---- looks like the inner one ---- */

static PyObject *task_getattro(PyObject *object, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(object, name);
    if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyErr_Clear();
    return PyObject_GetAttr(((TaskObject *)object)->coroutine, name);
}

static int task_setattro(PyObject *object, PyObject *name, PyObject *value)
{
    return PyObject_SetAttr(((TaskObject *)object)->coroutine, name, value);
}

static PyObject *task_repr(PyObject *object)
{
    return PyObject_Repr(((TaskObject *)object)->coroutine);
}

/* ---- the type ---- */

static int task_traverse(TaskObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->coroutine);
    Py_VISIT(self->name);
    Py_VISIT(self->code_name);
    Py_VISIT(self->task);
    return lane_set_traverse(&self->lanes, visit, arg);
}

/* A suspended coroutine that is dropped leaves its blocks now: on its own lane. */
static void drop_coroutine(TaskObject *self)
{
    if (!self->has_started || is_plain(self)) {
        Py_CLEAR(self->coroutine);
        return;
    }
    enter(self);
    Py_CLEAR(self->coroutine);
    leave(self);
    self->is_done = 1;
    lane_set_done(&self->lanes);
}

static int task_clear(TaskObject *self)
{
    drop_coroutine(self);
    Py_CLEAR(self->name);
    Py_CLEAR(self->code_name);
    Py_CLEAR(self->task);
    lane_set_close(&self->lanes);
    return 0;
}

static void task_dealloc(TaskObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (self->weakrefs)
        PyObject_ClearWeakRefs((PyObject *)self);
    task_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"send", step, METH_O, NULL},
    {"throw", (PyCFunction)(void (*)(void))task_throw, METH_FASTCALL, NULL},
    {"close", (PyCFunction)(void (*)(void))task_close, METH_NOARGS, NULL},
    {"__await__", task_await, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TaskObject, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, task_dealloc},
    {Py_tp_traverse, task_traverse},
    {Py_tp_clear, task_clear},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_getattro, task_getattro},
    {Py_tp_setattro, task_setattro},
    {Py_tp_repr, task_repr},
    {Py_tp_iter, task_self},
    {Py_tp_iternext, task_iternext},
    {Py_am_await, task_self},
    {Py_am_send, task_am_send},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record.Task",
    .basicsize = sizeof(TaskObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* ---- functions ---- */

static PyObject *code_name_of(PyObject *coroutine)
{
    PyObject *name = PyObject_GetAttrString(coroutine, "__qualname__");
    if (!name || !PyUnicode_Check(name)) {
        PyErr_Clear();
        Py_XDECREF(name);
        name = PyUnicode_FromString(Py_TYPE(coroutine)->tp_name);
    }
    return name;
}

static int tracks_tasks(const module_state *state)
{
    for (const SessionObject *session = state->sessions; session; session = session->next)
        if (session->lanes >= SCOPE_HOST_TASKS && session_is_live(session))
            return 1;
    return 0;
}

/* wrap_coroutine(coroutine, name=None): the same one where no session tracks tasks. */
static PyObject *wrap_coroutine(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    module_state *state = record_state(module);
    if (count < 1 || count > 2) {
        PyErr_SetString(PyExc_TypeError, "wrap_coroutine(coroutine, name=None)");
        return NULL;
    }
    PyObject *coroutine = arguments[0];
    PyTypeObject *type = state->lanes.task_type;
    if (Py_IS_TYPE(coroutine, type) || !tracks_tasks(state)) {
        Py_INCREF(coroutine);
        return coroutine;
    }
    TaskObject *self = PyObject_GC_New(TaskObject, type);
    if (!self)
        return NULL;
    memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
    Py_INCREF(coroutine);
    self->coroutine = coroutine;
    self->code_name = code_name_of(coroutine);
    if (count == 2 && PyUnicode_Check(arguments[1])) {
        Py_INCREF(arguments[1]);
        self->name = arguments[1];
    }
    PyErr_Clear();
    self->lanes.forks = lane_forks;
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

/* name_task(coroutine, task): read the task's name now, and again at its end. */
static PyObject *name_task(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    module_state *state = record_state(module);
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "name_task(coroutine, task)");
        return NULL;
    }
    if (!Py_IS_TYPE(arguments[0], state->lanes.task_type))
        Py_RETURN_NONE;
    TaskObject *self = (TaskObject *)arguments[0];
    PyObject *name = PyObject_CallMethod(arguments[1], "get_name", NULL);
    if (!name || !PyUnicode_Check(name)) {
        PyErr_Clear(); /* what a task factory returned is its business */
        Py_XDECREF(name);
        Py_RETURN_NONE;
    }
    const int is_known = self->name && PyUnicode_Compare(name, self->name) == 0;
    Py_XSETREF(self->name, name);
    if (!self->is_open)
        open_lanes(self);
    else if (!is_known)
        lane_set_describe(&self->lanes, SCOPE_TASK_KIND_TASK, name, self->code_name);
    if (self->is_done) {
        lane_set_close(&self->lanes);
        Py_RETURN_NONE;
    }
    Py_XSETREF(self->task, PyWeakref_NewRef(arguments[1], NULL));
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"wrap_coroutine", (PyCFunction)(void (*)(void))wrap_coroutine, METH_FASTCALL, NULL},
    {"name_task", (PyCFunction)(void (*)(void))name_task, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

int task_add(PyObject *module)
{
    lane_state *state = &record_state(module)->lanes;
    state->task_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return state->task_type ? PyModule_AddFunctions(module, functions) : -1;
}
