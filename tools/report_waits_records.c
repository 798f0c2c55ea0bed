/* report_waits_records.c - who waited for whom, for programs.
 *
 * The keys are those of Python's results.waits(); times are seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_waits_records.h"

#include <inttypes.h>
#include <string.h>

#include "report_records.h"
#include "view_waits.h"

/* ---- JSON ---- */

static void name(json *json, const view *view, uint32_t region)
{
    if (region == SCOPE_WAIT_NO_REGION)
        json_null(json, "name");
    else
        json_text(json, "name", view->calls->regions[region].name.bytes,
                  view->calls->regions[region].name.length_bytes);
}

static void sum(json *json, const scope_wait_sum *sum)
{
    json_integer(json, "num_waits", sum->count);
    json_seconds(json, "total_duration", sum->total_ns);
    json_seconds(json, "max_duration", sum->maximum_ns);
    json_seconds(json, "clock_bound", sum->bound_ns);
    json_integer(json, "num_short", sum->short_count);
    json_seconds(json, "short_duration", sum->short_ns);
    json_integer(json, "num_unknown", sum->unknown_count);
    json_seconds(json, "unknown_duration", sum->unknown_ns);
}

static void rows(json *json, const view *view)
{
    const scope_waits *found = &view->waits->found;
    json_open(json, "calls", '[');
    for (size_t i = 0; i < found->call_count; i++) {
        json_open(json, NULL, '{');
        json_integer(json, "rank", found->calls[i].rank);
        name(json, view, found->calls[i].call);
        const char *kind = scope_wait_kind_name(found->calls[i].kind);
        json_text(json, "kind", kind, strlen(kind));
        sum(json, &found->calls[i].sum);
        json_close(json);
    }
    json_close(json);
    json_open(json, "regions", '[');
    for (size_t i = 0; i < found->region_count; i++) {
        json_open(json, NULL, '{');
        json_integer(json, "rank", found->regions[i].rank);
        name(json, view, found->regions[i].region);
        sum(json, &found->regions[i].sum);
        json_close(json);
    }
    json_close(json);
    json_open(json, "causes", '[');
    for (size_t i = 0; i < found->cause_count; i++) {
        json_open(json, NULL, '{');
        json_integer(json, "rank", view->waits->causes[i].rank);
        name(json, view, view->waits->causes[i].region);
        json_seconds(json, "total_duration", view->waits->causes[i].total_ns);
        json_close(json);
    }
    json_close(json);
    json_open(json, "ranks", '[');
    for (size_t i = 0; i < found->rank_count; i++) {
        const scope_wait_rank_row *row = &found->ranks[i];
        json_open(json, NULL, '{');
        json_integer(json, "rank", row->rank);
        json_seconds(json, "duration", row->span_ns);
        json_seconds(json, "mpi_duration", row->mpi_ns);
        json_seconds(json, "waited_duration", row->waited.total_ns);
        json_seconds(json, "caused_duration", row->caused.total_ns);
        json_close(json);
    }
    json_close(json);
}

static void reasons(json *json, const char *key, const int64_t *counts)
{
    json_open(json, key, '{');
    for (int i = 0; i < SCOPE_UNMATCHED_REASONS; i++)
        if (counts[i])
            json_integer(json, scope_unmatched_name(i), counts[i]);
    json_close(json);
}

void report_json_waits(json *json, const view *view)
{
    const view_waits *waits = view->waits;
    const scope_waits *found = &waits->found;
    json_open(json, "waits", '{');
    sum(json, &waits->total);
    json_seconds(json, "mpi_duration", waits->mpi_ns);
    json_seconds(json, "duration", waits->span_ns);
    rows(json, view);
    json_integer(json, "num_sent", found->sent_count);
    json_integer(json, "num_received", found->received_count);
    json_integer(json, "num_collective", found->collective_count);
    json_integer(json, "num_nonblocking", found->nonblocking_count);
    json_integer(json, "num_unposted", found->unposted_count);
    json_open(json, "unmatched", '{');
    reasons(json, "sent", found->unmatched_sent);
    reasons(json, "received", found->unmatched_received);
    reasons(json, "collective", found->unmatched_collective);
    json_close(json);
    json_close(json);
}

/* ---- CSV ---- */

static void line(FILE *out, const view *view, const char *table, int32_t rank, uint32_t region,
                 const char *kind)
{
    fprintf(out, "%s,%d,", table, (int)rank);
    if (region != SCOPE_WAIT_NO_REGION)
        report_csv_field(out, view->calls->regions[region].name.bytes,
                         view->calls->regions[region].name.length_bytes);
    fprintf(out, ",%s", kind);
}

static void seconds(FILE *out, int64_t ns)
{
    const int64_t shown = ns < 0 ? 0 : ns;
    fprintf(out, ",%" PRId64 ".%09" PRId64, shown / 1000000000, shown % 1000000000);
}

static void sum_fields(FILE *out, const scope_wait_sum *sum)
{
    fprintf(out, ",%" PRId64, sum->count);
    seconds(out, sum->total_ns);
    seconds(out, sum->maximum_ns);
    seconds(out, sum->bound_ns);
    fprintf(out, ",%" PRId64, sum->short_count);
    seconds(out, sum->short_ns);
    fprintf(out, ",%" PRId64, sum->unknown_count);
    seconds(out, sum->unknown_ns);
    fputc('\n', out);
}

void report_csv_waits(const view *view, FILE *out)
{
    const scope_waits *found = &view->waits->found;
    fputs("table,rank,name,kind,num_waits,total_duration,max_duration,clock_bound,num_short,"
          "short_duration,num_unknown,unknown_duration\n",
          out);
    for (size_t i = 0; i < found->call_count; i++) {
        line(out, view, "call", found->calls[i].rank, found->calls[i].call,
             scope_wait_kind_name(found->calls[i].kind));
        sum_fields(out, &found->calls[i].sum);
    }
    for (size_t i = 0; i < found->region_count; i++) {
        line(out, view, "region", found->regions[i].rank, found->regions[i].region, "");
        sum_fields(out, &found->regions[i].sum);
    }
    for (size_t i = 0; i < found->cause_count; i++) {
        line(out, view, "cause", view->waits->causes[i].rank, view->waits->causes[i].region, "");
        fputc(',', out);
        seconds(out, view->waits->causes[i].total_ns);
        fputs(",,,,,,\n", out);
    }
}
