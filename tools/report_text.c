/* report_text.c - a view as tables for people.
 *
 * First who ran, then all ranks together, then rank by rank, then lanes, then
 * what to mind. 80 columns are enough.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "report_parts.h"
#include "text.h"

enum { RANKS_IN_DETAIL = 4, ROWS = 40, ROWS_PER_RANK = 12, LANES = 24, RANKS = 32, PAIRS = 20 };

static int64_t limit_of(const view_options *options, int64_t usual)
{
    return options->limit < 0 ? usual : options->limit ? options->limit : INT64_MAX;
}

void report_plural(FILE *out, int64_t count, const char *one, const char *many)
{
    fprintf(out, "%" PRId64 " %s", count, count == 1 ? one : many);
}

void report_heading(FILE *out, const char *text)
{
    fprintf(out, "\n%s%s%s\n", style_bold(), text, style_end());
}

void report_more(FILE *out, int64_t hidden, const char *what)
{
    if (hidden > 0)
        fprintf(out, "%s%" PRId64 " more %s%s: --limit=0 shows all%s\n", style_dim(), hidden, what,
                hidden == 1 ? "" : "s", style_end());
}

void report_time_cell(table *table, double ns)
{
    char text[TEXT_BYTES];
    table_cell(table, text_time(ns, text));
}

/* ---- who ran ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Of the first rank that recorded. */
static const scope_rank_row *first_row(const view *view)
{
    const scope_calls *calls = view->calls;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        if (calls->ranks[i].realtime_ns > 0 && calls->ranks[i].program.length_bytes)
            return &calls->ranks[i];
    return calls->rank_row_count ? &calls->ranks[0] : NULL;
}

void report_name(FILE *out, const char *bytes, size_t length)
{
    char *text = text_name(bytes, length);
    if (text)
        fputs(text, out);
    free(text);
}

/* Of processes of MPI_Comm_spawn. */
static void parent(const scope_calls *calls, FILE *out)
{
    const scope_metadata_row *run = scope_calls_metadata(calls, "spawned_by_run");
    const scope_metadata_row *rank = scope_calls_metadata(calls, "spawned_by_rank");
    const scope_metadata_row *pid = scope_calls_metadata(calls, "spawned_by_pid");
    const scope_metadata_row *host = scope_calls_metadata(calls, "spawned_by_host");
    if (!run || !rank || !pid || !host)
        return;
    fputs("spawned by rank ", out);
    report_name(out, rank->text.bytes, rank->text.length_bytes);
    fputs(" of run ", out);
    report_name(out, run->text.bytes, run->text.length_bytes);
    fputs(" (process ", out);
    report_name(out, pid->text.bytes, pid->text.length_bytes);
    fputs(" on ", out);
    report_name(out, host->text.bytes, host->text.length_bytes);
    fputs(")\n", out);
}

