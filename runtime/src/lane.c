/* lane.c - where begin and end meet: the state machine of one lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/lane.h>

#include <stddef.h>
#include <string.h>

/* Which regions are open at or below a call, as a set of 64 bits: an END that
 * closes nothing is known at once in most cases, however deep the stack is. An
 * END that does close something removes all that it walked over. */
static uint64_t region_bit(uint32_t region)
{
    return UINT64_C(1) << (region * UINT32_C(0x9E3779B1) >> 26);
}

static int64_t suspended_until(const scope_lane *lane, int64_t time)
{
    if (lane->suspended_since >= 0 && time > lane->suspended_since)
        return lane->suspended + (time - lane->suspended_since);
    return lane->suspended;
}

static scope_call *pending_at(const scope_lane *lane, uint32_t place)
{
    return &lane->stack[lane->capacity - lane->pending + place];
}

/* Take one call out of the pending ones; the place of the first is filled. */
static scope_call take_pending(scope_lane *lane, uint32_t place)
{
    const scope_call call = *pending_at(lane, place);
    for (uint32_t i = place; i > 0; i--)
        *pending_at(lane, i) = *pending_at(lane, i - 1);
    lane->pending--;
    return call;
}

static void settle(scope_lane *lane, uint32_t place, scope_call_fn *finished, void *context)
{
    scope_call call = take_pending(lane, place);
    call.suspended = (int64_t)call.mark;
    call.mark = 0;
    lane->implied_count++;
    finished(context, &call);
}

/* The innermost open call leaves the stack with an end. */
static scope_call pop(scope_lane *lane, int64_t time)
{
    scope_call call = lane->stack[--lane->depth];
    call.end = time;
    if (lane->depth)
        lane->stack[lane->depth - 1].inner += time - call.begin;
    return call;
}

static void end_here(scope_lane *lane, int64_t time, uint32_t flags, scope_call_fn *finished,
                     void *context)
{
    scope_call call = pop(lane, time);
    call.suspended = suspended_until(lane, time) - call.suspended;
    call.mark = 0;
    call.flags |= flags;
    finished(context, &call);
}

/* The innermost open call ends for now, with the end of a call around it. */
static void imply(scope_lane *lane, int64_t time, scope_call_fn *finished, void *context)
{
    if (lane->pending >= SCOPE_LANE_PENDING_MAX)
        settle(lane, lane->pending - 1, finished, context);
    scope_call call = pop(lane, time);
    call.flags |= SCOPE_CALL_IMPLIED;
    call.mark = (uint64_t)(suspended_until(lane, time) - call.suspended);
    lane->pending++;
    *pending_at(lane, 0) = call;
}

/* Of calls that were folded meanwhile the order is that in which they ended; their times stay. */
static bool began_later(const scope_call *a, const scope_call *b)
{
    return a->begin != b->begin ? a->begin > b->begin : a->order > b->order;
}

/* A later END than the implied one is the true one. */
static bool end_crossed(scope_lane *lane, uint32_t region, int64_t time, scope_call_fn *finished,
                        void *context)
{
    uint32_t innermost = UINT32_MAX;
    for (uint32_t i = 0; i < lane->pending; i++) {
        const scope_call *call = pending_at(lane, i);
        if (call->region == region &&
            (innermost == UINT32_MAX || began_later(call, pending_at(lane, innermost))))
            innermost = i;
    }
    if (innermost == UINT32_MAX)
        return false;
    scope_call call = take_pending(lane, innermost);
    call.end = time;
    call.suspended = suspended_until(lane, time) - call.suspended;
    call.mark = 0;
    call.flags = (call.flags & ~(uint32_t)SCOPE_CALL_IMPLIED) | SCOPE_CALL_CROSSED;
    lane->crossed_count++;
    finished(context, &call);
    return true;
}

void scope_lane_start(scope_lane *lane, scope_call *stack, uint32_t capacity)
{
    *lane = (scope_lane){.stack = stack, .capacity = capacity, .suspended_since = -1};
}

