/* read.h - what the files of _read share: the module's state, errors, texts.
 *
 * Threads    every function wants the GIL, unless said.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_READ_H
#define SCOPE_PYBIND_READ_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

#include <scope/calls.h>

typedef struct read_state {
    PyTypeObject *table_type, *column_type, *cursor_type, *world_type;
    PyObject *nesting_clash, *file_error, *missing_error;
} read_state;

static inline read_state *read_state_of(PyObject *module)
{
    return (read_state *)PyModule_GetState(module);
}

/* Of an object of one of our types, which have no subclasses. */
static inline read_state *read_state_of_object(void *object)
{
    return (read_state *)PyType_GetModuleState(Py_TYPE(object));
}

/* A status as an exception: MemoryError, RuntimeError (ERR_STATE), else FileError (ERR_MISSING:
 * FileMissingError) with this sentence (NULL: the status's own). Returns NULL. */
PyObject *raise_status(read_state *state, scope_status status, const char *message);

/* `first` and `second` do not nest. Returns NULL. */
PyObject *raise_clash(read_state *state, uint64_t first, uint64_t second);

/* Texts are UTF-8; other bytes travel as surrogates, both ways. */
PyObject *text_of(scope_string string);

/* A copy in the table's memory. -1 with an exception, which names `what`. */
int text_to(scope_calls *calls, PyObject *text, const char *what, scope_string *string);

/* HDF5, one caller of the process at a time. Wants no GIL; not recursive. */
void file_lock(void);
void file_unlock(void);

/* One add function per file. */
int column_add(PyObject *module);
int table_add(PyObject *module);
int cursor_add(PyObject *module);
int world_add(PyObject *module);
int merge_add(PyObject *module);
int nest_add(PyObject *module);
int communication_add(PyObject *module);
int waits_add(PyObject *module);
int file_add(PyObject *module);
int export_add(PyObject *module);

#endif
