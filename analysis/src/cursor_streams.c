/* cursor_streams.c - events of all streams of a session, in the order of their runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cursor_streams.h"

#include <stdlib.h>

#include "array.h"

/* ---- which streams ---- */

/* Chunks before a written cut may have been given back: the first one that is there, and
 * is followed by all up to the cut. */
static uint32_t first_sequence(const scope_cursor *cursor, const chunk_index *index,
                               uint32_t stream)
{
    const definition_cut *written = &cursor->defs.written_cut;
    const scope_define_cut_stream *cut = cut_find(written->streams, written->stream_count, stream);
    uint32_t sequence = cut ? cut->sequence : 0;
    for (;;) {
        const size_t before =
            sequence ? chunk_index_find_with(index, cursor->session, stream, sequence - 1)
                     : index->count;
        if (before == index->count)
            return sequence;
        sequence = index->entries[before].header.sequence;
    }
}

scope_status cursor_find_streams(scope_cursor *cursor, const chunk_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        const scope_chunk_header *header = &index->entries[i].header;
        if (header->kind == SCOPE_CHUNK_DEFINITIONS || header->session != cursor->session ||
            id_map_find(&cursor->stream_map, header->stream) != ID_MAP_NONE)
            continue;
        stream_state *streams = array_grown(cursor->streams, cursor->stream_count,
                                            &cursor->stream_capacity, sizeof *streams);
        if (!streams)
            return SCOPE_ERR_MEMORY;
        cursor->streams = streams;
        if (!id_map_add(&cursor->stream_map, header->stream, (uint32_t)cursor->stream_count))
            return SCOPE_ERR_MEMORY;
        stream_state *stream = &streams[cursor->stream_count++];
        *stream = (stream_state){.id = header->stream,
                                 .sequence = first_sequence(cursor, index, header->stream),
                                 .thread = ID_MAP_NONE};
        const scope_define_cut_stream *cut =
            cut_find(cursor->cut, cursor->cut_count, stream->id);
        if (cut) {
            stream->cut_sequence = cut->sequence;
            stream->cut_word = cut->word;
        }
    }
    return SCOPE_OK;
}

/* ---- the earliest first ---- */

typedef struct merge_state {
    const cursor_look *look;
    uint32_t *heap;    /* streams with an event waiting, the earliest first */
    size_t heap_count;
} merge_state;

static int earlier(const scope_cursor *cursor, uint32_t a, uint32_t b)
{
    const uint64_t x = cursor->streams[a].next.ticks, y = cursor->streams[b].next.ticks;
    return x < y || (x == y && a < b);
}

