/* recording_writer.c - synthetic recordings in memory.
 *
 * One segment holds it all; chunks of 16 KiB are cut from it in order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recording_writer.h"

#include <stdlib.h>
#include <string.h>

#define SEGMENT_BYTES ((size_t)48 << 20)
#define STREAMS_MAX 4096

typedef struct open_chunk {
    scope_chunk_header *header; /* NULL: none yet */
    size_t used_bytes;
    uint32_t sequence; /* of the next one */
    uint64_t epoch;
} open_chunk;

struct recording_writer {
    unsigned char *segment;
    size_t used_bytes;
    scope_recording_header header;
    scope_recording_segment view_segment;
    scope_recording view;
    open_chunk definitions;
    open_chunk streams[STREAMS_MAX];
    uint16_t session, session_of[STREAMS_MAX];
    uint32_t stream;
    uint64_t last_ticks;
};

recording_writer *recording_writer_new(void)
{
    recording_writer *writer = calloc(1, sizeof *writer);
    writer->segment = aligned_alloc(4096, SEGMENT_BYTES);
    memset(writer->segment, 0, SEGMENT_BYTES);
    writer->used_bytes = SCOPE_CHUNK_UNIT_BYTES;
    writer->session = 1;
    scope_recording_header *header = &writer->header;
    header->magic = SCOPE_RECORDING_MAGIC;
    header->version = SCOPE_RECORDING_VERSION;
    header->header_bytes = SCOPE_HEADER_BYTES;
    header->clock_kind = SCOPE_CLOCK_MONOTONIC;
    header->ticks_per_second = 1000000000;
    header->end_kind = SCOPE_END_FINISHED;
    header->rank = -1;
    header->size = -1;
    strcpy(header->boot_id, "no boot of this machine");
    strcpy(header->host, "node0");
    strcpy(header->program, "solver");
    scope_segment_header *segment = (scope_segment_header *)(void *)writer->segment;
    segment->length_bytes = SEGMENT_BYTES;
    segment->magic = SCOPE_SEGMENT_MAGIC;
    return writer;
}

void recording_writer_free(recording_writer *writer)
{
    if (!writer)
        return;
    free(writer->segment);
    free(writer);
}

scope_recording_header *writer_header(recording_writer *writer)
{
    return &writer->header;
}

static void new_chunk(recording_writer *writer, open_chunk *open, scope_chunk_kind kind,
                      uint16_t session, uint32_t stream, uint64_t ticks, int64_t ns, size_t units)
{
    if (writer->used_bytes + units * SCOPE_CHUNK_UNIT_BYTES > SEGMENT_BYTES)
        abort();
    open->header = (scope_chunk_header *)(void *)(writer->segment + writer->used_bytes);
    writer->used_bytes += units * SCOPE_CHUNK_UNIT_BYTES;
    *open->header = (scope_chunk_header){.magic = SCOPE_CHUNK_MAGIC,
                                         .size_bytes = (uint32_t)(units * SCOPE_CHUNK_UNIT_BYTES),
                                         .kind = (uint16_t)kind,
                                         .session = session,
                                         .stream = stream,
                                         .sequence = open->sequence++,
                                         .generation = 1,
                                         .thread = -1,
                                         .task = -1,
                                         .ticks = ticks,
                                         .monotonic_ns = ns};
    open->used_bytes = sizeof(scope_chunk_header);
    open->epoch = ticks >> SCOPE_TICK_BITS;
}

/* ---- definitions ---- */

static void define(recording_writer *writer, scope_definition_kind kind, uint16_t session,
                   const void *fixed, size_t fixed_bytes, const void *text, size_t text_bytes)
{
    const size_t size = (fixed_bytes + text_bytes + 7) / 8 * 8;
    open_chunk *open = &writer->definitions;
    if (!open->header || open->used_bytes + size > open->header->size_bytes)
        new_chunk(writer, open, SCOPE_CHUNK_DEFINITIONS, 0, 0, writer->last_ticks,
                  (int64_t)writer->last_ticks,
                  (size + sizeof(scope_chunk_header)) / SCOPE_CHUNK_UNIT_BYTES + 1);
    unsigned char *to = (unsigned char *)open->header + open->used_bytes;
    memcpy(to, fixed, fixed_bytes);
    if (text_bytes)
        memcpy(to + fixed_bytes, text, text_bytes);
    *(scope_definition *)(void *)to =
        (scope_definition){(uint32_t)size, (uint16_t)kind, session};
    open->used_bytes += size;
}