static void title(const view *view, const char *path, FILE *out)
{
    const scope_calls *calls = view->calls;
    const scope_metadata_row *label = scope_calls_metadata(calls, "label");
    const scope_metadata_row *stamp = scope_calls_metadata(calls, "timestamp");
    const scope_metadata_row *version = scope_calls_metadata(calls, "scope_profiler_version");
    const char *dot = text_unicode() ? " \xc2\xb7 " : ", ";
    const char *name = base_name(path);
    const scope_rank_row *first = first_row(view);
    char text[TEXT_BYTES];

    fputs(style_bold(), out);
    if (label && label->text.length_bytes)
        report_name(out, label->text.bytes, label->text.length_bytes);
    else if (first && first->program.length_bytes)
        report_name(out, first->program.bytes, first->program.length_bytes);
    else
        report_name(out, name, strlen(name));
    const bool named =
        (label && label->text.length_bytes) || (first && first->program.length_bytes);
    fprintf(out, "%s  %s", style_end(), style_dim());
    if (named || name != path)
        report_name(out, path, strlen(path));
    fprintf(out, "%s\n", style_end());

    const int64_t nodes = view_node_count(calls);
    report_plural(out, calls->rank_count, "rank", "ranks");
    if (nodes > 0) {
        fputs(" on ", out);
        report_plural(out, nodes, "node", "nodes");
    }
    const int64_t span = calls->end_time_ns - calls->start_time_ns;
    if (span > 0 && calls->start_time_ns > 0)
        fprintf(out, "%s%s", dot, text_duration((double)span, text));
    int64_t call_count = 0;
    for (size_t i = 0; i < view->rank_count; i++)
        call_count += view->ranks[i].call_count;
    fputs(dot, out);
    report_plural(out, call_count, "call", "calls");
    fputs(" of ", out);
    report_plural(out, (int64_t)calls->region_count, "region", "regions");
    if (calls->thread_count) {
        fputs(dot, out);
        report_plural(out, (int64_t)calls->thread_count, "thread", "threads");
    }
    if (calls->task_count) {
        fputs(dot, out);
        report_plural(out, (int64_t)calls->task_count, "task", "tasks");
    }
    if (view->warnings.dropped > 0) {
        fputs(dot, out);
        report_plural(out, view->warnings.dropped, "event missing", "events missing");
    }
    fputc('\n', out);
    const bool started = first && first->realtime_ns > 0;
    if (started)
        fprintf(out, "started %s", text_date(first->realtime_ns, text));
    else if (stamp) {
        fputs("recorded ", out);
        report_name(out, stamp->text.bytes, stamp->text.length_bytes);
    }
    if (version && (stamp || started)) {
        fprintf(out, "%sscope ", dot);
        report_name(out, version->text.bytes, version->text.length_bytes);
    }
    if (stamp || started)
        fputc('\n', out);
    parent(calls, out);
}

/* ---- regions ---- */

typedef enum region_table { TIMES, TIMES_OF_RANKS, OVERHEAD } region_table;

static void region_columns(table *table, bool imbalance)
{
    table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "calls", 0);
    table_column(table, "total ", 0);
    table_column(table, "excl  ", 0);
    table_column(table, "min  ", 0);
    table_column(table, "mean  ", 0);
    table_column(table, "max  ", 0);
    table_column(table, "share", 0);
    if (imbalance)
        table_column(table, "imbal", 0);
}

static void region_row(table *table, const view *view, const scope_summary *row, bool imbalance)
{
    const scope_string *name = &view->calls->regions[row->region].name;
    char text[TEXT_BYTES];
    const bool any = row->call_count > 0;
    table_name(table, name->bytes, name->length_bytes);
    table_cell(table, text_count(row->call_count, text));
    report_time_cell(table, (double)row->total_ns);
    report_time_cell(table, (double)row->exclusive_ns);
    report_time_cell(table, view_minimum_ns(row));
    report_time_cell(table, view_mean_ns(row));
    report_time_cell(table, any ? (double)row->maximum_ns : -1);
    table_cell(table, text_percent(row->exclusive_ns < 0 ? -1 : row->share, text));
    if (imbalance)
        table_cell(table, text_ratio(row->imbalance, text));
}

/* `count` rows from `rows`, at most `limit` of them. */
static void regions(const view *view, const scope_summary *rows, size_t count, int64_t limit,
                    region_table kind, FILE *out)
{
    if (!count) {
        fputs("no calls\n", out);
        return;
    }
    table *table = table_new();
    if (kind == OVERHEAD)
        report_overhead_columns(table);
    else
        region_columns(table, kind == TIMES_OF_RANKS);
    for (size_t i = 0; i < count && (int64_t)i < limit; i++)
        if (kind == OVERHEAD)
            report_overhead_row(table, view, &rows[i]);
        else
            region_row(table, view, &rows[i], kind == TIMES_OF_RANKS);
    table_print(table, out);
    report_more(out, (int64_t)count - limit, "region");
}