static void heap_push(const scope_cursor *cursor, merge_state *state, uint32_t stream)
{
    size_t place = state->heap_count++;
    while (place > 0 && earlier(cursor, stream, state->heap[(place - 1) / 2])) {
        state->heap[place] = state->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    state->heap[place] = stream;
}

static uint32_t heap_pop(const scope_cursor *cursor, merge_state *state)
{
    const uint32_t first = state->heap[0];
    const uint32_t last = state->heap[--state->heap_count];
    size_t place = 0;
    for (;;) {
        size_t child = place * 2 + 1;
        if (child >= state->heap_count)
            break;
        if (child + 1 < state->heap_count &&
            earlier(cursor, state->heap[child + 1], state->heap[child]))
            child++;
        if (!earlier(cursor, state->heap[child], last))
            break;
        state->heap[place] = state->heap[child];
        place = child;
    }
    state->heap[place] = last;
    return first;
}

/* ---- the words of a stream ---- */

/* What the stream waits for is missing for good: on to what is there behind it. 0: nothing. */
static int skip_gap(scope_cursor *cursor, const cursor_look *look, stream_state *stream,
                    uint32_t wanted)
{
    const size_t place =
        cursor->skips_gaps
            ? chunk_index_find_after(look->index, cursor->session, stream->id, wanted)
            : look->index->count;
    if (place == look->index->count)
        return 0;
    stream->sequence = look->index->entries[place].header.sequence;
    cursor->missing_chunks += stream->sequence - wanted;
    stream->broken = 1;
    stream->started = stream->entered = stream->loaded = 0;
    return 1;
}

/* The words so far of a chunk that may change, which the decoder does not have yet. 0: it is
 * another chunk by now, or no memory. */
static int copy_chunk(scope_cursor *cursor, const cursor_look *look, stream_state *stream,
                      const chunk_entry *entry)
{
    const size_t later = chunk_index_find(look->index, SCOPE_CHUNK_EVENTS, cursor->session,
                                          stream->id, stream->last + 1);
    const size_t end = look->everything || later < look->index->count
                           ? chunk_word_count(entry)
                           : chunk_stored(entry, stream->decoder.position); /* more may come */
    if (stream->buffer_words < end) {
        uint64_t *buffer = realloc(stream->buffer, end * sizeof *buffer);
        if (!buffer) {
            cursor->status = SCOPE_ERR_MEMORY;
            return 0;
        }
        stream->buffer = buffer;
        stream->buffer_words = end;
    }
    if (!chunk_copy(entry, stream->decoder.position, end, stream->buffer)) {
        stream->ended = 1;
        cursor->torn = 1;
        return 0;
    }
    decoder_words(&stream->decoder, stream->buffer, end);
    stream->loaded = 1;
    return 1;
}

/* The words of the stream's chunk, copied where they may change. 0: none, or the
 * chunk is gone. */
static int load_chunk(scope_cursor *cursor, const cursor_look *look, stream_state *stream)
{
    const size_t place = chunk_index_find(look->index, SCOPE_CHUNK_EVENTS, cursor->session,
                                          stream->id, stream->sequence);
    if (place == look->index->count) {
        if (chunk_index_find_with(look->index, cursor->session, stream->id, stream->sequence) <
            look->index->count)
            cursor->torn = 1; /* what we read, or wait for, is part of another chunk by now */
        else if (!stream->entered && skip_gap(cursor, look, stream, stream->sequence))
            return load_chunk(cursor, look, stream);
        return 0;
    }
    const chunk_entry *entry = &look->index->entries[place];
    if (stream->entered && stream->generation != entry->header.generation) {
        stream->ended = 1;
        cursor->torn = 1;
        return 0;
    }
    if (!stream->entered) {
        decoder_enter(&stream->decoder, entry->header.ticks);
        if (!stream->started)
            cursor_start_stream(cursor, stream, &entry->header);
        stream->started = 1;
        stream->entered = 1;
        stream->taken_words = 0;
        stream->last = scope_chunk_last(&entry->header);
        stream->generation = entry->header.generation;
    }
    if (look->live)
        return copy_chunk(cursor, look, stream, entry);
    decoder_words(&stream->decoder, chunk_words(entry), chunk_word_count(entry));
    stream->loaded = 1;
    return 1;
}
/* Decode the stream's next event, from the next chunk where one ends. 0: none
 * for now, or none that is early enough. */
static int fetch(scope_cursor *cursor, const cursor_look *look, stream_state *stream)
{
    while (!stream->has_next) {
        if (stream->ended)
            return 0;
        if (stream->loaded && decoder_next(&stream->decoder, &stream->next)) {
            stream->has_next = 1;
            break;
        }
        if (stream->loaded) { /* on to the next chunk, if it is there */
            const size_t here = chunk_index_find(look->index, SCOPE_CHUNK_EVENTS,
                                                 cursor->session, stream->id, stream->sequence);
            if (here < look->index->count && chunk_is_cut(&look->index->entries[here])) {
                stream->ended = 1;
                return 0;
            }
            const size_t next = chunk_index_find_with(look->index, cursor->session, stream->id,
                                                      stream->last + 1);
            if (next < look->index->count) {
                stream->sequence = stream->last + 1;
                stream->entered = 0;
                stream->loaded = 0;
            } else if (!skip_gap(cursor, look, stream, stream->last + 1)) {
                return 0;
            }
        }
        if (!load_chunk(cursor, look, stream))
            return 0;
    }
    return stream->next.ticks <= look->cut;
}

/* ---- runs ---- */

/* The event touches a lane that may be another stream's until now. */
static int reaches_for_a_task(const decoded_event *event)
{
    return event->kind == SCOPE_EVENT_RESUME || event->kind == SCOPE_EVENT_TASK_NEW ||
           event->kind == SCOPE_EVENT_TASK_DONE;
}

/* Take in the run that starts with the stream's next event. 1: more is waiting. */
static int take_run(scope_cursor *cursor, merge_state *state, stream_state *stream)
{
    for (;;) {
        cursor_take_event(cursor, stream);
        stream->has_next = 0;
        stream->taken_words = stream->decoder.position;
        if (cursor->status != SCOPE_OK || !fetch(cursor, state->look, stream))
            return 0;
        if (!cursor->untracked && !reaches_for_a_task(&stream->next))
            continue;
        if (state->heap_count &&
            cursor->streams[state->heap[0]].next.ticks < stream->next.ticks)
            return 1;
        if (cursor->next_folded < cursor->folded_count &&
            cursor->folded[cursor->next_folded].ticks <= stream->next.ticks)
            return 1;
    }
}

scope_status cursor_take_runs(scope_cursor *cursor, const cursor_look *look)
{
    merge_state state = {.look = look};
    state.heap = malloc((cursor->stream_count + 1) * sizeof *state.heap);
    if (!state.heap)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->stream_count; i++) {
        stream_state *stream = &cursor->streams[i];
        if (stream->entered && !stream->ended)
            load_chunk(cursor, look, stream); /* the memory may be elsewhere now */
        if (fetch(cursor, look, stream))
            heap_push(cursor, &state, (uint32_t)i);
    }
    while (state.heap_count && cursor->status == SCOPE_OK) {
        const uint32_t place = heap_pop(cursor, &state);
        cursor_take_folded(cursor, cursor->streams[place].next.ticks);
        if (take_run(cursor, &state, &cursor->streams[place]))
            heap_push(cursor, &state, place);
    }
    cursor_take_folded(cursor, UINT64_MAX);
    for (size_t i = 0; i < cursor->stream_count; i++) {
        stream_state *stream = &cursor->streams[i];
        cursor_note_thread(cursor, stream);
        free(stream->buffer);
        stream->buffer = NULL;
        stream->buffer_words = 0;
        stream->loaded = 0; /* the words are not ours beyond this call */
        decoder_words(&stream->decoder, NULL, 0);
    }
    free(state.heap);
    return cursor->status;
}

