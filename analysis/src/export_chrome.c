/* export_chrome.c - Trace Event Format, for Perfetto and chrome://tracing.
 *
 * A process per rank, a thread per lane, a complete event (X) per call; marks are instants
 * (i), counters C, messages flows from (s) the call that sent to (f) the one that received, each
 * behind its call. Times are µs since the run's start with every ns in the text. Calls need not
 * nest.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_arrows.h"
#include "export_parts.h"

#include <math.h>
#include <stdlib.h>

#include <scope/communication.h>
#include <scope/results.h>

/* rank first, then tasks, then threads in the order of their indices: tid is the place */
static int comes_before(int64_t a, int64_t b)
{
    const int kind_a = a == -1 ? 0 : a >= 0 ? 1 : 2, kind_b = b == -1 ? 0 : b >= 0 ? 1 : 2;
    return kind_a != kind_b ? kind_a < kind_b : kind_a == 2 ? a > b : a < b;
}

static int compare_lanes(const void *left, const void *right)
{
    const int64_t a = ((const export_lane *)left)->lane, b = ((const export_lane *)right)->lane;
    return comes_before(b, a) - comes_before(a, b);
}

static int64_t lane_of_point(const scope_point_row *point)
{
    return point->task >= 0 ? point->task : point->thread >= 0 ? -2 - point->thread : -1;
}

static scope_status find_lanes(const export_job *job, int32_t rank, size_t first, size_t end,
                               export_lane_set *set)
{
    const scope_calls *calls = job->calls;
    scope_status status = export_lanes_find(calls, &job->thin, first, end, set);
    for (size_t i = 0; status == SCOPE_OK && i < calls->mark_count; i += job->thin.marks_step)
        if (calls->marks[i].rank == rank)
            status = export_lanes_add(set, lane_of_point(&calls->marks[i]), 0);
    return status == SCOPE_OK ? export_lanes_sort(set, compare_lanes) : status;
}

/* ---- events ---- */

typedef struct trace_writer {
    const export_job *job;
    export_arrows arrows;
    int first;
} trace_writer;

/* From '{' to the arguments' '{'. */
static void begin_event(trace_writer *writer, scope_string name, const char *kind, int32_t rank,
                        int64_t tid)
{
    export_file *file = writer->job->file;
    export_literal(file, writer->first ? "{\"name\":" : ",{\"name\":");
    writer->first = 0;
    export_string(file, name);
    export_literal(file, kind);
    export_literal(file, ",\"pid\":");
    export_integer(file, rank);
    export_literal(file, ",\"tid\":");
    export_integer(file, tid);
}

static void put_member(export_file *file, const char *key, int64_t value)
{
    export_literal(file, key);
    export_integer(file, value);
}

static scope_status write_lane(trace_writer *writer, int32_t rank, int64_t lane, size_t tid)
{
    const scope_calls *calls = writer->job->calls;
    export_file *file = writer->job->file;
    char *name = export_lane_name(calls, rank, lane, 0);
    if (!name)
        return SCOPE_ERR_MEMORY;
    begin_event(writer, (scope_string){"thread_name", 11}, ",\"ph\":\"M\"", rank, (int64_t)tid);
    export_literal(file, ",\"args\":{\"name\":");
    export_string_of(file, name);
    free(name);
    if (lane == -1) {
        export_literal(file, ",\"lane\":\"rank\"");
    } else if (lane >= 0) {
        put_member(file, ",\"lane\":\"async task\",\"task_index\":", lane);
    } else {
        const scope_thread_row *thread = scope_calls_thread(calls, rank, -2 - lane);
        put_member(file, ",\"lane\":\"thread\",\"thread_index\":", -2 - lane);
        if (thread) {
            if (thread->native_id >= 0)
                put_member(file, ",\"native_id\":", thread->native_id);
            if (thread->ident != -1)
                put_member(file, ",\"ident\":", thread->ident);
            if (thread->cpu_ns >= 0) {
                export_literal(file, ",\"cpu_time_s\":");
                export_decimal(file, thread->cpu_ns, 9);
            }
        }
    }
    export_literal(file, "}}");
    return SCOPE_OK;
}

