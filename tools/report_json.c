/* report_json.c - a view as JSON.
 *
 * A region's keys are those of Python's summary(); times are seconds. What that has not: share,
 * mpi_bytes, num_kept (first_, last_, std_duration and the percentiles are of these calls alone)
 * and num_folded (the others, which are sums), num_open, await_duration, and what the recorder
 * took (overhead.h): overhead_duration, corrected_duration, corrected_exclusive_duration.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view.h"

#include <string.h>

#include "input.h"
#include "json.h"
#include "report_records.h"
#include "report_waits_records.h"

static void string(json *json, const char *key, const scope_string *text)
{
    json_text(json, key, text->bytes ? text->bytes : "", text->length_bytes);
}

static void seconds_or_null(json *json, const char *key, int64_t ns)
{
    if (ns < 0)
        json_null(json, key);
    else
        json_seconds(json, key, ns);
}

static void cost(json *json, const char *key, double ns)
{
    if (ns > 0 && ns < 1e18)
        json_number(json, key, ns / 1e9);
    else
        json_null(json, key);
}

static void percentile(json *json, const char *long_key, const char *short_key, double ns)
{
    json_number(json, long_key, ns / 1e9);
    json_number(json, short_key, ns / 1e9);
}

/* A list of texts, as the file has it; nothing else gets out unquoted. */
static void tags(json *json, const scope_pair *pair)
{
    const scope_string *text = pair ? &pair->tags : NULL;
    if (text && text->length_bytes > 1 && text->bytes[0] == '[' &&
        text->bytes[text->length_bytes - 1] == ']')
        json_raw(json, "tags", text->bytes, text->length_bytes);
    else
        json_raw(json, "tags", "[]", 2);
}

static void region(json *json, const view *view, const scope_summary *row)
{
    const double imbalance = row->rank < 0 ? row->imbalance : 0.0;
    const double percent = imbalance > 0 ? 100 * (imbalance - 1) : 0.0;
    json_open(json, NULL, '{');
    string(json, "name", &view->calls->regions[row->region].name);
    json_integer(json, "num_ranks", row->rank_count);
    json_integer(json, "num_calls", row->call_count);
    json_seconds(json, "total_duration", row->total_ns);
    json_seconds(json, "inclusive_duration", row->total_ns);
    seconds_or_null(json, "exclusive_duration", row->exclusive_ns);
    json_number(json, "average_duration", row->mean_ns / 1e9);
    json_seconds(json, "min_duration", row->minimum_ns);
    json_seconds(json, "max_duration", row->maximum_ns);
    json_seconds(json, "first_duration", row->first_ns);
    json_seconds(json, "last_duration", row->last_ns);
    json_number(json, "std_duration", row->deviation_ns / 1e9);
    tags(json, view->first_pairs[row->region]);
    percentile(json, "p50_duration", "p50", row->p50_ns);
    percentile(json, "p95_duration", "p95", row->p95_ns);
    percentile(json, "p99_duration", "p99", row->p99_ns);
    json_number(json, "rank_imbalance", imbalance);
    json_number(json, "rank_imbalance_pct", percent);
    json_number(json, "imbalance", percent);
    if (row->exclusive_ns < 0)
        json_null(json, "share");
    else
        json_number(json, "share", row->share);
    json_seconds(json, "await_duration", row->await_ns);
    json_integer(json, "mpi_bytes", row->mpi_bytes);
    json_integer(json, "num_kept", row->call_count - row->folded_count);
    json_integer(json, "num_folded", row->folded_count);
    json_integer(json, "num_open", row->open_count);
    seconds_or_null(json, "overhead_duration", row->overhead_ns);
    seconds_or_null(json, "corrected_duration", row->corrected_total_ns);
    seconds_or_null(json, "corrected_exclusive_duration", row->corrected_exclusive_ns);
    json_close(json);
}

/* Outermost first; their time so far. */
static void open_calls(json *json, const view *view, const view_rank *rank)
{
    size_t count;
    const view_open *open = view_open_of(view, rank->rank, &count);
    json_open(json, "open_calls", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        string(json, "name", &view->calls->regions[open[i].region].name);
        json_seconds(json, "start_time",
                     view->calls->start_ns[open[i].row] - view->calls->start_time_ns);
        json_seconds(json, "duration", view->calls->duration_ns[open[i].row]);
        json_close(json);
    }
    json_close(json);
}

