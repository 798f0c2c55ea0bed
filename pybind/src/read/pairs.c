/* pairs.c - see pairs.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "pairs.h"

#include <stdlib.h>

#include "fields.h"

/* ---- tags: JSON text in the table ---- */

static PyObject *json_call(const char *function, PyObject *argument, PyObject *options)
{
    PyObject *json = PyImport_ImportModule("json");
    PyObject *callable = json ? PyObject_GetAttrString(json, function) : NULL;
    PyObject *arguments = callable ? PyTuple_Pack(1, argument) : NULL;
    PyObject *result = arguments ? PyObject_Call(callable, arguments, options) : NULL;
    Py_XDECREF(arguments);
    Py_XDECREF(callable);
    Py_XDECREF(json);
    return result;
}

static int is_list_of_text(PyObject *list)
{
    if (!PyList_Check(list))
        return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (!PyUnicode_Check(PyList_GET_ITEM(list, i)))
            return 0;
    return 1;
}

/* What is not an array of texts, in a file of whoever, is no tags. */
static PyObject *tags_to(scope_string tags)
{
    if (tags.length_bytes <= 2)
        return PyList_New(0);
    PyObject *text = text_of(tags);
    PyObject *list = text ? json_call("loads", text, NULL) : NULL;
    Py_XDECREF(text);
    if (list && is_list_of_text(list))
        return list;
    Py_XDECREF(list);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError) &&
            !PyErr_ExceptionMatches(PyExc_RecursionError))
            return NULL;
        PyErr_Clear();
    }
    return PyList_New(0);
}

static int tags_from(scope_calls *calls, PyObject *tags, scope_string *out)
{
    PyObject *list = tags && tags != Py_None ? PySequence_List(tags) : PyList_New(0);
    if (!list)
        return -1;
    int result = 0;
    *out = (scope_string){"[]", 2};
    if (PyUnicode_Check(tags ? tags : Py_None) || !is_list_of_text(list)) {
        PyErr_SetString(PyExc_TypeError, "a pair's tags must be a list of str");
        result = -1;
    } else if (PyList_GET_SIZE(list)) {
        PyObject *options = Py_BuildValue("{s:O}", "ensure_ascii", Py_False);
        PyObject *text = options ? json_call("dumps", list, options) : NULL;
        result = text ? text_to(calls, text, "tags", out) : -1;
        Py_XDECREF(text);
        Py_XDECREF(options);
    }
    Py_DECREF(list);
    return result;
}

/* ---- statistics ---- */

static PyObject *statistics_to(const scope_statistics *sum)
{
    return Py_BuildValue("(LLLLLLLdd)", (long long)sum->total, (long long)sum->minimum,
                         (long long)sum->maximum, (long long)sum->first, (long long)sum->last,
                         (long long)sum->start_minimum, (long long)sum->end_maximum, sum->mean,
                         sum->m2);
}

static int statistics_from(PyObject *tuple, scope_statistics *sum)
{
    long long whole[7];
    if (!PyTuple_Check(tuple) ||
        !PyArg_ParseTuple(tuple, "LLLLLLLdd", &whole[0], &whole[1], &whole[2], &whole[3],
                          &whole[4], &whole[5], &whole[6], &sum->mean, &sum->m2)) {
        PyErr_SetString(PyExc_TypeError, "a pair's statistics must be a tuple of 7 int, 2 float");
        return -1;
    }
    sum->total = whole[0];
    sum->minimum = whole[1];
    sum->maximum = whole[2];
    sum->first = whole[3];
    sum->last = whole[4];
    sum->start_minimum = whole[5];
    sum->end_maximum = whole[6];
    return 0;
}

/* ---- a pair ---- */

static int set_new(PyObject *dict, const char *key, PyObject *value)
{
    const int result = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return result;
}

