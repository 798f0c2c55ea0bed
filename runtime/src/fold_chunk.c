/* fold_chunk.c - the events of a finished chunk become sums, with the lane machine of replay.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fold_chunk.h"

#include <string.h>

#include "pool.h"

#define FIRST_TASKS 64u

static void finished(void *context, const scope_call *call)
{
    scope_fold *fold = context;
    if (!fold->ring && !fold->reported)
        scope_sums_add(&fold->sums, fold->lane, call);
}

static scope_fold_lane *lane_of(scope_fold *fold, int64_t id, uint64_t ticks)
{
    scope_fold_lane *lane = scope_sums_lane_of(&fold->sums, id, ticks);
    fold->lane = id;
    if (lane)
        lane->row.last_ticks = ticks;
    return lane;
}

void scope_fold_push_task(scope_fold *fold, int64_t id)
{
    if (fold->task_depth == fold->task_capacity) {
        const uint32_t more = fold->task_capacity ? 2 * fold->task_capacity : FIRST_TASKS;
        int64_t *larger = scope_map_alloc(more * sizeof *larger);
        if (larger && fold->tasks) {
            memcpy(larger, fold->tasks, fold->task_depth * sizeof *larger);
            scope_map_free(fold->tasks, fold->task_capacity * sizeof *larger);
        }
        if (larger) {
            fold->tasks = larger;
            fold->task_capacity = more;
        }
    }
    if (fold->task_depth < fold->task_capacity)
        fold->tasks[fold->task_depth] = id;
    fold->task_depth++;
}

uint32_t scope_fold_known_tasks(const scope_fold *fold)
{
    return fold->task_depth < fold->task_capacity ? fold->task_depth : fold->task_capacity;
}

int64_t scope_fold_thread_lane(const scope_fold *fold)
{
    return fold->thread < 0 ? -1 : -2 - fold->thread;
}

static scope_fold_lane *running_lane(scope_fold *fold, uint64_t ticks)
{
    const uint32_t depth = scope_fold_known_tasks(fold);
    return lane_of(fold, depth ? fold->tasks[depth - 1] : scope_fold_thread_lane(fold), ticks);
}

/* ---- one event ---- */

static void sum_region(scope_fold *fold, const decoded_event *event)
{
    scope_fold_lane *lane = running_lane(fold, event->ticks);
    const uint32_t region = (uint32_t)event->id;
    const int64_t time = (int64_t)event->ticks;
    if (!lane || (event->kind == SCOPE_EVENT_BEGIN && !scope_sums_make_room(lane))) {
        fold->dropped_events++;
        return;
    }
    if (event->kind == SCOPE_EVENT_BEGIN) {
        scope_lane_begin(&lane->lane, region, time, finished, fold);
        return;
    }
    if (scope_lane_end(&lane->lane, region, time, finished, fold))
        return;
    /* On a thread all its events are in this stream: nothing to wait for. */
    if (lane->row.lane >= 0 &&
        scope_sums_keep_end(&fold->sums, lane->row.lane, region, event->ticks))
        return;
    if (fold->ring || fold->reported)
        return;
    scope_sum *row = scope_sums_row_of(&fold->sums, fold->lane, region);
    if (row)
        row->orphans++;
}

static void set_point(scope_fold *fold, const scope_session *session,
                      const scope_chunk_header *chunk)
{
    enum { LEAST_NS = 1000000 }; /* a speed over less is no better than the one measured once */
    const int64_t elapsed_ns = chunk->monotonic_ns - session->start.monotonic_ns;
    fold->point = (scope_clock_point){chunk->ticks, chunk->monotonic_ns, 0};
    fold->ticks_per_ns =
        elapsed_ns >= LEAST_NS
            ? (double)(int64_t)(chunk->ticks - session->start.ticks) / (double)elapsed_ns
            : (double)scope_clock_ticks_per_second() / 1e9;
}

/* A call with times of its own, in ticks as the others: right to some parts per million.
 * It may lie anywhere, so that its time stays in the calls around it, too. */
