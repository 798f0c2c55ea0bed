/* exit.c - the ends of a process: atexit writes; _exit and its like only leave a mark.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exit.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <scope/sink.h>
#include <scope/version.h>

#include "record.h"
#include "say.h"
#include "session_end.h"
#include "spool.h"

typedef void exit_fn(int);

static exit_fn *next_exit, *next_c_exit, *next_quick_exit;

/* ---- exit() in a handler that came in malloc ----
 *
 * The heap's lock is taken by the code that was interrupted, so whoever allocates now waits
 * for itself, and a writer allocates. A handler shows by the signal that is blocked while it
 * runs; then one piece is asked for, with an alarm clock beside. Without memory nothing is
 * written: the spool has it all. */

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
#define PIECE_BYTES (16u << 10) /* too large for a thread's own cache, small enough for the heap   \
                                 */

static sigjmp_buf no_memory;

static void give_up(int number)
{
    (void)number;
    siglongjmp(no_memory, 1);
}

static bool allocates(int clock)
{
    const struct itimerspec limit = {{1, 0}, {1, 0}};
    volatile bool done = false;
    if (!sigsetjmp(no_memory, 1)) {
        scope_set_signals(SIG_UNBLOCK, SCOPE_SIGNAL_BIT(SIGRTMAX), NULL);
        syscall(SYS_timer_settime, clock, 0, &limit, NULL);
        void *volatile piece = malloc(PIECE_BYTES);
        free(piece);
        done = true;
    }
    scope_set_signals(SIG_BLOCK, SCOPE_SIGNAL_BIT(SIGRTMAX), NULL);
    return done;
}

static bool has_memory(void)
{
    const struct sigaction action = {.sa_handler = give_up};
    struct sigaction before;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX};
    uint64_t blocked = 0;
    int clock;
    scope_set_signals(SIG_BLOCK, 0, &blocked);
    if (!blocked)
        return true; /* in no handler */
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &clock))
        return true;
    sigaction(SIGRTMAX, &action, &before);
    const bool allocated = allocates(clock);
    syscall(SYS_timer_delete, clock);
    sigaction(SIGRTMAX, &before, NULL);
    scope_set_signals(SIG_SETMASK, blocked, NULL);
    return allocated;
}

static void at_exit(void)
{
    if (has_memory()) {
        scope_end_process();
        return;
    }
    scope_spool_mark_end(SCOPE_END_EXIT_FAST, 0);
    if (scope_store.is_open && scope_store.path[0] && scope_session_may_say())
        scope_runtime_say("handler",
                          "exit() in a signal handler that interrupted malloc: nothing "
                          "can be written; the recording is kept: scope recover %s",
                          scope_store.path);
}

void scope_exit_setup(void)
{
    next_exit = (exit_fn *)dlsym(RTLD_NEXT, "_exit");
    next_c_exit = (exit_fn *)dlsym(RTLD_NEXT, "_Exit");
    next_quick_exit = (exit_fn *)dlsym(RTLD_NEXT, "quick_exit");
    atexit(at_exit);
}

/* These run in signal handlers and in vfork children: a store, nothing else. */
static void leave(exit_fn *next, int code)
{
    scope_spool_mark_end(SCOPE_END_EXIT_FAST, code);
    if (next)
        next(code);
    for (;;)
        syscall(SYS_exit_group, code);
}

SCOPE_API void _exit(int code)
{
    leave(next_exit, code);
    __builtin_unreachable();
}

SCOPE_API void _Exit(int code)
{
    leave(next_c_exit, code);
    __builtin_unreachable();
}

SCOPE_API void quick_exit(int code)
{
    leave(next_quick_exit, code);
    __builtin_unreachable();
}
