/* session.h - the Session type: one manager's recording.
 *
 * Ownership  the object owns its scope_session and closes it; regions keep a strong
 *            reference to the session object.
 * Threads    the GIL protects all of it; `session` is never NULL while `live`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_SESSION_H
#define SCOPE_PYBIND_SESSION_H

#include "record.h"

#include <scope/host.h>

typedef struct SessionObject {
    PyObject_HEAD
    scope_session *session; /* NULL: closed */
    PyObject *module;        /* owned until the end: the state is the module's */
    module_state *state;     /* never NULL */
    uint32_t generation;    /* of the recording that this object is for, or NO_RECORDING */
    int is_process, adopted, lanes, paused;
    uint64_t turn;     /* of the process session: which Session has it */
    PyObject *regions; /* dict: name -> Region, in order of registration. NULL: cleared */
    PyObject *on_miss, *owner;
    PyObject *pointer; /* capsule, made when asked for; renamed at close */
    PyObject *weakrefs;
    struct SessionObject *next, *previous; /* module_state.sessions: all that live */
} SessionObject;

#define NO_RECORDING UINT32_MAX /* SCOPE_ENABLE=0. Not 0: that is what all that is over has */

/* It records, or would if it were not paused. */
static inline int session_is_live(const SessionObject *self)
{
    return self->session && scope_host_generation(self->session) == self->generation;
}

/* The region of that name, borrowed; NULL: look further, there may be an exception. */
static inline PyObject *session_hit(const SessionObject *self, PyObject *name)
{
    return self && self->regions && PyUnicode_CheckExact(name) && session_is_live(self)
               ? PyDict_GetItemWithError(self->regions, name)
               : NULL;
}

/* region(region_name, functions=None, tags=None) in `self` (NULL: none), FASTCALL with
 * keywords: a look-up in its regions, or `miss`. */
PyObject *session_find(SessionObject *self, PyObject *miss, PyObject *const *args, Py_ssize_t count,
                       PyObject *keywords);

#endif
