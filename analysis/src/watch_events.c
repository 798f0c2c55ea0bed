/* watch_events.c - what each event does to the lanes and the sums of its stream.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "array.h"
#include "cursor.h"
#include "watch_parts.h"

static void fail(scope_watch *watch)
{
    watch->status = SCOPE_ERR_MEMORY;
}

typedef struct finish { /* whose call has its end */
    scope_watch *watch;
    watch_stream *stream;
    scope_lane *lane;
} finish;

/* ---- lanes ---- */

static watch_lane *current_lane(scope_watch *watch, watch_stream *stream)
{
    watch_position *now = &stream->now;
    if (!now->depth) {
        const uint32_t lane =
            watch_lane_new(now, WATCH_THREAD, -1, watch_ticks(now->decoder.last_ticks));
        if (lane == ID_MAP_NONE || !watch_push(now, lane)) {
            fail(watch);
            return NULL;
        }
    }
    return &now->lanes[now->stack[now->depth - 1]];
}

static int64_t lane_time(watch_lane *lane, int64_t ticks)
{
    if (ticks < lane->last)
        return lane->last;
    lane->last = ticks;
    return ticks;
}

/* ---- calls ---- */

static void note_group(scope_watch *watch, const scope_message *message)
{
    if (message->communicator < 0 || message->kind != SCOPE_MESSAGE_COLLECTIVE)
        return;
    const uint32_t slot =
        id_map_find(&watch->defs.communicator_map, (uint64_t)message->communicator);
    if (slot == ID_MAP_NONE)
        return;
    while (watch->group_count <= slot) {
        watch_group *groups = array_grown(watch->groups, watch->group_count,
                                          &watch->group_capacity, sizeof *groups);
        if (!groups) {
            fail(watch);
            return;
        }
        watch->groups = groups;
        groups[watch->group_count++].last_number = -1;
    }
    if (message->tag > watch->groups[slot].last_number)
        watch->groups[slot].last_number = message->tag;
}

static void finished(void *context, const scope_call *call)
{
    const finish *of = context;
    watch_sum *sum = watch_sum_of(of->stream, call->region);
    if (!sum) {
        fail(of->watch);
        return;
    }
    const int64_t length = call->end > call->begin ? call->end - call->begin : 0;
    const int64_t own = length - call->inner - call->suspended;
    sum->count++;
    sum->total = wrap_add(sum->total, length);
    sum->exclusive = wrap_add(sum->exclusive, own > 0 ? own : 0);
    if ((call->flags & SCOPE_CALL_MESSAGE) && call->moved.communicator >= 0)
        sum->communicator = call->moved.communicator;
    /* what it waited for is not the time of the call around it either, but not inside it */
    if (call->suspended && !(call->flags & (SCOPE_CALL_IMPLIED | SCOPE_CALL_CROSSED)) &&
        of->lane->depth)
        of->lane->stack[of->lane->depth - 1].inner -= call->suspended;
}

static void take_begin(scope_watch *watch, watch_stream *stream, uint32_t region, int64_t ticks)
{
    watch_lane *lane = current_lane(watch, stream);
    if (!lane || !watch_lane_room(lane)) {
        fail(watch);
        return;
    }
    finish of = {watch, stream, &lane->lane};
    scope_lane_begin(&lane->lane, region, lane_time(lane, ticks), finished, &of);
}

/* As a host means it: the innermost open call of the region, and nothing else. */
static int end_as_host(scope_watch *watch, watch_stream *stream, watch_lane *state, uint32_t region,
                    int64_t ticks)
{
    scope_lane *lane = &state->lane;
    uint32_t place = lane->depth;
    while (place > 0 && lane->stack[place - 1].region != region)
        place--;
    if (!place--)
        return 0;
    scope_call call = lane->stack[place];
    for (uint32_t i = place + 1; i < lane->depth; i++)
        lane->stack[i - 1] = lane->stack[i];
    lane->depth--;
    call.end = lane_time(state, ticks);
    if (call.end < call.begin)
        call.end = call.begin;
    const int64_t suspended =
        lane->suspended_since >= 0 && call.end > lane->suspended_since
            ? lane->suspended + (call.end - lane->suspended_since)
            : lane->suspended;
    call.suspended = suspended - call.suspended;
    if (place > 0)
        lane->stack[place - 1].inner += call.end - call.begin - call.suspended;
    scope_lane none = {0}; /* the time inside it is the one around it's by now */
    finish of = {watch, stream, &none};
    finished(&of, &call);
    return 1;
}

