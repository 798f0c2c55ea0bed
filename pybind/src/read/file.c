/* file.c - HDF5 files.
 *
 * HDF5 is not thread-safe and has one state per process: a mutex of the process, taken
 * without the GIL, keeps readers and writers apart, of all interpreters.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>

#include "table.h"

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A child that was forked while another thread had the mutex has no such thread. */
static void in_child(void)
{
    pthread_mutex_init(&one_at_a_time, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}

void file_lock(void)
{
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&one_at_a_time);
}

void file_unlock(void)
{
    pthread_mutex_unlock(&one_at_a_time);
}

/* What the failing call had to say; its text is the thread's, so before anything else. */
static PyObject *raise_file(read_state *state, scope_status status)
{
    return raise_status(state, status, scope_file_message());
}

static PyObject *open_file(PyObject *module, PyObject *args)
{
    PyObject *path = NULL;
    scope_file *file = NULL;
    scope_status status;
    if (!PyArg_ParseTuple(args, "O&:open_file", PyUnicode_FSConverter, &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    file_lock();
    status = scope_file_open(PyBytes_AS_STRING(path), &file);
    file_unlock();
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    read_state *state = read_state_of(module);
    return status == SCOPE_OK ? table_take_file(state, file) : raise_file(state, status);
}

static PyObject *write_file(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"path", "table", "compression", "level", "chunk_size", NULL};
    PyObject *path = NULL, *table;
    scope_file_options options = {0};
    int level = 0;
    long long chunk_size = 0;
    read_state *state = read_state_of(module);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O|$ziL:write_file", keywords,
                                     PyUnicode_FSConverter, &path, &table, &options.compression,
                                     &level, &chunk_size))
        return NULL;
    options.compression_level = level;
    options.chunk_size = chunk_size;
    const scope_calls *calls = table_calls(state, table);
    if (!calls) {
        Py_DECREF(path);
        return NULL;
    }
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    file_lock();
    status = scope_file_write(PyBytes_AS_STRING(path), calls, &options);
    file_unlock();
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    if (status != SCOPE_OK)
        return raise_file(state, status);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"open_file", open_file, METH_VARARGS, "The table of an HDF5 file."},
    {"write_file", (PyCFunction)(void (*)(void))write_file, METH_VARARGS | METH_KEYWORDS,
     "Write a table as an HDF5 file, in place of what is there, or not at all."},
    {NULL, NULL, 0, NULL},
};

int file_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
