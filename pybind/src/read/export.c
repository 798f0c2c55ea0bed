/* export.c - other formats: viewers' files, JSON, native traces of old.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include "fields.h"
#include "table.h"

/* ---- in ---- */

/* What parts_check_and_sort() refuses is a damaged file. Returns NULL. */
static PyObject *raise_damaged(read_state *state, const char *path)
{
    PyObject *type, *value, *traceback;
    if (!PyErr_ExceptionMatches(PyExc_ValueError))
        return NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *why = value ? PyObject_Str(value) : NULL;
    const char *text = why ? PyUnicode_AsUTF8(why) : NULL;
    char message[512];
    PyOS_snprintf(message, sizeof message, "%.300s: %s", path, text ? text : "damaged");
    PyErr_Clear();
    Py_XDECREF(why);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return raise_status(state, SCOPE_ERR_CORRUPT, message);
}

typedef scope_status import_fn(const char *path, scope_calls **calls, char message[512]);

static PyObject *import_table(PyObject *module, PyObject *args, const char *format,
                              import_fn *function)
{
    PyObject *path = NULL;
    scope_calls *calls = NULL;
    char message[512] = "";
    scope_status status;
    if (!PyArg_ParseTuple(args, format, PyUnicode_FSConverter, &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = function(PyBytes_AS_STRING(path), &calls, message);
    Py_END_ALLOW_THREADS
    read_state *state = read_state_of(module);
    PyObject *table = NULL;
    if (status != SCOPE_OK) {
        raise_status(state, status, message);
    } else if (parts_check_and_sort(calls) < 0) {
        scope_calls_free(calls);
        raise_damaged(state, PyBytes_AS_STRING(path));
    } else {
        table = table_take(state, calls);
    }
    Py_DECREF(path);
    return table;
}

static PyObject *open_json(PyObject *module, PyObject *args)
{
    return import_table(module, args, "O&:open_json", scope_import_json);
}

static PyObject *open_trace(PyObject *module, PyObject *args)
{
    return import_table(module, args, "O&:open_trace", scope_import_trace);
}

/* ---- out ---- */

static int format_from(const char *name, scope_export_format *format)
{
    static const struct {
        const char *name;
        scope_export_format format;
    } formats[] = {{"speedscope", SCOPE_EXPORT_SPEEDSCOPE},
                   {"chrome", SCOPE_EXPORT_CHROME},
                   {"prof", SCOPE_EXPORT_PROF},
                   {"json", SCOPE_EXPORT_JSON}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *format = formats[i].format;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "no export format '%.100s'", name);
    return -1;
}

static PyObject *export(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"table",  "format", "path",       "ranks",  "name", "exporter",
                               "indent", "gzip",   "call_paths", "arrows", NULL};
    PyObject *table, *path = NULL, *sequence = Py_None, *result = NULL;
    const char *format_name;
    scope_export_options options = {.size_bytes = sizeof options};
    int indent = -1, gzip = 0, call_paths = 1, arrows = 1;
    read_state *state = read_state_of(module);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OsO&|$Ozzippp:export", keywords, &table,
                                     &format_name, PyUnicode_FSConverter, &path, &sequence,
                                     &options.name, &options.exporter, &indent, &gzip,
                                     &call_paths, &arrows))
        return NULL;
    int32_t *ranks = NULL;
    scope_export_format format;
    const scope_calls *calls = table_calls(state, table);
    if (!calls || format_from(format_name, &format) < 0 ||
        (sequence != Py_None &&
         int32_array_from(sequence, INT32_MIN, "a rank does not fit", &ranks,
                          &options.rank_count) < 0))
        goto done;
    options.ranks = ranks;
    options.indent = indent;
    options.gzip = gzip;
    options.call_paths = call_paths;
    options.without_arrows = !arrows;
    scope_status status;
    Py_BEGIN_ALLOW_THREADS
    status = scope_export(calls, format, PyBytes_AS_STRING(path), &options);
    Py_END_ALLOW_THREADS
    result = status == SCOPE_OK ? Py_NewRef(Py_None) : raise_status(state, status, NULL);
done:
    PyMem_Free(ranks);
    Py_DECREF(path);
    return result;
}

static PyMethodDef functions[] = {
    {"open_json", open_json, METH_VARARGS, "The table of our own JSON."},
    {"open_trace", open_trace, METH_VARARGS, "The table of one .spt trace."},
    {"export", (PyCFunction)(void (*)(void))export, METH_VARARGS | METH_KEYWORDS,
     "Write a table for a viewer, or as JSON."},
    {NULL, NULL, 0, NULL},
};

int export_add(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
