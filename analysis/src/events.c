/* events.c - what each event does to its stream, its lane and its task.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cursor.h"
#include "nest_sort.h"

#define STACK_START 8u /* open calls of a lane at first */

static void fail(scope_cursor *cursor)
{
    cursor->status = SCOPE_ERR_MEMORY;
}

/* ---- lanes ---- */

static uint32_t new_lane(scope_cursor *cursor, uint32_t thread, uint32_t task)
{
    lane_state *lanes =
        array_grown(cursor->lanes, cursor->lane_count, &cursor->lane_capacity, sizeof *lanes);
    if (!lanes) {
        fail(cursor);
        return ID_MAP_NONE;
    }
    cursor->lanes = lanes;
    lane_state *state = &lanes[cursor->lane_count];
    *state = (lane_state){.thread = thread, .task = task};
    scope_lane_start(&state->lane, NULL, 0);
    return (uint32_t)cursor->lane_count++;
}

thread_state *cursor_thread(scope_cursor *cursor, uint32_t slot)
{
    while (cursor->thread_count <= slot) {
        thread_state *threads = array_grown(cursor->threads, cursor->thread_count,
                                            &cursor->thread_capacity, sizeof *threads);
        if (!threads) {
            fail(cursor);
            return NULL;
        }
        cursor->threads = threads;
        threads[cursor->thread_count++] =
            (thread_state){.lane = ID_MAP_NONE, .first_ns = -1, .last_ns = -1, .cpu_ns = -1};
    }
    return &cursor->threads[slot];
}

uint32_t cursor_thread_lane(scope_cursor *cursor, uint32_t slot)
{
    thread_state *thread = cursor_thread(cursor, slot);
    if (!thread)
        return ID_MAP_NONE;
    if (thread->lane == ID_MAP_NONE)
        thread->lane = new_lane(cursor, slot, ID_MAP_NONE);
    return thread->lane;
}

/* A task's slot, made when new. */
uint32_t cursor_task(scope_cursor *cursor, uint64_t id, int64_t ns, uint32_t thread)
{
    uint32_t slot = id_map_find(&cursor->task_map, id);
    if (slot != ID_MAP_NONE)
        return slot;
    task_state *tasks =
        array_grown(cursor->tasks, cursor->task_count, &cursor->task_capacity, sizeof *tasks);
    if (tasks)
        cursor->tasks = tasks;
    slot = (uint32_t)cursor->task_count;
    const uint32_t lane = tasks ? new_lane(cursor, ID_MAP_NONE, slot) : ID_MAP_NONE;
    if (!tasks || lane == ID_MAP_NONE || !id_map_add(&cursor->task_map, id, slot)) {
        fail(cursor);
        return ID_MAP_NONE;
    }
    tasks[cursor->task_count++] = (task_state){.id = (int64_t)id,
                                               .lane = lane,
                                               .thread = thread,
                                               .created_ns = ns,
                                               .done_ns = -1,
                                               .resumed_ns = -1};
    return slot;
}

uint32_t cursor_unknown_lane(scope_cursor *cursor)
{
    if (cursor->unknown_lane == ID_MAP_NONE)
        cursor->unknown_lane = new_lane(cursor, ID_MAP_NONE, ID_MAP_NONE);
    return cursor->unknown_lane;
}

lane_state *cursor_current_lane(scope_cursor *cursor, stream_state *stream)
{
    const uint32_t lane =
        stream->depth ? stream->stack[stream->depth - 1] : cursor_unknown_lane(cursor);
    return lane == ID_MAP_NONE ? NULL : &cursor->lanes[lane];
}

int64_t cursor_lane_time(lane_state *lane, int64_t ns)
{
    if (ns < lane->last_ns)
        return lane->last_ns;
    lane->last_ns = ns;
    return ns;
}

void cursor_push_lane(scope_cursor *cursor, stream_state *stream, uint32_t lane)
{
    if (lane == ID_MAP_NONE)
        return;
    uint32_t *stack =
        array_grown(stream->stack, stream->depth, &stream->capacity, sizeof *stack);
    if (!stack) {
        fail(cursor);
        return;
    }
    stream->stack = stack;
    stack[stream->depth++] = lane;
}

/* ---- calls ---- */