static void mpi(const view *view, int64_t limit, FILE *out)
{
    size_t count = 0;
    char text[TEXT_BYTES];
    for (size_t i = 0; i < view->by_region.count; i++)
        count += view->by_region.rows[i].mpi_bytes > 0;
    if (!count)
        return;
    report_heading(out, "MPI data");
    table *table = table_new();
    table_column(table, "call", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "calls", 0);
    table_column(table, "total ", 0);
    table_column(table, "bytes  ", 0);
    table_column(table, "per call", 0);
    table_column(table, "per second", 0);
    int64_t shown = 0;
    for (size_t i = 0; i < view->by_region.count && shown < limit; i++) {
        const scope_summary *row = &view->by_region.rows[i];
        const scope_string *name = &view->calls->regions[row->region].name;
        if (row->mpi_bytes <= 0)
            continue;
        table_name(table, name->bytes, name->length_bytes);
        table_cell(table, text_count(row->call_count, text));
        report_time_cell(table, (double)row->total_ns);
        table_cell(table, text_bytes((double)row->mpi_bytes, text));
        table_cell(table, text_bytes((double)row->mpi_bytes / (double)row->call_count, text));
        table_cell(table, text_bytes(row->total_ns > 0
                                         ? (double)row->mpi_bytes * 1e9 / (double)row->total_ns
                                         : -1,
                                     text));
        shown++;
    }
    table_print(table, out);
    report_more(out, (int64_t)count - shown, "call");
}

/* ---- ranks ---- */

/* The innermost call that had not ended, and how many more there are. */
static void open_cell(table *table, const view *view, int32_t rank)
{
    size_t count;
    const view_open *open = view_open_of(view, rank, &count);
    if (!count) {
        table_cell(table, "");
        return;
    }
    const scope_string *name = &view->calls->regions[open[count - 1].region].name;
    char *text = text_name(name->bytes, name->length_bytes);
    char more[32] = "";
    if (count > 1)
        snprintf(more, sizeof more, " +%zu", count - 1);
    const size_t size = (text ? strlen(text) : 1) + sizeof more;
    char *cell = malloc(size);
    if (cell)
        snprintf(cell, size, "%s%s", text ? text : "?", more);
    table_cell(table, cell ? cell : "?");
    free(cell);
    free(text);
}

static void rank_row(table *table, const view *view, const view_rank *rank, bool mpi)
{
    const scope_rank_row *row = rank->row;
    const double duration =
        row && row->end_ns > row->start_ns ? (double)(row->end_ns - row->start_ns) : -1;
    char text[TEXT_BYTES], end[64];
    table_cell(table, text_count(rank->rank, text));
    table_name(table, row ? row->host.bytes : "-", row ? row->host.length_bytes : 1);
    table_cell(table, row ? text_count(row->pid, text) : "-");
    report_time_cell(table, duration);
    table_cell(table, text_count(rank->call_count, text));
    report_time_cell(table, (double)rank->exclusive_ns);
    if (mpi) {
        report_time_cell(table, (double)rank->mpi_ns);
        table_cell(table, text_percent(duration > 0 ? (double)rank->mpi_ns / duration : -1, text));
        table_cell(table, text_bytes((double)rank->mpi_bytes, text));
    }
    if (row)
        input_end(row, end, sizeof end);
    table_cell(table, row ? end : "-");
    if (view->open_count)
        open_cell(table, view, rank->rank);
}

