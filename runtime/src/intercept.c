/* intercept.c - pthread_create and thrd_create: see threads start.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#include <scope/sink.h>

#include "intercept.h"
#include "engine.h"
#include "record.h"
#include "session_list.h"
#include "thread.h"

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int thrd_create_fn(thrd_t *, thrd_start_t, void *);

int scope_under_tsan;

static _Atomic(create_fn *) next_create;
static _Atomic(thrd_create_fn *) next_thrd_create;

static _Thread_local int creates_foreign __attribute__((tls_model("initial-exec")));

typedef struct start {
    void *(*function)(void *);
    thrd_start_t c11_function;
    void *argument;
} start;

void scope_intercept_setup(void)
{
    scope_under_tsan = dlsym(RTLD_DEFAULT, "__tsan_init") != NULL;
    next_create = (create_fn *)dlsym(RTLD_NEXT, "pthread_create");
    next_thrd_create = (thrd_create_fn *)dlsym(RTLD_NEXT, "thrd_create");
}

void scope_runtime_foreign_threads(int foreign)
{
    creates_foreign = foreign;
}

/* The first thing a new thread does. */
static void see_start(void)
{
    if (!scope_enter())
        return;
    scope_engine_lock();
    if (scope_thread_know(scope_ticks(), SCOPE_THREAD_START_EXACT) &&
        scope_session_phase_of(&scope_process_session) == SCOPE_SESSION_RECORDING &&
        !scope_session_is_quiet_host(&scope_process_session))
        scope_thread_enrol(&scope_process_session, &scope_this_thread.slot,
                           scope_this_thread.entry);
    scope_engine_unlock();
    scope_leave();
}

static void *run(void *argument)
{
    const start started = *(start *)argument;
    free(argument);
    see_start();
    void *result = started.function(started.argument);
    scope_thread_keep_from_cancel();
    return result;
}

static int run_c11(void *argument)
{
    const start started = *(start *)argument;
    free(argument);
    see_start();
    const int result = started.c11_function(started.argument);
    scope_thread_keep_from_cancel();
    return result;
}

SCOPE_API int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*function)(void *), void *argument)
{
    create_fn *next = next_create;
    if (!next) { /* a constructor that runs before ours */
        scope_intercept_setup();
        next = next_create;
    }
    start *started = scope_under_tsan || creates_foreign ? NULL : malloc(sizeof *started);
    if (!started)
        return next(thread, attributes, function, argument);
    started->function = function;
    started->argument = argument;
    const int rc = next(thread, attributes, run, started);
    if (rc)
        free(started);
    return rc;
}

SCOPE_API int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    thrd_create_fn *next = next_thrd_create;
    if (!next) {
        scope_intercept_setup();
        next = next_thrd_create;
    }
    start *started = scope_under_tsan || creates_foreign ? NULL : malloc(sizeof *started);
    if (!started)
        return next(thread, function, argument);
    started->c11_function = function;
    started->argument = argument;
    const int rc = next(thread, run_c11, started);
    if (rc != thrd_success)
        free(started);
    return rc;
}
