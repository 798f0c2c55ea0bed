/* greenlet.c - greenlets: at each switch their lanes change places.
 *
 * A greenlet's code runs on a lane of its own, and the tasks that it runs on theirs. The
 * one that runs when a session sees the first switch of its thread (the root one, mostly)
 * has a lane in the table, but its code stays where it was: regions that are open across
 * that switch, the session's own included, end on the lane they began on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lane.h"

typedef struct GreenletObject {
    PyObject_HEAD
    lane_set lanes;   /* the bottom of what this greenlet runs */
    lane_set *saved;  /* the top, while it is switched out; NULL: it runs */
    uint64_t watch;   /* greenlet_watch when `saved` was: later, its sets may be gone */
    int is_done;
} GreenletObject;

static int greenlet_traverse(GreenletObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return lane_set_traverse(&self->lanes, visit, arg);
}

static int greenlet_clear(GreenletObject *self)
{
    lane_set_close(&self->lanes);
    return 0;
}

static void greenlet_dealloc(GreenletObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    greenlet_clear(self);
    /* A greenlet that is dropped while it runs has no list any more. */
    for (lane_set **holder = &lane_this_thread.running; *holder; holder = &(*holder)->outer)
        if (*holder == &self->lanes) {
            *holder = self->lanes.outer;
            break;
        }
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_dealloc, greenlet_dealloc},
    {Py_tp_traverse, greenlet_traverse},
    {Py_tp_clear, greenlet_clear},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._record.Greenlet",
    .basicsize = sizeof(GreenletObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* ---- lanes ---- */

/* Named by its address. What a plain greenlet runs is not known once it runs; that of a
 * class with a run() of its own is. */
static void open_lanes(module_state *state, PyObject *greenlet, GreenletObject *self)
{
    char text[40];
    snprintf(text, sizeof text, "greenlet-%zx", (size_t)greenlet);
    PyObject *name = PyUnicode_FromString(text);
    PyObject *run = PyObject_GetAttrString((PyObject *)Py_TYPE(greenlet), "run");
    const int is_own = run && !Py_IS_TYPE(run, &PyGetSetDescr_Type);
    PyObject *code = is_own ? PyObject_GetAttrString(run, "__qualname__")
                            : PyUnicode_FromString(Py_TYPE(Py_None)->tp_name);
    PyErr_Clear();
    lane_set_open(&self->lanes, state, SCOPE_TASK_KIND_GREENLET, name, code);
    Py_XDECREF(code);
    Py_XDECREF(run);
    Py_XDECREF(name);
    PyErr_Clear();
}

/* The greenlet's lanes: one that runs stays where it is, another gets its own. NULL: no
 * memory. A new reference. */
static GreenletObject *lanes_of(module_state *state, PyObject *greenlet, int runs)
{
    PyObject *key = state->lanes.lane_key;
    GreenletObject *self = (GreenletObject *)PyObject_GenericGetAttr(greenlet, key);
    if (self && !Py_IS_TYPE((PyObject *)self, state->lanes.greenlet_type))
        Py_CLEAR(self);
    PyErr_Clear();
    if (!self) {
        self = PyObject_GC_New(GreenletObject, state->lanes.greenlet_type);
        if (!self)
            return NULL;
        memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
        PyObject_GC_Track(self);
        if (PyObject_GenericSetAttr(greenlet, key, (PyObject *)self) < 0)
            Py_CLEAR(self);
    }
    if (self && (self->lanes.forks != lane_forks || self->watch != state->lanes.greenlet_watch))
        self->saved = NULL;
    const int is_stale = self && (!self->lanes.epoch || self->lanes.epoch != state->lanes.epoch ||
                                  self->lanes.forks != lane_forks);
    if (is_stale && runs)
        lane_set_stay(&self->lanes, state);
    else if (is_stale || (self && self->lanes.has_unnamed && !runs))
        open_lanes(state, greenlet, self);
    PyErr_Clear();
    return self;
}

static void suspend_all(lane_set *top)
{
    for (lane_set *set = top; set; set = set->outer)
        lane_set_suspend(set);
}

/* Outermost first. */
static void resume_all(lane_set *top)
{
    if (!top)
        return;
    resume_all(top->outer);
    lane_set_resume(top);
}

static void put_at_bottom(lane_set *set)
{
    lane_set **holder = &lane_this_thread.running;
    while (*holder && *holder != set)
        holder = &(*holder)->outer;
    if (!*holder) {
        set->outer = NULL;
        *holder = set;
    }
}

static int is_dead(PyObject *greenlet)
{
    PyObject *dead = PyObject_GetAttrString(greenlet, "dead");
    const int result = dead == Py_True;
    Py_XDECREF(dead);
    PyErr_Clear();
    return result;
}

static void switched(module_state *state, PyObject *origin, PyObject *target)
{
    lane_check(state);
    GreenletObject *from = lanes_of(state, origin, 1);
    GreenletObject *to = lanes_of(state, target, 0);
    if (from && to && from != to) {
        put_at_bottom(&from->lanes);
        from->saved = lane_this_thread.running;
        from->watch = state->lanes.greenlet_watch;
        suspend_all(from->saved);
        if (!from->is_done && is_dead(origin)) {
            from->is_done = 1;
            from->saved = NULL;
            lane_set_done(&from->lanes);
            lane_set_close(&from->lanes);
        }
        lane_this_thread.running = to->saved ? to->saved : &to->lanes;
        if (!to->saved)
            to->lanes.outer = NULL;
        to->saved = NULL;
        resume_all(lane_this_thread.running);
    }
    Py_XDECREF(to);
    Py_XDECREF(from);
}

/* ---- the trace function ----
 *
 * Of each thread its own; (module, the one before it) is its self. */

static int is_current(const PyObject *self)
{
    const PyObject *trace = lane_this_thread.trace;
    return trace && PyCFunction_GET_SELF(trace) == self;
}

/* Take ours out of the calling thread, if nobody is before it. */
static void unhook_thread(module_state *state)
{
    PyObject *ours = lane_this_thread.trace;
    if (!ours)
        return;
    lane_this_thread.trace = NULL;
    lane_this_thread.running = NULL;
    PyObject *now = PyObject_CallNoArgs(state->lanes.gettrace);
    if (now == ours) {
        PyObject *before = PyTuple_GET_ITEM(PyCFunction_GET_SELF(ours), 1);
        PyObject *result = PyObject_CallOneArg(state->lanes.settrace, before);
        Py_XDECREF(result);
    }
    PyErr_Clear();
    Py_XDECREF(now);
    Py_DECREF(ours);
}

/* greenlet removes a trace function that raises: what the one before raises goes there. */
static PyObject *trace(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    module_state *state = record_state(PyTuple_GET_ITEM(self, 0));
    PyObject *before = PyTuple_GET_ITEM(self, 1), *result;
    Py_INCREF(self);
    if (is_current(self) && count == 2 && PyTuple_Check(arguments[1]) &&
        PyTuple_GET_SIZE(arguments[1]) == 2) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        if (state->lanes.greenlet_installs)
            switched(state, PyTuple_GET_ITEM(arguments[1], 0), PyTuple_GET_ITEM(arguments[1], 1));
        else
            unhook_thread(state); /* uninstalled on another thread */
        PyErr_Restore(type, value, traceback);
    }
    result = before == Py_None ? Py_NewRef(Py_None)
                               : PyObject_Vectorcall(before, arguments, (size_t)count, NULL);
    Py_DECREF(self);
    return result;
}

