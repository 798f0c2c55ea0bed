/* lane.h - the lane state machine: events of one lane in, finished calls out.
 *
 * A lane (a thread or a task) can only nest; this is where begin and end meet.
 * It is used twice: `fold` sums its output inside the process, replay makes rows
 * of it. It allocates nothing: the caller gives the stack and grows it.
 *
 *     stack [0 .. depth)                     open calls, outermost first
 *     stack [capacity - pending .. capacity)  closed by implication, not settled
 *
 * Units      times are int64_t of one clock of the caller's choice (ticks in
 *            fold, nanoseconds in replay); they must not decrease on a lane.
 * Ownership  the stack is the caller's; move it freely between calls, but keep
 *            both its ends in place (scope_lane_grow does).
 * Threads    none: one lane, one caller.
 *
 * The rule   END r closes the innermost open r. Calls opened inside it and still
 *            open get a provisional end there (IMPLIED); a later END of that
 *            region before the lane's next BEGIN of it replaces that end
 *            (CROSSED: true intervals kept). No open r and nothing pending: an
 *            orphan. At most SCOPE_LANE_PENDING_MAX provisional ends are kept
 *            open; beyond that the oldest becomes final.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_LANE_H
#define SCOPE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include <scope/event.h>

#define SCOPE_LANE_PENDING_MAX 256u

typedef enum scope_call_flags {
    SCOPE_CALL_IMPLIED = 1, /* no END of its own: closed by the end of a call around it */
    SCOPE_CALL_CROSSED = 2, /* ended after a call that began before it */
    SCOPE_CALL_OPEN = 4,    /* still open when the recording ended */
    SCOPE_CALL_MESSAGE = 8, /* it has a message (not stored in files) */
    SCOPE_CALL_MESSAGES = 16, /* it has several, or one that its row says nothing of (not stored) */
} scope_call_flags;

/* One call of a region on one lane. While open, end is not yet set. */
typedef struct scope_call {
    int64_t begin, end;
    int64_t inner;        /* time in calls directly inside this one */
    int64_t suspended;    /* open: the lane's suspended time at begin; finished: await time */
    uint64_t mark;        /* lane.c's own: the regions open at or below; pending: await time */
    uint64_t order;       /* of its begin on the lane, from 0 */
    uint32_t region;
    uint32_t flags;       /* scope_call_flags */
    scope_message moved;  /* of all its messages: scope_lane_message */
} scope_call;

typedef struct scope_lane {
    scope_call *stack;
    uint32_t capacity;
    uint32_t depth;         /* open calls */
    uint32_t pending;       /* closed by implication, not settled */
    uint64_t begun;         /* calls begun so far */
    int64_t suspended;      /* total suspended time so far (tasks) */
    int64_t suspended_since; /* -1: running */
    int64_t implied_count, crossed_count, orphan_count;
} scope_lane;

/* Takes each finished call, once. Order: as they settle, not as they began. */
typedef void scope_call_fn(void *context, const scope_call *call);

/* An empty lane on `stack`. */
void scope_lane_start(scope_lane *lane, scope_call *stack, uint32_t capacity);

/* Move to a larger stack, copying both ends; the old one may then be freed. */
void scope_lane_grow(scope_lane *lane, scope_call *stack, uint32_t capacity);

/* true: a begin (which needs one free slot) fits. */
static inline bool scope_lane_has_room(const scope_lane *lane)
{
    return lane->depth + lane->pending < lane->capacity;
}

/* Needs room. Settles what is pending of this region first. */
void scope_lane_begin(scope_lane *lane, uint32_t region, int64_t time, scope_call_fn *finished,
                      void *context);

/* Returns false for an orphan, which is counted. */
bool scope_lane_end(scope_lane *lane, uint32_t region, int64_t time, scope_call_fn *finished,
                    void *context);

/* A message of the innermost open call; ignored when none is open. Of several, the
 * call's kind is that of the first and its bytes are the sum over that kind; of the
 * others' peer, communicator and tag it keeps those in which all of that kind agree. */
void scope_lane_message(scope_lane *lane, const scope_message *message);

/* The lane stops running, and runs again. */
void scope_lane_suspend(scope_lane *lane, int64_t time);
void scope_lane_resume(scope_lane *lane, int64_t time);

/* Put back what was saved of a lane (recording.h, scope_sums_open): open calls
 * outermost first, then pending ones oldest first. Each needs room. Of a pending
 * call `suspended` is its await time up to the provisional end. */
void scope_lane_put_open(scope_lane *lane, const scope_call *call);
void scope_lane_put_pending(scope_lane *lane, const scope_call *call);

/* Settle what is pending, and give every open call the end `time` and OPEN. */
void scope_lane_finish(scope_lane *lane, int64_t time, scope_call_fn *finished, void *context);

#endif