/* All in their order; or, where that is too many, the slowest and the fastest. */
static void ranks(const view *view, int64_t limit, FILE *out)
{
    const bool mpi = view_has_mpi(view);
    const size_t count = view->rank_count;
    const size_t shown = limit < (int64_t)count ? (size_t)limit : count;
    const view_rank **extreme = shown < count ? view_extreme_ranks(view, shown) : NULL;
    char text[128] = "Ranks";
    if (extreme)
        snprintf(text, sizeof text, "Ranks, %zu slowest and %zu fastest of %zu (%s)",
                 (shown + 1) / 2, shown / 2, count, mpi ? "time outside MPI" : "time in regions");
    report_heading(out, text);
    table *table = table_new();
    table_column(table, "rank", 0);
    table_column(table, "host", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "pid", 0);
    table_column(table, "duration", 0);
    table_column(table, "calls", 0);
    table_column(table, "regions", 0);
    if (mpi) {
        table_column(table, "MPI  ", 0);
        table_column(table, "MPI %", 0);
        table_column(table, "bytes  ", 0);
    }
    table_column(table, "end", TABLE_LEFT);
    if (view->open_count)
        table_column(table, "open call", TABLE_LEFT | TABLE_SHRINK);
    for (size_t i = 0; i < shown; i++)
        rank_row(table, view, extreme ? extreme[i] : &view->ranks[i], mpi);
    table_print(table, out);
    report_more(out, (int64_t)(count - shown), "rank");
    free(extreme);
}

static void rank_by_rank(const view *view, int64_t limit, region_table kind, FILE *out)
{
    for (size_t i = 0; i < view->by_rank.count;) {
        const int32_t rank = view->by_rank.rows[i].rank;
        size_t end = i;
        while (end < view->by_rank.count && view->by_rank.rows[end].rank == rank)
            end++;
        char text[32];
        snprintf(text, sizeof text, "Rank %d", (int)rank);
        report_heading(out, text);
        regions(view, view->by_rank.rows + i, end - i, limit, kind, out);
        i = end;
    }
}

void report_text(const view *view, const view_options *options, const char *path, FILE *out)
{
    const bool few = view->rank_count > 1 && view->rank_count <= RANKS_IN_DETAIL;
    const bool several = view->calls->rank_count > 1;
    const region_table kind = options->overhead ? OVERHEAD : TIMES;
    title(view, path, out);
    if (!view->rank_count && view->calls->rank_count == 1)
        fputs("\nno such rank: there is rank 0 only\n", out);
    else if (!view->rank_count && view->calls->rank_count > 1)
        fprintf(out, "\nno such rank: ranks are 0-%d\n", (int)view->calls->rank_count - 1);
    if (view->no_region)
        fprintf(out, "\nno such region: none here passes --region=%s\n", options->regions);
    if (options->comm || options->matrix || options->waits) {
        if (options->comm)
            report_comm(view, limit_of(options, ROWS), out);
        if (options->matrix)
            report_matrix(view, limit_of(options, PAIRS), out);
        if (options->waits)
            report_waits(view, limit_of(options, PAIRS), out);
        report_notes(view, false, out);
        return;
    }
    if (several && view->all_ranks)
        report_heading(out, "All ranks");
    else if (view->all_ranks)
        report_heading(out, "Regions");
    if (view->all_ranks)
        regions(view, view->by_region.rows, view->by_region.count, limit_of(options, ROWS),
                several && kind == TIMES ? TIMES_OF_RANKS : kind, out);
    if (several)
        ranks(view, limit_of(options, RANKS), out);
    if (several && (few || options->by_rank || !view->all_ranks))
        rank_by_rank(view,
                     limit_of(options, view->all_ranks && !options->by_rank ? ROWS_PER_RANK : ROWS),
                     kind, out);
    else if (!view->all_ranks)
        rank_by_rank(view, limit_of(options, ROWS), kind, out);
    mpi(view, limit_of(options, ROWS), out);
    report_counters(view, limit_of(options, ROWS), out);
    const bool asked = options->lanes;
    if (asked || view->calls->thread_count > (size_t)view->calls->rank_count)
        report_threads(view, limit_of(options, asked ? 10 * LANES : LANES), out);
    if (asked || view->calls->task_count)
        report_tasks(view, limit_of(options, asked ? 10 * LANES : LANES), out);
    report_notes(view, options->overhead, out);
}
