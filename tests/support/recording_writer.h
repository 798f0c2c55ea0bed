/* recording_writer.h - synthetic recordings in memory, word by word.
 *
 *     recording_writer *writer = recording_writer_new();
 *     writer_name(writer, SCOPE_NAME_REGION, 1, "solve");
 *     writer_stream(writer, 0);             what follows goes to stream 0
 *     writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
 *     ...
 *     const scope_recording *recording = writer_finish(writer);
 *
 * Ticks are nanoseconds unless the writer's header says otherwise. Session 1 is
 * the process session, begun at 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RECORDING_WRITER_H
#define SCOPE_RECORDING_WRITER_H

#include <stdbool.h>

#include <scope/event.h>
#include <scope/recording.h>

typedef struct recording_writer recording_writer;

recording_writer *recording_writer_new(void);
void recording_writer_free(recording_writer *writer);

/* To be changed before the first event. */
scope_recording_header *writer_header(recording_writer *writer);

/* Definitions; a session that has begun at (ticks, ns) without writer_session. */
void writer_name(recording_writer *writer, scope_name_kind kind, uint32_t id, const char *name);
void writer_name_bytes(recording_writer *writer, scope_name_kind kind, uint32_t id,
                       const char *bytes, size_t length_bytes);
void writer_thread(recording_writer *writer, int64_t thread, const char *name,
                   uint64_t start_ticks, uint32_t flags);
void writer_thread_state(recording_writer *writer, int64_t thread, int64_t cpu_ns,
                         const char *binding);
void writer_tag(recording_writer *writer, uint32_t region, const char *tag);
void writer_source(recording_writer *writer, uint32_t region, const char *file, int32_t line);
void writer_communicator(recording_writer *writer, uint32_t id, int32_t size, const char *name);
void writer_metadata(recording_writer *writer, const char *key, const char *value);
void writer_session(recording_writer *writer, uint16_t session, bool is_process, uint64_t ticks,
                    int64_t ns, const char *label);
void writer_host_session(recording_writer *writer, uint16_t session, uint32_t host, uint64_t ticks);
void writer_session_end(recording_writer *writer, uint16_t session, uint64_t ticks, int64_t ns);
void writer_cut(recording_writer *writer, uint64_t cut, int64_t next_call_id,
                const scope_define_cut_stream *streams, size_t count);
void writer_checkpoint(recording_writer *writer, uint64_t cut, const char *output);
void writer_calibration(recording_writer *writer, uint64_t ticks, int64_t ns);

/* Where events go: a stream of session 1, and its next chunk. */
void writer_stream(recording_writer *writer, uint32_t stream);
void writer_stream_of(recording_writer *writer, uint16_t session, uint32_t stream);
void writer_chunk(recording_writer *writer, uint64_t ticks, int64_t ns);
scope_chunk_header *writer_chunk_header(recording_writer *writer);

void writer_event(recording_writer *writer, uint64_t ticks, scope_event_kind kind, uint64_t id);
void writer_values(recording_writer *writer, uint64_t ticks, scope_event_kind kind, uint64_t id,
                   const uint64_t *values, size_t count);
void writer_word(recording_writer *writer, uint64_t word); /* as it is */

/* The view; valid until the writer is freed. More may be written after it. */
const scope_recording *writer_finish(recording_writer *writer);

/* The bytes of a spool file with this content (malloc'd). */
unsigned char *writer_file(recording_writer *writer, size_t *length_bytes);

#endif
