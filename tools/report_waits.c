/* report_waits.c - who waited for whom, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "text.h"
#include "view_waits.h"

static void region_cell(table *table, const view *view, uint32_t region)
{
    const scope_string *name =
        region == SCOPE_WAIT_NO_REGION ? NULL : &view->calls->regions[region].name;
    if (name)
        table_name(table, name->bytes, name->length_bytes);
    else
        table_cell(table, "(no region)");
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : -1;
}

static void share_cell(table *table, int64_t part, int64_t whole)
{
    char text[TEXT_BYTES];
    table_cell(table, text_percent(share(part, whole), text));
}

/* ---- in one line ---- */

static void totals(const view_waits *waits, FILE *out)
{
    const scope_wait_sum *total = &waits->total;
    char text[TEXT_BYTES];
    if (!total->count) {
        fputs("no call waited for another rank\n", out);
        return;
    }
    report_plural(out, total->count, "call", "calls");
    fprintf(out, " waited %s", text_duration((double)total->total_ns, text));
    fprintf(out, " for other ranks: %s of the time in MPI",
            text_percent(share(total->total_ns, waits->mpi_ns), text));
    fprintf(out, ", %s of all\n", text_percent(share(total->total_ns, waits->span_ns), text));
    if (total->bound_ns > 0)
        fprintf(out, "exact to %s%s in all: as far as the clocks of the ranks agree\n",
                text_unicode() ? "\xc2\xb1 " : "+- ", text_duration((double)total->bound_ns, text));
    else if (total->count > total->unknown_count)
        fputs("exact: ranks that waited for each other have one clock\n", out);
}

/* ---- tables ---- */

static void calls(const view *view, int64_t limit, FILE *out)
{
    const view_waits *waits = view->waits;
    char text[TEXT_BYTES];
    report_heading(out, "Calls that waited");
    table *table = table_new();
    table_column(table, "call", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "kind", TABLE_LEFT);
    table_column(table, "calls", 0);
    table_column(table, "waited", 0);
    table_column(table, "mean ", 0);
    table_column(table, "max  ", 0);
    table_column(table, "share", 0);
    table_column(table, "ranks", 0);
    table_column(table, "imbal", 0);
    for (size_t i = 0; i < waits->call_count && (int64_t)i < limit; i++) {
        const view_wait_row *row = &waits->calls[i];
        region_cell(table, view, row->region);
        table_cell(table, scope_wait_kind_name(row->kind));
        table_cell(table, text_count(row->sum.count, text));
        report_time_cell(table, (double)row->sum.total_ns);
        report_time_cell(table, (double)row->sum.total_ns / (double)row->sum.count);
        report_time_cell(table, (double)row->sum.maximum_ns);
        share_cell(table, row->sum.total_ns, waits->total.total_ns);
        table_cell(table, text_count(row->rank_count, text));
        table_cell(table, text_ratio(row->imbalance, text));
    }
    table_print(table, out);
    report_more(out, (int64_t)waits->call_count - limit, "call");
}

static void causes(const view *view, int64_t limit, FILE *out)
{
    const view_waits *waits = view->waits;
    char text[TEXT_BYTES];
    report_heading(out, "Who made others wait, and in which region");
    table *table = table_new();
    table_column(table, "rank", 0);
    table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "others waited", 0);
    table_column(table, "share", 0);
    for (size_t i = 0; i < waits->found.cause_count && (int64_t)i < limit; i++) {
        const scope_wait_cause_row *row = &waits->causes[i];
        table_cell(table, text_count(row->rank, text));
        region_cell(table, view, row->region);
        report_time_cell(table, (double)row->total_ns);
        share_cell(table, row->total_ns, waits->found.total.total_ns);
    }
    table_print(table, out);
    report_more(out, (int64_t)waits->found.cause_count - limit, "row");
}

static void regions(const view *view, int64_t limit, FILE *out)
{
    const view_waits *waits = view->waits;
    char text[TEXT_BYTES];
    report_heading(out, "Regions that waited");
    table *table = table_new();
    table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "calls", 0);
    table_column(table, "waited", 0);
    table_column(table, "share", 0);
    table_column(table, "ranks", 0);
    table_column(table, "imbal", 0);
    for (size_t i = 0; i < waits->region_count && (int64_t)i < limit; i++) {
        const view_wait_row *row = &waits->regions[i];
        region_cell(table, view, row->region);
        table_cell(table, text_count(row->sum.count, text));
        report_time_cell(table, (double)row->sum.total_ns);
        share_cell(table, row->sum.total_ns, waits->total.total_ns);
        table_cell(table, text_count(row->rank_count, text));
        table_cell(table, text_ratio(row->imbalance, text));
    }
    table_print(table, out);
    report_more(out, (int64_t)waits->region_count - limit, "region");
}