void cursor_call_finished(void *context, const scope_call *call)
{
    scope_cursor *cursor = context;
    call_row *row = rows_at(&cursor->rows, call->order);
    /* below 0 is open: a damaged fold may say of a call that it began after its end */
    if (call->end < call->begin ||
        __builtin_sub_overflow(call->end, call->begin, &row->duration_ns))
        row->duration_ns = 0;
    region_slot *region = &cursor->defs.regions[call->region];
    if (cursor->reported) {
        row->flags |= ROW_REPORTED;
        region->call_count--;
        return;
    }
    if (!cursor->host)
        row->flags = call->flags & (SCOPE_CALL_IMPLIED | SCOPE_CALL_CROSSED | SCOPE_CALL_OPEN);
    region->implied += !cursor->broken && (call->flags & SCOPE_CALL_IMPLIED) != 0;
    region->crossed += (call->flags & SCOPE_CALL_CROSSED) != 0;
    const int message = (call->flags & SCOPE_CALL_MESSAGE) != 0;
    if (call->flags & SCOPE_CALL_MESSAGES)
        row->flags |= ROW_MESSAGES;
    if (!call->suspended && !message)
        return;
    call_extra *extra = rows_make_extra(&cursor->rows, call->order);
    if (!extra) {
        fail(cursor);
        return;
    }
    extra->await_ns = call->suspended;
    if (message) {
        extra->moved = call->moved;
    }
}

static void keep_message(scope_cursor *cursor, const scope_call *call, const scope_message *message)
{
    row_message *kept = array_grown(cursor->messages, cursor->message_count,
                                    &cursor->message_capacity, sizeof *kept);
    if (!kept) {
        fail(cursor);
        return;
    }
    cursor->messages = kept;
    kept[cursor->message_count++] = (row_message){call->order, *message};
}

/* A second message makes a list of the call's; one alone is in its row, but for a completion. */
static void take_message(scope_cursor *cursor, stream_state *stream, const decoded_event *event)
{
    lane_state *lane = cursor_current_lane(cursor, stream);
    cursor->has_messages = 1;
    if (!lane || !lane->lane.depth)
        return;
    const scope_message message = scope_message_of(event->id, event->values);
    const scope_call *call = &lane->lane.stack[lane->lane.depth - 1];
    const int one_alone = (call->flags & (SCOPE_CALL_MESSAGE | SCOPE_CALL_MESSAGES)) == SCOPE_CALL_MESSAGE;
    const scope_message first = call->moved;
    scope_lane_message(&lane->lane, &message);
    if (cursor->reported || !(call->flags & SCOPE_CALL_MESSAGES))
        return;
    if (one_alone)
        keep_message(cursor, call, &first);
    keep_message(cursor, call, &message);
}

/* Row `count` with its identity; the caller fills the times. NULL: no memory. */
call_row *cursor_new_row(scope_cursor *cursor, uint32_t thread_slot, const lane_state *lane,
                         uint32_t region)
{
    if (!rows_reserve(&cursor->rows)) {
        fail(cursor);
        return NULL;
    }
    call_row *row = rows_at(&cursor->rows, cursor->rows.count);
    row->region = region;
    row->thread = thread_slot;
    row->task = lane->task;
    row->flags = 0;
    cursor->rows.count++;
    cursor->defs.regions[region].call_count++;
    return row;
}

/* Room for one more call on the lane's stack; 0: no memory. */
int cursor_make_room(scope_cursor *cursor, lane_state *lane)
{
    if (scope_lane_has_room(&lane->lane))
        return 1;
    const uint32_t capacity = lane->lane.capacity ? lane->lane.capacity * 2 : STACK_START;
    scope_call *old = lane->lane.stack;
    scope_call *stack =
        capacity > lane->lane.capacity ? malloc((size_t)capacity * sizeof *stack) : NULL;
    if (!stack) {
        fail(cursor);
        return 0;
    }
    scope_lane_grow(&lane->lane, stack, capacity);
    free(old);
    return 1;
}