void scope_lane_grow(scope_lane *lane, scope_call *stack, uint32_t capacity)
{
    if (lane->depth)
        memcpy(stack, lane->stack, lane->depth * sizeof *stack);
    if (lane->pending)
        memcpy(stack + (capacity - lane->pending), pending_at(lane, 0),
               lane->pending * sizeof *stack);
    lane->stack = stack;
    lane->capacity = capacity;
}

void scope_lane_begin(scope_lane *lane, uint32_t region, int64_t time, scope_call_fn *finished,
                      void *context)
{
    for (uint32_t i = lane->pending; i-- > 0;)
        if (pending_at(lane, i)->region == region)
            settle(lane, i, finished, context); /* places below i stay what they were */
    const uint64_t below = lane->depth ? lane->stack[lane->depth - 1].mark : 0;
    lane->stack[lane->depth++] = (scope_call){
        .begin = time,
        .suspended = suspended_until(lane, time),
        .mark = below | region_bit(region),
        .order = lane->begun++,
        .region = region,
        .moved = SCOPE_MESSAGE_NONE,
    };
}

bool scope_lane_end(scope_lane *lane, uint32_t region, int64_t time, scope_call_fn *finished,
                    void *context)
{
    const uint64_t bit = region_bit(region);
    uint32_t place = lane->depth;
    while (place > 0 && lane->stack[place - 1].region != region) {
        if (!(lane->stack[place - 1].mark & bit))
            place = 0;
        else
            place--;
    }
    if (place == 0) {
        if (lane->pending && end_crossed(lane, region, time, finished, context))
            return true;
        lane->orphan_count++;
        return false;
    }
    while (lane->depth > place)
        imply(lane, time, finished, context);
    end_here(lane, time, 0, finished, context);
    return true;
}

void scope_lane_message(scope_lane *lane, const scope_message *message)
{
    if (!lane->depth)
        return;
    scope_call *call = &lane->stack[lane->depth - 1];
    scope_message *moved = &call->moved;
    if (scope_message_is_completion(message->kind)) {
        call->flags |= SCOPE_CALL_MESSAGES;
        return;
    }
    if (!(call->flags & SCOPE_CALL_MESSAGE)) {
        *moved = *message;
        call->flags |= SCOPE_CALL_MESSAGE;
        return;
    }
    call->flags |= SCOPE_CALL_MESSAGES;
    if (message->kind != moved->kind)
        return;
    moved->bytes = (int64_t)((uint64_t)moved->bytes + (uint64_t)message->bytes); /* damaged words may overflow */
    if (moved->peer != message->peer)
        moved->peer = -1;
    if (moved->communicator != message->communicator)
        moved->communicator = -1;
    if (moved->tag != message->tag)
        moved->tag = -1;
}

void scope_lane_suspend(scope_lane *lane, int64_t time)
{
    if (lane->suspended_since < 0)
        lane->suspended_since = time;
}

void scope_lane_resume(scope_lane *lane, int64_t time)
{
    lane->suspended = suspended_until(lane, time);
    lane->suspended_since = -1;
}

void scope_lane_put_open(scope_lane *lane, const scope_call *call)
{
    const uint64_t below = lane->depth ? lane->stack[lane->depth - 1].mark : 0;
    lane->stack[lane->depth] = *call;
    lane->stack[lane->depth++].mark = below | region_bit(call->region);
}

void scope_lane_put_pending(scope_lane *lane, const scope_call *call)
{
    lane->pending++;
    *pending_at(lane, 0) = *call;
    pending_at(lane, 0)->mark = (uint64_t)call->suspended;
    /* the total at its begin, as if nothing was waited for since the provisional end */
    pending_at(lane, 0)->suspended = lane->suspended - call->suspended;
    pending_at(lane, 0)->flags |= SCOPE_CALL_IMPLIED;
}

void scope_lane_finish(scope_lane *lane, int64_t time, scope_call_fn *finished, void *context)
{
    while (lane->pending)
        settle(lane, lane->pending - 1, finished, context);
    while (lane->depth)
        end_here(lane, time, SCOPE_CALL_OPEN, finished, context);
}