static PyMethodDef trace_method = {"trace_greenlets", (PyCFunction)(void (*)(void))trace,
                                   METH_FASTCALL, NULL};

void greenlet_hook_thread(module_state *state)
{
    if (!state->lanes.greenlet_installs)
        return;
    PyObject *module = PyType_GetModule(state->lanes.greenlet_type); /* borrowed */
    PyObject *now = PyObject_CallNoArgs(state->lanes.gettrace);
    if (now && now != lane_this_thread.trace) {
        PyObject *self = module ? PyTuple_Pack(2, module, now) : NULL;
        PyObject *ours = self ? PyCFunction_NewEx(&trace_method, self, NULL) : NULL;
        PyObject *result = ours ? PyObject_CallOneArg(state->lanes.settrace, ours) : NULL;
        if (result)
            Py_XSETREF(lane_this_thread.trace, Py_NewRef(ours));
        Py_XDECREF(result);
        Py_XDECREF(ours);
        Py_XDECREF(self);
    }
    Py_XDECREF(now);
    PyErr_Clear();
}

static PyObject *install_greenlets(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    module_state *state = record_state(module);
    lane_state *lanes = &state->lanes;
    if (!lanes->settrace || !lanes->gettrace) {
        PyObject *greenlet = PyImport_ImportModule("greenlet");
        if (!greenlet)
            return NULL;
        Py_XSETREF(lanes->settrace, PyObject_GetAttrString(greenlet, "settrace"));
        Py_XSETREF(lanes->gettrace, PyObject_GetAttrString(greenlet, "gettrace"));
        Py_DECREF(greenlet);
        if (!lanes->settrace || !lanes->gettrace)
            return NULL;
    }
    if (!lanes->greenlet_installs++)
        lanes->greenlet_watch++;
    greenlet_hook_thread(state);
    Py_RETURN_NONE;
}

static PyObject *uninstall_greenlets(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    module_state *state = record_state(module);
    if (state->lanes.greenlet_installs && !--state->lanes.greenlet_installs)
        unhook_thread(state);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"install_greenlets", install_greenlets, METH_NOARGS, NULL},
    {"uninstall_greenlets", uninstall_greenlets, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int greenlet_add(PyObject *module)
{
    lane_state *state = &record_state(module)->lanes;
    state->greenlet_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    state->lane_key = PyUnicode_InternFromString("__scope_profiler_lane__");
    return state->greenlet_type && state->lane_key ? PyModule_AddFunctions(module, functions)
                                                   : -1;
}