PyObject *pairs_to(const scope_calls *calls)
{
    PyObject *list = fields_to_list(&scope_pair_kind, calls->pairs, calls->pair_count);
    for (size_t i = 0; list && i < calls->pair_count; i++) {
        PyObject *dict = PyList_GET_ITEM(list, (Py_ssize_t)i);
        const scope_pair *pair = &calls->pairs[i];
        const scope_string none = {"", 0};
        const int has_metadata = /* "[]" says as much as "" */
            calls->event_metadata && calls->event_metadata[i].length_bytes > 2;
        if (set_new(dict, "tags", tags_to(pair->tags)) < 0 ||
            set_new(dict, "statistics", statistics_to(&pair->statistics)) < 0 ||
            set_new(dict, "source_text",
                    text_of(calls->source_texts ? calls->source_texts[i] : none)) < 0 ||
            set_new(dict, "event_metadata", text_of(has_metadata ? calls->event_metadata[i] : none)) < 0)
            Py_CLEAR(list);
    }
    return list;
}

typedef struct made_pair { /* with what lies beside it in the table */
    scope_pair pair;
    scope_string source_text, event_metadata;
    size_t place;
    int uncounted;
} made_pair;

static int text_from(scope_calls *calls, PyObject *dict, const char *key, scope_string *out)
{
    *out = (scope_string){"", 0};
    PyObject *text = PyDict_GetItemString(dict, key);
    return text && text != Py_None ? text_to(calls, text, key, out) : 0;
}

static int pair_from(scope_calls *calls, PyObject *dict, made_pair *made)
{
    *made = (made_pair){0};
    if (fields_from_dict(&scope_pair_kind, calls, dict, &made->pair) < 0 ||
        text_from(calls, dict, "source_text", &made->source_text) < 0 ||
        text_from(calls, dict, "event_metadata", &made->event_metadata) < 0)
        return -1;
    PyObject *tags = Py_XNewRef(PyDict_GetItemString(dict, "tags"));
    int result = tags_from(calls, tags, &made->pair.tags);
    Py_XDECREF(tags);
    PyObject *statistics = Py_XNewRef(PyDict_GetItemString(dict, "statistics"));
    made->uncounted = !statistics || statistics == Py_None;
    if (result == 0 && !made->uncounted)
        result = statistics_from(statistics, &made->pair.statistics);
    Py_XDECREF(statistics);
    return result;
}

static int by_rank(const void *left, const void *right)
{
    const made_pair *a = left, *b = right;
    return a->pair.rank != b->pair.rank ? (a->pair.rank > b->pair.rank ? 1 : -1)
                                        : (a->place > b->place) - (a->place < b->place);
}

static int keep(scope_calls *calls, const made_pair *made, size_t count, char **uncounted)
{
    scope_pair *pairs = scope_calls_alloc(calls, count, sizeof *pairs);
    scope_string *sources = scope_calls_alloc(calls, count, sizeof *sources);
    scope_string *metadata = scope_calls_alloc(calls, count, sizeof *metadata);
    *uncounted = PyMem_Malloc(count + 1);
    if (!pairs || !sources || !metadata || !*uncounted) {
        PyErr_NoMemory();
        return -1;
    }
    int has_sources = 0, has_metadata = 0;
    for (size_t i = 0; i < count; i++) {
        pairs[i] = made[i].pair;
        sources[i] = made[i].source_text;
        metadata[i] = made[i].event_metadata;
        (*uncounted)[i] = (char)made[i].uncounted;
        has_sources |= sources[i].length_bytes != 0;
        has_metadata |= metadata[i].length_bytes != 0;
    }
    calls->pairs = pairs;
    calls->pair_count = count;
    calls->source_texts = has_sources ? sources : NULL;
    calls->event_metadata = has_metadata ? metadata : NULL;
    return 0;
}

int pairs_from(scope_calls *calls, PyObject *list, char **uncounted)
{
    PyObject *items = PySequence_Tuple(list);
    if (!items)
        return -1;
    const size_t count = (size_t)PyTuple_GET_SIZE(items);
    made_pair *made = PyMem_Calloc(count + 1, sizeof *made);
    int result = made ? 0 : (PyErr_NoMemory(), -1);
    for (size_t i = 0; result == 0 && i < count; i++) {
        result = pair_from(calls, PyTuple_GET_ITEM(items, (Py_ssize_t)i), &made[i]);
        made[i].place = i;
    }
    Py_DECREF(items);
    if (result == 0) {
        qsort(made, count, sizeof *made, by_rank);
        result = keep(calls, made, count, uncounted);
    }
    PyMem_Free(made);
    return result;
}