static void take_begin(scope_cursor *cursor, stream_state *stream, uint64_t id, int64_t ns)
{
    const uint32_t region = definitions_region(&cursor->defs, id);
    lane_state *lane = cursor_current_lane(cursor, stream);
    if (region == ID_MAP_NONE || !lane) {
        fail(cursor);
        return;
    }
    if (!cursor_make_room(cursor, lane))
        return;
    const int64_t time = cursor_lane_time(lane, ns);
    const uint64_t place = cursor->rows.count;
    call_row *row = cursor_new_row(cursor, stream->thread, lane, region);
    if (!row)
        return;
    row->start_ns = time;
    row->duration_ns = -1;
    scope_lane_begin(&lane->lane, region, time, cursor_call_finished, cursor);
    lane->lane.stack[lane->lane.depth - 1].order = place;
    if (cursor->untracked)
        host_note_open(cursor, region, place);
}

/* 0: it closes nothing. */
static int end_call(scope_cursor *cursor, lane_state *lane, uint32_t region, int64_t ns)
{
    if (cursor->host)
        return host_end(cursor, lane, region, ns);
    return scope_lane_end(&lane->lane, region, cursor_lane_time(lane, ns), cursor_call_finished,
                          cursor);
}

static void take_end(scope_cursor *cursor, stream_state *stream, uint64_t id, int64_t ns)
{
    const uint32_t region = definitions_region(&cursor->defs, id);
    lane_state *lane = cursor_current_lane(cursor, stream);
    if (region == ID_MAP_NONE || !lane) {
        fail(cursor);
        return;
    }
    if (end_call(cursor, lane, region, ns) || cursor->reported)
        return;
    if (stream->paused)
        cursor->stray_ends++; /* its begin fell into the pause */
    else if (stream->broken)
        cursor->lost_begins++;
    else
        cursor->defs.regions[region].orphans++;
}

void cursor_end_on_lane(scope_cursor *cursor, uint32_t lane, uint32_t region, int64_t ns)
{
    if (!end_call(cursor, &cursor->lanes[lane], region, ns) && !cursor->reported)
        cursor->defs.regions[region].orphans++;
}

/* A call with times of its own; it has nothing to do with what is open. */
static void take_call(scope_cursor *cursor, stream_state *stream, const decoded_event *event)
{
    if (cursor->reported)
        return;
    const uint32_t region = definitions_region(&cursor->defs, event->id);
    lane_state *lane = cursor_current_lane(cursor, stream);
    call_row *row = region != ID_MAP_NONE && lane
                        ? cursor_new_row(cursor, stream->thread, lane, region)
                        : NULL;
    if (!row) {
        fail(cursor);
        return;
    }
    const uint64_t high = event->values[1] >> SCOPE_CALL_DURATION_BITS;
    row->start_ns = (int64_t)(event->values[0] | high << SCOPE_PAYLOAD_BITS);
    row->duration_ns =
        (int64_t)(event->values[1] & ((UINT64_C(1) << SCOPE_CALL_DURATION_BITS) - 1));
    const int64_t end = nest_end(row->start_ns, row->duration_ns);
    if (end > cursor->last_call_ns)
        cursor->last_call_ns = end;
}

static void take_point(scope_cursor *cursor, stream_state *stream, const decoded_event *event,
                       int64_t ns)
{
    if (cursor->reported)
        return;
    point_value *points =
        array_grown(cursor->points, cursor->point_count, &cursor->point_capacity, sizeof *points);
    lane_state *lane = cursor_current_lane(cursor, stream);
    if (!points || !lane) {
        fail(cursor);
        return;
    }
    cursor->points = points;
    const int is_counter = event->kind == SCOPE_EVENT_COUNTER;
    points[cursor->point_count++] =
        (point_value){.time_ns = ns,
                      .thread = stream->thread,
                      .task = lane->task,
                      .name = event->id,
                      .value = is_counter ? decoded_double(event->values) : 0.0,
                      .is_counter = is_counter};
}

/* ---- tasks and threads ---- */

static void stop_running(scope_cursor *cursor, uint32_t lane_place, int64_t ns)
{
    lane_state *lane = &cursor->lanes[lane_place];
    if (lane->task == ID_MAP_NONE)
        return;
    task_state *task = &cursor->tasks[lane->task];
    const int64_t time = cursor_lane_time(lane, ns);
    if (task->resumed_ns >= 0) {
        task->running_ns += time - task->resumed_ns;
        task->resumed_ns = -1;
    }
    if (task->done_ns < 0)
        scope_lane_suspend(&lane->lane, time);
}

