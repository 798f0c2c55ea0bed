/* export_speedscope.c - one evented profile per lane: https://www.speedscope.app
 *
 * Seconds since the earliest call in the document; every ns is in the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_parts.h"

#include <scope/wrap.h>

#include <stdlib.h>

typedef struct profile_writer {
    const export_job *job;
    const uint32_t *frames; /* per region */
    int64_t origin_ns;
    int first;
} profile_writer;

static int64_t since(const profile_writer *writer, int64_t time_ns)
{
    return wrap_subtract(time_ns, writer->origin_ns);
}

static void write_event(profile_writer *writer, char type, uint32_t pair, int64_t time_ns)
{
    export_file *file = writer->job->file;
    export_literal(file, writer->first ? "{\"type\": \"" : ", {\"type\": \"");
    export_bytes(file, &type, 1);
    export_literal(file, "\", \"frame\": ");
    export_integer(file, writer->frames[writer->job->calls->pairs[pair].region]);
    export_literal(file, ", \"at\": ");
    export_decimal(file, since(writer, time_ns), 9);
    export_literal(file, "}");
    writer->first = 0;
}

static scope_status open_call(void *context, uint64_t row, uint32_t pair)
{
    profile_writer *writer = context;
    if (!export_keeps(&writer->job->thin, row))
        return SCOPE_OK;
    write_event(writer, 'O', pair, writer->job->calls->start_ns[row]);
    return writer->job->file->status;
}

static void close_call(void *context, uint64_t row, uint32_t pair)
{
    profile_writer *writer = context;
    if (!export_keeps(&writer->job->thin, row))
        return;
    write_event(writer, 'C', pair, export_end(writer->job->calls, row));
}

static scope_status write_lane(profile_writer *writer, int32_t rank, const export_lanes *lanes,
                               const export_lane *lane)
{
    const scope_calls *calls = writer->job->calls;
    export_file *file = writer->job->file;
    char *name = export_lane_name(calls, rank, lane->lane, 1);
    if (!name)
        return SCOPE_ERR_MEMORY;
    int64_t end = INT64_MIN;
    for (uint64_t place = lane->first; place < lane->first + lane->count; place++) {
        const int64_t one = export_end(calls, lanes->rows[place]);
        end = one > end ? one : end;
    }
    export_literal(file, "{\"type\": \"evented\", \"name\": ");
    export_string_of(file, name);
    free(name);
    export_literal(file, ", \"unit\": \"seconds\", \"startValue\": ");
    export_decimal(file, since(writer, calls->start_ns[lanes->rows[lane->first]]), 9);
    export_literal(file, ", \"endValue\": ");
    export_decimal(file, since(writer, end), 9);
    export_literal(file, ", \"events\": [");
    writer->first = 1;
    const export_visitor visitor = {open_call, close_call, writer};
    const scope_status status = export_walk(lanes, lane, &visitor);
    export_literal(file, "]}");
    return status;
}

static int has_calls(const profile_writer *writer, const export_lanes *lanes,
                     const export_lane *lane)
{
    for (uint64_t place = lane->first; place < lane->first + lane->count; place++)
        if (export_keeps(&writer->job->thin, lanes->rows[place]))
            return 1;
    return 0;
}

/* Regions that have calls on one of the ranks, in the order of their pairs; and the
 * earliest start. */
static void write_frames(const export_job *job, uint32_t *frames, int64_t *origin_ns)
{
    const scope_calls *calls = job->calls;
    uint32_t count = 0;
    *origin_ns = INT64_MAX;
    memset(frames, 0xff, calls->region_count * sizeof *frames);
    export_literal(job->file, ", \"shared\": {\"frames\": [");
    for (size_t i = 0; i < job->rank_count; i++) {
        size_t first, end;
        export_pairs(calls, job->ranks[i], &first, &end);
        for (size_t p = first; p < end; p++) {
            const scope_pair *pair = &calls->pairs[p];
            for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair);
                 row++)
                *origin_ns = calls->start_ns[row] < *origin_ns ? calls->start_ns[row] : *origin_ns;
            if (!scope_calls_pair_rows(calls, pair) || frames[pair->region] != UINT32_MAX)
                continue;
            export_literal(job->file, count ? ", {\"name\": " : "{\"name\": ");
            export_string(job->file, calls->regions[pair->region].name);
            export_literal(job->file, "}");
            frames[pair->region] = count++;
        }
    }
    export_literal(job->file, "]}");
}

scope_status export_speedscope(const export_job *job)
{
    export_file *file = job->file;
    scope_status status = SCOPE_OK;
    uint32_t *frames = malloc((job->calls->region_count + 1) * sizeof *frames);
    if (!frames)
        return SCOPE_ERR_MEMORY;
    profile_writer writer = {job, frames, 0, 1};
    export_literal(file, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", "
                         "\"exporter\": ");
    export_string(file, job->exporter);
    export_literal(file, ", \"name\": ");
    export_titled(file, job);
    export_literal(file, ", \"activeProfileIndex\": 0");
    write_frames(job, frames, &writer.origin_ns);
    export_literal(file, ", \"profiles\": [");
    int first = 1;
    for (size_t i = 0; status == SCOPE_OK && i < job->rank_count; i++) {
        const int32_t rank = job->ranks[i];
        export_lanes lanes;
        status = export_lanes_make(job->calls, rank, &lanes);
        for (size_t l = 0; status == SCOPE_OK && l < lanes.set.count; l++) {
            if (!has_calls(&writer, &lanes, &lanes.set.lanes[l]))
                continue;
            if (!first)
                export_literal(file, ", ");
            first = 0;
            status = write_lane(&writer, rank, &lanes, &lanes.set.lanes[l]);
        }
        export_lanes_free(&lanes);
    }
    export_literal(file, "]}\n");
    free(frames);
    return status;
}
