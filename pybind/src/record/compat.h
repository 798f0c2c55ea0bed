/* compat.h - where the versions of CPython differ.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_COMPAT_H
#define SCOPE_PYBIND_COMPAT_H

#include "record.h"

#include <structmember.h> /* T_PYSSIZET: Py_T_PYSSIZET from 3.12 on */

/* clang-format off */
#if PY_VERSION_HEX >= 0x030c0000
#define RECORD_SLOT_INTERPRETERS \
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED}
#else
#define RECORD_SLOT_INTERPRETERS {0, NULL}
#endif
/* clang-format on */

static inline int compat_is_finalizing(void)
{
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

/* The context that runs now: one per thread, task and greenlet. Borrowed. Read from the
 * thread's state, because the public calls only copy it; NULL with an exception. */
static inline PyObject *compat_context(void)
{
    const PyThreadState *thread = PyThreadState_Get();
    if (!thread->context) { /* none yet: copying makes it */
        PyObject *copy = PyContext_CopyCurrent();
        if (!copy)
            return NULL;
        Py_DECREF(copy);
    }
    return thread->context;
}

/* Call a function as the interpreter does: PyObject_Vectorcall() looks again for what is
 * known here and checks a result that functions check themselves. */
static inline PyObject *compat_call(PyObject *function, PyObject *const *args, size_t count,
                                    PyObject *keywords)
{
    if (PyFunction_Check(function)) {
        const vectorcallfunc vectorcall = ((PyFunctionObject *)function)->vectorcall;
        if (vectorcall)
            return vectorcall(function, args, count, keywords);
    }
    return PyObject_Vectorcall(function, args, count, keywords);
}

/* The process session is the main interpreter's. */
static inline int compat_is_main_interpreter(void)
{
    return PyInterpreterState_Get() == PyInterpreterState_Main();
}

#endif