static void take_resume(scope_cursor *cursor, stream_state *stream, uint64_t id, int64_t ns)
{
    const uint32_t slot = cursor_task(cursor, id, ns, stream->thread);
    if (slot == ID_MAP_NONE)
        return;
    task_state *task = &cursor->tasks[slot];
    lane_state *lane = &cursor->lanes[task->lane];
    const int64_t time = cursor_lane_time(lane, ns);
    scope_lane_resume(&lane->lane, time);
    task->steps++;
    if (task->resumed_ns < 0)
        task->resumed_ns = time;
    cursor_push_lane(cursor, stream, task->lane);
}

static void take_suspend(scope_cursor *cursor, stream_state *stream, uint64_t id, int64_t ns)
{
    const uint32_t slot = id_map_find(&cursor->task_map, id);
    size_t place = slot == ID_MAP_NONE ? 0 : stream->depth;
    while (place > 0 && stream->stack[place - 1] != cursor->tasks[slot].lane)
        place--;
    if (place == 0) {
        cursor->ignored_switches++; /* it does not run here */
        return;
    }
    while (stream->depth >= place)
        stop_running(cursor, stream->stack[--stream->depth], ns);
}

static void describe_task(task_state *task, uint64_t value)
{
    task->kind = (uint32_t)(value >> 56) & 15;
    task->name = value >> 28 & 0xFFFFFFF;
    task->code_name = value & 0xFFFFFFF;
}

static void take_task_new(scope_cursor *cursor, stream_state *stream, const decoded_event *event,
                          int64_t ns)
{
    const uint32_t slot = cursor_task(cursor, event->id, ns, stream->thread);
    if (slot == ID_MAP_NONE)
        return;
    describe_task(&cursor->tasks[slot], event->values[0]);
}

static void take_task_done(scope_cursor *cursor, stream_state *stream, uint64_t id, int64_t ns)
{
    const uint32_t slot = cursor_task(cursor, id, ns, stream->thread);
    if (slot == ID_MAP_NONE)
        return;
    task_state *task = &cursor->tasks[slot];
    lane_state *lane = &cursor->lanes[task->lane];
    const int64_t time = cursor_lane_time(lane, ns);
    if (task->done_ns < 0)
        task->done_ns = time;
    if (task->resumed_ns >= 0) {
        task->running_ns += time - task->resumed_ns;
        task->resumed_ns = -1;
    }
    lane->lane.suspended_since = -1; /* after its last step it waits for nothing */
}

void cursor_note_thread(scope_cursor *cursor, stream_state *stream)
{
    if (stream->thread == ID_MAP_NONE)
        return;
    thread_state *thread = cursor_thread(cursor, stream->thread);
    if (thread && stream->last_ns > thread->last_ns)
        thread->last_ns = stream->last_ns;
}

static void set_thread(scope_cursor *cursor, stream_state *stream, int64_t id, int64_t ns)
{
    cursor_note_thread(cursor, stream);
    while (stream->depth > 0)
        stop_running(cursor, stream->stack[--stream->depth], stream->last_ns);
    stream->thread = definitions_thread(&cursor->defs, id);
    if (stream->thread == ID_MAP_NONE) {
        fail(cursor);
        return;
    }
    cursor_push_lane(cursor, stream, cursor_thread_lane(cursor, stream->thread));
    thread_state *thread = cursor_thread(cursor, stream->thread);
    if (thread && !thread->seen) {
        thread->seen = 1;
        thread->first_ns = ns;
    }
}

void cursor_start_stream(scope_cursor *cursor, stream_state *stream,
                         const scope_chunk_header *header)
{
    const int64_t ns = clock_map_ns(&cursor->clock, header->ticks, &stream->clock_hint);
    stream->fresh = 1;
    if (header->thread >= 0)
        set_thread(cursor, stream, header->thread, ns);
    if (header->task >= 0) {
        const uint32_t slot = cursor_task(cursor, (uint64_t)header->task, ns, stream->thread);
        if (slot != ID_MAP_NONE)
            cursor_push_lane(cursor, stream, cursor->tasks[slot].lane);
    }
}

