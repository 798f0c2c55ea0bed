/* report_comm.c - messages by communicator, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <inttypes.h>
#include <string.h>

#include <scope/event.h>

#include "text.h"
#include "view_comm.h"

static void name_cell(table *table, const view_comm *comm, int32_t communicator)
{
    const scope_string *name = communicator < 0 ? NULL : &comm->joined.rows[communicator].name;
    if (name && name->length_bytes)
        table_name(table, name->bytes, name->length_bytes);
    else
        table_cell(table, communicator < 0 ? "not known" : "-");
}

static void number_cell(table *table, int64_t number)
{
    char text[TEXT_BYTES];
    table_cell(table, number < 0 ? "-" : text_count(number, text));
}

static void count_cell(table *table, int64_t count)
{
    char text[TEXT_BYTES];
    table_cell(table, count ? text_count(count, text) : "-");
}

/* Where there were no messages there is nothing to say of their bytes. */
static void bytes_cell(table *table, const view_comm_sum *sum)
{
    char text[TEXT_BYTES];
    table_cell(table, text_bytes(sum->message_count ? (double)sum->bytes : -1, text));
}

static void communicators(const view_comm *comm, int64_t limit, FILE *out)
{
    report_heading(out, "Communicators");
    if (!comm->total_count) {
        fputs("no calls on communicators\n", out);
        return;
    }
    table *table = table_new();
    table_column(table, "#", 0);
    table_column(table, "communicator", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "of", 0);
    table_column(table, "size", 0);
    table_column(table, "ranks", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "coll.", 0);
    table_column(table, "bytes  ", 0);
    table_column(table, "time ", 0);
    table_column(table, "messages", 0);
    table_column(table, "bytes  ", 0);
    for (size_t i = 0; i < comm->total_count && (int64_t)i < limit; i++) {
        const view_comm_total *row = &comm->totals[i];
        const scope_joined_communicator *of =
            row->communicator < 0 ? NULL : &comm->joined.rows[row->communicator];
        const view_comm_sum moved = view_comm_moved(row);
        char ranks[256];
        number_cell(table, row->communicator);
        name_cell(table, comm, row->communicator);
        number_cell(table, of ? of->parent : -1);
        number_cell(table, of ? of->size : -1);
        table_cell(table, of ? view_comm_ranks(comm, of, ranks, sizeof ranks) : "-");
        count_cell(table, row->collective.call_count);
        bytes_cell(table, &row->collective);
        report_time_cell(table, row->collective.call_count ? (double)row->collective.total_ns : -1);
        count_cell(table, moved.message_count);
        bytes_cell(table, &moved);
    }
    table_print(table, out);
    report_more(out, (int64_t)comm->total_count - limit, "communicator");
    int64_t unused = (int64_t)comm->joined.count;
    for (size_t i = 0; i < comm->total_count; i++)
        unused -= comm->totals[i].communicator >= 0;
    if (unused > 0) {
        fputs(style_dim(), out);
        report_plural(out, unused, "communicator without such calls",
                      "communicators without such calls");
        fprintf(out, "%s\n", style_end());
    }
}

/* Calls that name a communicator and move nothing say little. */
static bool says_something(const view_comm_function *row)
{
    return row->kind != SCOPE_MESSAGE_OTHER || row->sum.bytes > 0;
}

static void functions(const view *view, const view_comm *comm, int64_t limit, FILE *out)
{
    int64_t count = 0, shown = 0;
    for (size_t i = 0; i < comm->function_count; i++)
        count += says_something(&comm->functions[i]);
    if (!count)
        return;
    report_heading(out, "Functions");
    table *table = table_new();
    table_column(table, "#", 0);
    table_column(table, "function", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "", TABLE_LEFT);
    table_column(table, "calls", 0);
    table_column(table, "messages", 0);
    table_column(table, "bytes  ", 0);
    table_column(table, "per message", 0);
    table_column(table, "time ", 0);
    for (size_t t = 0; t < comm->total_count; t++) /* in the order of the communicators */
        for (size_t i = 0; i < comm->function_count && shown < limit; i++) {
            const view_comm_function *row = &comm->functions[i];
            const scope_string *name = &view->calls->regions[row->region].name;
            char text[TEXT_BYTES];
            if (row->communicator != comm->totals[t].communicator || !says_something(row))
                continue;
            number_cell(table, row->communicator);
            table_name(table, name->bytes, name->length_bytes);
            table_cell(table, scope_message_word(row->kind));
            number_cell(table, row->sum.call_count);
            number_cell(table, row->sum.message_count);
            table_cell(table, text_bytes((double)row->sum.bytes, text));
            table_cell(table,
                       text_bytes((double)row->sum.bytes / (double)row->sum.message_count, text));
            report_time_cell(table, (double)row->sum.total_ns);
            shown++;
        }
    table_print(table, out);
    report_more(out, count - shown, "line");
}

