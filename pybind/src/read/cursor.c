/* cursor.c - the Cursor type: what a session has recorded so far.
 *
 * Ownership  the object owns its scope_cursor and keeps the session's capsule, which is
 *            renamed when the session closes: from then on the cursor shows what it has.
 * Threads    `lock` is held over every use of the scope_cursor. advance() and checkpoint()
 *            keep the GIL, for the session must not be closed under them; what else walks
 *            rows works on the cursor's own memory and releases it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <scope/host.h>
#include <scope/replay.h>

#include "../capsules.h"
#include "column.h"
#include "fields.h"
#include "table.h"

typedef struct CursorObject {
    PyObject_HEAD
    PyObject *capsule;
    scope_cursor *cursor; /* NULL: nothing was recorded yet */
    uint32_t generation;  /* of the session's recording */
    int untracked;
    pthread_mutex_t lock;
    pid_t pid; /* whose lock it is */
} CursorObject;

static void enter(CursorObject *self)
{
    if (self->pid != getpid()) { /* a forked child: who held the lock is not here to give it back */
        pthread_mutex_init(&self->lock, NULL);
        self->pid = getpid();
    }
    if (pthread_mutex_trylock(&self->lock) == 0)
        return;
    Py_BEGIN_ALLOW_THREADS /* who has it may wait for the GIL */
    pthread_mutex_lock(&self->lock);
    Py_END_ALLOW_THREADS
}

static void leave(CursorObject *self)
{
    pthread_mutex_unlock(&self->lock);
}

/* The session, if its recording is still the one that this cursor reads; else NULL. */
static scope_session *session_of(CursorObject *self)
{
    if (!PyCapsule_IsValid(self->capsule, SESSION_CAPSULE))
        return NULL;
    scope_session *session = PyCapsule_GetPointer(self->capsule, SESSION_CAPSULE);
    return scope_host_generation(session) == self->generation ? session : NULL;
}

/* ---- life ---- */

static PyObject *cursor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"session_pointer", "untracked", NULL};
    PyObject *capsule;
    int untracked = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$p:Cursor", keywords, &capsule, &untracked))
        return NULL;
    scope_session *session = PyCapsule_GetPointer(capsule, SESSION_CAPSULE);
    if (!session)
        return NULL;
    CursorObject *self = (CursorObject *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->capsule = Py_NewRef(capsule);
    self->generation = scope_host_generation(session);
    self->untracked = untracked;
    pthread_mutex_init(&self->lock, NULL);
    self->pid = getpid();
    return (PyObject *)self;
}

static void cursor_dealloc(CursorObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    scope_cursor_free(self->cursor);
    if (self->pid == getpid()) /* else a thread of the parent may have it */
        pthread_mutex_destroy(&self->lock);
    Py_XDECREF(self->capsule);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ---- with the session ---- */

static scope_status advance(CursorObject *self, scope_session *session)
{
    scope_recording view = {0};
    uint16_t number = 0;
    const scope_cursor_options options = {
        .size_bytes = sizeof options, .host = 1, .untracked = self->untracked};
    scope_status status = scope_host_view(session, &view, &number);
    if (status != SCOPE_OK || number == 0)
        return status;
    if (!self->cursor)
        status = scope_cursor_new_with(&view, number, &options, &self->cursor);
    return status == SCOPE_OK ? scope_cursor_advance(self->cursor, &view) : status;
}

static PyObject *cursor_advance(CursorObject *self, PyObject *unused)
{
    (void)unused;
    enter(self);
    scope_session *session = session_of(self); /* after enter(), which may wait */
    const scope_status status = session ? advance(self, session) : SCOPE_OK;
    leave(self);
    if (status != SCOPE_OK)
        return raise_status(read_state_of_object(self), status, NULL);
    Py_RETURN_NONE;
}

static PyObject *cursor_cut(CursorObject *self, PyObject *unused)
{
    (void)unused;
    scope_status status;
    enter(self);
    Py_BEGIN_ALLOW_THREADS
    status = self->cursor ? scope_cursor_cut(self->cursor) : SCOPE_OK;
    Py_END_ALLOW_THREADS
    leave(self);
    if (status != SCOPE_OK)
        return raise_status(read_state_of_object(self), status, NULL);
    Py_RETURN_NONE;
}

static scope_status checkpoint(CursorObject *self, const char *output, int64_t next_call_id)
{
    scope_define_cut_stream *positions = NULL;
    size_t count = 0;
    if (!self->cursor)
        return SCOPE_OK;
    scope_status status = scope_cursor_cut(self->cursor);
    if (status == SCOPE_OK)
        status = scope_cursor_positions(self->cursor, &positions, &count);
    scope_session *session = session_of(self);
    if (status == SCOPE_OK && session)
        status = scope_host_checkpoint(session, positions, count, next_call_id, output);
    free(positions);
    return status;
}

static PyObject *cursor_checkpoint(CursorObject *self, PyObject *args)
{
    PyObject *output;
    long long next_call_id;
    if (!PyArg_ParseTuple(args, "O&L:checkpoint", PyUnicode_FSConverter, &output, &next_call_id))
        return NULL;
    enter(self);
    const scope_status status = checkpoint(self, PyBytes_AS_STRING(output), next_call_id);
    leave(self);
    Py_DECREF(output);
    if (status != SCOPE_OK)
        return raise_status(read_state_of_object(self), status, NULL);
    Py_RETURN_NONE;
}

/* ---- what it has ---- */

static scope_status no_calls(scope_calls **calls)
{
    const scope_status status = scope_calls_new(calls);
    if (status == SCOPE_OK)
        (*calls)->rank_count = 1;
    return status;
}

static PyObject *cursor_table(CursorObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"order", "first_call_id", NULL};
    PyObject *sequence = NULL;
    long long first_call_id = 0;
    int32_t *order = NULL;
    scope_table_options options = {.size_bytes = sizeof options};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OL:table", keywords, &sequence,
                                     &first_call_id) ||
        (sequence && int32_array_from(sequence, 0, "order: not the id of a region", &order,
                                      &options.order_count) < 0))
        return NULL;
    options.order = (const uint32_t *)order; /* none is negative */
    options.first_call_id = first_call_id;
    scope_calls *calls = NULL;
    scope_status status;
    enter(self);
    Py_BEGIN_ALLOW_THREADS
    status = self->cursor ? scope_cursor_table(self->cursor, &options, &calls) : no_calls(&calls);
    Py_END_ALLOW_THREADS
    leave(self);
    PyMem_Free(order);
    read_state *state = read_state_of_object(self);
    return calls ? table_take(state, calls) : raise_status(state, status, NULL);
}

