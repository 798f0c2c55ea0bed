/* table.h - the Table type: a call table in Python's hands.
 *
 * Ownership  the object owns its table, or the file that owns it; `base` is another Table
 *            whose arrays this one uses, too. Columns keep the Table alive.
 * Threads    what a Table shows never changes in place: nest() makes a copy of what it
 *            changes and puts it in the old one's place under the GIL; the old one stays
 *            until the Table goes. So readers need no GIL.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_TABLE_H
#define SCOPE_PYBIND_TABLE_H

#include "read.h"

#include <scope/file.h>

typedef struct table_layer { /* an earlier state of the table */
    scope_calls *calls;
    struct table_layer *below;
} table_layer;

typedef struct TableObject {
    PyObject_HEAD
    scope_calls *calls;
    scope_file *file;   /* owns the lowest layer; NULL: it is ours */
    PyObject *base;     /* Table; NULL none */
    table_layer *below;
    int64_t *exclusive; /* per row; NULL: not computed yet */
} TableObject;

/* Takes over `calls` (or `file`, with its table), also when it fails. */
PyObject *table_take(read_state *state, scope_calls *calls);
PyObject *table_take_file(read_state *state, scope_file *file);

/* The table of an argument, for reading; NULL with a TypeError. */
const scope_calls *table_calls(read_state *state, PyObject *table);

/* A new table on the arrays of `calls`, with pairs of its own; NULL: no memory. No GIL needed. */
scope_calls *table_overlay(const scope_calls *calls);

/* ---- parts.c ---- */

/* Everything of a table as a dict, its columns kept alive by `owner`. `only`: this part
 * alone, not in a dict; NULL with ValueError: no such part. */
PyObject *parts_of(read_state *state, const scope_calls *calls, PyObject *owner, const char *only);

/* Put these parts into the table, in place of what it has, and check the whole. */
int parts_into(scope_calls *calls, PyObject *parts);

/* check.c: check it, and give pairs, rows and lanes their order. */
int parts_check_and_sort(scope_calls *calls);

/* ---- nest.c ---- */

/* Exclusive ns per row (malloc'd), of all ranks. ERR_NESTING: clash has two rows. No GIL. */
scope_status nest_exclusive(const scope_calls *calls, int64_t **exclusive, uint64_t clash[2]);

/* A sentence on two rows that do not nest. */
PyObject *nest_sentence(const scope_calls *calls, const uint64_t clash[2]);

#endif
