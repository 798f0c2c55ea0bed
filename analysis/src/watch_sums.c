/* watch_sums.c - a stream goes on behind what was folded of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <scope/session.h>

#include "sums_copy.h"
#include "watch_parts.h"

typedef struct folded {
    scope_watch *watch;
    watch_stream *stream;
    const sums_copy *copy;
} folded;

static int take_rows(const folded *of)
{
    watch_position *now = &of->stream->now;
    for (uint32_t i = 0; i < of->copy->header.row_count; i++) {
        const scope_sum *row = &of->copy->rows[i];
        const uint32_t region = definitions_region(&of->watch->defs, row->region);
        watch_sum *sum = region == ID_MAP_NONE ? NULL : watch_sum_of(of->stream, region);
        if (!sum)
            return 0;
        sum->count += row->count;
        sum->total = wrap_add(sum->total, (int64_t)row->sum_ticks);
        sum->exclusive =
            wrap_add(sum->exclusive, (int64_t)(row->exclusive_ticks - row->await_ticks));
        sum->bytes = wrap_add(sum->bytes, row->bytes);
        now->events += 2 * row->count + row->orphans;
        now->orphans += row->orphans;
    }
    now->folded += of->copy->header.folded_calls;
    return 1;
}

/* A task's only where it has open calls. */
static watch_lane *lane_of(const folded *of, int64_t id)
{
    const watch_lane_kind kind = id >= 0 ? WATCH_TASK : WATCH_THREAD;
    watch_position *now = &of->stream->now;
    const int64_t own = id >= 0 ? id : -2 - id;
    uint32_t place = watch_lane_find(now, kind, id == -1 ? -1 : own);
    if (place != ID_MAP_NONE)
        return &now->lanes[place];
    int64_t first = watch_ticks(of->copy->header.last_ticks), last = first;
    const scope_sums_lane *row = NULL;
    for (uint32_t i = 0; i < of->copy->header.lane_count; i++)
        if (of->copy->lanes[i].lane == id)
            row = &of->copy->lanes[i];
    if (row) {
        first = watch_ticks(row->first_ticks);
        last = watch_ticks(row->last_ticks);
    }
    place = watch_lane_new(now, kind, id == -1 ? -1 : own, first);
    if (place == ID_MAP_NONE)
        return NULL;
    watch_lane *lane = &now->lanes[place];
    lane->last = last;
    if (row) {
        lane->lane.begun = row->begun;
        lane->lane.suspended = watch_ticks(row->suspended_ticks);
        lane->lane.suspended_since =
            row->suspended_since == UINT64_MAX ? -1 : watch_ticks(row->suspended_since);
    }
    return lane;
}

/* How long the threads lived whose events are all in the sums. */
static void take_lives(const folded *of)
{
    const scope_sums_header *header = &of->copy->header;
    for (uint32_t i = 0; i < header->lane_count; i++) {
        const scope_sums_lane *row = &of->copy->lanes[i];
        if (row->lane < 0 && row->lane != -2 - header->thread &&
            row->last_ticks > row->first_ticks)
            of->stream->now.lived = wrap_add(of->stream->now.lived,
                                             (int64_t)(row->last_ticks - row->first_ticks));
    }
}

static int take_open(const folded *of, const scope_sums_open *open)
{
    const uint32_t region = definitions_region(&of->watch->defs, open->region);
    watch_lane *lane = region == ID_MAP_NONE ? NULL : lane_of(of, open->lane);
    if (!lane || !watch_lane_room(lane))
        return 0;
    scope_call call = {.begin = watch_ticks(open->begin_ticks),
                       .end = watch_ticks(open->end_ticks),
                       .inner = watch_ticks(open->inner_ticks),
                       .suspended = watch_ticks(open->suspended_ticks),
                       .region = region,
                       .moved = SCOPE_MESSAGE_NONE};
    if (of->copy->header.policy == SCOPE_POLICY_RING)
        call.inner = 0; /* in no sums */
    if (call.end < call.begin)
        call.end = call.begin;
    if (open->kind == SCOPE_SUMS_OPEN || of->watch->host)
        scope_lane_put_open(&lane->lane, &call);
    else
        scope_lane_put_pending(&lane->lane, &call);
    return 1;
}

static int take_lanes(const folded *of)
{
    watch_position *now = &of->stream->now;
    const scope_sums_header *header = &of->copy->header;
    watch_position_empty(now);
    if (header->thread >= 0 && (!lane_of(of, -2 - header->thread) || !watch_push(now, 0)))
        return 0;
    for (uint32_t i = 0; i < header->open_count; i++)
        if (of->copy->opens[i].kind <= SCOPE_SUMS_PENDING && !take_open(of, &of->copy->opens[i]))
            return 0;
    for (uint32_t i = 0; i < header->open_count; i++) {
        const scope_sums_open *open = &of->copy->opens[i];
        if (open->kind != SCOPE_SUMS_RESUMED || open->lane < 0)
            continue;
        watch_lane *lane = lane_of(of, open->lane);
        if (!lane || !watch_push(now, (uint32_t)(lane - now->lanes)))
            return 0;
    }
    return 1;
}

static scope_status go_behind(const folded *of)
{
    const scope_sums_header *header = &of->copy->header;
    watch_stream *stream = of->stream;
    /* sums that do not have all there was: what was counted so far is more */
    const int partial = header->policy == SCOPE_POLICY_RING || of->watch->defs.has_written_cut;
    const int fresh = !stream->now.events;
    if (!fresh && partial)
        stream->missed += header->first_unfolded - stream->sequence;
    if (!partial) {
        stream->now.sum_count = 0;
        stream->now.events = stream->now.folded = stream->now.orphans = 0;
        stream->now.lived = 0;
        stream->missed = 0; /* they have what was not seen before, too */
    }
    if (!watch_find_places(stream) || ((fresh || !partial) && !take_rows(of)))
        return SCOPE_ERR_MEMORY;
    if (fresh || !partial)
        take_lives(of);
    if (!take_lanes(of))
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < WATCH_SAVED; i++)
        stream->saved[i].used = 0;
    stream->now.decoder = (decoder){.last_ticks = header->last_ticks};
    stream->sequence = header->first_unfolded;
    stream->started = 1;
    stream->entered = 0;
    const int64_t last = watch_ticks(header->last_ticks);
    if (last > of->watch->last_ticks)
        of->watch->last_ticks = last;
    return SCOPE_OK;
}

scope_status watch_take_folded(scope_watch *watch, watch_stream *stream, const chunk_index *index)
{
    sums_copy copy = {0};
    const scope_status found = sums_copy_find(index, watch->session, stream->id, &copy);
    if (found != SCOPE_OK)
        return found == SCOPE_ERR_MISSING ? SCOPE_OK : found;
    scope_status status = SCOPE_OK;
    if (!stream->started || copy.header.first_unfolded > stream->sequence)
        status = go_behind(&(folded){watch, stream, &copy});
    free(copy.bytes);
    return status;
}
