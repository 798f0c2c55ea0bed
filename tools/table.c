/* table.c - aligned columns on a terminal, or in a pipe.
 *
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text.h"

enum { COLUMNS_MAX = 24, NARROWEST = 8 };

struct table {
    struct {
        const char *title; /* static text */
        int flags;
        size_t width;
    } columns[COLUMNS_MAX];
    size_t column_count;
    char **cells; /* row after row */
    size_t cell_count, room;
};

/* ---- style ---- */

static bool coloured;
static bool unlimited;

void style_set(style_colour colour, bool wide)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    coloured =
        colour == STYLE_ALWAYS || (colour == STYLE_AUTO && isatty(STDOUT_FILENO) && !(no && *no) &&
                                   terminal && strcmp(terminal, "dumb") != 0);
    unlimited = wide;
}

size_t style_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    const long asked = columns ? strtol(columns, NULL, 10) : 0;
    if (unlimited)
        return 0;
    if (asked >= 40 && asked <= 10000)
        return (size_t)asked;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col;
    return 80;
}

const char *style_bold(void)
{
    return coloured ? "\033[1m" : "";
}

const char *style_dim(void)
{
    return coloured ? "\033[2m" : "";
}

const char *style_warn(void)
{
    return coloured ? "\033[33m" : "";
}

const char *style_end(void)
{
    return coloured ? "\033[0m" : "";
}

/* ---- the table ---- */

table *table_new(void)
{
    return calloc(1, sizeof(table));
}

void table_free(table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table);
}

void table_column(table *table, const char *title, int flags)
{
    if (!table || table->column_count == COLUMNS_MAX)
        return;
    table->columns[table->column_count].title = title;
    table->columns[table->column_count].flags = flags;
    table->columns[table->column_count++].width = text_width(title);
}

static void take_cell(table *table, char *text)
{
    if (table && table->cell_count == table->room) {
        const size_t room = table->room ? 2 * table->room : 256;
        char **cells = realloc(table->cells, room * sizeof *cells);
        if (cells) {
            table->cells = cells;
            table->room = room;
        }
    }
    if (!table || !text || table->cell_count == table->room) {
        free(text);
        return;
    }
    const size_t column = table->cell_count % table->column_count, width = text_width(text);
    if (width > table->columns[column].width)
        table->columns[column].width = width;
    table->cells[table->cell_count++] = text;
}

void table_cell(table *table, const char *text)
{
    take_cell(table, strdup(text));
}

void table_name(table *table, const char *bytes, size_t length_bytes)
{
    take_cell(table, text_name(bytes, length_bytes));
}

/* Narrow gaps, then the columns that may shrink, the widest first, until it fits. A
 * table without any such column overflows as it is. */
static size_t fit(table *table)
{
    const size_t limit = style_width(), gaps = table->column_count - 1;
    size_t all = 0;
    bool shrinks = false;
    for (size_t i = 0; i < table->column_count; i++) {
        all += table->columns[i].width;
        shrinks = shrinks || (table->columns[i].flags & TABLE_SHRINK);
    }
    if (!limit || all + 2 * gaps <= limit || (!shrinks && all + gaps > limit))
        return 2;
    while (all + gaps > limit) {
        size_t widest = table->column_count;
        for (size_t i = 0; i < table->column_count; i++)
            if ((table->columns[i].flags & TABLE_SHRINK) && table->columns[i].width > NARROWEST &&
                (widest == table->column_count ||
                 table->columns[i].width > table->columns[widest].width))
                widest = i;
        if (widest == table->column_count)
            break;
        table->columns[widest].width--;
        all--;
    }
    return 1;
}

static void print_cell(const table *table, size_t column, const char *text, size_t gap, FILE *out)
{
    const bool left = table->columns[column].flags & TABLE_LEFT;
    const size_t width = text_width(text), room = table->columns[column].width;
    const size_t pad = width < room ? room - width : 0;
    const bool last = column + 1 == table->column_count;
    fprintf(out, "%*s%s%*s", left ? 0 : (int)pad, "", text,
            last ? 0 : (int)(gap + (left ? pad : 0)), "");
}

void table_print(table *table, FILE *out)
{
    if (!table || !table->column_count) {
        table_free(table);
        return;
    }
    const size_t gap = fit(table);
    fputs(style_bold(), out);
    for (size_t i = 0; i < table->column_count; i++)
        print_cell(table, i, table->columns[i].title, gap, out);
    fprintf(out, "%s\n", style_end());
    for (size_t i = 0; i < table->cell_count; i++) {
        const size_t column = i % table->column_count;
        if (table->columns[column].flags & TABLE_SHRINK)
            text_shorten(table->cells[i], table->columns[column].width);
        print_cell(table, column, table->cells[i], gap, out);
        if (column + 1 == table->column_count || i + 1 == table->cell_count)
            fputc('\n', out);
    }
    table_free(table);
}