/* Rows of by_rank are grouped by rank, ascending as the ranks are: `*at` moves on. */
static void rank(json *json, const view *view, const view_rank *rank, size_t *at)
{
    const scope_rank_row *row = rank->row;
    char end[64];
    json_open(json, NULL, '{');
    json_integer(json, "rank", rank->rank);
    if (row) {
        string(json, "host", &row->host);
        string(json, "program", &row->program);
        json_integer(json, "pid", row->pid);
        json_seconds(json, "duration", row->end_ns - row->start_ns);
        input_end(row, end, sizeof end);
        json_text(json, "end", end, strlen(end));
        if (row->last_event_ns > 0)
            json_seconds(json, "last_event_time", row->last_event_ns - row->start_ns);
        else
            json_null(json, "last_event_time");
        json_integer(json, "holes", row->holes);
        seconds_or_null(json, "clock_bound", row->bound_ns);
        json_integer(json, "dropped", row->dropped);
        cost(json, "overhead_per_call", row->overhead_pair_ns);
        cost(json, "overhead_inside_call", row->overhead_inside_ns);
    }
    json_integer(json, "num_calls", rank->call_count);
    json_seconds(json, "region_time", rank->exclusive_ns);
    json_seconds(json, "mpi_time", rank->mpi_ns);
    json_integer(json, "mpi_bytes", rank->mpi_bytes);
    open_calls(json, view, rank);
    json_open(json, "regions", '[');
    for (; *at < view->by_rank.count && view->by_rank.rows[*at].rank <= rank->rank; ++*at)
        if (view->by_rank.rows[*at].rank == rank->rank)
            region(json, view, &view->by_rank.rows[*at]);
    json_close(json);
    json_close(json);
}

static void thread(json *json, const view *view, const view_lane *lane)
{
    const scope_thread_row *row = lane->thread;
    json_open(json, NULL, '{');
    json_integer(json, "rank", lane->rank);
    json_integer(json, "index", -2 - lane->lane);
    if (row) {
        string(json, "name", &row->name);
        json_boolean(json, "alive", row->end_ns < 0);
        if (row->start_ns >= 0 && row->end_ns >= row->start_ns)
            json_seconds(json, "wall_time", row->end_ns - row->start_ns);
        else
            json_null(json, "wall_time");
        seconds_or_null(json, "cpu_time", row->cpu_ns);
        json_seconds(json, "start_time", row->start_ns - view->calls->start_time_ns);
        json_integer(json, "native_id", row->native_id);
        json_integer(json, "last_cpu", row->last_cpu);
        string(json, "binding", &row->binding);
    }
    json_integer(json, "num_calls", lane->call_count);
    json_seconds(json, "region_time", lane->region_ns);
    json_close(json);
}

static void task(json *json, const view *view, const view_lane *lane)
{
    const scope_task_row *row = lane->task;
    json_open(json, NULL, '{');
    json_integer(json, "rank", lane->rank);
    json_integer(json, "index", lane->lane);
    if (row) {
        string(json, "name", &row->name);
        string(json, "coro_name", &row->coro_name);
        string(json, "kind", &row->kind);
        json_integer(json, "thread", row->thread_index);
        json_boolean(json, "done", row->done_ns >= 0);
        if (row->created_ns >= 0 && row->done_ns >= row->created_ns)
            json_seconds(json, "wall_time", row->done_ns - row->created_ns);
        else
            json_null(json, "wall_time");
        json_seconds(json, "start_time", row->created_ns - view->calls->start_time_ns);
        json_seconds(json, "running_time", row->running_ns);
        json_seconds(json, "suspended_time", row->suspended_ns);
        json_integer(json, "steps", row->steps);
    }
    json_integer(json, "num_calls", lane->call_count);
    json_seconds(json, "region_time", lane->region_ns);
    json_close(json);
}

