/* engine.h - inside the recorder: no handler comes, and one thread at a time.
 *
 *     if (!scope_enter())         the handler of a fault, inside the recorder already
 *         return;
 *     scope_engine_lock();        only where more than this thread's own is touched
 *     ...
 *     scope_engine_unlock();
 *     scope_leave();
 *
 * Threads    any. A handler never meets the lock: signals are blocked (scope_enter) while
 *            it is held, and that of a fault finds its thread busy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ENGINE_H
#define SCOPE_ENGINE_H

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record.h"

/* The lock of everything behind the hot path. The caller is busy (scope_enter). */
void scope_engine_lock(void);
void scope_engine_unlock(void);
void scope_engine_reset_lock(void); /* in a forked child */

/* ---- held: no handler comes, and this thread is not cancelled ----
 *
 * Around all that takes a lock of ours. A handler that jumps away (siglongjmp), ends the
 * process or records would find the lock taken by the very code that it interrupted; a
 * cancelled thread would take the lock with it. Two system calls, some 200 ns, in paths
 * that run once per chunk, thread or name. Open stay: faults (a blocked one kills without
 * its handler), and the C library's own signals, for cancellation and for setuid, which
 * waits for every thread.
 *
 * Cancellation of a thread that allows it at any instant: glibc marks the thread, then sends
 * its signal. Between the two, every system call that is a cancellation point waits for the
 * signal at its end, although cancellation is disabled: blocked, the signal never came. Nor
 * may it come later: during such a system call it ends the thread, disabled or not. So such
 * a thread meets a signal that is on its way here, where it has no lock yet. Later ones are
 * not sent, as cancellation is disabled. */

#define SCOPE_SIGNAL_BIT(number) (UINT64_C(1) << ((number) - 1))
#define SCOPE_SIGNALS_OPEN                                                                     \
    (SCOPE_SIGNAL_BIT(SIGSEGV) | SCOPE_SIGNAL_BIT(SIGBUS) | SCOPE_SIGNAL_BIT(SIGFPE) |         \
     SCOPE_SIGNAL_BIT(SIGILL) | SCOPE_SIGNAL_BIT(SIGTRAP) | SCOPE_SIGNAL_BIT(SIGSYS) |         \
     SCOPE_SIGNAL_BIT(32) /* SIGCANCEL of glibc */ | SCOPE_SIGNAL_BIT(33) /* SIGSETXID */)

static inline void scope_set_signals(int how, uint64_t mask, uint64_t *before)
{
    syscall(SYS_rt_sigprocmask, how, &mask, before, sizeof mask);
}

/* The signals that were blocked before. A cancellation point waits for the signal, and may be
 * the end of this thread. In a handler that came while glibc's own had just started, it would
 * wait for that one: marked as cancelled here, this thread ends when it is no longer held. */
static inline void scope_meet_cancel(uint64_t blocked)
{
    if (blocked & SCOPE_SIGNAL_BIT(32))
        pthread_cancel(pthread_self());
    else
        poll(NULL, 0, 0);
}

static inline void scope_hold(void)
{
    scope_thread *self = &scope_this_thread;
    uint64_t before = 0;
    int state, type;
    if (!self->held) {
        scope_set_signals(SIG_BLOCK, ~SCOPE_SIGNALS_OPEN, &before);
        pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
        if (type == PTHREAD_CANCEL_ASYNCHRONOUS && state == PTHREAD_CANCEL_ENABLE)
            scope_meet_cancel(before);
        self->signals = before;
        self->cancel_type = (uint8_t)type;
        self->cancel_state = (uint8_t)state;
    }
    self->held++;
}

static inline void scope_release(void)
{
    scope_thread *self = &scope_this_thread;
    const uint64_t before = self->signals;
    const int state = self->cancel_state, type = self->cancel_type;
    if (--self->held)
        return;
    pthread_setcancelstate(state, NULL);
    pthread_setcanceltype(type, NULL); /* may be the end of this thread */
    scope_set_signals(SIG_SETMASK, before, NULL);
}

/* ---- busy: this thread is inside our own code, held ----
 * Only the handler of a fault finds it set. */

static inline bool scope_enter(void)
{
    scope_thread *self = &scope_this_thread;
    const int error = errno;
    if (self->busy)
        return false;
    scope_hold();
    self->busy = 1;
    self->error = error;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

static inline void scope_leave(void)
{
    errno = scope_this_thread.error;
    atomic_signal_fence(memory_order_seq_cst);
    scope_this_thread.busy = 0;
    scope_release();
}

#endif
