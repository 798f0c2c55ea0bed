/* watch.c - follow a recording while it is written.
 *
 * SPDX-License-Identifier: MIT
 */
#include "watch_parts.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cursor.h"

#define TRIES 8 /* of a recording whose chunks change while we read it */

scope_status scope_watch_new(scope_watch **out)
{
    scope_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return SCOPE_ERR_MEMORY;
    *out = watch;
    return SCOPE_OK;
}

static void free_streams(scope_watch *watch)
{
    for (size_t i = 0; i < watch->stream_count; i++) {
        watch_stream *stream = &watch->streams[i];
        watch_position_free(&stream->now);
        for (size_t k = 0; k < WATCH_SAVED; k++)
            watch_position_free(&stream->saved[k].position);
        free(stream->places);
    }
    watch->stream_count = 0;
    id_map_free(&watch->stream_map);
    watch->stream_map = (id_map){0};
}

void scope_watch_free(scope_watch *watch)
{
    if (!watch)
        return;
    free_streams(watch);
    free(watch->streams);
    if (watch->has_defs)
        definitions_free(&watch->defs);
    free(watch->ends);
    free(watch->groups);
    free(watch->buffer);
    watch_state_free(watch);
    free(watch);
}

const scope_watch_state *scope_watch_now(const scope_watch *watch)
{
    return &watch->state;
}

/* ---- which session ---- */

static scope_status follow(scope_watch *watch, uint16_t session)
{
    free_streams(watch);
    if (watch->has_defs)
        definitions_free(&watch->defs);
    watch->has_defs = 0;
    watch->host = watch->untracked = 0;
    watch->group_count = 0;
    watch->last_ticks = 0;
    watch->state.reset_count++;
    watch->session = session;
    const scope_status status = definitions_start(&watch->defs, session);
    watch->has_defs = status == SCOPE_OK;
    return status;
}

static scope_status main_session(const scope_recording *recording, uint16_t *session)
{
    chunk_index index;
    const scope_status status = chunk_index_build(recording, &index);
    if (status == SCOPE_OK)
        *session = definitions_last_session(&index);
    chunk_index_free(&index);
    return status;
}

static scope_status read_definitions(scope_watch *watch, const chunk_index *index)
{
    clock_map points; /* not kept: there may be very many in a day */
    clock_map_start(&points, &watch->header);
    const scope_status status = definitions_read(&watch->defs, index, &points);
    clock_map_free(&points);
    watch->host = watch->defs.host != 0; /* as who recorded it reads it */
    watch->untracked = watch->defs.host == 1;
    return status;
}

/* ---- which chunks ---- */

static int is_wanted(const void *context, const scope_chunk_header *header)
{
    const scope_watch *watch = context;
    if (!watch->has_defs)
        return 1;
    if (header->kind == SCOPE_CHUNK_DEFINITIONS)
        return header->sequence >= watch->defs.next_sequence;
    if (header->session != watch->session)
        return 0;
    if (header->kind != SCOPE_CHUNK_EVENTS)
        return 1;
    const uint32_t place = id_map_find(&watch->stream_map, header->stream);
    return place == ID_MAP_NONE || !watch->streams[place].started ||
           scope_chunk_last(header) >= watch->streams[place].sequence;
}

static scope_status find_streams(scope_watch *watch, const chunk_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        const scope_chunk_header *header = &index->entries[i].header;
        if (header->kind == SCOPE_CHUNK_DEFINITIONS || header->session != watch->session ||
            id_map_find(&watch->stream_map, header->stream) != ID_MAP_NONE)
            continue;
        watch_stream *streams = array_grown(watch->streams, watch->stream_count,
                                            &watch->stream_capacity, sizeof *streams);
        if (!streams)
            return SCOPE_ERR_MEMORY;
        watch->streams = streams;
        if (!id_map_add(&watch->stream_map, header->stream, (uint32_t)watch->stream_count))
            return SCOPE_ERR_MEMORY;
        streams[watch->stream_count++] = (watch_stream){.id = header->stream};
    }
    return SCOPE_OK;
}

/* ---- going back ---- */

