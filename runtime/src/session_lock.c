/* session_lock.c - see session_lock.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session_lock.h"

#include <pthread.h>
#include <time.h>

#define FORK_WAIT_NS INT64_C(5000000000)

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
    for (unsigned tries = 0; pthread_mutex_trylock(&session_lock); tries++)
        wait_held(tries);
    holds_lock = true;
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
    for (unsigned tries = 0; pthread_mutex_trylock(&session_lock); tries++) {
        if (goes_beside(start_ns)) {
            fork_way = FORK_BESIDE;
            return false;
        }
        wait_held(tries);
    }
    holds_lock = true;
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
    holds_lock = writing = outwaited = false;
    atomic_store(&shut, false);
    if (fork_way != FORK_INSIDE)
        scope_release();
}
