/* cursor.c - a replay that goes on where it stopped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cursor.h"

#include <stdlib.h>
#include <string.h>

#include "clock_now.h"

#define TRIES 8 /* of a recording whose chunks are folded while we read it */

void *cursor_room(void *array, size_t count, size_t *capacity, size_t size_bytes)
{
    if (count < *capacity)
        return array;
    const size_t larger = *capacity ? *capacity * 2 : 8;
    if (larger >= ID_MAP_NONE || larger > SIZE_MAX / size_bytes)
        return NULL;
    void *grown = realloc(array, larger * size_bytes);
    if (grown)
        *capacity = larger;
    return grown;
}

static scope_status new_cursor(const scope_recording *recording, uint16_t session,
                               scope_cursor **out)
{
    scope_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return SCOPE_ERR_MEMORY;
    cursor->header = *recording->header;
    cursor->session = session;
    cursor->unknown_lane = ID_MAP_NONE;
    clock_map_start(&cursor->clock, &cursor->header);
    const scope_status status = definitions_start(&cursor->defs, session);
    if (status != SCOPE_OK) {
        scope_cursor_free(cursor);
        return status;
    }
    *out = cursor;
    return SCOPE_OK;
}

scope_status scope_cursor_new(const scope_recording *recording, uint16_t session,
                              scope_cursor **cursor)
{
    const scope_status status = new_cursor(recording, session, cursor);
    if (status == SCOPE_OK)
        (*cursor)->follows_session = 1;
    return status;
}

scope_status scope_cursor_new_with(const scope_recording *recording, uint16_t session,
                                   const scope_cursor_options *options, scope_cursor **cursor)
{
    if (!options || options->size_bytes < sizeof *options)
        return SCOPE_ERR_ARGUMENT;
    const scope_status status = new_cursor(recording, session, cursor);
    if (status == SCOPE_OK) {
        (*cursor)->host = options->host || options->untracked;
        (*cursor)->untracked = options->untracked;
    }
    return status;
}

void scope_cursor_free(scope_cursor *cursor)
{
    if (!cursor)
        return;
    for (size_t i = 0; i < cursor->stream_count; i++) {
        free(cursor->streams[i].stack);
        free(cursor->streams[i].buffer);
    }
    for (size_t i = 0; i < cursor->lane_count; i++)
        free(cursor->lanes[i].lane.stack);
    definitions_free(&cursor->defs);
    clock_map_free(&cursor->clock);
    id_map_free(&cursor->stream_map);
    id_map_free(&cursor->task_map);
    rows_free(&cursor->rows);
    for (size_t i = 0; i < cursor->open_region_count; i++)
        free(cursor->open[i].rows);
    free(cursor->open);
    free(cursor->cut);
    free(cursor->streams);
    free(cursor->lanes);
    free(cursor->threads);
    free(cursor->tasks);
    free(cursor->points);
    free(cursor->messages);
    free(cursor->sums);
    free(cursor->folded);
    free(cursor);
}

/* ---- clock ---- */

/* A reader outside, on the same boot: a pair of its own is the last point. */
static int add_own_point(scope_cursor *cursor)
{
    clock_point point;
    return !clock_now(&cursor->header, &point) ||
           clock_map_add(&cursor->clock, point.ticks, point.ns);
}

