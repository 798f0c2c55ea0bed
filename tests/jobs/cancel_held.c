/* cancel_held.c - a thread that allows cancellation at any instant is cancelled where the
 * runtime has just blocked its signals, before it starts the recording.
 *
 * The program's `syscall` comes before the C library's.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

static scope_region work;
static _Thread_local volatile int armed;
static atomic_int reached, cancelled;

long syscall(long number, ...)
{
    long of[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        of[i] = va_arg(arguments, long);
    va_end(arguments);
    long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    const long rc = next(number, of[0], of[1], of[2], of[3], of[4], of[5]);
    if (number == SYS_rt_sigprocmask && of[0] == SIG_BLOCK && armed) {
        armed = 0;
        atomic_store(&reached, 1);
        while (!atomic_load(&cancelled))
            ;
    }
    return rc;
}

static void *records(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    armed = 1;
    scope_region_begin(work);
    scope_region_end(work);
    return unused;
}

int main(void)
{
    pthread_t id;
    scope_init(NULL);
    scope_region_register("work", &work);
    pthread_create(&id, NULL, records, NULL);
    while (!atomic_load(&reached))
        sched_yield();
    pthread_cancel(id);
    atomic_store(&cancelled, 1);
    pthread_join(id, NULL);
    scope_region main_region;
    scope_region_register("main", &main_region);
    for (int i = 0; i < 5; i++) {
        scope_region_begin(main_region);
        scope_region_end(main_region);
    }
    scope_finalize();
    return 0;
}
