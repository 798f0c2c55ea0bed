/* thread.c - threads of Python: from their first bytecode to their last.
 *
 *     threading._start_new_thread          3.10-3.12
 *     threading._start_joinable_thread     3.13+
 *     _thread.start_new_thread
 *
 * are replaced by functions that start a ThreadStart in place of what they were given:
 * it registers the new thread, leaves a sentinel in its state's dict and goes on with the
 * function. When the state is cleared, before join() returns, the sentinel ends the lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lane.h"

static const struct {
    const char *module, *name;
} starters[LANE_STARTERS] = {
    {"threading", "_start_new_thread"},
    {"threading", "_start_joinable_thread"},
    {"_thread", "start_new_thread"},
};

/* ---- the sentinel ---- */

typedef struct ThreadEndObject {
    PyObject_HEAD
    pthread_t thread;
    uint32_t forks;
} ThreadEndObject;

static void thread_end_dealloc(ThreadEndObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    /* Not so at the interpreter's end and in a forked child: others' states are cleared. */
    if (pthread_equal(self->thread, pthread_self()) && self->forks == lane_forks) {
        Py_CLEAR(lane_this_thread.trace);
        lane_this_thread.running = NULL;
        scope_host_thread_end();
    }
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot thread_end_slots[] = {{Py_tp_dealloc, thread_end_dealloc}, {0, NULL}};

static PyType_Spec thread_end_spec = {
    .name = "scope_profiler._record.ThreadEnd",
    .basicsize = sizeof(ThreadEndObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = thread_end_slots,
};

static void leave_sentinel(const lane_state *state)
{
    PyObject *dict = PyThreadState_GetDict(); /* borrowed */
    if (!dict || PyDict_GetItemWithError(dict, state->end_key))
        return;
    ThreadEndObject *sentinel = PyObject_New(ThreadEndObject, state->thread_end_type);
    if (!sentinel)
        return;
    sentinel->thread = pthread_self();
    sentinel->forks = lane_forks;
    PyDict_SetItem(dict, state->end_key, (PyObject *)sentinel);
    Py_DECREF(sentinel);
}

/* ---- registration ---- */

static int is_main(void)
{
    return (pid_t)syscall(SYS_gettid) == getpid();
}

/* In each live session that has at least these lanes. 1: there was one that tracks threads. */
static int register_here(module_state *state, int lanes, PyObject *name, int daemon, int exact)
{
    int tracked = 0;
    lane_text text = lane_text_of(name);
    const int64_t ident = (int64_t)PyThread_get_thread_ident();
    for (SessionObject *session = state->sessions; session; session = session->next) {
        int64_t index;
        if (session->lanes < lanes || !session_is_live(session))
            continue;
        tracked |= session->lanes >= SCOPE_HOST_THREADS;
        scope_host_thread(session->session, text.bytes, (size_t)text.length, ident, daemon, exact,
                          &index);
    }
    lane_text_free(&text);
    return tracked;
}

/* What threading calls the calling thread; makes its Dummy-N where it is foreign. */
static PyObject *thread_here(void)
{
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *thread =
        threading ? PyObject_CallMethod(threading, is_main() ? "main_thread" : "current_thread",
                                        NULL)
                  : NULL;
    Py_XDECREF(threading);
    return thread;
}

static int truth_of(PyObject *object, const char *attribute)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    const int truth = value ? PyObject_IsTrue(value) : 0;
    Py_XDECREF(value);
    PyErr_Clear();
    return truth > 0;
}

void lane_register_thread(module_state *state)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    /* First: what follows may run code with regions. */
    lane_this_thread.known = state->lanes.epoch;
    /* The lane first, then its name. An untracked session only learns that this is one of
     * Python's threads: they are its one stack, those of C are not. */
    if (!register_here(state, SCOPE_HOST_UNTRACKED, NULL, 0, 0)) {
        PyErr_Restore(type, value, traceback);
        return;
    }
    PyObject *thread = thread_here();
    PyObject *name = thread ? PyObject_GetAttrString(thread, "name") : NULL;
    if (name && PyUnicode_Check(name))
        register_here(state, SCOPE_HOST_THREADS, name, truth_of(thread, "daemon"), 0);
    Py_XDECREF(name);
    Py_XDECREF(thread);
    PyErr_Clear();
    if (!is_main())
        leave_sentinel(&state->lanes);
    greenlet_hook_thread(state);
    PyErr_Restore(type, value, traceback);
}

