/* lane_state.h - the part of the module's state that threads, tasks and greenlets need.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_LANE_STATE_H
#define SCOPE_PYBIND_LANE_STATE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

#define LANE_STARTERS 3 /* functions that start threads: see thread.c */

typedef struct lane_state {
    PyTypeObject *task_type, *greenlet_type, *thread_start_type, *thread_end_type;
    PyObject *starters[LANE_STARTERS]; /* ours, while installed; NULL: not there. Owned */
    PyObject *settrace, *gettrace;     /* of greenlet, once imported. Owned */
    PyObject *end_key, *lane_key;      /* where a thread's sentinel and a greenlet's lanes are */
    PyObject *name_key, *daemon_key;   /* attributes of threading.Thread */
    Py_ssize_t thread_installs, greenlet_installs;
    uint64_t greenlet_watch; /* counts the times that greenlet_installs began: switches in
                                between were not seen */
    uint64_t epoch; /* changes with each session of this interpreter; 0: there was none */
} lane_state;

int lane_add(PyObject *module); /* types and functions; -1: an exception is set */
int lane_traverse(lane_state *state, visitproc visit, void *arg);
void lane_clear(lane_state *state);

#endif
