/* world.c - the ranks of the job, through libscope_mpi: opened late, when MPI runs.
 *
 *     dlopen(<folder of libscope>/libscope_mpi_<family>.so.0) -> scope_mpi_host_open()
 *
 * A library that is in the process already (linked, preloaded) is used as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/file.h>
#include <scope/host.h>
#include <scope/sink.h>

#include "../capsules.h"
#include "host.h" /* of mpi */
#include "table.h"

/* hdf5io's sink.c, compiled into this extension. */
scope_sink_write_calls_fn scope_sink_write_calls;

typedef struct WorldObject {
    PyObject_HEAD
    scope_world *world; /* NULL: closed */
    __typeof__(scope_mpi_host_measure) *measure;
    __typeof__(scope_mpi_host_close) *close;
} WorldObject;

/* ---- the library ---- */

typedef struct family { /* its functions, of these names */
    __typeof__(scope_mpi_host_fits) *fits;
    __typeof__(scope_mpi_host_open) *open;
    __typeof__(scope_mpi_host_measure) *measure;
    __typeof__(scope_mpi_host_close) *close;
} family;

static int take(void *handle, family *found)
{
    found->fits = (__typeof__(found->fits))dlsym(handle, "scope_mpi_host_fits");
    found->open = (__typeof__(found->open))dlsym(handle, "scope_mpi_host_open");
    found->measure = (__typeof__(found->measure))dlsym(handle, "scope_mpi_host_measure");
    found->close = (__typeof__(found->close))dlsym(handle, "scope_mpi_host_close");
    return found->fits && found->open && found->measure && found->close && found->fits();
}

static int find_family(family *found)
{
    static const char *const names[] = {"ompi", "mpich", "abi"};
    char path[PATH_MAX];
    Dl_info info;
    if (take(RTLD_DEFAULT, found))
        return 1;
    if (!dladdr((void *)scope_host_process, &info) || !info.dli_fname)
        return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    const int folder = slash ? (int)(slash + 1 - info.dli_fname) : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%.*slibscope_mpi_%s.so.0", folder, info.dli_fname, names[i]);
        void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (handle && take(handle, found))
            return 1;
        if (handle)
            dlclose(handle);
    }
    return 0;
}

static PyObject *open_world(PyObject *module, PyObject *unused)
{
    (void)unused;
    read_state *state = read_state_of(module);
    family found;
    scope_world *world = NULL;
    scope_status status = SCOPE_OK;
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = find_family(&found);
    if (fits)
        status = found.open(&world);
    Py_END_ALLOW_THREADS
    if (!fits)
        Py_RETURN_NONE;
    if (status == SCOPE_ERR_STATE)
        Py_RETURN_FALSE;
    if (status != SCOPE_OK)
        return raise_status(state, status, NULL);
    WorldObject *self = PyObject_New(WorldObject, state->world_type);
    if (!self) {
        found.close(world);
        return NULL;
    }
    self->world = world;
    self->measure = found.measure;
    self->close = found.close;
    return (PyObject *)self;
}

/* ---- the type ---- */

static void world_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_Free(object); /* closing is collective: only close() does it */
    Py_DECREF(type);
}

static scope_world *open_one(PyObject *object)
{
    scope_world *world = ((WorldObject *)object)->world;
    if (!world)
        PyErr_SetString(PyExc_RuntimeError, "this world is closed");
    return world;
}

static PyObject *fail(PyObject *object, scope_status status)
{
    read_state *state = read_state_of_object(object);
    return state ? raise_status(state, status, NULL) : NULL;
}

static PyObject *world_measure(PyObject *object, PyObject *unused)
{
    (void)unused;
    WorldObject *self = (WorldObject *)object;
    scope_world *world = open_one(object);
    scope_status status;
    if (!world)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = self->measure(world);
    Py_END_ALLOW_THREADS
    if (status != SCOPE_OK)
        return fail(object, status);
    Py_RETURN_NONE;
}