static int end_call(scope_watch *watch, watch_stream *stream, watch_lane *lane, uint32_t region,
                    int64_t ticks)
{
    if (watch->host)
        return end_as_host(watch, stream, lane, region, ticks);
    finish of = {watch, stream, &lane->lane};
    return scope_lane_end(&lane->lane, region, lane_time(lane, ticks), finished,
                          &of);
}

static void keep_end(scope_watch *watch, const watch_end *end)
{
    watch_end *ends =
        array_grown(watch->ends, watch->end_count, &watch->end_capacity, sizeof *ends);
    if (!ends) {
        fail(watch);
        return;
    }
    watch->ends = ends;
    ends[watch->end_count++] = *end;
}

static void take_end(scope_watch *watch, watch_stream *stream, uint32_t region, int64_t ticks)
{
    watch_lane *lane = current_lane(watch, stream);
    if (!lane || end_call(watch, stream, lane, region, ticks))
        return;
    if (lane->kind == WATCH_TASK || watch->untracked) /* it may have begun in another stream */
        keep_end(watch, &(watch_end){lane->kind == WATCH_TASK ? lane->id : -1, region, ticks,
                                     stream->id});
    else
        stream->now.orphans++;
}

/* The latest open call of the region, of this task (-1: of any lane), in all streams. */
static int meet(scope_watch *watch, const watch_end *end)
{
    watch_stream *best = NULL;
    watch_lane *best_lane = NULL;
    int64_t best_begin = INT64_MIN;
    for (size_t i = 0; i < watch->stream_count; i++) {
        watch_stream *stream = &watch->streams[i];
        for (size_t k = 0; k < stream->now.lane_count; k++) {
            watch_lane *lane = &stream->now.lanes[k];
            if (end->task >= 0 && (lane->kind != WATCH_TASK || lane->id != end->task))
                continue;
            for (uint32_t j = 0; j < lane->lane.depth; j++) {
                const scope_call *call = &lane->lane.stack[j];
                if (call->region == end->region && call->begin <= end->ticks &&
                    call->begin > best_begin) {
                    best_begin = call->begin;
                    best = stream;
                    best_lane = lane;
                }
            }
        }
    }
    return best && end_call(watch, best, best_lane, end->region, end->ticks);
}

void watch_meet_ends(scope_watch *watch)
{
    for (size_t i = 0; i < watch->end_count; i++)
        if (!meet(watch, &watch->ends[i])) {
            const uint32_t place = id_map_find(&watch->stream_map, watch->ends[i].stream);
            if (place != ID_MAP_NONE)
                watch->streams[place].now.orphans++;
        }
    watch->end_count = 0;
}

/* A call with times of its own, in ns; it has nothing to do with what is open. */
static void take_call(scope_watch *watch, watch_stream *stream, uint32_t region, uint64_t value)
{
    watch_sum *sum = watch_sum_of(stream, region);
    if (!sum || !current_lane(watch, stream)) {
        fail(watch);
        return;
    }
    const uint64_t ns = value & ((UINT64_C(1) << SCOPE_CALL_DURATION_BITS) - 1);
    const int64_t length = wrap_nearest((double)ns / watch->slope);
    sum->count++;
    sum->total = wrap_add(sum->total, length);
    sum->exclusive = wrap_add(sum->exclusive, length);
}

