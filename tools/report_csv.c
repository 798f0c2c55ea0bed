/* report_csv.c - a view as comma-separated values (RFC 4180), one line per row.
 *
 * First a line per region over all ranks (rank "all"), then one per rank and
 * region; with --lanes one per rank, lane and region instead. Times in seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_records.h"
#include "report_waits_records.h"
#include "text.h"

/* Always in quotes. */
void report_csv_field(FILE *out, const char *bytes, size_t length_bytes)
{
    char *text = text_name(bytes, length_bytes);
    fputc('"', out);
    for (const char *at = text ? text : ""; *at; at++) {
        if (*at == '"')
            fputc('"', out);
        fputc(*at, out);
    }
    fputc('"', out);
    free(text);
}

static void seconds(FILE *out, int64_t ns)
{
    if (ns < 0)
        fputc(',', out);
    else
        fprintf(out, ",%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
}

static void line(FILE *out, const view *view, const scope_summary *row, bool lanes)
{
    const scope_string *name = &view->calls->regions[row->region].name;
    if (row->rank < 0)
        fputs("all,", out);
    else
        fprintf(out, "%d,", (int)row->rank);
    if (lanes) {
        char label[512];
        view_lane_label(view, row->rank, row->lane, label, sizeof label);
        report_csv_field(out, label, strlen(label));
        fputc(',', out);
    }
    report_csv_field(out, name->bytes, name->length_bytes);
    fprintf(out, ",%" PRId64, row->call_count);
    seconds(out, row->total_ns);
    seconds(out, row->exclusive_ns);
    fprintf(out, ",%.12g", row->mean_ns / 1e9);
    seconds(out, row->minimum_ns);
    seconds(out, row->maximum_ns);
    seconds(out, row->first_ns);
    seconds(out, row->last_ns);
    fprintf(out, ",%.12g,%.12g,%.12g,%.12g", row->deviation_ns / 1e9, row->p50_ns / 1e9,
            row->p95_ns / 1e9, row->p99_ns / 1e9);
    if (row->exclusive_ns < 0)
        fputc(',', out);
    else
        fprintf(out, ",%.9g", row->share);
    fprintf(out, ",%.9g", row->rank < 0 ? row->imbalance : 0.0);
    seconds(out, row->await_ns);
    fprintf(out, ",%" PRId64 ",%" PRId64, row->mpi_bytes, row->folded_count);
    seconds(out, row->overhead_ns);
    seconds(out, row->corrected_total_ns);
    seconds(out, row->corrected_exclusive_ns);
    fputc('\n', out);
}

static void lines(FILE *out, const view *view, const scope_summaries *rows, bool lanes)
{
    for (size_t i = 0; i < rows->count; i++)
        line(out, view, &rows->rows[i], lanes);
}

void report_csv(const view *view, const view_options *options, FILE *out)
{
    if (options->comm || options->matrix) {
        report_csv_comm(view, options->matrix, out);
        return;
    }
    if (options->waits) {
        report_csv_waits(view, out);
        return;
    }
    fprintf(out,
            "rank,%sname,num_calls,total_duration,exclusive_duration,average_duration,"
            "min_duration,max_duration,first_duration,last_duration,std_duration,p50_duration,"
            "p95_duration,p99_duration,share,rank_imbalance,await_duration,mpi_bytes,num_folded,"
            "overhead_duration,corrected_duration,corrected_exclusive_duration\n",
            options->lanes ? "lane," : "");
    if (options->lanes) {
        lines(out, view, &view->by_lane, true);
        return;
    }
    if (view->all_ranks)
        lines(out, view, &view->by_region, false);
    lines(out, view, &view->by_rank, false);
}
