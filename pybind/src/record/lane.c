/* lane.c - lanes of tasks and greenlets in the sessions that they are for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lane.h"

#include <stdatomic.h>

_Thread_local lane_thread lane_this_thread;
uint32_t lane_forks;

void lane_next_epoch(module_state *state)
{
    static _Atomic uint64_t last; /* of all interpreters, which may run at one time */
    state->lanes.epoch = atomic_fetch_add(&last, 1) + 1;
}

lane_text lane_text_of(PyObject *text)
{
    lane_text result = {"", 0, NULL};
    if (!text || !PyUnicode_Check(text))
        return result;
    result.bytes = PyUnicode_AsUTF8AndSize(text, &result.length);
    if (result.bytes)
        return result;
    PyErr_Clear();
    result = (lane_text){"", 0, PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace")};
    if (!result.owner) {
        PyErr_Clear();
        return result;
    }
    result.bytes = PyBytes_AS_STRING(result.owner);
    result.length = PyBytes_GET_SIZE(result.owner);
    return result;
}

void lane_text_free(lane_text *text)
{
    Py_CLEAR(text->owner);
}

static lane *lane_at(lane_set *set, uint32_t place)
{
    return place ? &set->more[place - 1] : &set->first;
}

/* A session of our own is over when it is closed; the process session may be another one. */
static int is_live(const lane *lane)
{
    const SessionObject *session = lane->session;
    return session && session->session &&
           (!session->is_process ||
            scope_host_generation(session->session) == lane->generation);
}

static lane *find(lane_set *set, const SessionObject *session)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (lane_at(set, i)->session == session)
            return lane_at(set, i);
    return NULL;
}

static int append(lane_set *set, lane added)
{
    if (set->count) {
        lane *more = PyMem_Realloc(set->more, set->count * sizeof *more);
        if (!more)
            return 0;
        set->more = more;
    }
    Py_INCREF(added.session);
    *lane_at(set, set->count++) = added;
    return 1;
}

void lane_set_open(lane_set *set, module_state *state, scope_task_kind kind, PyObject *name,
                   PyObject *code_name)
{
    if (set->forks != lane_forks)
        lane_set_close(set);
    set->forks = lane_forks;
    set->epoch = state->lanes.epoch;
    set->has_unnamed = 0;
    lane_text name_text = lane_text_of(name), code_text = lane_text_of(code_name);
    for (SessionObject *session = state->sessions; session; session = session->next) {
        if (session->lanes < SCOPE_HOST_TASKS || !session_is_live(session))
            continue;
        lane *known = find(set, session);
        if (known && known->task >= 0)
            continue;
        const scope_task task =
            scope_host_task_new(session->session, kind, name_text.bytes, (size_t)name_text.length,
                                code_text.bytes, (size_t)code_text.length);
        if (known)
            known->task = task;
        else if (task >= 0 && !append(set, (lane){session, task, session->generation, 0}))
            break;
    }
    lane_text_free(&name_text);
    lane_text_free(&code_text);
}

void lane_set_stay(lane_set *set, module_state *state)
{
    if (set->forks != lane_forks)
        lane_set_close(set);
    set->forks = lane_forks;
    set->epoch = state->lanes.epoch;
    for (SessionObject *session = state->sessions; session; session = session->next)
        if (session->lanes >= SCOPE_HOST_TASKS && session_is_live(session) &&
            !find(set, session)) {
            set->has_unnamed = 1;
            if (!append(set, (lane){session, -1, session->generation, 1}))
                break;
        }
}

void lane_set_describe(lane_set *set, scope_task_kind kind, PyObject *name, PyObject *code_name)
{
    if (set->forks != lane_forks)
        return;
    lane_text name_text = lane_text_of(name), code_text = lane_text_of(code_name);
    for (uint32_t i = 0; i < set->count; i++) {
        const lane *lane = lane_at(set, i);
        if (is_live(lane))
            scope_host_task_describe(lane->session->session, lane->task, kind, name_text.bytes,
                                     (size_t)name_text.length, code_text.bytes,
                                     (size_t)code_text.length);
    }
    lane_text_free(&name_text);
    lane_text_free(&code_text);
}

