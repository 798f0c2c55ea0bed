/* table.h - aligned columns on a terminal, or in a pipe.
 *
 *     table *table = table_new();
 *     table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
 *     table_column(table, "calls", 0);
 *     table_cell(table, "solve");
 *     table_cell(table, "12");
 *     table_print(table, stdout);    and frees it
 *
 * Ownership  texts are copied. A table that ran out of memory prints what it has.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TABLE_H
#define SCOPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum table_flags {
    TABLE_LEFT = 1,   /* else right-aligned */
    TABLE_SHRINK = 2, /* may be shortened where the line is too long */
} table_flags;

typedef struct table table;

table *table_new(void);
void table_column(table *table, const char *title, int flags);

/* The next cell, row after row. */
void table_cell(table *table, const char *text);

/* A cell's text as text_name() has it. */
void table_name(table *table, const char *bytes, size_t length_bytes);

void table_print(table *table, FILE *out);
void table_free(table *table);

/* ---- how output looks ---- */

typedef enum style_colour { STYLE_AUTO, STYLE_ALWAYS, STYLE_NEVER } style_colour;

/* Once, before anything is printed. `wide`: never shorten. */
void style_set(style_colour colour, bool wide);

/* Columns of a line: of the terminal, of $COLUMNS, else 80. 0: no limit. */
size_t style_width(void);

/* Start and end of a style on stdout; "" where there is no colour. */
const char *style_bold(void);
const char *style_dim(void);
const char *style_warn(void);
const char *style_end(void);

#endif
