/* definitions_reader.h - the definitions log of a recording, for one session.
 *
 * Reads what is new since the last time. Places (slots) are dense and stable:
 * a region, thread, point or task name keeps its slot for as long as the reader
 * lives. What events mention and no entry defines gets a slot without a name.
 *
 * Ownership  the reader owns copies of all strings; definitions_free.
 * Threads    none.
 * Errors     ERR_MEMORY. A damaged entry ends its chunk and is counted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_DEFINITIONS_READER_H
#define SCOPE_DEFINITIONS_READER_H

#include <scope/calls.h>

#include "chunks.h"
#include "clock_map.h"
#include "id_map.h"

typedef struct definition_tag {
    struct definition_tag *next;
    scope_string text;
} definition_tag;

typedef struct region_slot {
    uint64_t id;
    scope_string name; /* bytes NULL: not defined */
    scope_string source_file;
    int64_t source_line; /* -1 unknown */
    definition_tag *tags;
    uint64_t call_count; /* filled by the cursor, as the next three */
    int64_t implied, crossed, orphans;
    int folded; /* 1: some of its calls are only known as sums */
    uint64_t summed_ticks; /* in such calls directly inside rows of it */
} region_slot;

typedef struct thread_slot {
    int64_t id;
    scope_string name, binding;
    int64_t native_id, ident, cpu_ns; /* -1 unknown */
    uint64_t start_ticks;
    uint32_t flags;
    int32_t last_cpu;
    int32_t alive; /* 1: lived when its state was written, 0: not, -1: nothing said */
    int32_t defined;
    int32_t is_live; /* it is among `live` */
} thread_slot;

typedef struct name_slot {
    uint64_t id;
    scope_string text;
} name_slot;

typedef struct communicator_slot {
    uint64_t members;
    int32_t serial;
    uint64_t id;
    int32_t size, rank, parent;
    scope_string name;
} communicator_slot;

typedef struct live_state { /* where the state of a living thread is, which changes in place */
    uint32_t slot;
    uint32_t sequence; /* chunk of the log */
    uint64_t offset;   /* byte after its header */
} live_state;

typedef struct definition_cut { /* of the session */
    uint64_t number;
    int64_t next_call_id;
    scope_define_cut_stream *streams; /* by stream */
    size_t stream_count;
} definition_cut;

/* What the recorder measured of itself, in the order of scope_rank_row. */
enum { OVERHEAD_PAIR, OVERHEAD_INSIDE, OVERHEAD_LONG_PAIR, OVERHEAD_LONG_INSIDE, DEFINED_OVERHEADS };

typedef struct definitions {
    uint16_t session;
    scope_calls *memory; /* for its strings only */
    id_map region_map, thread_map, point_map, task_name_map, communicator_map;
    region_slot *regions;
    thread_slot *threads;
    name_slot *points, *task_names;
    communicator_slot *communicators;
    size_t region_count, thread_count, point_count, task_name_count, communicator_count;
    size_t region_capacity, thread_capacity, point_capacity, task_name_capacity,
        communicator_capacity;
    scope_string label, topology;
    int has_session, has_end;
    uint32_t host; /* 0: no host's session, else 1 + scope_host_lanes */
    uint64_t start_ticks, end_ticks;
    int64_t start_ns, start_realtime_ns, end_ns;
    int64_t filtered_count; /* -1 not counted */
    double overhead_ns[DEFINED_OVERHEADS]; /* 0 unknown */
    live_state *live;
    size_t live_count, live_capacity;
    definition_cut last_cut, written_cut; /* written: a checkpoint names it */
    int has_cut, has_written_cut;
    uint64_t damaged;
    uint32_t next_sequence; /* where reading goes on: chunk ... */
    uint64_t next_offset;   /* ... and byte after its header */
} definitions;

scope_status definitions_start(definitions *defs, uint16_t session);
void definitions_free(definitions *defs);

/* Read on, and add the calibration points of all sessions to `clock`. */
scope_status definitions_read(definitions *defs, const chunk_index *index, clock_map *clock);

/* Slots, made when new; ID_MAP_NONE without memory. */
uint32_t definitions_region(definitions *defs, uint64_t id);
uint32_t definitions_thread(definitions *defs, int64_t id);

/* Positions of a cut by stream, and the one of a stream; NULL: it says nothing of it. */
void cut_sort(scope_define_cut_stream *streams, size_t count);
const scope_define_cut_stream *cut_find(const scope_define_cut_stream *streams, size_t count,
                                        uint32_t stream);

/* ---- the log, for others that look for entries of their own ---- */

typedef struct entry_view {
    const void *bytes; /* 8-byte aligned: starts with a scope_definition */
    uint64_t length;   /* of the whole entry */
} entry_view;

/* `fixed` bytes and then `text` bytes fit into the entry. */
static inline int definitions_fits(const entry_view *entry, uint64_t fixed, uint64_t text)
{
    return entry->length >= fixed && text <= entry->length - fixed;
}

/* Walk the entries of one chunk from byte `offset` after its header. The size is
 * stored last: 0 is the end so far. `take` gets each; returns where it stopped. */
uint64_t definitions_walk(const chunk_entry *chunk, uint64_t offset,
                          scope_status (*take)(void *context, const entry_view *view),
                          void *context, scope_status *status);

/* sessions.c: the process session that was started last, else the last session that
 * has events; 0: none. */
uint16_t definitions_last_session(const chunk_index *index);

#endif