static PyObject *world_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    WorldObject *self = (WorldObject *)object;
    scope_world *world = self->world;
    self->world = NULL;
    if (world) {
        Py_BEGIN_ALLOW_THREADS
        self->close(world);
        Py_END_ALLOW_THREADS
    }
    Py_RETURN_NONE;
}

static PyObject *world_agree(PyObject *object, PyObject *number)
{
    scope_world *world = open_one(object);
    const long mine = world ? PyLong_AsLong(number) : 0;
    scope_status worst;
    if (!world || (mine == -1 && PyErr_Occurred()))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    worst = world->worst(world, (scope_status)mine);
    Py_END_ALLOW_THREADS
    return PyLong_FromLong(worst);
}

static PyObject *list_of(const char *all, const uint64_t *ends, int size)
{
    PyObject *list = PyList_New(size);
    uint64_t start = 0;
    for (int i = 0; list && i < size; i++) {
        PyObject *bytes = PyBytes_FromStringAndSize(all + start, (Py_ssize_t)(ends[i] - start));
        if (!bytes) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, i, bytes);
        start = ends[i];
    }
    return list;
}

static PyObject *world_gather(PyObject *object, PyObject *data)
{
    scope_world *world = open_one(object);
    PyObject *result = NULL;
    Py_buffer view;
    void *all = NULL;
    scope_status status;
    if (!world || PyObject_GetBuffer(data, &view, PyBUF_SIMPLE))
        return NULL;
    const bool first = world->rank == 0;
    uint64_t *ends = first ? calloc((size_t)world->size, sizeof *ends) : NULL;
    Py_BEGIN_ALLOW_THREADS
    status = world->worst(world, ends || !first ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK)
        status = world->gather(world, view.buf, (size_t)view.len, &all, ends);
    Py_END_ALLOW_THREADS
    if (status != SCOPE_OK)
        fail(object, status);
    else
        result = first ? list_of(all, ends, world->size) : Py_NewRef(Py_None);
    PyBuffer_Release(&view);
    free(all);
    free(ends);
    return result;
}

static PyObject *world_broadcast(PyObject *object, PyObject *data)
{
    scope_world *world = open_one(object);
    Py_buffer view = {0};
    uint64_t length = 0;
    scope_status status;
    if (!world || (world->rank == 0 && PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)))
        return NULL;
    length = world->rank == 0 ? (uint64_t)view.len : 0;
    PyObject *result = NULL;
    Py_BEGIN_ALLOW_THREADS
    status = world->broadcast(world, &length, sizeof length);
    Py_END_ALLOW_THREADS
    if (status == SCOPE_OK)
        result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
    if (result && world->rank == 0)
        memcpy(PyBytes_AS_STRING(result), view.buf, (size_t)length);
    Py_BEGIN_ALLOW_THREADS
    status = world->worst(world, status != SCOPE_OK ? status : result ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK)
        status = world->broadcast(world, PyBytes_AS_STRING(result), (size_t)length);
    Py_END_ALLOW_THREADS
    if (view.obj)
        PyBuffer_Release(&view);
    if (status == SCOPE_OK)
        return result;
    Py_XDECREF(result);
    return PyErr_Occurred() ? NULL : fail(object, status);
}

static PyObject *get_rank(PyObject *object, void *unused)
{
    (void)unused;
    const scope_world *world = open_one(object);
    return world ? PyLong_FromLong(world->rank) : NULL;
}

static PyObject *get_size(PyObject *object, void *unused)
{
    (void)unused;
    const scope_world *world = open_one(object);
    return world ? PyLong_FromLong(world->size) : NULL;
}

static PyObject *get_clock(PyObject *object, void *unused)
{
    (void)unused;
    const scope_world *world = open_one(object);
    return world ? Py_BuildValue("LdLL", (long long)world->clock_offset_ns, world->clock_drift,
                                 (long long)world->clock_at_ns, (long long)world->clock_bound_ns)
                 : NULL;
}