static scope_status save(watch_stream *stream)
{
    watch_saved *to = NULL;
    for (size_t i = 0; i < WATCH_SAVED; i++) {
        watch_saved *one = &stream->saved[i];
        if (one->used && one->sequence == stream->sequence) {
            to = one;
            break;
        }
        if (!to || (to->used && (!one->used || one->sequence < to->sequence)))
            to = one;
    }
    to->used = 0;
    if (!watch_position_copy(&to->position, &stream->now))
        return SCOPE_ERR_MEMORY;
    to->used = 1;
    to->sequence = stream->sequence;
    return SCOPE_OK;
}

/* To where this chunk begins; where that is not known, to the begin of all. */
static scope_status go_back(watch_stream *stream, uint32_t sequence, int *again)
{
    const watch_saved *from = NULL;
    for (size_t i = 0; i < WATCH_SAVED; i++) {
        if (stream->saved[i].used && stream->saved[i].sequence == sequence)
            from = &stream->saved[i];
        if (stream->saved[i].sequence > sequence)
            stream->saved[i].used = 0;
    }
    stream->entered = 0;
    if (from) {
        stream->sequence = sequence;
        return watch_position_copy(&stream->now, &from->position) && watch_find_places(stream)
                   ? SCOPE_OK
                   : SCOPE_ERR_MEMORY;
    }
    watch_position_free(&stream->now);
    for (size_t i = 0; i < WATCH_SAVED; i++)
        stream->saved[i].used = 0;
    stream->sequence = 0;
    stream->started = 0;
    *again = 1;
    return watch_find_places(stream) ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

/* ---- reading ---- */

typedef struct look {
    const chunk_index *index;
    int is_last;
    int again; /* it changed under our hands */
} look;

/* Chunks of the stream behind this one are so few that it may yet be written anew. */
static int is_unsettled(const look *look, const watch_stream *stream, size_t place)
{
    const size_t further = place + WATCH_UNSETTLED;
    if (further >= look->index->count)
        return 1;
    const scope_chunk_header *here = &look->index->entries[place].header;
    const scope_chunk_header *there = &look->index->entries[further].header;
    return there->kind != here->kind || there->session != here->session ||
           there->stream != stream->id;
}

static scope_status enter(scope_watch *watch, const look *look, watch_stream *stream, size_t place)
{
    const scope_chunk_header *header = &look->index->entries[place].header;
    if (!stream->started)
        watch_start_stream(watch, stream, header);
    stream->started = 1;
    if (is_unsettled(look, stream, place) && save(stream) != SCOPE_OK)
        return SCOPE_ERR_MEMORY;
    decoder_enter(&stream->now.decoder, header->ticks);
    stream->entered = 1;
    stream->last = scope_chunk_last(header);
    stream->generation = header->generation;
    return watch->status;
}

/* Decode what is new in the chunk; 0: it was reused meanwhile, or there is no memory. */
static int take_words(scope_watch *watch, watch_stream *stream, const chunk_entry *entry, int ended)
{
    decoder *decoder = &stream->now.decoder;
    decoded_event event;
    const size_t end =
        ended ? chunk_word_count(entry) : chunk_stored(entry, decoder->position);
    if (watch->buffer_words < end) {
        uint64_t *buffer = realloc(watch->buffer, end * sizeof *buffer);
        if (!buffer) {
            watch->status = SCOPE_ERR_MEMORY;
            return 0;
        }
        watch->buffer = buffer;
        watch->buffer_words = end;
    }
    if (!chunk_copy(entry, decoder->position, end, watch->buffer))
        return 0;
    decoder_words(decoder, watch->buffer, end);
    while (watch->status == SCOPE_OK && decoder_next(decoder, &event))
        watch_take_event(watch, stream, &event);
    decoder_words(decoder, NULL, 0);
    return watch->status == SCOPE_OK;
}

/* What the stream waits for is not there. 0: neither is anything behind it. */
static int skip_gap(look *look, const scope_watch *watch, watch_stream *stream)
{
    const size_t after =
        chunk_index_find_after(look->index, watch->session, stream->id, stream->sequence);
    if (after == look->index->count)
        return 0;
    const int begins = !stream->started && !stream->now.events;
    if (!begins && !look->is_last) {
        look->again = 1; /* it may have been on its way to another place */
        return 0;
    }
    const uint32_t sequence = look->index->entries[after].header.sequence;
    if (!begins)
        stream->missed += sequence - stream->sequence;
    stream->sequence = sequence;
    stream->started = stream->entered = 0;
    return 1;
}

static scope_status read_stream(scope_watch *watch, look *look, watch_stream *stream)
{
    scope_status status = watch_take_folded(watch, stream, look->index);
    if (status == SCOPE_ERR_CORRUPT) {
        look->again = 1;
        return SCOPE_OK;
    }
    while (status == SCOPE_OK) {
        const size_t place =
            chunk_index_find_with(look->index, watch->session, stream->id, stream->sequence);
        if (place == look->index->count) {
            if (!skip_gap(look, watch, stream))
                return SCOPE_OK;
            continue;
        }
        const chunk_entry *entry = &look->index->entries[place];
        if (entry->header.sequence != stream->sequence ||
            (stream->entered && entry->header.generation != stream->generation)) {
            status = go_back(stream, entry->header.sequence, &look->again);
            if (look->again)
                return status;
        }
        if (status == SCOPE_OK && !stream->entered)
            status = enter(watch, look, stream, place);
        if (status != SCOPE_OK)
            return status;
        const int ended = chunk_index_find_with(look->index, watch->session, stream->id,
                                                stream->last + 1) < look->index->count;
        if (!take_words(watch, stream, entry, ended)) {
            look->again = watch->status == SCOPE_OK;
            return watch->status;
        }
        if (!ended)
            return SCOPE_OK;
        stream->sequence = stream->last + 1;
        stream->entered = 0;
    }
    return status;
}

/* A point of both clocks: our own, from before we looked, else the recording's last. */
static void calibrate(scope_watch *watch, const chunk_index *index)
{
    const scope_recording_header *header = &watch->header;
    if (!watch->knows_now)
        for (size_t i = 0; i < index->count; i++)
            if (index->entries[i].header.ticks > watch->newest.ticks)
                watch->newest = (clock_point){index->entries[i].header.ticks,
                                              index->entries[i].header.monotonic_ns};
    const int64_t ticks = (int64_t)(watch->newest.ticks - (uint64_t)header->start_ticks);
    const int64_t ns = wrap_subtract(watch->newest.ns, header->start_monotonic_ns);
    watch->slope = header->ticks_per_second ? 1e9 / (double)header->ticks_per_second : 1.0;
    if (header->clock_kind == SCOPE_CLOCK_MONOTONIC)
        watch->slope = 1.0;
    else if (ticks > 0 && ns > 1000000)
        watch->slope = (double)ns / (double)ticks;
}

static scope_status look_once(scope_watch *watch, const scope_recording *recording, look *look)
{
    chunk_index index = {0};
    uint16_t session = watch->session;
    watch->knows_now = clock_now(&watch->header, &watch->newest);
    scope_status status = chunk_index_build_some(recording, is_wanted, watch, &index);
    look->index = &index;
    if (status == SCOPE_OK)
        calibrate(watch, &index);
    if (status == SCOPE_OK && !watch->has_defs) {
        session = definitions_last_session(&index);
        if (session)
            status = follow(watch, session);
    }
    if (status == SCOPE_OK && watch->has_defs) {
        const uint32_t sequence = watch->defs.next_sequence;
        const uint64_t offset = watch->defs.next_offset;
        status = read_definitions(watch, &index);
        if (status == SCOPE_OK &&
            (sequence != watch->defs.next_sequence || offset != watch->defs.next_offset))
            status = main_session(recording, &session);
        if (status == SCOPE_OK && session != watch->session) {
            status = follow(watch, session);
            look->again = 1;
        }
    }
    if (status == SCOPE_OK && watch->has_defs && !look->again)
        status = find_streams(watch, &index);
    for (size_t i = 0; i < watch->stream_count && status == SCOPE_OK; i++)
        status = read_stream(watch, look, &watch->streams[i]);
    chunk_index_free(&index);
    return status;
}

scope_status scope_watch_read(scope_watch *watch, const scope_recording *recording, int alive)
{
    watch->header = *recording->header;
    for (int try = 1; watch->status == SCOPE_OK; try++) {
        look look = {.is_last = try == TRIES};
        const scope_status status = look_once(watch, recording, &look);
        if (status != SCOPE_OK)
            watch->status = status;
        if (!look.again || look.is_last)
            break;
    }
    if (watch->status == SCOPE_OK) {
        watch_meet_ends(watch);
        watch->status = watch_make_state(watch, alive);
    }
    return watch->status;
}
