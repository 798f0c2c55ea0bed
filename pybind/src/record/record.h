/* record.h - what the files of _record share: the module's state.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_RECORD_H
#define SCOPE_PYBIND_RECORD_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

#include "lane_state.h"

struct SessionObject;

typedef struct module_state {
    PyTypeObject *session_type, *region_type, *handle_type, *profiled_type;
    struct SessionObject *sessions;   /* all that live, newest first */
    struct SessionObject *standard;   /* the default manager's; NULL none. Owned */
    PyObject *standard_miss;          /* what region() calls without one, or on a miss. Owned */
    uint64_t binding;                 /* counts rebind() */
    lane_state lanes;                 /* threads, tasks, greenlets: lane_add() and so on */
} module_state;

module_state *record_state(PyObject *module);
module_state *record_state_of(PyTypeObject *type); /* of one of our types */

#endif