int lane_set_resume(lane_set *set)
{
    int live = 0;
    for (uint32_t i = 0; set->forks == lane_forks && i < set->count; i++) {
        const lane *lane = lane_at(set, i);
        if (!is_live(lane))
            continue;
        live = 1;
        if (!lane->bare)
            scope_host_task_resume(lane->session->session, lane->task);
    }
    return live;
}

void lane_set_suspend(lane_set *set)
{
    if (set->forks != lane_forks)
        return;
    for (uint32_t i = 0; i < set->count; i++) {
        const lane *lane = lane_at(set, i);
        if (!lane->bare && is_live(lane))
            scope_host_task_suspend(lane->session->session, lane->task);
    }
}

void lane_set_done(lane_set *set)
{
    if (set->forks != lane_forks)
        return;
    for (uint32_t i = 0; i < set->count; i++) {
        const lane *lane = lane_at(set, i);
        if (is_live(lane))
            scope_host_task_done(lane->session->session, lane->task);
    }
}

void lane_set_close(lane_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        Py_CLEAR(lane_at(set, i)->session);
    PyMem_Free(set->more);
    set->more = NULL;
    set->count = 0;
}

int lane_set_traverse(lane_set *set, visitproc visit, void *arg)
{
    for (uint32_t i = 0; i < set->count; i++)
        Py_VISIT(lane_at(set, i)->session);
    return 0;
}

/* ---- the module ---- */

/* Hooks of a session go in: threads that are known must be registered again. */
static PyObject *lanes_started(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    lane_next_epoch(record_state(module));
    Py_RETURN_NONE;
}

/* In a forked child: what ran in the parent does not go on here. */
static PyObject *lanes_forked(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    lane_forks++;
    lane_this_thread.running = NULL;
    lane_this_thread.known = record_state(module)->lanes.epoch;
    Py_RETURN_NONE;
}

/* Id of the task or greenlet that runs on the calling thread, -1: the bare thread. */
static PyObject *running_task(PyObject *module, PyObject *session)
{
    (void)module;
    for (lane_set *set = lane_this_thread.running; set && set->forks == lane_forks;
         set = set->outer)
        for (uint32_t i = 0; i < set->count; i++) {
            const lane *lane = lane_at(set, i);
            if ((PyObject *)lane->session == session && !lane->bare && is_live(lane))
                return PyLong_FromLongLong(lane->task);
        }
    return PyLong_FromLong(-1);
}

static PyMethodDef functions[] = {
    {"lanes_started", lanes_started, METH_NOARGS, NULL},
    {"lanes_forked", lanes_forked, METH_NOARGS, NULL},
    {"running_task", running_task, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

int lane_add(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0 || task_add(module) < 0 ||
        thread_add(module) < 0 || greenlet_add(module) < 0)
        return -1;
    return 0;
}

int lane_traverse(lane_state *state, visitproc visit, void *arg)
{
    Py_VISIT(state->task_type);
    Py_VISIT(state->greenlet_type);
    Py_VISIT(state->thread_start_type);
    Py_VISIT(state->thread_end_type);
    for (int i = 0; i < LANE_STARTERS; i++)
        Py_VISIT(state->starters[i]);
    Py_VISIT(state->settrace);
    Py_VISIT(state->gettrace);
    Py_VISIT(state->end_key);
    Py_VISIT(state->lane_key);
    Py_VISIT(state->name_key);
    Py_VISIT(state->daemon_key);
    return 0;
}

void lane_clear(lane_state *state)
{
    Py_CLEAR(state->task_type);
    Py_CLEAR(state->greenlet_type);
    Py_CLEAR(state->thread_start_type);
    Py_CLEAR(state->thread_end_type);
    for (int i = 0; i < LANE_STARTERS; i++)
        Py_CLEAR(state->starters[i]);
    Py_CLEAR(state->settrace);
    Py_CLEAR(state->gettrace);
    Py_CLEAR(state->end_key);
    Py_CLEAR(state->lane_key);
    Py_CLEAR(state->name_key);
    Py_CLEAR(state->daemon_key);
}
