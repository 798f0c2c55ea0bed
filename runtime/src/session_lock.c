/* session_lock.c - see session_lock.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_lock.h"

#include <pthread.h>
#include <time.h>

#include "engine.h"

#define FORK_WAIT_NS INT64_C(5000000000)
#define LINE_MAX_WAITERS 64
#define AWAY_NS INT64_C(1000000000)

static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool holds_lock __attribute__((tls_model("initial-exec")));
static _Atomic(bool) shut;

static pthread_mutex_t write_gate = PTHREAD_MUTEX_INITIALIZER; /* whoever has it keeps `writing` */
static bool writing, outwaited;
static _Thread_local enum {
    FORK_INSIDE, /* this thread has the lock already */
    FORK_ALONE,
    FORK_BESIDE, /* another thread writes a file */
} fork_way __attribute__((tls_model("initial-exec")));
static struct {
    uint64_t signals;
    uint16_t held;
    uint8_t cancel_state, cancel_type;
} before_hold; /* of who lets handlers come while it holds the lock */

/* ---- the line of those that wait ----
 *
 * First come, first served: beside a thread that flushes in a loop, the end of the recording
 * would else come at no certain time. A place in the line is advice alone, the mutex is the
 * lock: who was cancelled or jumped away while it waited is not heard of any more, and nobody
 * waits for it longer than AWAY_NS. Who finds all places taken waits without one. */

static struct place {
    _Atomic(uint64_t) ticket; /* 0: free */
    _Atomic(int64_t) seen_ns; /* when its thread last looked */
} line[LINE_MAX_WAITERS];
static _Atomic(uint64_t) last_ticket;
/* 0: does not wait. A handler that comes meanwhile waits in this thread's stead. */
static _Thread_local uint64_t my_ticket __attribute__((tls_model("initial-exec")));
static _Thread_local struct place *my_place __attribute__((tls_model("initial-exec")));

static void take_place(int64_t now_ns)
{
    for (struct place *place = line; place < line + LINE_MAX_WAITERS; place++) {
        uint64_t ticket = atomic_load(&place->ticket);
        if (ticket && now_ns - atomic_load(&place->seen_ns) < AWAY_NS)
            continue;
        atomic_store(&place->seen_ns, now_ns);
        if (atomic_compare_exchange_strong(&place->ticket, &ticket, my_ticket)) {
            my_place = place;
            return;
        }
    }
}

/* The longest waiting one, of those that are heard of. */
static bool is_first(int64_t now_ns)
{
    for (const struct place *place = line; place < line + LINE_MAX_WAITERS; place++) {
        const uint64_t ticket = atomic_load(&place->ticket);
        if (ticket && ticket < my_ticket && now_ns - atomic_load(&place->seen_ns) < AWAY_NS)
            return false;
    }
    return true;
}

static void leave_line(void)
{
    uint64_t ticket = my_ticket;
    if (my_place)
        atomic_compare_exchange_strong(&my_place->ticket, &ticket, 0);
    my_place = NULL;
    my_ticket = 0;
}

static bool try_lock(void)
{
    const int64_t now_ns = scope_clock_monotonic_ns();
    if (!my_ticket)
        my_ticket = atomic_fetch_add(&last_ticket, 1) + 1;
    if (my_place && atomic_load(&my_place->ticket) == my_ticket)
        atomic_store(&my_place->seen_ns, now_ns);
    else
        my_place = NULL; /* not yet one, or taken for gone */
    if (is_first(now_ns) && !pthread_mutex_trylock(&session_lock)) {
        leave_line();
        holds_lock = true;
        return true;
    }
    if (!my_place)
        take_place(now_ns);
    return false;
}

/* The other one may be writing a large file. */
static void wait_held(unsigned tries)
{
    const struct timespec pause = {.tv_nsec = tries < 50 ? 20000 : 1000000};
    scope_release();
    nanosleep(&pause, NULL);
    scope_hold();
}

bool scope_session_has_lock(void)
{
    return holds_lock;
}

bool scope_session_enter(void)
{
    if (holds_lock || atomic_load(&shut))
        return false;
    scope_hold();
    for (unsigned tries = 0; !try_lock(); tries++)
        wait_held(tries);
    return true;
}

void scope_session_exit(void)
{
    pthread_mutex_unlock(&session_lock);
    holds_lock = false;
    scope_release();
}

void scope_session_shut(void)
{
    atomic_store(&shut, true);
}

static void set_writing(bool is)
{
    pthread_mutex_lock(&write_gate);
    writing = is;
    outwaited = false;
    pthread_mutex_unlock(&write_gate);
}

void scope_session_let_handlers(void)
{
    scope_thread *self = &scope_this_thread;
    before_hold.signals = self->signals;
    before_hold.held = self->held;
    before_hold.cancel_state = self->cancel_state;
    before_hold.cancel_type = self->cancel_type;
    set_writing(true);
    self->held = 0;
    scope_set_signals(SIG_SETMASK, before_hold.signals, NULL);
}

void scope_session_keep_handlers(void)
{
    scope_thread *self = &scope_this_thread;
    scope_set_signals(SIG_BLOCK, ~SCOPE_SIGNALS_OPEN, NULL);
    self->signals = before_hold.signals;
    self->cancel_state = before_hold.cancel_state;
    self->cancel_type = before_hold.cancel_type;
    self->held = before_hold.held;
    set_writing(false);
}

/* ---- around a fork ---- */

/* A write that does not end while this thread has the gate, and has lasted long enough. */
static bool goes_beside(int64_t start_ns)
{
    pthread_mutex_lock(&write_gate);
    outwaited = outwaited || (writing && scope_clock_monotonic_ns() - start_ns > FORK_WAIT_NS);
    if (outwaited)
        return true;
    pthread_mutex_unlock(&write_gate);
    return false;
}

bool scope_session_enter_fork(void)
{
    const int64_t start_ns = scope_clock_monotonic_ns();
    fork_way = FORK_INSIDE;
    if (holds_lock || atomic_load(&shut))
        return false;
    scope_hold();
    for (unsigned tries = 0; !try_lock(); tries++) {
        if (goes_beside(start_ns)) {
            fork_way = FORK_BESIDE;
            leave_line();
            return false;
        }
        wait_held(tries);
    }
    fork_way = FORK_ALONE;
    return true;
}

void scope_session_exit_fork(void)
{
    if (fork_way == FORK_ALONE) {
        scope_session_exit();
    } else if (fork_way == FORK_BESIDE) {
        pthread_mutex_unlock(&write_gate);
        scope_release();
    }
}

void scope_session_reset_fork(void)
{
    pthread_mutex_init(&session_lock, NULL);
    pthread_mutex_init(&write_gate, NULL);
    for (struct place *place = line; place < line + LINE_MAX_WAITERS; place++)
        atomic_store(&place->ticket, 0);
    holds_lock = writing = outwaited = false;
    atomic_store(&shut, false);
    if (fork_way != FORK_INSIDE)
        scope_release();
}