/* register_thread(session, exact=False) */
static PyObject *register_thread(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    module_state *state = record_state(module);
    if (count < 1 || count > 2 || !Py_IS_TYPE(arguments[0], state->session_type)) {
        PyErr_SetString(PyExc_TypeError, "register_thread(session, exact=False)");
        return NULL;
    }
    SessionObject *session = (SessionObject *)arguments[0];
    if (!session_is_live(session))
        return PyLong_FromLong(-1);
    if (lane_this_thread.known != state->lanes.epoch ||
        scope_host_thread_index(session->session) < 0)
        lane_register_thread(state);
    return PyLong_FromLongLong(scope_host_thread_index(session->session));
}

/* ---- ThreadStart: what a new thread calls ---- */

typedef struct ThreadStartObject {
    PyObject_HEAD
    PyObject *function, *module;
    PyObject *name; /* of its Thread; NULL: none */
    int daemon;
    pthread_t starter;
} ThreadStartObject;

static PyObject *thread_start_call(ThreadStartObject *self, PyObject *arguments,
                                   PyObject *keywords)
{
    module_state *state = record_state(self->module);
    /* Where greenlets stand in for threads, there is no new one. */
    if (!pthread_equal(self->starter, pthread_self())) {
        register_here(state, SCOPE_HOST_UNTRACKED, self->name, self->daemon, 1);
        leave_sentinel(&state->lanes);
        greenlet_hook_thread(state);
        PyErr_Clear();
        /* A thread without a Thread gets a name when it enters a region. */
        lane_this_thread.known = self->name ? state->lanes.epoch : 0;
    }
    return PyObject_Call(self->function, arguments, keywords);
}

static PyObject *thread_start_repr(ThreadStartObject *self)
{
    return PyObject_Repr(self->function);
}

static PyObject *thread_start_getattro(PyObject *self, PyObject *name)
{
    return PyObject_GetAttr(((ThreadStartObject *)self)->function, name);
}

static int thread_start_traverse(ThreadStartObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->function);
    Py_VISIT(self->module);
    Py_VISIT(self->name);
    return 0;
}

static int thread_start_clear(ThreadStartObject *self)
{
    Py_CLEAR(self->function);
    Py_CLEAR(self->module);
    Py_CLEAR(self->name);
    return 0;
}