static PyObject *cursor_lanes(CursorObject *self, PyObject *unused)
{
    (void)unused;
    scope_calls *calls = NULL;
    scope_status status;
    enter(self);
    Py_BEGIN_ALLOW_THREADS
    status = self->cursor ? scope_cursor_lanes(self->cursor, &calls) : no_calls(&calls);
    Py_END_ALLOW_THREADS
    leave(self);
    read_state *state = read_state_of_object(self);
    return status == SCOPE_OK ? table_take(state, calls) : raise_status(state, status, NULL);
}

static PyObject *cursor_region(CursorObject *self, PyObject *args)
{
    unsigned int region;
    int64_t *start_ns = NULL, *end_ns = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(args, "I:region", &region))
        return NULL;
    scope_status status;
    enter(self);
    Py_BEGIN_ALLOW_THREADS
    status = self->cursor ? scope_cursor_region(self->cursor, region, &start_ns, &end_ns, &count)
                          : SCOPE_OK;
    Py_END_ALLOW_THREADS
    leave(self);
    read_state *state = read_state_of_object(self);
    if (status != SCOPE_OK)
        return raise_status(state, status, NULL);
    PyObject *starts = column_take(state, start_ns, count, 'q');
    PyObject *ends = column_take(state, end_ns, count, 'q');
    PyObject *both = starts && ends ? PyTuple_Pack(2, starts, ends) : NULL;
    Py_XDECREF(starts);
    Py_XDECREF(ends);
    return both;
}

static PyObject *cursor_times(CursorObject *self, PyObject *ticks)
{
    read_state *state = read_state_of_object(self);
    Py_buffer view;
    if (column_buffer(ticks, 'q', "ticks", &view) < 0)
        return NULL;
    const size_t count = (size_t)view.len / sizeof(int64_t);
    int64_t *ns = calloc(count + 1, sizeof *ns);
    if (ns) {
        enter(self);
        Py_BEGIN_ALLOW_THREADS
        if (self->cursor)
            scope_cursor_times(self->cursor, view.buf, count, ns);
        Py_END_ALLOW_THREADS
        leave(self);
    }
    PyBuffer_Release(&view);
    return ns ? column_take(state, ns, count, 'q') : PyErr_NoMemory();
}

static PyObject *cursor_open_count(CursorObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"except_region", NULL};
    int except = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i:open_count", keywords, &except))
        return NULL;
    enter(self);
    const size_t count =
        self->cursor ? scope_cursor_open_count(self->cursor, (uint32_t)except) : 0;
    leave(self);
    return PyLong_FromSize_t(count);
}

/* ---- the type ---- */

static PyMethodDef cursor_methods[] = {
    {"advance", (PyCFunction)cursor_advance, METH_NOARGS,
     "Take in what was recorded since the last time; nothing more once the session is closed."},
    {"table", (PyCFunction)(void (*)(void))cursor_table, METH_VARARGS | METH_KEYWORDS,
     "The calls finished since the last cut. table.nests is False where they do not nest."},
    {"lanes", (PyCFunction)cursor_lanes, METH_NOARGS, "Thread and task tables alone."},
    {"region", (PyCFunction)cursor_region, METH_VARARGS,
     "Starts and ends of a region's calls since the cut; an open one ends at 0."},
    {"times", (PyCFunction)cursor_times, METH_O,
     "ns of ticks (int64) of _record.ticks() before the last advance."},
    {"open_count", (PyCFunction)(void (*)(void))cursor_open_count, METH_VARARGS | METH_KEYWORDS,
     "Calls that are open now."},
    {"cut", (PyCFunction)cursor_cut, METH_NOARGS, "What has finished so far counts as reported."},
    {"checkpoint", (PyCFunction)cursor_checkpoint, METH_VARARGS,
     "A cut, of which the recording is told: `output` was written."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot cursor_slots[] = {
    {Py_tp_new, cursor_new},
    {Py_tp_dealloc, cursor_dealloc},
    {Py_tp_methods, cursor_methods},
    {Py_tp_doc, "What a session has recorded so far."},
    {0, NULL},
};

static PyType_Spec cursor_spec = {
    .name = "scope_profiler._read.Cursor",
    .basicsize = sizeof(CursorObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = cursor_slots,
};

int cursor_add(PyObject *module)
{
    read_state *state = read_state_of(module);
    state->cursor_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &cursor_spec, NULL);
    return state->cursor_type ? PyModule_AddType(module, state->cursor_type) : -1;
}