static void counters(json *json, const view *view)
{
    json_open(json, "counters", '[');
    for (size_t i = 0; i < view->counter_count; i++) {
        const view_counter *row = &view->counters[i];
        json_open(json, NULL, '{');
        string(json, "name", row->name);
        json_integer(json, "num_values", row->count);
        json_number(json, "first", row->first);
        json_number(json, "last", row->last);
        json_number(json, "min", row->least);
        json_number(json, "max", row->most);
        json_close(json);
    }
    json_close(json);
}

static void warnings(json *json, const view_warnings *w)
{
    json_open(json, "warnings", '{');
    json_boolean(json, "recovered", w->recovered);
    json_integer(json, "unfinished_ranks", w->unfinished_ranks);
    json_integer(json, "ended_early_ranks", w->ended_early_ranks);
    json_boolean(json, "overlapping", w->overlapping);
    json_integer(json, "implied", w->implied);
    json_integer(json, "crossed", w->crossed);
    json_integer(json, "orphans", w->orphans);
    json_integer(json, "open_calls", w->open_calls);
    json_integer(json, "dropped", w->dropped);
    json_integer(json, "dropped_in_handlers", w->dropped_in_handlers);
    json_integer(json, "folded", w->folded);
    json_integer(json, "holes", w->holes);
    json_integer(json, "filtered", w->filtered);
    json_close(json);
}

static void metadata(json *json, const scope_calls *calls)
{
    json_open(json, "metadata", '{');
    for (size_t i = 0; i < calls->metadata_count; i++) {
        const scope_metadata_row *row = &calls->metadata[i];
        char key[256];
        snprintf(key, sizeof key, "%.*s", (int)row->key.length_bytes, row->key.bytes);
        if (row->kind == SCOPE_VALUE_INTEGER) {
            json_integer(json, key, row->integer);
        } else if (row->kind == SCOPE_VALUE_TEXT) {
            string(json, key, &row->text);
        } else {
            json_open(json, key, '[');
            for (uint64_t at = 0; at < row->text.length_bytes;) {
                const size_t length =
                    strnlen(row->text.bytes + at, (size_t)(row->text.length_bytes - at));
                json_text(json, NULL, row->text.bytes + at, length);
                at += length + 1;
            }
            json_close(json);
        }
    }
    json_close(json);
}

void report_json(const view *view, const char *path, FILE *out)
{
    const scope_calls *calls = view->calls;
    const scope_metadata_row *label = scope_calls_metadata(calls, "label");
    json json = json_start(out);
    json_open(&json, NULL, '{');
    json_text(&json, "file", path, strlen(path));
    if (label)
        string(&json, "label", &label->text);
    else
        json_null(&json, "label");
    json_integer(&json, "num_ranks", calls->rank_count);
    json_integer(&json, "num_nodes", view_node_count(calls));
    const int64_t kept = calls->is_aggregate ? 0 : (int64_t)calls->count;
    json_integer(&json, "num_calls", kept + view->warnings.folded);
    json_integer(&json, "num_kept", kept);
    json_integer(&json, "num_folded", view->warnings.folded);
    json_seconds(
        &json, "duration",
        calls->end_time_ns > calls->start_time_ns ? calls->end_time_ns - calls->start_time_ns : 0);
    json_open(&json, "regions", '[');
    for (size_t i = 0; i < view->by_region.count; i++)
        region(&json, view, &view->by_region.rows[i]);
    json_close(&json);
    json_open(&json, "ranks", '[');
    for (size_t i = 0, at = 0; i < view->rank_count; i++)
        rank(&json, view, &view->ranks[i], &at);
    json_close(&json);
    json_open(&json, "threads", '[');
    for (size_t i = 0; i < view->lane_count; i++)
        if (view->lanes[i].lane < -1)
            thread(&json, view, &view->lanes[i]);
    json_close(&json);
    json_open(&json, "tasks", '[');
    for (size_t i = 0; i < view->lane_count; i++)
        if (view->lanes[i].lane >= 0)
            task(&json, view, &view->lanes[i]);
    json_close(&json);
    counters(&json, view);
    if (view->comm)
        report_json_comm(&json, view);
    if (view->waits)
        report_json_waits(&json, view);
    warnings(&json, &view->warnings);
    metadata(&json, calls);
    json_close(&json);
}
