/* roomy.c - see roomy.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "roomy.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <scope/sink.h>

#define NEEDED_BYTES (256u << 10)
#define STACK_BYTES (2u << 20)

typedef struct job {
    void (*work)(void *);
    void *context;
} job;

static bool is_cramped(void)
{
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size_bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return false;
    const bool known = pthread_attr_getstack(&attributes, &lowest, &size_bytes) == 0;
    pthread_attr_destroy(&attributes);
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = (uintptr_t)lowest;
    /* on a stack of the program's own making (sigaltstack, a fiber) nothing is known */
    return known && here > end && here - end <= size_bytes && here - end < NEEDED_BYTES;
}

static void *run(void *argument)
{
    const job *job = argument;
    job->work(job->context);
    return NULL;
}

static bool run_apart(job *job)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes))
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers are not for it */
    scope_runtime_foreign_threads(1);
    const bool started = pthread_create(&thread, &attributes, run, job) == 0;
    scope_runtime_foreign_threads(0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    return started;
}

void scope_run_roomy(void (*work)(void *context), void *context)
{
    job job = {work, context};
    if (!is_cramped() || !run_apart(&job))
        work(context);
}