static void sizes(const view_comm *comm, int64_t limit, FILE *out)
{
    static const char *const titles[SCOPE_SIZE_CLASSES] = {
        "empty", "<=64 B", "<=1 KiB", "<=16 KiB", "<=256 KiB", "<=4 MiB", "<=64 MiB", "larger"};
    int64_t count = 0, shown = 0;
    for (size_t i = 0; i < comm->total_count; i++)
        count += view_comm_moved(&comm->totals[i]).message_count > 0;
    if (!count)
        return;
    report_heading(out, "Messages by size");
    table *table = table_new();
    table_column(table, "#", 0);
    table_column(table, "communicator", TABLE_LEFT | TABLE_SHRINK);
    for (int c = 0; c < SCOPE_SIZE_CLASSES; c++)
        table_column(table, titles[c], 0);
    for (size_t i = 0; i < comm->total_count && shown < limit; i++) {
        const view_comm_total *row = &comm->totals[i];
        if (!view_comm_moved(row).message_count)
            continue;
        number_cell(table, row->communicator);
        name_cell(table, comm, row->communicator);
        for (int c = 0; c < SCOPE_SIZE_CLASSES; c++)
            count_cell(table, row->classes[c]);
        shown++;
    }
    table_print(table, out);
    report_more(out, count - shown, "communicator");
}

static void files_and_windows(const view_comm *comm, int64_t limit, FILE *out)
{
    int64_t count = 0, shown = 0;
    for (size_t i = 0; i < comm->total_count; i++)
        count += comm->totals[i].read.message_count || comm->totals[i].written.message_count ||
                 comm->totals[i].remote.message_count;
    if (!count)
        return;
    report_heading(out, "Files and one-sided");
    table *table = table_new();
    table_column(table, "#", 0);
    table_column(table, "communicator", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "reads", 0);
    table_column(table, "bytes  ", 0);
    table_column(table, "writes", 0);
    table_column(table, "bytes  ", 0);
    table_column(table, "one-sided", 0);
    table_column(table, "bytes  ", 0);
    for (size_t i = 0; i < comm->total_count && shown < limit; i++) {
        const view_comm_total *row = &comm->totals[i];
        const view_comm_sum *const all[] = {&row->read, &row->written, &row->remote};
        if (!row->read.message_count && !row->written.message_count && !row->remote.message_count)
            continue;
        number_cell(table, row->communicator);
        name_cell(table, comm, row->communicator);
        for (int k = 0; k < 3; k++) {
            count_cell(table, all[k]->message_count);
            bytes_cell(table, all[k]);
        }
        shown++;
    }
    table_print(table, out);
    report_more(out, count - shown, "communicator");
}

void report_comm(const view *view, int64_t limit, FILE *out)
{
    communicators(view->comm, limit, out);
    functions(view, view->comm, limit, out);
    sizes(view->comm, limit, out);
    files_and_windows(view->comm, limit, out);
}

void report_untold(const view *view, FILE *out)
{
    const view_comm *comm = view->comm;
    char bytes[TEXT_BYTES];
    int64_t unsaid = 0;
    if (comm->untold.call_count) {
        fprintf(out, "%snote:%s ", style_warn(), style_end());
        report_plural(out, comm->untold.call_count, "MPI call on ", "MPI calls on ");
        report_plural(out, (int64_t)comm->untold_ranks, "rank", "ranks");
        const char *at = text_bytes((double)comm->untold.bytes, bytes);
        fprintf(out,
                " are kept as sums only (%s): to whom and on which communicator is not known, and "
                "they are not in these tables; SCOPE_MAX_BYTES and SCOPE_THROTTLE say how many are "
                "kept\n",
                at + strspn(at, " "));
    }
    if (comm->untold.lost_count) {
        fprintf(out, "%snote:%s ", style_warn(), style_end());
        report_plural(out, comm->untold.lost_count, "event is", "events are");
        fputs(" missing: messages may be, too\n", out);
    }
    for (size_t i = 0; i < comm->total_count; i++)
        unsaid += comm->totals[i].other.bytes > 0 ? comm->totals[i].other.message_count : 0;
    if (unsaid) {
        fprintf(out, "%snote:%s ", style_warn(), style_end());
        report_plural(out, unsaid, "message", "messages");
        fputs(" of \"other\": this profile does not say whether they were sent or received\n", out);
    }
}