static void sum_call(scope_fold *fold, const decoded_event *event)
{
    const uint64_t high = event->values[1] >> SCOPE_CALL_DURATION_BITS;
    const int64_t start_ns = (int64_t)(event->values[0] | high << SCOPE_PAYLOAD_BITS);
    const uint64_t duration_ns =
        event->values[1] & ((UINT64_C(1) << SCOPE_CALL_DURATION_BITS) - 1);
    const double since = (double)(start_ns - fold->point.monotonic_ns) * fold->ticks_per_ns;
    const double begin = (double)fold->point.ticks + since;
    scope_call call = {.region = (uint32_t)event->id, .moved = SCOPE_MESSAGE_NONE};
    if (!running_lane(fold, event->ticks)) {
        fold->dropped_events += !fold->ring && !fold->reported;
        return;
    }
    call.begin = begin > 0 ? (int64_t)fold->point.ticks + (int64_t)since : 0;
    call.end = call.begin + (int64_t)((double)duration_ns * fold->ticks_per_ns + 0.5);
    finished(fold, &call);
}

static void sum_task(scope_fold *fold, const decoded_event *event)
{
    const int64_t id = (int64_t)event->id;
    scope_fold_lane *lane = lane_of(fold, id, event->ticks);
    if (!lane)
        return;
    switch (event->kind) {
    case SCOPE_EVENT_TASK_NEW:
        lane->row.created_ticks = event->ticks;
        lane->row.created_value = event->values[0];
        lane->row.created_thread = fold->thread;
        break;
    case SCOPE_EVENT_RESUME:
        if (!lane->row.steps++)
            lane->row.first_ticks = event->ticks; /* before, it was not running */
        scope_lane_resume(&lane->lane, (int64_t)event->ticks);
        scope_fold_push_task(fold, id);
        break;
    case SCOPE_EVENT_SUSPEND:
        scope_lane_suspend(&lane->lane, (int64_t)event->ticks);
        if (fold->task_depth)
            fold->task_depth--;
        break;
    default: /* TASK_DONE */
        lane->row.end_ticks = event->ticks;
        break;
    }
}

/* Calls that the throttle summed up. */
static void add_sums(scope_fold *fold, const decoded_event *event)
{
    scope_fold_lane *lane = running_lane(fold, event->ticks);
    scope_sum sum;
    if (!lane)
        return;
    decoded_sum(event, &sum);
    lane->lane.begun += sum.count;
    if (!fold->ring && !fold->reported)
        scope_sums_add_sum(&fold->sums, fold->lane, &sum);
}

static void add_spent(scope_fold *fold, const decoded_event *event)
{
    scope_fold_lane *lane = running_lane(fold, event->ticks);
    if (lane && lane->lane.depth)
        lane->lane.stack[lane->lane.depth - 1].inner += (int64_t)event->values[0];
}

static void describe_task(scope_fold *fold, const decoded_event *event)
{
    scope_fold_lane *lane = lane_of(fold, (int64_t)event->values[0], event->ticks);
    if (lane)
        lane->row.created_value = event->values[1];
}

static void sum_thread(scope_fold *fold, const decoded_event *event)
{
    if (event->kind == SCOPE_EVENT_THREAD) {
        fold->thread = (int64_t)event->id;
        fold->task_depth = 0;
        lane_of(fold, scope_fold_thread_lane(fold), event->ticks);
        return;
    }
    scope_fold_lane *lane = lane_of(fold, -2 - (int64_t)event->id, event->ticks);
    if (!lane)
        return;
    lane->row.end_ticks = event->ticks;
    lane->row.cpu_ns = (int64_t)event->values[0];
}

