/* sums_reader.c - what was folded of a stream: sums, lanes, open calls.
 *
 *     SUMS chunk  [ scope_sums_header | rows | lanes | open calls ]
 *
 * The state of the lanes is put back as if the folded chunks had been replayed;
 * the stream then goes on with the first chunk that is not in the sums.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <scope/session.h>

#include "array.h"
#include "cursor.h"
#include "sums_copy.h"

typedef struct stream_sums { /* one stream's */
    sums_copy read;
    stream_state *stream;
} stream_sums;

/* ---- lanes ---- */

static int64_t ns_of(const scope_cursor *cursor, uint64_t ticks)
{
    size_t hint = 0;
    return clock_map_ns(&cursor->clock, ticks, &hint);
}

static int64_t length_ns(const scope_cursor *cursor, uint64_t ticks)
{
    return (int64_t)ticks < 0 ? 0 : clock_map_duration_ns(&cursor->clock, ticks);
}

static uint32_t lane_of(scope_cursor *cursor, const stream_sums *copy, int64_t id, int64_t ns)
{
    if (id >= 0) {
        const uint32_t task = cursor_task(cursor, (uint64_t)id, ns, copy->stream->thread);
        return task == ID_MAP_NONE ? ID_MAP_NONE : cursor->tasks[task].lane;
    }
    if (id == -1)
        return cursor_unknown_lane(cursor);
    const uint32_t thread = definitions_thread(&cursor->defs, -2 - id);
    return thread == ID_MAP_NONE ? ID_MAP_NONE : cursor_thread_lane(cursor, thread);
}

static void put_thread(scope_cursor *cursor, const scope_sums_lane *row, uint32_t slot)
{
    thread_state *thread = cursor_thread(cursor, slot);
    if (!thread)
        return;
    if (!thread->seen) {
        thread->seen = 1;
        thread->first_ns = ns_of(cursor, row->first_ticks);
    }
    if (ns_of(cursor, row->last_ticks) > thread->last_ns)
        thread->last_ns = ns_of(cursor, row->last_ticks);
    thread->active |= row->begun > 0;
    if (row->end_ticks) {
        thread->ended = 1;
        thread->cpu_ns = row->cpu_ns;
    }
}

/* A task may have been folded in several streams: what they say is added up. */
static void put_task(scope_cursor *cursor, const scope_sums_lane *row, uint32_t slot)
{
    task_state *task = &cursor->tasks[slot];
    lane_state *lane = &cursor->lanes[task->lane];
    const int64_t last = ns_of(cursor, row->last_ticks);
    const int64_t suspended = length_ns(cursor, row->suspended_ticks);
    task->steps += (int64_t)row->steps;
    if (row->created_ticks) {
        task->created_ns = ns_of(cursor, row->created_ticks);
        task->kind = (uint32_t)(row->created_value >> 56) & 15;
        task->name = row->created_value >> 28 & 0xFFFFFFF;
        task->code_name = row->created_value & 0xFFFFFFF;
        task->thread = row->created_thread < 0
                           ? ID_MAP_NONE
                           : definitions_thread(&cursor->defs, row->created_thread);
    }
    if (row->end_ticks)
        task->done_ns = ns_of(cursor, row->end_ticks);
    lane->lane.suspended += suspended;
    if (last >= task->folded_ns) { /* the latest stream knows how it stands now */
        task->folded_ns = last;
        lane->lane.suspended_since = row->suspended_since == UINT64_MAX || row->end_ticks
                                         ? -1
                                         : ns_of(cursor, row->suspended_since);
    }
    /* from first_ticks on it ran or waited */
    const uint64_t until =
        row->suspended_since == UINT64_MAX ? row->last_ticks : row->suspended_since;
    const int64_t lived = ns_of(cursor, until) - ns_of(cursor, row->first_ticks);
    if (row->steps && lived > suspended)
        task->running_ns += lived - suspended;
}

static scope_status put_lanes(scope_cursor *cursor, const stream_sums *copy)
{
    for (uint32_t i = 0; i < copy->read.header.lane_count; i++) {
        const scope_sums_lane *row = &copy->read.lanes[i];
        const int64_t last = ns_of(cursor, row->last_ticks);
        const uint32_t place = lane_of(cursor, copy, row->lane, ns_of(cursor, row->first_ticks));
        if (place == ID_MAP_NONE)
            return SCOPE_ERR_MEMORY;
        if (row->lane >= 0)
            put_task(cursor, row, cursor->lanes[place].task);
        else if (row->lane <= -2)
            put_thread(cursor, row, cursor->lanes[place].thread);
        lane_state *lane = &cursor->lanes[place];
        lane->lane.begun += row->begun;
        if (row->lane < 0 && last > lane->last_ns)
            lane->last_ns = last; /* events of a task on other streams may be before that */
        if (last > cursor->last_ns)
            cursor->last_ns = last;
    }
    return cursor->status;
}

