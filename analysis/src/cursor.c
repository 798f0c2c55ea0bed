/* cursor.c - a replay that goes on where it stopped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cursor.h"

#include <stdlib.h>
#include <string.h>

#include "clock_now.h"
#include "cursor_streams.h"

#define TRIES 8 /* of a recording whose chunks are folded while we read it */

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

/* ---- one look ---- */

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

/* One look at the recording. 1 in *again: it changed under our hands. */
static scope_status advance(scope_cursor *cursor, const scope_recording *recording, int everything,
                            int *again)
{
    chunk_index index = {0};
    cursor_look look = {.index = &index, .everything = everything, .cut = UINT64_MAX};
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
        status = cursor_find_streams(cursor, &index);
    if (status == SCOPE_OK)
        status = cursor_read_sums(cursor, &index, again);
    if (status == SCOPE_OK && !*again) {
        look.live = recording->in_process || cursor->header.end_kind == SCOPE_END_OPEN;
        if (!everything && recording->in_process && !cursor->defs.has_end)
            look.cut = clock_map_last_ticks(&cursor->clock);
        status = cursor_take_runs(cursor, &look);
        cursor->missing_chunks += cursor_count_missing(cursor, &index);
        *again = cursor->torn || (look.live && cursor->missing_chunks &&
                                  cursor_is_there_now(cursor, recording));
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