static void take_message(scope_watch *watch, watch_stream *stream, const decoded_event *event)
{
    watch_lane *lane = current_lane(watch, stream);
    if (!lane || !lane->lane.depth)
        return;
    const scope_message message = scope_message_of(event->id, event->values);
    watch_sum *sum = watch_sum_of(stream, lane->lane.stack[lane->lane.depth - 1].region);
    if (!sum) {
        fail(watch);
        return;
    }
    scope_lane_message(&lane->lane, &message);
    if (message.kind != SCOPE_MESSAGE_POSTED && !scope_message_is_completion(message.kind) &&
        message.bytes > 0)
        sum->bytes = wrap_add(sum->bytes, message.bytes);
    note_group(watch, &message);
}

/* ---- tasks and threads ---- */

static void take_resume(scope_watch *watch, watch_stream *stream, int64_t id, int64_t ticks)
{
    watch_position *now = &stream->now;
    uint32_t place = watch_lane_find(now, WATCH_TASK, id);
    if (place == ID_MAP_NONE)
        place = watch_lane_new(now, WATCH_TASK, id, ticks);
    if (place == ID_MAP_NONE || !current_lane(watch, stream) || !watch_push(now, place)) {
        fail(watch);
        return;
    }
    watch_lane *lane = &now->lanes[place];
    scope_lane_resume(&lane->lane, lane_time(lane, ticks));
}

/* A task without open calls is not worth a place. */
static void leave_task(watch_position *now, uint32_t place, int64_t ticks)
{
    watch_lane *lane = &now->lanes[place];
    if (lane->kind != WATCH_TASK)
        return;
    for (size_t i = 0; i < now->depth; i++)
        if (now->stack[i] == place)
            return;
    if (lane->lane.depth || lane->lane.pending)
        scope_lane_suspend(&lane->lane, lane_time(lane, ticks));
    else
        lane->kind = WATCH_FREE, lane->id = 0;
}

static void take_suspend(watch_stream *stream, int64_t id, int64_t ticks)
{
    watch_position *now = &stream->now;
    const uint32_t lane = watch_lane_find(now, WATCH_TASK, id);
    size_t place = lane == ID_MAP_NONE ? 0 : now->depth;
    while (place > 0 && now->stack[place - 1] != lane)
        place--;
    while (place > 0 && now->depth >= place)
        leave_task(now, now->stack[--now->depth], ticks);
}

static void finish_lane(scope_watch *watch, watch_stream *stream, watch_lane *lane)
{
    finish of = {watch, stream, &lane->lane};
    scope_lane_finish(&lane->lane, lane->last, finished, &of);
}

static void take_task_done(scope_watch *watch, watch_stream *stream, int64_t id, int64_t ticks)
{
    const uint32_t place = watch_lane_find(&stream->now, WATCH_TASK, id);
    if (place == ID_MAP_NONE)
        return;
    watch_lane *lane = &stream->now.lanes[place];
    lane_time(lane, ticks);
    scope_lane_resume(&lane->lane, lane->last);
    finish_lane(watch, stream, lane);
    leave_task(&stream->now, place, ticks); /* else with its SUSPEND */
}

static void end_thread(scope_watch *watch, watch_stream *stream, watch_lane *lane)
{
    finish_lane(watch, stream, lane);
    if (lane->last > lane->first)
        stream->now.lived = wrap_add(stream->now.lived, lane->last - lane->first);
    lane->kind = WATCH_FREE;
    lane->id = 0;
}

/* What follows is of this thread; the one before has ended. */
static void set_thread(scope_watch *watch, watch_stream *stream, int64_t id, int64_t ticks)
{
    watch_position *now = &stream->now;
    while (now->depth > 1)
        now->depth--, leave_task(now, now->stack[now->depth], ticks);
    if (now->depth && now->lanes[now->stack[0]].id == id)
        return;
    now->depth = 0;
    for (size_t i = 0; i < now->lane_count; i++)
        if (now->lanes[i].kind == WATCH_THREAD)
            end_thread(watch, stream, &now->lanes[i]);
    const uint32_t place = watch_lane_new(now, WATCH_THREAD, id, ticks);
    if (place == ID_MAP_NONE || !watch_push(now, place))
        fail(watch);
}