static scope_status calibrate(scope_cursor *cursor, const scope_recording *recording,
                              const chunk_index *index)
{
    clock_map *clock = &cursor->clock;
    int whole = clock_map_add(clock, (uint64_t)cursor->header.start_ticks,
                              cursor->header.start_monotonic_ns);
    for (size_t i = 0; i < index->count && whole; i++)
        whole = clock_map_add(clock, index->entries[i].header.ticks,
                              index->entries[i].header.monotonic_ns);
    if (whole && !clock->identity && !recording->in_process && !cursor->defs.has_end)
        whole = add_own_point(cursor);
    return whole && clock_map_settle(clock) ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

/* ---- streams ---- */

typedef struct advance_state {
    const chunk_index *index;
    int live;          /* chunks may change while we read */
    int everything;    /* no later advance will come */
    uint64_t cut;      /* take only what is not later */
    uint32_t *heap;    /* streams with an event waiting, the earliest first */
    size_t heap_count;
} advance_state;

static int earlier(const scope_cursor *cursor, uint32_t a, uint32_t b)
{
    const uint64_t x = cursor->streams[a].next.ticks, y = cursor->streams[b].next.ticks;
    return x < y || (x == y && a < b);
}

static void heap_push(const scope_cursor *cursor, advance_state *state, uint32_t stream)
{
    size_t place = state->heap_count++;
    while (place > 0 && earlier(cursor, stream, state->heap[(place - 1) / 2])) {
        state->heap[place] = state->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    state->heap[place] = stream;
}

static uint32_t heap_pop(const scope_cursor *cursor, advance_state *state)
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

/* What the stream waits for is missing for good: on to what is there behind it. 0: nothing. */
static int skip_gap(scope_cursor *cursor, const advance_state *state, stream_state *stream,
                    uint32_t wanted)
{
    const size_t place =
        cursor->skips_gaps
            ? chunk_index_find_after(state->index, cursor->session, stream->id, wanted)
            : state->index->count;
    if (place == state->index->count)
        return 0;
    stream->sequence = state->index->entries[place].header.sequence;
    cursor->missing_chunks += stream->sequence - wanted;
    stream->broken = 1;
    stream->started = stream->entered = stream->loaded = 0;
    return 1;
}

/* The words of the stream's chunk, copied where they may change. 0: none, or the
 * chunk is gone. */
static int load_chunk(scope_cursor *cursor, const advance_state *state, stream_state *stream)
{
    const size_t place = chunk_index_find(state->index, SCOPE_CHUNK_EVENTS, cursor->session,
                                          stream->id, stream->sequence);
    if (place == state->index->count) {
        if (chunk_index_find_with(state->index, cursor->session, stream->id, stream->sequence) <
            state->index->count)
            cursor->torn = 1; /* what we read, or wait for, is part of another chunk by now */
        else if (!stream->entered && skip_gap(cursor, state, stream, stream->sequence))
            return load_chunk(cursor, state, stream);
        return 0;
    }
    const chunk_entry *entry = &state->index->entries[place];
    const size_t count = chunk_word_count(entry);
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
    if (!state->live) {
        decoder_words(&stream->decoder, chunk_words(entry), count);
        stream->loaded = 1;
        return 1;
    }
    const size_t later = chunk_index_find(state->index, SCOPE_CHUNK_EVENTS, cursor->session,
                                          stream->id, stream->last + 1);
    const size_t end = state->everything || later < state->index->count
                           ? count
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

/* Decode the stream's next event, from the next chunk where one ends. 0: none
 * for now, or none that is early enough. */
static int fetch(scope_cursor *cursor, const advance_state *state, stream_state *stream)
{
    while (!stream->has_next) {
        if (stream->ended)
            return 0;
        if (stream->loaded && decoder_next(&stream->decoder, &stream->next)) {
            stream->has_next = 1;
            break;
        }
        if (stream->loaded) { /* on to the next chunk, if it is there */
            const size_t here = chunk_index_find(state->index, SCOPE_CHUNK_EVENTS,
                                                 cursor->session, stream->id, stream->sequence);
            if (here < state->index->count && chunk_is_cut(&state->index->entries[here])) {
                stream->ended = 1;
                return 0;
            }
            const size_t next = chunk_index_find_with(state->index, cursor->session, stream->id,
                                                      stream->last + 1);
            if (next < state->index->count) {
                stream->sequence = stream->last + 1;
                stream->entered = 0;
                stream->loaded = 0;
            } else if (!skip_gap(cursor, state, stream, stream->last + 1)) {
                return 0;
            }
        }
        if (!load_chunk(cursor, state, stream))
            return 0;
    }
    return stream->next.ticks <= state->cut;
}

/* The event touches a lane that may be another stream's until now. */
static int reaches_for_a_task(const decoded_event *event)
{
    return event->kind == SCOPE_EVENT_RESUME || event->kind == SCOPE_EVENT_TASK_NEW ||
           event->kind == SCOPE_EVENT_TASK_DONE;
}

/* Take in the run that starts with the stream's next event. 1: more is waiting. */
static int take_run(scope_cursor *cursor, advance_state *state, stream_state *stream)
{
    for (;;) {
        cursor_take_event(cursor, stream);
        stream->has_next = 0;
        stream->taken_words = stream->decoder.position;
        if (cursor->status != SCOPE_OK || !fetch(cursor, state, stream))
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

/* What lies before the recording's last written cut is in a file. */
static scope_status follow_cut(scope_cursor *cursor)
{
    const definition_cut *written = &cursor->defs.written_cut;
    if (!cursor->follows_cut || !cursor->defs.has_written_cut || cursor->cut)
        return SCOPE_OK;
    cursor->cut = malloc((written->stream_count + 1) * sizeof *cursor->cut);
    if (!cursor->cut)
        return SCOPE_ERR_MEMORY;
    if (written->stream_count)
        memcpy(cursor->cut, written->streams, written->stream_count * sizeof *cursor->cut);
    cursor->cut_count = written->stream_count;
    return SCOPE_OK;
}

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

static scope_status find_streams(scope_cursor *cursor, const chunk_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        const scope_chunk_header *header = &index->entries[i].header;
        if (header->kind == SCOPE_CHUNK_DEFINITIONS || header->session != cursor->session ||
            id_map_find(&cursor->stream_map, header->stream) != ID_MAP_NONE)
            continue;
        stream_state *streams = cursor_room(cursor->streams, cursor->stream_count,
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

/* Chunks behind the place where their stream stops. */
static uint64_t count_missing(scope_cursor *cursor, const chunk_index *index)
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

/* A chunk that was written anew in another place while we looked for it was seen in
 * neither: is one that is missing there now? */
static int is_there_now(const scope_cursor *cursor, const scope_recording *recording)
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

static scope_status take_runs(scope_cursor *cursor, advance_state *state)
{
    state->heap = malloc((cursor->stream_count + 1) * sizeof *state->heap);
    if (!state->heap)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->stream_count; i++) {
        stream_state *stream = &cursor->streams[i];
        if (stream->entered && !stream->ended)
            load_chunk(cursor, state, stream); /* the memory may be elsewhere now */
        if (fetch(cursor, state, stream))
            heap_push(cursor, state, (uint32_t)i);
    }
    while (state->heap_count && cursor->status == SCOPE_OK) {
        const uint32_t place = heap_pop(cursor, state);
        cursor_take_folded(cursor, cursor->streams[place].next.ticks);
        if (take_run(cursor, state, &cursor->streams[place]))
            heap_push(cursor, state, place);
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
    free(state->heap);
    return cursor->status;
}

/* One look at the recording. 1 in *again: it changed under our hands. */
static scope_status advance(scope_cursor *cursor, const scope_recording *recording, int everything,
                            int *again)
{
    chunk_index index = {0};
    advance_state state = {.index = &index, .everything = everything, .cut = UINT64_MAX};
    if (cursor->status != SCOPE_OK)
        return cursor->status;
    cursor->header = *recording->header;
    cursor->beside_events = recording->in_process ? 0 : cursor->header.beside_events;
    if (!cursor->skips_gaps)
        cursor->missing_chunks = 0;
    scope_status status = chunk_index_build(recording, &index);
    if (status == SCOPE_OK)
        status = definitions_read(&cursor->defs, &index, &cursor->clock);
    if (status == SCOPE_OK && cursor->follows_session && cursor->defs.host) {
        cursor->host = 1; /* as who recorded it reads it */
        cursor->untracked = cursor->defs.host == 1;
    }
    if (status == SCOPE_OK)
        status = calibrate(cursor, recording, &index);
    if (status == SCOPE_OK)
        status = follow_cut(cursor);
    if (status == SCOPE_OK)
        status = find_streams(cursor, &index);
    if (status == SCOPE_OK)
        status = cursor_read_sums(cursor, &index, again);
    if (status == SCOPE_OK && !*again) {
        state.live = recording->in_process || cursor->header.end_kind == SCOPE_END_OPEN;
        if (!everything && recording->in_process && !cursor->defs.has_end)
            state.cut = clock_map_last_ticks(&cursor->clock);
        status = take_runs(cursor, &state);
        cursor->missing_chunks += count_missing(cursor, &index);
        *again = cursor->torn || (state.live && cursor->missing_chunks &&
                                  is_there_now(cursor, recording));
    }
    chunk_index_free(&index);
    return status;
}

/* Back to nothing: what was detailed calls is folded by now. */
static scope_status begin_again(scope_cursor *cursor, const scope_recording *recording)
{
    scope_cursor *fresh;
    const scope_status status = new_cursor(recording, cursor->session, &fresh);
    if (status != SCOPE_OK)
        return status;
    fresh->host = cursor->host;
    fresh->untracked = cursor->untracked;
    fresh->follows_session = cursor->follows_session;
    fresh->follows_cut = cursor->follows_cut;
    fresh->skips_gaps = cursor->skips_gaps;
    fresh->cut = cursor->cut;
    fresh->cut_count = cursor->cut_count;
    cursor->cut = NULL;
    cursor->cut_count = 0;
    const scope_cursor old = *cursor;
    *cursor = *fresh;
    *fresh = old;
    scope_cursor_free(fresh);
    return SCOPE_OK;
}

scope_status cursor_advance(scope_cursor *cursor, const scope_recording *recording, int everything)
{
    for (int try = 0;; try++) {
        int again = 0;
        scope_status status = advance(cursor, recording, everything, &again);
        const int is_last = !again || try >= TRIES;
        if (status != SCOPE_OK ||
            (is_last && (!everything || !cursor->missing_chunks || cursor->skips_gaps)))
            return status;
        cursor->skips_gaps |= is_last;
        status = begin_again(cursor, recording);
        if (status != SCOPE_OK)
            return status;
    }
}

scope_status scope_cursor_advance(scope_cursor *cursor, const scope_recording *recording)
{
    return cursor_advance(cursor, recording, 0);
}
