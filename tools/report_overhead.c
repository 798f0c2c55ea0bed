/* report_overhead.c - what the recorder took of each region, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { NAMED = 3 };

void report_overhead_columns(table *table)
{
    table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "calls", 0);
    table_column(table, "total ", 0);
    table_column(table, "excl  ", 0);
    table_column(table, "overhead", 0);
    table_column(table, "in total", 0);
    table_column(table, "net total", 0);
    table_column(table, "net excl", 0);
}

void report_overhead_row(table *table, const view *view, const scope_summary *row)
{
    const scope_string *name = &view->calls->regions[row->region].name;
    const bool known = row->corrected_total_ns >= 0;
    const double inside = known ? (double)row->total_ns - (double)row->corrected_total_ns : -1;
    char text[TEXT_BYTES];
    table_name(table, name->bytes, name->length_bytes);
    table_cell(table, text_count(row->call_count, text));
    report_time_cell(table, (double)row->total_ns);
    report_time_cell(table, (double)row->exclusive_ns);
    report_time_cell(table, (double)row->overhead_ns);
    report_time_cell(table, inside);
    report_time_cell(table, (double)row->corrected_total_ns);
    report_time_cell(table, (double)row->corrected_exclusive_ns);
}

void report_unplaced(const view *view, FILE *out)
{
    double count = 0;
    for (size_t i = 0; i < view->by_region.count; i++)
        if (view->by_region.rows[i].unplaced_count > 0)
            count += (double)view->by_region.rows[i].unplaced_count;
    if (count > 0)
        fprintf(out,
                "%snote:%s where %.0f calls that are sums only lay is not known: net times of "
                "regions around them are too long\n",
                style_warn(), style_end(), count);
}

/* A name that SCOPE_FILTER and a shell take as it is. */
static bool is_plain(const scope_string *name)
{
    for (uint64_t i = 0; i < name->length_bytes; i++)
        if (!isalnum((unsigned char)name->bytes[i]) && !strchr("_.:/", name->bytes[i]))
            return false;
    return name->length_bytes > 0 && name->length_bytes < 64;
}

void report_costly(const view *view, bool asked, FILE *out)
{
    const scope_summary *rows[NAMED];
    const size_t count = view_costly(view, rows, NAMED);
    char text[TEXT_BYTES];
    bool plain = true;
    if (!count)
        return;
    const double each = (double)rows[0]->overhead_ns / (double)rows[0]->call_count;
    fprintf(out, "%snote:%s recording took some %s a call, much for:", style_warn(), style_end(),
            text_duration(each, text));
    for (size_t i = 0; i < count; i++) {
        const scope_string *name = &view->calls->regions[rows[i]->region].name;
        char *printable = text_name(name->bytes, name->length_bytes);
        fprintf(out, "%s %s (%" PRId64 " calls of %s)", i ? "," : "", printable ? printable : "?",
                rows[i]->call_count, text_duration(rows[i]->mean_ns, text));
        plain = plain && is_plain(name);
        free(printable);
    }
    fputs(asked ? "" : "; --overhead shows times without it", out);
    if (plain)
        fputs(asked ? "; SCOPE_FILTER=" : ", SCOPE_FILTER=", out);
    for (size_t i = 0; plain && i < count; i++) {
        const scope_string *name = &view->calls->regions[rows[i]->region].name;
        fprintf(out, "%s-%.*s", i ? "," : "", (int)name->length_bytes, name->bytes);
    }
    fprintf(out, "%s\n", !plain ? "" : count > 1 ? " leaves them out" : " leaves it out");
}