void watch_start_stream(scope_watch *watch, watch_stream *stream, const scope_chunk_header *header)
{
    const int64_t ticks = watch_ticks(header->ticks);
    if (header->thread >= 0)
        set_thread(watch, stream, header->thread, ticks);
    if (header->task >= 0)
        take_resume(watch, stream, header->task, ticks);
}

static void take_thread_end(watch_stream *stream, int64_t id, int64_t ticks)
{
    const uint32_t place = watch_lane_find(&stream->now, WATCH_THREAD, id);
    if (place == ID_MAP_NONE)
        return;
    lane_time(&stream->now.lanes[place], ticks);
    stream->now.lanes[place].ended = 1; /* late destructors may come */
}

/* ---- what was summed up in the recording ---- */

static void take_sum(scope_watch *watch, watch_stream *stream, const decoded_event *event)
{
    scope_sum from;
    watch_lane *lane = current_lane(watch, stream);
    decoded_sum(event, &from);
    const uint32_t region = definitions_region(&watch->defs, from.region);
    watch_sum *to = region == ID_MAP_NONE ? NULL : watch_sum_of(stream, region);
    if (!to || !lane) {
        fail(watch);
        return;
    }
    lane->lane.begun += from.count;
    to->count += from.count;
    to->total = wrap_add(to->total, (int64_t)from.sum_ticks);
    to->exclusive = wrap_add(to->exclusive, (int64_t)from.exclusive_ticks);
    stream->now.events += 2 * from.count;
    stream->now.folded += from.count;
}

static void take_extended(scope_watch *watch, watch_stream *stream, const decoded_event *event)
{
    watch_lane *lane;
    if (event->sub_kind == SCOPE_EXTENDED_SUM) {
        take_sum(watch, stream, event);
    } else if (event->sub_kind == SCOPE_EXTENDED_SPENT) {
        lane = current_lane(watch, stream);
        if (lane && lane->lane.depth)
            lane->lane.stack[lane->lane.depth - 1].inner += watch_ticks(event->values[0]);
    }
}

void watch_take_event(scope_watch *watch, watch_stream *stream, const decoded_event *event)
{
    const int64_t ticks = watch_ticks(event->ticks);
    uint32_t region = 0;
    if (ticks > watch->last_ticks)
        watch->last_ticks = ticks;
    if (event->kind == SCOPE_EVENT_BEGIN || event->kind == SCOPE_EVENT_END ||
        event->kind == SCOPE_EVENT_CALL) {
        region = definitions_region(&watch->defs, event->id);
        if (region == ID_MAP_NONE) {
            fail(watch);
            return;
        }
    }
    stream->now.events += event->kind != SCOPE_EVENT_EXTENDED;
    switch (event->kind) {
    case SCOPE_EVENT_BEGIN: take_begin(watch, stream, region, ticks); break;
    case SCOPE_EVENT_END: take_end(watch, stream, region, ticks); break;
    case SCOPE_EVENT_RESUME: take_resume(watch, stream, (int64_t)event->id, ticks); break;
    case SCOPE_EVENT_SUSPEND: take_suspend(stream, (int64_t)event->id, ticks); break;
    case SCOPE_EVENT_TASK_DONE: take_task_done(watch, stream, (int64_t)event->id, ticks); break;
    case SCOPE_EVENT_THREAD: set_thread(watch, stream, (int64_t)event->id, ticks); break;
    case SCOPE_EVENT_THREAD_END: take_thread_end(stream, (int64_t)event->id, ticks); break;
    case SCOPE_EVENT_CALL: take_call(watch, stream, region, event->values[1]); break;
    case SCOPE_EVENT_MESSAGE: take_message(watch, stream, event); break;
    case SCOPE_EVENT_EXTENDED: take_extended(watch, stream, event); break;
    default: current_lane(watch, stream); break; /* marks, counters, new tasks: it has recorded */
    }
}
