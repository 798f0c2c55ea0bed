/* file_limit.h - write to a file without the signal that a file size limit sends.
 *
 *     scope_file_limit limit = scope_file_limit_enter();
 *     write, fallocate ...: EFBIG, and no SIGXFSZ
 *     scope_file_limit_leave(&limit, failed);
 *
 * Threads    acts on the calling thread alone; async-signal-safe.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FILE_LIMIT_H
#define SCOPE_FILE_LIMIT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

typedef struct scope_file_limit {
    sigset_t signal, before, pending;
} scope_file_limit;

static inline scope_file_limit scope_file_limit_enter(void)
{
    scope_file_limit limit;
    sigemptyset(&limit.signal);
    sigaddset(&limit.signal, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit.signal, &limit.before);
    sigpending(&limit.pending);
    return limit;
}

/* `failed`: the signal may be pending because of us; the program's own stays. */
static inline void scope_file_limit_leave(const scope_file_limit *limit, bool failed)
{
    const struct timespec at_once = {0, 0};
    if (failed && !sigismember(&limit->pending, SIGXFSZ))
        sigtimedwait(&limit->signal, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &limit->before, NULL);
}

#endif
