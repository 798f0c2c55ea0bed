/* module.c - _record: the table of contents.
 *
 * SPDX-License-Identifier: MIT
 */
#include "record.h"

#include <scope/version.h>

#include "compat.h"
#include "session.h"

/* ---- functions of the default manager ---- */

static PyObject *region(PyObject *module, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords)
{
    const module_state *state = record_state(module);
    PyObject *hit = count == 1 && !keywords ? session_hit(state->standard, args[0]) : NULL;
    if (hit || PyErr_Occurred())
        return Py_XNewRef(hit);
    return session_find(state->standard, state->standard_miss, args, count, keywords);
}

static PyObject *set_default(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"session", "on_miss", NULL};
    module_state *state = record_state(module);
    PyObject *session, *miss;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:set_default", keywords, &session, &miss))
        return NULL;
    if (session != Py_None && !PyObject_TypeCheck(session, state->session_type))
        return PyErr_Format(PyExc_TypeError, "session must be a Session or None, not %R", session);
    PyObject *before = (PyObject *)state->standard, *miss_before = state->standard_miss;
    state->standard = session == Py_None ? NULL : (SessionObject *)Py_NewRef(session);
    state->standard_miss = Py_NewRef(miss);
    Py_XDECREF(before);
    Py_XDECREF(miss_before);
    Py_RETURN_NONE;
}

static PyObject *rebind(PyObject *module, PyObject *Py_UNUSED(none))
{
    record_state(module)->binding++;
    Py_RETURN_NONE;
}

static PyObject *now_ns(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    return PyLong_FromLongLong(scope_now_ns());
}

static PyObject *ticks(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    return PyLong_FromUnsignedLongLong(scope_host_ticks());
}

static PyMethodDef functions[] = {
    {"ticks", ticks, METH_NOARGS,
     "ticks($module, /)\n--\n\nThe clock of events, for _read.Cursor.times()."},
    {"region", (PyCFunction)(void (*)(void))region, METH_FASTCALL | METH_KEYWORDS,
     "region($module, /, region_name, functions=None, tags=None)\n--\n\n"
     "The region of that name of the default manager: a context manager."},
    {"set_default", (PyCFunction)(void (*)(void))set_default, METH_VARARGS | METH_KEYWORDS,
     "set_default($module, /, session, on_miss)\n--\n\nWhat region() looks into."},
    {"rebind", rebind, METH_NOARGS,
     "rebind($module, /)\n--\n\nEvery Handle and Profiled asks for its region again."},
    {"now_ns", now_ns, METH_NOARGS, "now_ns($module, /)\n--\n\nns of time.perf_counter_ns()."},
    {NULL, NULL, 0, NULL},
};

/* ---- the module ---- */

static int module_exec(PyObject *module)
{
    record_state(module)->module = module;
    record_state(module)->binding = 1;
    if (PyModule_AddStringConstant(module, "VERSION", SCOPE_VERSION) < 0)
        return -1;
    if (method_add(module) < 0 || session_add(module) < 0 || region_add(module) < 0 ||
        handle_add(module) < 0 || profiled_add(module) < 0 || lane_add(module) < 0)
        return -1;
    return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = record_state(module);
    Py_VISIT(state->session_type);
    Py_VISIT(state->region_type);
    Py_VISIT(state->handle_type);
    Py_VISIT(state->profiled_type);
    Py_VISIT(state->method_type);
    Py_VISIT(state->standard);
    Py_VISIT(state->standard_miss);
    Py_VISIT(state->region_enter);
    Py_VISIT(state->region_exit);
    return lane_traverse(&state->lanes, visit, arg);
}

static int module_clear(PyObject *module)
{
    module_state *state = record_state(module);
    Py_CLEAR(state->session_type);
    Py_CLEAR(state->region_type);
    Py_CLEAR(state->handle_type);
    Py_CLEAR(state->profiled_type);
    Py_CLEAR(state->method_type);
    Py_CLEAR(state->standard);
    Py_CLEAR(state->standard_miss);
    Py_CLEAR(state->region_enter);
    Py_CLEAR(state->region_exit);
    lane_clear(&state->lanes);
    return 0;
}

static void module_free(void *module)
{
    module_clear((PyObject *)module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
    RECORD_SLOT_INTERPRETERS,
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "scope_profiler._record",
    .m_doc = "Records: sessions, regions, wrapped functions, tasks, threads.",
    .m_size = sizeof(module_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__record(void)
{
    return PyModuleDef_Init(&definition);
}

module_state *record_state(PyObject *module)
{
    return (module_state *)PyModule_GetState(module);
}

/* PyType_GetModuleByDef() is of 3.11. */
module_state *record_state_of(PyTypeObject *type)
{
    for (; type; type = type->tp_base) {
        PyObject *module =
            type->tp_flags & Py_TPFLAGS_HEAPTYPE ? ((PyHeapTypeObject *)type)->ht_module : NULL;
        if (module && PyModule_GetDef(module) == &definition)
            return record_state(module);
    }
    return NULL;
}

int record_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **slot)
{
    *slot = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *slot ? PyModule_AddType(module, *slot) : -1;
}

PyObject *record_raise(scope_status status)
{
    PyObject *kind = PyExc_RuntimeError;
    if (status == SCOPE_ERR_MEMORY)
        return PyErr_NoMemory();
    if (status == SCOPE_ERR_ARGUMENT)
        kind = PyExc_ValueError;
    else if (status == SCOPE_ERR_IO || status == SCOPE_ERR_SPACE)
        kind = PyExc_OSError;
    PyErr_SetString(kind, scope_status_text(status));
    return NULL;
}