/* ---- what is missing ---- */

uint64_t cursor_count_missing(scope_cursor *cursor, const chunk_index *index)
{
    uint64_t missing = 0;
    for (size_t i = 0; i < cursor->stream_count; i++)
        cursor->streams[i].has_gap = 0;
    for (size_t i = 0; i < index->count; i++) {
        const scope_chunk_header *header = &index->entries[i].header;
        if (header->kind != SCOPE_CHUNK_EVENTS || header->session != cursor->session)
            continue;
        const uint32_t place = id_map_find(&cursor->stream_map, header->stream);
        if (place == ID_MAP_NONE || header->sequence <= cursor->streams[place].sequence)
            continue;
        cursor->streams[place].has_gap = 1;
        missing++;
    }
    return missing;
}

/* Where the stream goes on. */
static uint32_t wanted_sequence(const stream_state *stream)
{
    return stream->entered ? stream->last + 1 : stream->sequence;
}

int cursor_is_there_now(const scope_cursor *cursor, const scope_recording *recording)
{
    chunk_index index;
    int there = 0;
    if (chunk_index_build(recording, &index) != SCOPE_OK)
        return 0;
    for (size_t i = 0; i < index.count && !there; i++) {
        const scope_chunk_header *header = &index.entries[i].header;
        const uint32_t place =
            header->kind == SCOPE_CHUNK_EVENTS && header->session == cursor->session
                ? id_map_find(&cursor->stream_map, header->stream)
                : ID_MAP_NONE;
        if (place == ID_MAP_NONE || !cursor->streams[place].has_gap)
            continue;
        const uint32_t wanted = wanted_sequence(&cursor->streams[place]);
        there = header->sequence <= wanted && scope_chunk_last(header) >= wanted;
    }
    chunk_index_free(&index);
    return there;
}
