/* lane.h - which lanes run on this thread, innermost first.
 *
 * A task or greenlet is one lane in every session that tracked tasks when it was made:
 * a lane_set. The sets that run inside each other on one thread are linked by `outer`;
 * a greenlet that is switched away from keeps its own part of that list (greenlet.c).
 *
 *     thread.running -> task -> greenlet -> NULL (the bare thread)
 *
 * Ownership  a set lies in the object of its task or greenlet and holds the sessions.
 * Threads    the GIL; `lane_this_thread` is the thread's own.
 * Errors     none: a set whose sessions are over records nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_LANE_H
#define SCOPE_PYBIND_LANE_H

#include "record.h"
#include "session.h"

typedef struct lane {
    SessionObject *session; /* NULL: over. Owned */
    scope_task task;
    uint32_t generation;
    int32_t bare; /* it was running when it was first seen: its code stays on the lane it was on */
} lane;

typedef struct lane_set {
    struct lane_set *outer; /* while it runs, or waits in a switched-out greenlet */
    lane first, *more;      /* `more`: of the second session on */
    uint32_t count;         /* lanes; 0: nothing to record */
    uint32_t forks;         /* lane_forks when it was made: a child does not go on with it */
    uint64_t epoch;         /* the interpreter's when sessions were last looked for */
    int has_unnamed;        /* lanes that lane_set_stay() made, which have no task yet */
} lane_set;

typedef struct lane_thread {
    lane_set *running;
    uint64_t known;     /* epoch of the interpreter where this thread was last registered */
    PyObject *trace;    /* our trace function for greenlet, while it is installed here. Owned */
} lane_thread;

extern _Thread_local lane_thread lane_this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
extern uint32_t lane_forks; /* counts forks that this process came from */

/* Threads that are known must register again. No two interpreters have one epoch, so that a
 * thread that is known in one is not taken for known in another. */
void lane_next_epoch(module_state *state);

/* Text of a str for libscope; characters that UTF-8 lacks are written as \udcxx. */
typedef struct lane_text {
    const char *bytes;
    Py_ssize_t length;
    PyObject *owner;
} lane_text;

lane_text lane_text_of(PyObject *text); /* NULL or no str: empty. No exception is left */
void lane_text_free(lane_text *text);

/* A lane in every live session that tracks tasks, where the set has none. */
void lane_set_open(lane_set *set, module_state *state, scope_task_kind kind, PyObject *name,
                   PyObject *code_name);

/* The same for what runs already: its code stays on the lane it is on (`bare`), and its
 * row is made by a later lane_set_open(). */
void lane_set_stay(lane_set *set, module_state *state);

void lane_set_describe(lane_set *set, scope_task_kind kind, PyObject *name, PyObject *code_name);
int lane_set_resume(lane_set *set); /* 0: no session of it lives any more */
void lane_set_suspend(lane_set *set);
void lane_set_done(lane_set *set);
void lane_set_close(lane_set *set);
int lane_set_traverse(lane_set *set, visitproc visit, void *arg);

/* Register the calling thread in every live session, with its Python name in those with lanes. */
void lane_register_thread(module_state *state);

/* Before an event of Python code on this thread. */
static inline void lane_check(module_state *state)
{
    if (__builtin_expect(lane_this_thread.known != state->lanes.epoch, 0))
        lane_register_thread(state);
}

/* ---- for lane_add() ---- */

int task_add(PyObject *module);
int thread_add(PyObject *module);
int greenlet_add(PyObject *module);

/* greenlet.settrace here, if it is installed. */
void greenlet_hook_thread(module_state *state);

#endif