static int64_t since_start(const scope_calls *calls, int64_t time_ns)
{
    return (int64_t)((uint64_t)time_ns - (uint64_t)calls->start_time_ns);
}

static void write_call(trace_writer *writer, const scope_pair *pair, uint64_t row, int64_t tid,
                       const export_inside *inside)
{
    const scope_calls *calls = writer->job->calls;
    export_file *file = writer->job->file;
    begin_event(writer, calls->regions[pair->region].name,
                ",\"cat\":\"scope-profiler\",\"ph\":\"X\"", pair->rank, tid);
    export_literal(file, ",\"ts\":");
    export_decimal(file, since_start(calls, calls->start_ns[row]), 3);
    export_literal(file, ",\"dur\":");
    export_decimal(file, calls->duration_ns[row], 3);
    put_member(file, ",\"args\":{\"rank\":", pair->rank);
    put_member(file, ",\"call_index\":", (int64_t)(row - pair->first));
    export_literal(file, ",\"duration_s\":");
    export_decimal(file, calls->duration_ns[row], 9);
    if (calls->call_ids && calls->parent_ids) {
        put_member(file, ",\"call_id\":", calls->call_ids[row]);
        put_member(file, ",\"parent_id\":", calls->parent_ids[row]);
    }
    if (inside && inside->count) {
        put_member(file, ",\"left_out_calls\":", (int64_t)inside->count);
        export_literal(file, ",\"left_out_s\":");
        export_decimal(file, inside->time_ns, 9);
    }
    if (calls->gpu_ns && calls->gpu_ns[row] >= 0) {
        export_literal(file, ",\"gpu_duration\":");
        export_decimal(file, calls->gpu_ns[row], 9);
    }
    if (calls->await_ns) {
        export_literal(file, ",\"await_duration\":");
        export_decimal(file, calls->await_ns[row], 9);
    }
    if (calls->mpi_bytes && calls->mpi_peers && calls->mpi_comms &&
        (calls->mpi_bytes[row] || calls->mpi_peers[row] >= 0 || calls->mpi_comms[row] >= 0)) {
        put_member(file, ",\"mpi_bytes\":", calls->mpi_bytes[row]);
        put_member(file, ",\"mpi_peer\":", calls->mpi_peers[row]);
        if (calls->mpi_tags)
            put_member(file, ",\"mpi_tag\":", calls->mpi_tags[row]);
        if (calls->mpi_kinds) {
            export_literal(file, ",\"mpi_kind\":");
            export_string_of(file, scope_message_word(calls->mpi_kinds[row]));
        }
        const int32_t communicator = calls->mpi_comms[row];
        if (communicator >= 0 && (size_t)communicator < calls->communicator_count) {
            export_literal(file, ",\"mpi_communicator\":");
            export_string(file, calls->communicators[communicator].name);
        }
    }
    if (pair->source_file.length_bytes) {
        export_literal(file, ",\"source_file\":");
        export_string(file, pair->source_file);
        if (pair->source_line >= 0)
            put_member(file, ",\"source_line\":", pair->source_line);
    }
    export_literal(file, "}}");
}

/* The ends in this call, from `next` on: calls that are not written have none. */
static size_t write_arrow_ends(trace_writer *writer, size_t next, int32_t rank, uint64_t row,
                               int64_t tid)
{
    const export_arrows *arrows = &writer->arrows;
    export_file *file = writer->job->file;
    for (; next < arrows->count && arrows->ends[next].row == row; next++) {
        const export_arrow_end *end = &arrows->ends[next];
        begin_event(writer, (scope_string){"message", 7},
                    end->arrow & 1 ? ",\"cat\":\"MPI\",\"ph\":\"f\",\"bp\":\"e\""
                                   : ",\"cat\":\"MPI\",\"ph\":\"s\"",
                    rank, tid);
        put_member(file, ",\"id\":", (int64_t)(end->arrow >> 1));
        export_literal(file, ",\"ts\":");
        export_decimal(
            file, since_start(writer->job->calls, export_arrow_ns(writer->job->calls, end)), 3);
        export_literal(file, "}");
    }
    return next;
}