void writer_name_bytes(recording_writer *writer, scope_name_kind kind, uint32_t id,
                       const char *bytes, size_t length_bytes)
{
    const scope_define_name entry = {
        .id = id, .name_kind = kind, .length_bytes = length_bytes};
    define(writer, SCOPE_DEFINE_NAME, 0, &entry, sizeof entry, bytes, length_bytes);
}

void writer_name(recording_writer *writer, scope_name_kind kind, uint32_t id, const char *name)
{
    writer_name_bytes(writer, kind, id, name, strlen(name));
}

void writer_thread(recording_writer *writer, int64_t thread, const char *name,
                   uint64_t start_ticks, uint32_t flags)
{
    const scope_define_thread entry = {.flags = flags,
                                       .name_bytes = (uint32_t)strlen(name),
                                       .thread = thread,
                                       .native_id = 1000 + thread,
                                       .ident = 2000 + thread,
                                       .start_ticks = start_ticks};
    define(writer, SCOPE_DEFINE_THREAD, writer->session, &entry, sizeof entry, name, strlen(name));
}

void writer_thread_state(recording_writer *writer, int64_t thread, int64_t cpu_ns,
                         const char *binding)
{
    const scope_define_thread_state entry = {.last_cpu = 3,
                                             .binding_bytes = (uint32_t)strlen(binding),
                                             .thread = thread,
                                             .cpu_ns = cpu_ns,
                                             .alive = 1};
    define(writer, SCOPE_DEFINE_THREAD_STATE, writer->session, &entry, sizeof entry, binding,
           strlen(binding));
}

void writer_tag(recording_writer *writer, uint32_t region, const char *tag)
{
    const scope_define_tag entry = {.region = region, .length_bytes = strlen(tag)};
    define(writer, SCOPE_DEFINE_TAG, writer->session, &entry, sizeof entry, tag, strlen(tag));
}

void writer_source(recording_writer *writer, uint32_t region, const char *file, int32_t line)
{
    const scope_define_source entry = {
        .region = region, .line = line, .length_bytes = strlen(file)};
    define(writer, SCOPE_DEFINE_SOURCE, writer->session, &entry, sizeof entry, file,
           strlen(file));
}

void writer_communicator(recording_writer *writer, uint32_t id, int32_t size, const char *name)
{
    const scope_define_communicator entry = {
        .communicator = id, .size = size, .rank = 0, .parent = -1, .length_bytes = strlen(name)};
    define(writer, SCOPE_DEFINE_COMMUNICATOR, 0, &entry, sizeof entry, name, strlen(name));
}

void writer_metadata(recording_writer *writer, const char *key, const char *value)
{
    char text[512];
    const size_t key_bytes = strlen(key), value_bytes = strlen(value);
    memcpy(text, key, key_bytes);
    memcpy(text + key_bytes, value, value_bytes);
    const scope_define_metadata entry = {.key_bytes = (uint32_t)key_bytes,
                                         .value_bytes = (uint32_t)value_bytes};
    define(writer, SCOPE_DEFINE_METADATA, writer->session, &entry, sizeof entry, text,
           key_bytes + value_bytes);
}

void writer_session(recording_writer *writer, uint16_t session, bool is_process, uint64_t ticks,
                    int64_t ns, const char *label)
{
    const scope_define_session entry = {.is_process = is_process,
                                        .label_bytes = (uint32_t)strlen(label),
                                        .ticks = ticks,
                                        .monotonic_ns = ns,
                                        .realtime_ns = ns + 1000000000};
    define(writer, SCOPE_DEFINE_SESSION, session, &entry, sizeof entry, label, strlen(label));
    writer->session = session;
}

void writer_host_session(recording_writer *writer, uint16_t session, uint32_t host, uint64_t ticks)
{
    const scope_define_session entry = {.is_process = 1,
                                        .ticks = ticks,
                                        .monotonic_ns = (int64_t)ticks,
                                        .realtime_ns = (int64_t)ticks + 1000000000,
                                        .host = host};
    define(writer, SCOPE_DEFINE_SESSION, session, &entry, sizeof entry, NULL, 0);
    writer->session = session;
}

void writer_cut(recording_writer *writer, uint64_t cut, int64_t next_call_id,
                const scope_define_cut_stream *streams, size_t count)
{
    const scope_define_cut entry = {
        .cut = cut, .next_call_id = next_call_id, .stream_count = count};
    define(writer, SCOPE_DEFINE_CUT, writer->session, &entry, sizeof entry, streams,
           count * sizeof *streams);
}

