/* module.c - _record: the table of contents.
 *
 * SPDX-License-Identifier: MIT
 */
#include "record.h"

static PyModuleDef_Slot slots[] = {
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "scope_profiler._record",
    .m_size = sizeof(module_state),
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__record(void)
{
    return PyModuleDef_Init(&definition);
}
