/* record.h - what the files of _record share: the module's state and its parts.
 *
 * One .c per type, each with one <x>_add() that module.c calls. All Python objects of
 * the module are in its state; it may be NULL in parts after the module was cleared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_RECORD_H
#define SCOPE_PYBIND_RECORD_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

#include <scope/status.h>

#include "lane_state.h"

struct SessionObject;

typedef struct module_state {
    PyObject *module;                 /* whose state this is. Not owned */
    PyTypeObject *session_type, *region_type, *handle_type, *profiled_type, *method_type;
    struct SessionObject *sessions;   /* all that live, newest first. Not owned */
    struct SessionObject *standard;   /* the default manager's; NULL none. Owned */
    PyObject *standard_miss;          /* what region() calls without one, or on a miss. Owned */
    PyObject *region_enter, *region_exit; /* what Region.__enter__ and __exit__ are. Owned */
    uint64_t binding;                 /* counts rebind(), from 1 */
    lane_state lanes;                 /* of threads, tasks and greenlets */
} module_state;

module_state *record_state(PyObject *module);
module_state *record_state_of(PyTypeObject *type); /* of one of our types or a subclass */

/* The exception of a status that is not SCOPE_OK; returns NULL. */
PyObject *record_raise(scope_status status);

/* Each adds its types and functions to the module: 0, or -1 with an exception. */
int method_add(PyObject *module);
int session_add(PyObject *module);
int region_add(PyObject *module);
int handle_add(PyObject *module);
int profiled_add(PyObject *module);

/* How the dealloc of our types begins and ends: no collector and no weak reference sees the
 * object any more, then what it has is cleared, last go its memory and its type. */
static inline void record_dealloc_begin(PyObject *object, PyObject *weakrefs)
{
    PyObject_GC_UnTrack(object);
    if (weakrefs)
        PyObject_ClearWeakRefs(object);
}

static inline void record_dealloc_end(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

/* Makes a type from its spec, keeps it in *slot and in the module under its name. */
int record_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot);

#endif