static void take_thread_end(scope_cursor *cursor, stream_state *stream, const decoded_event *event)
{
    const uint32_t slot = definitions_thread(&cursor->defs, (int64_t)event->id);
    thread_state *thread = slot == ID_MAP_NONE ? NULL : cursor_thread(cursor, slot);
    if (!thread) {
        fail(cursor);
        return;
    }
    thread->ended = 1;
    thread->cpu_ns = (int64_t)event->values[0];
    if (stream->last_ns > thread->last_ns)
        thread->last_ns = stream->last_ns;
}

static void note_active(scope_cursor *cursor, const stream_state *stream)
{
    thread_state *thread =
        stream->thread == ID_MAP_NONE ? NULL : cursor_thread(cursor, stream->thread);
    if (thread)
        thread->active = 1;
}

static void take_extended(scope_cursor *cursor, stream_state *stream, const decoded_event *event,
                          int64_t ns)
{
    if (event->sub_kind == SCOPE_EXTENDED_OPEN) {
        size_t hint = 0;
        const uint64_t ticks =
            event->values[1] << SCOPE_TICK_BITS | (event->values[2] & SCOPE_TICK_MASK);
        if (stream->fresh) /* else the cursor saw its BEGIN */
            take_begin(cursor, stream, event->values[0],
                       clock_map_ns(&cursor->clock, ticks, &hint));
    } else if (event->sub_kind == SCOPE_EXTENDED_PAUSE) {
        stream->paused = 1;
    } else if (event->sub_kind == SCOPE_EXTENDED_SPENT) {
        cursor_take_spent(cursor, stream, event->values[0]);
    } else if (event->sub_kind == SCOPE_EXTENDED_SUM) {
        note_active(cursor, stream);
        cursor_take_sum(cursor, stream, event);
    } else if (event->sub_kind == SCOPE_EXTENDED_TASK) {
        const uint32_t slot = cursor_task(cursor, event->values[0], ns, stream->thread);
        if (slot != ID_MAP_NONE)
            describe_task(&cursor->tasks[slot], event->values[1]);
    }
}

void cursor_take_event(scope_cursor *cursor, stream_state *stream)
{
    const decoded_event *event = &stream->next;
    const int64_t ns = clock_map_ns(&cursor->clock, event->ticks, &stream->clock_hint);
    if (ns > cursor->last_ns)
        cursor->last_ns = ns;
    cursor->broken = stream->broken;
    if (event->kind == SCOPE_EVENT_THREAD) /* what was before was another thread's */
        set_thread(cursor, stream, (int64_t)event->id, ns);
    stream->last_ns = ns;
    if (event->kind <= SCOPE_EVENT_END)
        stream->fresh = 0;
    cursor->reported = stream->sequence < stream->cut_sequence ||
                       (stream->sequence == stream->cut_sequence &&
                        stream->taken_words < stream->cut_word);
    if (event->kind != SCOPE_EVENT_THREAD && event->kind != SCOPE_EVENT_THREAD_END &&
        event->kind != SCOPE_EVENT_EXTENDED &&
        !(event->kind == SCOPE_EVENT_END && cursor->untracked)) /* it may end another's call */
        note_active(cursor, stream);
    switch (event->kind) {
    case SCOPE_EVENT_BEGIN: take_begin(cursor, stream, event->id, ns); break;
    case SCOPE_EVENT_END: take_end(cursor, stream, event->id, ns); break;
    case SCOPE_EVENT_RESUME: take_resume(cursor, stream, event->id, ns); break;
    case SCOPE_EVENT_SUSPEND: take_suspend(cursor, stream, event->id, ns); break;
    case SCOPE_EVENT_TASK_NEW: take_task_new(cursor, stream, event, ns); break;
    case SCOPE_EVENT_TASK_DONE: take_task_done(cursor, stream, event->id, ns); break;
    case SCOPE_EVENT_THREAD: break;
    case SCOPE_EVENT_THREAD_END: take_thread_end(cursor, stream, event); break;
    case SCOPE_EVENT_CALL: take_call(cursor, stream, event); break;
    case SCOPE_EVENT_MARK:
    case SCOPE_EVENT_COUNTER: take_point(cursor, stream, event, ns); break;
    case SCOPE_EVENT_MESSAGE: take_message(cursor, stream, event); break;
    default: take_extended(cursor, stream, event, ns); break;
    }
}