static void ranks(const view *view, int64_t limit, FILE *out)
{
    const view_waits *waits = view->waits;
    char text[TEXT_BYTES];
    report_heading(out, "Ranks");
    table *table = table_new();
    table_column(table, "rank", 0);
    table_column(table, "time ", 0);
    table_column(table, "MPI  ", 0);
    table_column(table, "waited", 0);
    table_column(table, "of MPI", 0);
    table_column(table, "others waited", 0);
    for (size_t i = 0; i < waits->found.rank_count && (int64_t)i < limit; i++) {
        const scope_wait_rank_row *row = &waits->ranks[i];
        table_cell(table, text_count(row->rank, text));
        report_time_cell(table, (double)row->span_ns);
        report_time_cell(table, (double)row->mpi_ns);
        report_time_cell(table, (double)row->waited.total_ns);
        share_cell(table, row->waited.total_ns, row->mpi_ns);
        report_time_cell(table, (double)row->caused.total_ns);
    }
    table_print(table, out);
    report_more(out, (int64_t)waits->found.rank_count - limit, "rank");
    if (waits->imbalance > 0 && waits->found.rank_count > 1)
        fprintf(out, "imbalance of waiting (longest / mean): %s\n",
                text_ratio(waits->imbalance, text));
}

/* ---- notes ---- */

/* "12 sent, 3 received (numbers differ)": what has no partner for this reason. */
static void unmatched(const scope_waits *found, FILE *out)
{
    bool any = false;
    for (int reason = 0; reason < SCOPE_UNMATCHED_REASONS; reason++) {
        const struct {
            int64_t count;
            const char *of;
        } parts[] = {{found->unmatched_sent[reason], "sent"},
                     {found->unmatched_received[reason], "received"},
                     {found->unmatched_collective[reason], "of collectives"}};
        bool first = true;
        for (int i = 0; i < 3; i++) {
            if (!parts[i].count)
                continue;
            fprintf(out, "%s%" PRId64 " %s",
                    !any    ? " "
                    : first ? "; "
                            : ", ",
                    parts[i].count, parts[i].of);
            any = true;
            first = false;
        }
        if (!first)
            fprintf(out, " (%s)", scope_unmatched_name(reason));
    }
}

static void note(FILE *out)
{
    fprintf(out, "%snote:%s ", style_warn(), style_end());
}

static void notes(const view *view, FILE *out)
{
    const scope_waits *found = &view->waits->found;
    const scope_wait_sum *total = &view->waits->total;
    char text[TEXT_BYTES];
    if (total->unknown_count || total->short_count || scope_waits_unmatched(found) ||
        found->nonblocking_count || found->unposted_count)
        fputc('\n', out);
    if (total->unknown_count) {
        note(out);
        report_plural(out, total->unknown_count, "wait", "waits");
        fprintf(out, " (%s) of ranks whose clocks were not compared: ",
                text_duration((double)total->unknown_ns, text));
        fputs("how exact they are is not known\n", out);
    }
    if (total->short_count) {
        note(out);
        report_plural(out, total->short_count, "wait is", "waits are");
        fprintf(out, " (%s) shorter than the ranks' clocks agree\n",
                text_duration((double)total->short_ns, text));
    }
    if (scope_waits_unmatched(found)) {
        note(out);
        fputs("without partner, so nothing is said of their waiting:", out);
        unmatched(found, out);
        fputc('\n', out);
    }
    if (found->nonblocking_count) {
        note(out);
        report_plural(out, found->nonblocking_count, "nonblocking collective call",
                      "nonblocking collective calls");
        fputs(" whose end was not recorded: who waited for it is not known\n", out);
    }
    if (found->unposted_count) {
        note(out);
        report_plural(out, found->unposted_count, "message", "messages");
        fputs(" of which it is not sure when the receive was posted, or which send ended: no late "
              "receivers there\n",
              out);
    }
}

void report_waits(const view *view, int64_t limit, FILE *out)
{
    const view_waits *waits = view->waits;
    report_heading(out, "Waiting in MPI");
    if (view_waits_unknown(waits)) {
        fputs(waits->mpi_ns
                  ? "this profile does not say which MPI calls belong together\n"
                  : "no MPI calls in this profile: scope run, or -lscope_mpi, records them\n",
              out);
        return;
    }
    totals(waits, out);
    if (waits->total.count) {
        calls(view, limit, out);
        regions(view, limit, out);
    }
    if (waits->found.cause_count)
        causes(view, limit, out);
    if (waits->found.rank_count)
        ranks(view, limit, out);
    notes(view, out);
}

void report_waits_note(const view *view, FILE *out)
{
    const view_waits *waits = view->waits;
    char text[TEXT_BYTES];
    if (!view_waits_matter(waits))
        return;
    const scope_wait_cause_row *most = waits->causes;
    note(out);
    fprintf(out, "MPI calls waited %s for other ranks",
            text_duration((double)waits->total.total_ns, text));
    fprintf(out, ", %s of all time",
            text_percent(share(waits->total.total_ns, waits->span_ns), text));
    fprintf(out, ", %s of it for rank %d", text_duration((double)most->total_ns, text),
            (int)most->rank);
    if (most->region != SCOPE_WAIT_NO_REGION) {
        const scope_string *name = &view->calls->regions[most->region].name;
        fputs(" in ", out);
        report_name(out, name->bytes, name->length_bytes);
    }
    fputs("; --waits shows who waited for whom\n", out);
}
