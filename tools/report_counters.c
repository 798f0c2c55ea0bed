/* report_counters.c - values of counters, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include "text.h"

static void value(table *table, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", number);
    table_cell(table, text);
}

void report_counters(const view *view, int64_t limit, FILE *out)
{
    if (!view->counter_count)
        return;
    report_heading(out, "Counters");
    table *table = table_new();
    table_column(table, "counter", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "values", 0);
    table_column(table, "first", 0);
    table_column(table, "last", 0);
    table_column(table, "min", 0);
    table_column(table, "max", 0);
    for (size_t i = 0; i < view->counter_count && (int64_t)i < limit; i++) {
        const view_counter *row = &view->counters[i];
        char text[TEXT_BYTES];
        table_name(table, row->name->bytes, row->name->length_bytes);
        table_cell(table, text_count(row->count, text));
        value(table, row->first);
        value(table, row->last);
        value(table, row->least);
        value(table, row->most);
    }
    table_print(table, out);
    report_more(out, (int64_t)view->counter_count - limit, "counter");
}