void writer_checkpoint(recording_writer *writer, uint64_t cut, const char *output)
{
    const scope_define_checkpoint entry = {.cut = cut, .output_bytes = strlen(output)};
    define(writer, SCOPE_DEFINE_CHECKPOINT, writer->session, &entry, sizeof entry, output,
           strlen(output));
}

void writer_session_end(recording_writer *writer, uint16_t session, uint64_t ticks, int64_t ns)
{
    const scope_define_session_end entry = {
        .ticks = ticks, .monotonic_ns = ns, .realtime_ns = ns + 1000000000};
    define(writer, SCOPE_DEFINE_SESSION_END, session, &entry, sizeof entry, NULL, 0);
}

void writer_calibration(recording_writer *writer, uint64_t ticks, int64_t ns)
{
    const scope_define_calibration entry = {
        .ticks = ticks, .monotonic_ns = ns, .realtime_ns = ns + 1000000000};
    define(writer, SCOPE_DEFINE_CALIBRATION, 0, &entry, sizeof entry, NULL, 0);
}

/* ---- events ---- */

void writer_stream_of(recording_writer *writer, uint16_t session, uint32_t stream)
{
    writer->stream = stream;
    writer->session_of[stream] = session;
}

void writer_stream(recording_writer *writer, uint32_t stream)
{
    writer_stream_of(writer, 1, stream);
}

void writer_chunk(recording_writer *writer, uint64_t ticks, int64_t ns)
{
    new_chunk(writer, &writer->streams[writer->stream], SCOPE_CHUNK_EVENTS,
              writer->session_of[writer->stream], writer->stream, ticks, ns, 1);
}

scope_chunk_header *writer_chunk_header(recording_writer *writer)
{
    return writer->streams[writer->stream].header;
}

void writer_word(recording_writer *writer, uint64_t word)
{
    open_chunk *open = &writer->streams[writer->stream];
    memcpy((unsigned char *)open->header + open->used_bytes, &word, sizeof word);
    open->used_bytes += sizeof word;
}

void writer_values(recording_writer *writer, uint64_t ticks, scope_event_kind kind, uint64_t id,
                   const uint64_t *values, size_t count)
{
    open_chunk *open = &writer->streams[writer->stream];
    const int extended = kind == SCOPE_EVENT_EXTENDED;
    const int escaped = !extended && id >= SCOPE_ID_ESCAPE;
    const size_t words = 1 + (size_t)escaped + count + 2; /* and an EPOCH */
    writer->last_ticks = ticks;
    if (!open->header || open->used_bytes + words * sizeof(uint64_t) >
                             open->header->size_bytes -
                                 SCOPE_CHUNK_ROOM_WORDS * sizeof(uint64_t))
        writer_chunk(writer, ticks, (int64_t)ticks);
    if (ticks >> SCOPE_TICK_BITS != open->epoch) {
        open->epoch = ticks >> SCOPE_TICK_BITS;
        writer_word(writer, scope_event(ticks, SCOPE_EXTENDED_EPOCH, SCOPE_EVENT_EXTENDED));
        writer_word(writer, scope_payload(open->epoch));
    }
    writer_word(writer, scope_event(ticks, escaped ? SCOPE_ID_ESCAPE : (uint32_t)id, kind));
    if (escaped)
        writer_word(writer, scope_payload(id));
    for (size_t i = 0; i < count; i++)
        writer_word(writer, scope_payload(values[i]));
}

void writer_event(recording_writer *writer, uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    writer_values(writer, ticks, kind, id, NULL, 0);
}

/* ---- views ---- */

const scope_recording *writer_finish(recording_writer *writer)
{
    writer->view_segment = (scope_recording_segment){writer->segment, writer->used_bytes};
    writer->view = (scope_recording){
        .header = &writer->header, .segments = &writer->view_segment, .segment_count = 1};
    return &writer->view;
}

unsigned char *writer_file(recording_writer *writer, size_t *length_bytes)
{
    *length_bytes = SCOPE_HEADER_BYTES + writer->used_bytes;
    unsigned char *file = calloc(1, *length_bytes);
    memcpy(file, &writer->header, sizeof writer->header);
    memcpy(file + SCOPE_HEADER_BYTES, writer->segment, writer->used_bytes);
    ((scope_segment_header *)(void *)(file + SCOPE_HEADER_BYTES))->length_bytes =
        writer->used_bytes;
    return file;
}