/* All that was folded lies before the cut. */
static int is_reported(const stream_sums *copy)
{
    const uint32_t first = copy->read.header.first_unfolded;
    return first && first <= copy->stream->cut_sequence;
}

/* ---- open calls ---- */

static scope_status put_call(scope_cursor *cursor, const scope_sums_open *open, uint32_t lane_place,
                             uint32_t thread)
{
    const int64_t begin = ns_of(cursor, open->begin_ticks);
    const uint32_t region = definitions_region(&cursor->defs, open->region);
    if (region == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    lane_state *lane = &cursor->lanes[lane_place];
    const uint64_t order = cursor->rows.count;
    call_row *row = cursor_make_room(cursor, lane)
                        ? cursor_new_row(cursor, thread, lane, region)
                        : NULL;
    if (!row)
        return SCOPE_ERR_MEMORY;
    row->start_ns = begin;
    row->duration_ns = -1;
    if (!cursor->reported)
        cursor->defs.regions[region].summed_ticks += open->inner_ticks;
    scope_call call = {.begin = begin,
                       .end = ns_of(cursor, open->end_ticks),
                       .inner = length_ns(cursor, open->inner_ticks),
                       .suspended = length_ns(cursor, open->suspended_ticks),
                       .order = order,
                       .region = region,
                       .moved = {.bytes = open->bytes,
                                 .peer = open->peer,
                                 .communicator = open->communicator,
                                 .tag = open->tag_above <= (uint32_t)INT32_MAX + 1
                                            ? (int32_t)((int64_t)open->tag_above - 1)
                                            : -1,
                                 .kind = open->message_kind & 7},
                       .flags = open->has_message ? SCOPE_CALL_MESSAGE : 0};
    cursor->has_messages |= open->has_message != 0;
    if (call.end < begin)
        call.end = begin;
    if (open->kind == SCOPE_SUMS_OPEN || cursor->host) { /* a host's END implies no other's */
        if (open->kind != SCOPE_SUMS_OPEN)
            call.suspended = lane->lane.suspended - call.suspended;
        scope_lane_put_open(&lane->lane, &call);
        host_note_open(cursor, region, order);
    } else {
        scope_lane_put_pending(&lane->lane, &call);
    }
    return SCOPE_OK;
}

static int by_ticks(const void *a, const void *b)
{
    const folded_event *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Open calls of a thread's lane are put on it at once: all its events are in one
 * stream. Those of tasks wait for their time. */
static scope_status put_open_calls(scope_cursor *cursor, const stream_sums *copies, size_t count)
{
    size_t total = cursor->folded_count;
    for (size_t i = 0; i < count; i++)
        total += copies[i].read.header.open_count;
    folded_event *folded = realloc(cursor->folded, (total + 1) * sizeof *folded);
    if (!folded)
        return SCOPE_ERR_MEMORY;
    cursor->folded = folded;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < copies[i].read.header.open_count; k++) {
            scope_sums_open row = copies[i].read.opens[k], *open = &row;
            if (open->kind > SCOPE_SUMS_END)
                continue;
            if (copies[i].read.header.policy == SCOPE_POLICY_RING)
                open->inner_ticks = 0; /* in no sums */
            if (open->lane >= 0) {
                folded[cursor->folded_count] = (folded_event){
                    .ticks = open->kind == SCOPE_SUMS_OPEN ? open->begin_ticks : open->end_ticks,
                    .open = *open,
                    .thread = copies[i].stream->thread,
                    .reported = is_reported(&copies[i]),
                    .order = (uint32_t)cursor->folded_count};
                cursor->folded_count++;
                continue;
            }
            cursor->reported = is_reported(&copies[i]);
            const uint32_t place = lane_of(cursor, &copies[i], open->lane, 0);
            if (place == ID_MAP_NONE)
                return SCOPE_ERR_MEMORY;
            const scope_status status =
                open->kind == SCOPE_SUMS_END
                    ? SCOPE_OK
                    : put_call(cursor, open, place, cursor->lanes[place].thread);
            if (status != SCOPE_OK)
                return status;
        }
    if (cursor->folded_count > cursor->next_folded)
        qsort(folded + cursor->next_folded, cursor->folded_count - cursor->next_folded,
              sizeof *folded, by_ticks);
    return SCOPE_OK;
}

scope_status cursor_take_folded(scope_cursor *cursor, uint64_t ticks)
{
    while (cursor->next_folded < cursor->folded_count && cursor->status == SCOPE_OK &&
           cursor->folded[cursor->next_folded].ticks <= ticks) {
        const folded_event *event = &cursor->folded[cursor->next_folded++];
        const scope_sums_open *open = &event->open;
        const int64_t ns = ns_of(cursor, event->ticks);
        cursor->reported = event->reported;
        const uint32_t task = cursor_task(cursor, (uint64_t)open->lane, ns, event->thread);
        const uint32_t region = definitions_region(&cursor->defs, open->region);
        if (task == ID_MAP_NONE || region == ID_MAP_NONE)
            cursor->status = SCOPE_ERR_MEMORY;
        else if (open->kind == SCOPE_SUMS_END)
            cursor_end_on_lane(cursor, cursor->tasks[task].lane, region, ns);
        else
            cursor->status = put_call(cursor, open, cursor->tasks[task].lane, event->thread);
    }
    return cursor->status;
}

/* ---- rows and the stream itself ---- */

static scope_status keep_rows(scope_cursor *cursor, const stream_sums *copy)
{
    if (is_reported(copy))
        return SCOPE_OK; /* all of it was given out before the cut */
    for (uint32_t i = 0; i < copy->read.header.row_count; i++) {
        const uint32_t region = definitions_region(&cursor->defs, copy->read.rows[i].region);
        scope_sum *sums =
            array_grown(cursor->sums, cursor->sum_count, &cursor->sum_capacity, sizeof *sums);
        if (region == ID_MAP_NONE || !sums)
            return SCOPE_ERR_MEMORY;
        cursor->sums = sums;
        sums[cursor->sum_count] = copy->read.rows[i];
        sums[cursor->sum_count++].region = region;
        region_slot *slot = &cursor->defs.regions[region];
        slot->implied += copy->read.rows[i].implied;
        slot->crossed += copy->read.rows[i].crossed;
        slot->orphans += copy->read.rows[i].orphans;
        slot->folded |= copy->read.rows[i].count > 0;
        cursor->has_messages |= copy->read.rows[i].bytes != 0;
    }
    cursor->folded_calls += copy->read.header.folded_calls;
    cursor->folded_drops += copy->read.header.dropped_events;
    cursor->folded_holes += copy->read.header.holes;
    return SCOPE_OK;
}

/* The stream goes on where the sums end: on this thread, with these tasks. */
static scope_status start_behind(scope_cursor *cursor, const stream_sums *copy)
{
    stream_state *stream = copy->stream;
    stream->started = 1;
    stream->sequence = copy->read.header.first_unfolded;
    stream->decoder.last_ticks = copy->read.header.last_ticks;
    stream->last_ns = ns_of(cursor, copy->read.header.last_ticks);
    if (stream->thread != ID_MAP_NONE)
        cursor_push_lane(cursor, stream, cursor_thread_lane(cursor, stream->thread));
    for (uint32_t i = 0; i < copy->read.header.open_count; i++) {
        const scope_sums_open *open = &copy->read.opens[i];
        if (open->kind != SCOPE_SUMS_RESUMED || open->lane < 0)
            continue;
        const uint32_t task =
            cursor_task(cursor, (uint64_t)open->lane, stream->last_ns, stream->thread);
        if (task == ID_MAP_NONE)
            return SCOPE_ERR_MEMORY;
        /* its own last event: what came behind it was of tasks that run inside it */
        const int64_t own_ns = cursor->tasks[task].folded_ns;
        cursor->tasks[task].resumed_ns =
            own_ns && own_ns < stream->last_ns ? own_ns : stream->last_ns;
        cursor_push_lane(cursor, stream, cursor->tasks[task].lane);
    }
    return cursor->status;
}

scope_status cursor_read_sums(scope_cursor *cursor, const chunk_index *index, int *behind)
{
    scope_status status = SCOPE_OK;
    size_t count = 0;
    stream_sums *copies = malloc((cursor->stream_count + 1) * sizeof *copies);
    if (!copies)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->stream_count && status == SCOPE_OK; i++) {
        stream_state *stream = &cursor->streams[i];
        stream_sums *copy = &copies[count];
        copy->stream = stream;
        const scope_status found =
            sums_copy_find(index, cursor->session, stream->id, &copy->read);
        if (found == SCOPE_ERR_MISSING)
            continue;
        status = found;
        if (status != SCOPE_OK)
            break;
        if (stream->started) { /* the cursor has read those calls itself, if it was quick */
            *behind |= copy->read.header.first_unfolded > stream->sequence;
            free(copy->read.bytes);
            continue;
        }
        count++;
        stream->thread = copy->read.header.thread < 0
                             ? ID_MAP_NONE
                             : definitions_thread(&cursor->defs, copy->read.header.thread);
    }
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        status = put_lanes(cursor, &copies[i]);
    if (status == SCOPE_OK && count)
        status = put_open_calls(cursor, copies, count);
    for (size_t i = 0; i < count && status == SCOPE_OK; i++) {
        status = keep_rows(cursor, &copies[i]);
        if (status == SCOPE_OK)
            status = start_behind(cursor, &copies[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(copies[i].read.bytes);
    free(copies);
    return status == SCOPE_OK ? cursor->status : status;
}
