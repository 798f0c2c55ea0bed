/* module.c - _read: the table of contents.
 *
 * SPDX-License-Identifier: MIT
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyModuleDef_Slot slots[] = {
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "scope_profiler._read",
    .m_size = 0,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__read(void)
{
    return PyModuleDef_Init(&definition);
}