static void thread_start_dealloc(ThreadStartObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    thread_start_clear(self);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot thread_start_slots[] = {
    {Py_tp_dealloc, thread_start_dealloc},
    {Py_tp_traverse, thread_start_traverse},
    {Py_tp_clear, thread_start_clear},
    {Py_tp_call, thread_start_call},
    {Py_tp_repr, thread_start_repr},
    {Py_tp_getattro, thread_start_getattro},
    {0, NULL},
};

static PyType_Spec thread_start_spec = {
    .name = "scope_profiler._record.ThreadStart",
    .basicsize = sizeof(ThreadStartObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = thread_start_slots,
};

static PyObject *new_start(PyObject *module, PyObject *function)
{
    const lane_state *state = &record_state(module)->lanes;
    ThreadStartObject *self = PyObject_GC_New(ThreadStartObject, state->thread_start_type);
    if (!self)
        return NULL;
    self->function = Py_NewRef(function);
    self->module = Py_NewRef(module);
    self->name = NULL;
    self->daemon = 0;
    self->starter = pthread_self();
    PyObject *thread = PyMethod_Check(function) ? PyMethod_GET_SELF(function) : NULL;
    if (thread) { /* a Thread's _bootstrap; its attributes run no code */
        PyObject *name = PyObject_GetAttr(thread, state->name_key);
        PyObject *daemon = name ? PyObject_GetAttr(thread, state->daemon_key) : NULL;
        if (name && PyUnicode_Check(name))
            self->name = Py_NewRef(name);
        self->daemon = daemon == Py_True;
        Py_XDECREF(name);
        Py_XDECREF(daemon);
        PyErr_Clear();
    }
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

/* ---- the functions that start threads ----
 *
 * Each has (module, what it replaced) as its self, so that one that somebody kept goes on
 * to what was there before it, and only that. */

static PyObject *start(PyObject *self, int place, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords)
{
    PyObject *module = PyTuple_GET_ITEM(self, 0), *next = PyTuple_GET_ITEM(self, 1);
    const PyObject *current = record_state(module)->lanes.starters[place];
    const Py_ssize_t all = count + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
    PyObject *changed[8];
    /* An argument that it refuses is for it to refuse. */
    if (!current || PyCFunction_GET_SELF(current) != self || !count || all > 8 ||
        !PyCallable_Check(arguments[0]))
        return PyObject_Vectorcall(next, arguments, (size_t)count, keywords);
    memcpy(changed, arguments, (size_t)all * sizeof *changed);
    changed[0] = new_start(module, arguments[0]);
    if (!changed[0])
        return NULL;
    PyObject *result = PyObject_Vectorcall(next, changed, (size_t)count, keywords);
    Py_DECREF(changed[0]);
    return result;
}

static PyObject *start_thread(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                              PyObject *keywords)
{
    return start(self, 0, arguments, count, keywords);
}

static PyObject *start_joinable(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                                PyObject *keywords)
{
    return start(self, 1, arguments, count, keywords);
}

static PyObject *start_bare(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                            PyObject *keywords)
{
    return start(self, 2, arguments, count, keywords);
}

#define STARTER(name, function)                                                                    \
    {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, NULL}

static PyMethodDef starter_methods[LANE_STARTERS] = {
    STARTER("_start_new_thread", start_thread),
    STARTER("_start_joinable_thread", start_joinable),
    STARTER("start_new_thread", start_bare),
};

static int install(PyObject *module, int place)
{
    lane_state *state = &record_state(module)->lanes;
    PyObject *owner = PyImport_ImportModule(starters[place].module);
    PyObject *next = owner ? PyObject_GetAttrString(owner, starters[place].name) : NULL;
    PyObject *self = next ? PyTuple_Pack(2, module, next) : NULL, *ours = NULL;
    int result = -1;
    if (!next && owner && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear(); /* not in this version */
        result = 0;
    } else if (self && (ours = PyCFunction_NewEx(&starter_methods[place], self, NULL))) {
        result = PyObject_SetAttrString(owner, starters[place].name, ours);
        Py_XSETREF(state->starters[place], Py_NewRef(ours));
    }
    Py_XDECREF(ours);
    Py_XDECREF(self);
    Py_XDECREF(next);
    Py_XDECREF(owner);
    return result;
}

/* Where somebody replaced ours, theirs stays. */
static int uninstall(PyObject *module, int place)
{
    PyObject *ours = record_state(module)->lanes.starters[place];
    if (!ours)
        return 0;
    record_state(module)->lanes.starters[place] = NULL;
    PyObject *owner = PyImport_ImportModule(starters[place].module);
    PyObject *now = owner ? PyObject_GetAttrString(owner, starters[place].name) : NULL;
    int result = 0;
    if (!now)
        PyErr_Clear(); /* the interpreter ends: modules are gone */
    else if (now == ours)
        result = PyObject_SetAttrString(owner, starters[place].name,
                                        PyTuple_GET_ITEM(PyCFunction_GET_SELF(ours), 1));
    Py_XDECREF(now);
    Py_XDECREF(owner);
    Py_DECREF(ours);
    return result;
}

/* All of them, or none: one that stays would be replaced by itself next time. */
static int install_all(PyObject *module)
{
    for (int i = 0; i < LANE_STARTERS; i++) {
        PyObject *type, *value, *traceback;
        if (install(module, i) == 0)
            continue;
        PyErr_Fetch(&type, &value, &traceback);
        for (; i >= 0; i--)
            if (uninstall(module, i) < 0)
                PyErr_Clear();
        PyErr_Restore(type, value, traceback);
        return -1;
    }
    return 0;
}

static PyObject *install_threads(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    lane_state *state = &record_state(module)->lanes;
    if (!state->thread_installs && install_all(module) < 0)
        return NULL;
    state->thread_installs++;
    Py_RETURN_NONE;
}

static PyObject *uninstall_threads(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    lane_state *state = &record_state(module)->lanes;
    if (state->thread_installs && !--state->thread_installs)
        for (int i = 0; i < LANE_STARTERS; i++)
            if (uninstall(module, i) < 0)
                return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"install_threads", install_threads, METH_NOARGS, NULL},
    {"uninstall_threads", uninstall_threads, METH_NOARGS, NULL},
    {"register_thread", (PyCFunction)(void (*)(void))register_thread, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

int thread_add(PyObject *module)
{
    lane_state *state = &record_state(module)->lanes;
    state->thread_end_type =
        (PyTypeObject *)PyType_FromModuleAndSpec(module, &thread_end_spec, NULL);
    state->thread_start_type =
        (PyTypeObject *)PyType_FromModuleAndSpec(module, &thread_start_spec, NULL);
    state->end_key = PyUnicode_InternFromString(thread_end_spec.name);
    state->name_key = PyUnicode_InternFromString("_name");
    state->daemon_key = PyUnicode_InternFromString("_daemonic");
    if (!state->thread_end_type || !state->thread_start_type || !state->end_key ||
        !state->name_key || !state->daemon_key)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