static PyObject *get_pointer(PyObject *object, void *unused)
{
    (void)unused;
    scope_world *world = open_one(object);
    return world ? PyCapsule_New(world, WORLD_CAPSULE, NULL) : NULL;
}

static PyMethodDef methods[] = {
    {"measure", world_measure, METH_NOARGS, "Compare the clocks again. Collective."},
    {"agree", world_agree, METH_O, "The least of 0 and all ranks' numbers (int32). Collective."},
    {"gather", world_gather, METH_O, "Everybody's bytes, on rank 0; None elsewhere. Collective."},
    {"broadcast", world_broadcast, METH_O, "Rank 0's bytes, on every rank. Collective."},
    {"close", world_close, METH_NOARGS, "Collective; before MPI_Finalize."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"rank", get_rank, NULL, "this rank", NULL},
    {"size", get_size, NULL, "how many ranks", NULL},
    {"clock", get_clock, NULL, "offset_ns, drift, at_ns, bound_ns against rank 0's", NULL},
    {"pointer", get_pointer, NULL, "capsule \"" WORLD_CAPSULE "\"", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The ranks of the job; open_world() makes one."},
    {Py_tp_dealloc, world_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "scope_profiler._read.World",
    .basicsize = sizeof(WorldObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* ---- files of all ranks ---- */

static PyObject *report_dict(const scope_sink_report *report)
{
    return Py_BuildValue("{sLsLsLsLsLsLsL}", "calls", (long long)report->calls, "dropped",
                         (long long)report->dropped, "folded", (long long)report->folded,
                         "orphans", (long long)report->orphans, "implied",
                         (long long)report->implied, "crossed", (long long)report->crossed,
                         "open_calls", (long long)report->open_calls);
}

static PyObject *write_collective(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"world", "path", "table", "compression", "level", "chunk_size", "mode", NULL};
    read_state *state = read_state_of(module);
    PyObject *capsule, *path = NULL, *table;
    scope_file_options options = {0};
    scope_sink_report report = {0};
    int level = 0;
    long long chunk_size = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&O|$ziLz:write_collective", keywords,
                                     &capsule, PyUnicode_FSConverter, &path, &table,
                                     &options.compression, &level, &chunk_size, &options.output_mode))
        return NULL;
    options.compression_level = level;
    options.chunk_size = chunk_size;
    scope_world *world = PyCapsule_GetPointer(capsule, WORLD_CAPSULE);
    scope_calls *calls = NULL, *mine = NULL;
    scope_status status = SCOPE_OK;
    if (!world || (table != Py_None && !(calls = (scope_calls *)table_calls(state, table)))) {
        Py_DECREF(path);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    if (calls)
        status = scope_calls_merge(&calls, 1, &mine); /* a copy: its clock gets mapped */
    status = world->worst(world, status);
    if (status == SCOPE_OK) {
        file_lock(); /* who has it elsewhere waits for no rank, so this ends */
        status = scope_sink_write_calls(mine, world, PyBytes_AS_STRING(path), &options, &report);
        file_unlock();
    }
    scope_calls_free(mine);
    Py_END_ALLOW_THREADS
    Py_DECREF(path);
    return status == SCOPE_OK ? report_dict(&report) : raise_status(state, status, report.message);
}

static PyMethodDef functions[] = {
    {"write_collective", (PyCFunction)(void (*)(void))write_collective, METH_VARARGS | METH_KEYWORDS,
     "All ranks of the world (its pointer) write one file together. The report, on rank 0."},
    {"open_world", open_world, METH_NOARGS,
     "The ranks of MPI_COMM_WORLD; None: no MPI runs here that we have a library for; False: "
     "some are in MPI_Finalize, which writes one file of all. Collective."},
    {NULL, NULL, 0, NULL},
};

int world_add(PyObject *module)
{
    read_state *state = read_state_of(module);
    state->world_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (!state->world_type || PyModule_AddType(module, state->world_type))
        return -1;
    return PyModule_AddFunctions(module, functions);
}
