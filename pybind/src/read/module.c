/* module.c - _read: the table of contents, and how errors leave it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

/* ---- errors ---- */

PyObject *raise_status(read_state *state, scope_status status, const char *message)
{
    if (status == SCOPE_ERR_MEMORY)
        return PyErr_NoMemory();
    const char *text = message && *message ? message : scope_status_text(status);
    if (status == SCOPE_ERR_STATE) {
        PyErr_SetString(PyExc_RuntimeError, text);
        return NULL;
    }
    PyObject *type = status == SCOPE_ERR_MISSING ? state->missing_error : state->file_error;
    PyObject *sentence = text_of((scope_string){text, strlen(text)});
    PyObject *number = PyLong_FromLong(status);
    PyObject *error = sentence ? PyObject_CallOneArg(type, sentence) : NULL;
    if (error && number && PyObject_SetAttrString(error, "status", number) == 0)
        PyErr_SetObject(type, error);
    Py_XDECREF(sentence);
    Py_XDECREF(number);
    Py_XDECREF(error);
    return NULL;
}

PyObject *raise_clash(read_state *state, uint64_t first, uint64_t second)
{
    PyObject *error = PyObject_CallFunction(
        state->nesting_clash, "s",
        first == second ? "a call ends before it starts" : "two calls overlap without nesting");
    PyObject *a = PyLong_FromUnsignedLongLong(first), *b = PyLong_FromUnsignedLongLong(second);
    if (error && a && b && PyObject_SetAttrString(error, "first", a) == 0 &&
        PyObject_SetAttrString(error, "second", b) == 0)
        PyErr_SetObject(state->nesting_clash, error);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(error);
    return NULL;
}

/* ---- texts ---- */

PyObject *text_of(scope_string string)
{
    if (string.length_bytes > PY_SSIZE_T_MAX)
        return PyErr_NoMemory();
    return PyUnicode_DecodeUTF8(string.bytes ? string.bytes : "", (Py_ssize_t)string.length_bytes,
                                "surrogateescape");
}

int text_to(scope_calls *calls, PyObject *text, const char *what, scope_string *string)
{
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "%s must be str, not %.80s", what, Py_TYPE(text)->tp_name);
        return -1;
    }
    Py_ssize_t length;
    PyObject *bytes = NULL;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &length);
    if (!utf8) { /* it has surrogates: bytes that were not UTF-8, or worse */
        PyErr_Clear();
        bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");
        if (!bytes) {
            PyErr_Clear();
            bytes = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
        }
        if (!bytes)
            return -1;
        utf8 = PyBytes_AS_STRING(bytes);
        length = PyBytes_GET_SIZE(bytes);
    }
    *string = scope_calls_string(calls, utf8, (uint64_t)length);
    Py_XDECREF(bytes);
    if (string->length_bytes == (uint64_t)length)
        return 0;
    PyErr_NoMemory();
    return -1;
}

/* ---- the module ---- */

static PyObject *new_exception(PyObject *module, const char *name, const char *text,
                               PyObject *base)
{
    PyObject *type = PyErr_NewExceptionWithDoc(name, text, base, NULL);
    if (!type || PyModule_AddObjectRef(module, strrchr(name, '.') + 1, type) == 0)
        return type;
    Py_DECREF(type);
    return NULL;
}

static int add_exceptions(PyObject *module)
{
    read_state *state = read_state_of(module);
    state->nesting_clash =
        new_exception(module, "scope_profiler._read.NestingClash",
                      "Two calls do not nest: `first` and `second` are their places.",
                      PyExc_ValueError);
    if (!state->nesting_clash)
        return -1;
    state->file_error =
        new_exception(module, "scope_profiler._read.FileError",
                      "A file that cannot be read or written; `status` is the scope_status.",
                      PyExc_OSError);
    PyObject *both = state->file_error
                         ? PyTuple_Pack(2, state->file_error, PyExc_FileNotFoundError)
                         : NULL;
    if (both)
        state->missing_error = new_exception(module, "scope_profiler._read.FileMissingError",
                                             "No such file or folder.", both);
    Py_XDECREF(both);
    return state->missing_error ? 0 : -1;
}

/* _read.ERR_NESTING ...: what FileError.status and World.agree() say. */
static int add_statuses(PyObject *module)
{
#define ADD(name, value, text) PyModule_AddIntConstant(module, #name, value) < 0 ||
    return SCOPE_STATUS_LIST(ADD) 0 ? -1 : 0;
#undef ADD
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    read_state *state = read_state_of(module);
    Py_VISIT(state->table_type);
    Py_VISIT(state->column_type);
    Py_VISIT(state->cursor_type);
    Py_VISIT(state->world_type);
    Py_VISIT(state->nesting_clash);
    Py_VISIT(state->file_error);
    Py_VISIT(state->missing_error);
    return 0;
}

static int clear(PyObject *module)
{
    read_state *state = read_state_of(module);
    Py_CLEAR(state->table_type);
    Py_CLEAR(state->column_type);
    Py_CLEAR(state->cursor_type);
    Py_CLEAR(state->world_type);
    Py_CLEAR(state->nesting_clash);
    Py_CLEAR(state->file_error);
    Py_CLEAR(state->missing_error);
    return 0;
}

static void release(void *module)
{
    clear(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_exceptions},
    {Py_mod_exec, add_statuses},
    {Py_mod_exec, column_add},
    {Py_mod_exec, table_add},
    {Py_mod_exec, cursor_add},
    {Py_mod_exec, world_add},
    {Py_mod_exec, merge_add},
    {Py_mod_exec, nest_add},
    {Py_mod_exec, communication_add},
    {Py_mod_exec, waits_add},
    {Py_mod_exec, file_add},
    {Py_mod_exec, export_add},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "scope_profiler._read",
    .m_doc = "Call tables: from recordings and files, to files and viewers.",
    .m_size = sizeof(read_state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__read(void)
{
    return PyModuleDef_Init(&definition);
}