static void sum_event(scope_fold *fold, const decoded_event *event)
{
    scope_fold_lane *lane;
    switch (event->kind) {
    case SCOPE_EVENT_BEGIN:
    case SCOPE_EVENT_END:
        sum_region(fold, event);
        break;
    case SCOPE_EVENT_RESUME:
    case SCOPE_EVENT_SUSPEND:
    case SCOPE_EVENT_TASK_NEW:
    case SCOPE_EVENT_TASK_DONE:
        sum_task(fold, event);
        break;
    case SCOPE_EVENT_THREAD:
    case SCOPE_EVENT_THREAD_END:
        sum_thread(fold, event);
        break;
    case SCOPE_EVENT_MESSAGE:
        lane = running_lane(fold, event->ticks);
        if (lane) {
            const scope_message message = scope_message_of(event->id, event->values);
            scope_lane_message(&lane->lane, &message);
        }
        break;
    case SCOPE_EVENT_EXTENDED:
        if (event->sub_kind == SCOPE_EXTENDED_TASK)
            describe_task(fold, event);
        else if (event->sub_kind == SCOPE_EXTENDED_SPENT)
            add_spent(fold, event);
        else if (event->sub_kind == SCOPE_EXTENDED_SUM)
            add_sums(fold, event);
        break;
    case SCOPE_EVENT_CALL:
        sum_call(fold, event);
        break;
    case SCOPE_EVENT_MARK:
    case SCOPE_EVENT_COUNTER:
        fold->dropped_events += !fold->ring && !fold->reported; /* points have no sum */
        break;
    default:
        break;
    }
}

/* ---- a chunk ---- */

/* What the lanes' rows do not keep either. */
static bool is_lost(const decoded_event *event)
{
    switch (event->kind) {
    case SCOPE_EVENT_BEGIN:
    case SCOPE_EVENT_END:
    case SCOPE_EVENT_MESSAGE:
    case SCOPE_EVENT_CALL:
    case SCOPE_EVENT_MARK:
    case SCOPE_EVENT_COUNTER: return true;
    case SCOPE_EVENT_EXTENDED: return event->sub_kind == SCOPE_EXTENDED_SUM;
    default: return false;
    }
}

static bool has_lost(decoder *decoder)
{
    decoded_event event;
    while (decoder_next(decoder, &event))
        if (is_lost(&event))
            return true;
    return false;
}

bool scope_fold_chunk_passes_cut(const scope_stream *stream, const scope_chunk_header *chunk)
{
    decoder decoder = {0};
    if (stream->cuts && chunk->sequence < stream->cut_sequence)
        return false;
    decoder_enter(&decoder, chunk->ticks);
    if (stream->cuts && chunk->sequence == stream->cut_sequence)
        decoder.position = stream->cut_word;
    decoder_words(&decoder, (const uint64_t *)(chunk + 1),
                  (chunk->size_bytes - sizeof *chunk) / sizeof(uint64_t));
    return has_lost(&decoder);
}

/* Is the next word before the stream's cut? Where it is not any more, what was summed up
 * to here is in a file already. */
static bool is_reported(scope_fold *fold, const scope_stream *stream,
                        const scope_chunk_header *chunk)
{
    if (fold->cuts == stream->cuts)
        return false;
    if (chunk->sequence < stream->cut_sequence ||
        (chunk->sequence == stream->cut_sequence && fold->decoder.position < stream->cut_word))
        return true;
    scope_sums_forget_rows(&fold->sums);
    fold->dropped_events = 0;
    fold->cuts = stream->cuts;
    return false;
}

static bool is_sum(const decoded_event *event)
{
    return event->kind == SCOPE_EVENT_EXTENDED && event->sub_kind == SCOPE_EXTENDED_SUM;
}

uint64_t scope_fold_sum_chunk(scope_fold *fold, const scope_stream *stream,
                          const scope_chunk_header *chunk)
{
    uint64_t events = 0;
    decoded_event event;
    fold->thread = chunk->thread;
    set_point(fold, stream->session, chunk);
    decoder_enter(&fold->decoder, chunk->ticks);
    decoder_words(&fold->decoder, (const uint64_t *)(chunk + 1),
                  (chunk->size_bytes - sizeof *chunk) / sizeof(uint64_t));
    fold->reported = is_reported(fold, stream, chunk);
    while (decoder_next(&fold->decoder, &event)) {
        fold->dropped_events += fold->ring && !fold->reported && is_lost(&event);
        sum_event(fold, &event);
        events += fold->reported ? 0 : is_sum(&event) ? 2 * event.values[SCOPE_SUM_COUNT] : 1;
        if (fold->reported)
            fold->reported = is_reported(fold, stream, chunk);
    }
    return events;
}