static void write_points(trace_writer *writer, int32_t rank, const export_lane_set *set)
{
    const scope_calls *calls = writer->job->calls;
    export_file *file = writer->job->file;
    for (size_t i = 0; i < calls->mark_count; i += writer->job->thin.marks_step) {
        const scope_point_row *mark = &calls->marks[i];
        if (mark->rank != rank)
            continue;
        begin_event(writer, mark->name, ",\"cat\":\"mark\",\"ph\":\"i\",\"s\":\"t\"", rank,
                    export_lane_number(set, lane_of_point(mark)));
        export_literal(file, ",\"ts\":");
        export_decimal(file, since_start(calls, mark->time_ns), 3);
        export_literal(file, "}");
    }
    for (size_t i = 0; i < calls->counter_count; i += writer->job->thin.counters_step) {
        const scope_point_row *counter = &calls->counters[i];
        if (counter->rank != rank || !isfinite(counter->value))
            continue;
        begin_event(writer, counter->name, ",\"cat\":\"counter\",\"ph\":\"C\"", rank, 0);
        export_literal(file, ",\"ts\":");
        export_decimal(file, since_start(calls, counter->time_ns), 3);
        export_literal(file, ",\"args\":{\"value\":");
        export_number(file, counter->value);
        export_literal(file, "}}");
    }
}

static scope_status write_rank(trace_writer *writer, int32_t rank)
{
    const scope_calls *calls = writer->job->calls;
    export_lane_set set = {0};
    export_inside *inside = NULL;
    size_t first, end;
    export_pairs(calls, rank, &first, &end);
    begin_event(writer, (scope_string){"process_name", 12}, ",\"ph\":\"M\"", rank, 0);
    put_member(writer->job->file, ",\"args\":{\"name\":\"rank ", rank);
    export_literal(writer->job->file, "\"}}");
    scope_status status = find_lanes(writer->job, rank, first, end, &set);
    if (status == SCOPE_OK)
        status = export_thin_sums(calls, rank, &writer->job->thin, &inside);
    for (size_t i = 0; status == SCOPE_OK && i < set.count; i++)
        status = write_lane(writer, rank, set.lanes[i].lane, i);
    for (size_t p = first; status == SCOPE_OK && p < end; p++) {
        size_t arrow = export_arrows_from(&writer->arrows, calls->pairs[p].first);
        for (uint64_t i = 0; i < scope_calls_pair_rows(calls, &calls->pairs[p]); i++) {
            const uint64_t row = calls->pairs[p].first + i;
            if (!export_keeps(&writer->job->thin, row))
                continue;
            const int64_t tid = export_lane_number(&set, scope_calls_lane(calls, row));
            write_call(writer, &calls->pairs[p], row, tid,
                       inside ? &inside[calls->call_ids[row]] : NULL);
            arrow = write_arrow_ends(writer, arrow, rank, row, tid);
        }
    }
    if (status == SCOPE_OK)
        write_points(writer, rank, &set);
    export_lane_set_free(&set);
    free(inside);
    return status;
}

scope_status export_chrome(const export_job *job)
{
    trace_writer writer = {.job = job, .first = 1};
    scope_status status = job->arrows ? export_arrows_make(job, &writer.arrows) : SCOPE_OK;
    export_literal(job->file, "{\"displayTimeUnit\":\"ms\",\"metadata\":{\"name\":");
    export_titled(job->file, job);
    export_literal(job->file, ",\"exporter\":");
    export_string(job->file, job->exporter);
    if (writer.arrows.backward)
        put_member(job->file, ",\"messages_without_arrow\":", writer.arrows.backward);
    export_literal(job->file, "},\"traceEvents\":[");
    for (size_t i = 0; status == SCOPE_OK && i < job->rank_count; i++)
        status = write_rank(&writer, job->ranks[i]);
    export_literal(job->file, "]}\n");
    *job->backward = writer.arrows.backward;
    export_arrows_free(&writer.arrows);
    return status;
}
