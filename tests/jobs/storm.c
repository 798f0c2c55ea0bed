/* storm.c - signal handlers that record while the code they interrupt records.
 *
 * argv: seconds, threads. Prints how often each region was called; the file must
 * say the same, or count what it lost.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static scope_region loop, inner, handler_region;
static atomic_long loops, handled;
static atomic_int stop;

static void handler(int number)
{
    (void)number;
    scope_region_begin(handler_region);
    scope_region_end(handler_region);
    atomic_fetch_add(&handled, 1);
}

static void *worker(void *unused)
{
    (void)unused;
    long count = 0;
    while (!atomic_load(&stop)) {
        scope_region_begin(loop);
        scope_region_begin(inner);
        scope_region_end(inner);
        scope_region_end(loop);
        count++;
    }
    atomic_fetch_add(&loops, count);
    return NULL;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 0.5;
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    scope_init(NULL);
    scope_region_register("loop", &loop);
    scope_region_register("inner", &inner);
    scope_region_register("handler", &handler_region);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_NODEFER; /* handlers interrupt handlers */
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    const struct itimerval timer = {{0, 50}, {0, 50}}, none = {{0, 0}, {0, 0}};
    pthread_t id[64];
    for (int i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, worker, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
    const int64_t end = scope_now_ns() + (int64_t)(seconds * 1e9);
    while (scope_now_ns() < end)
        for (int i = 0; i < threads; i++) {
            /* One that comes faster than a handler starts would nest until the stack is full. */
            const long before = atomic_load(&handled);
            const int64_t patience = scope_now_ns() + 100000;
            pthread_kill(id[i], SIGUSR1);
            while (atomic_load(&handled) == before && scope_now_ns() < patience)
                ;
        }
    setitimer(ITIMER_REAL, &none, NULL);
    setitimer(ITIMER_PROF, &none, NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    signal(SIGALRM, SIG_IGN), signal(SIGPROF, SIG_IGN), signal(SIGUSR1, SIG_IGN);
    const long l = loops, h = handled;
    scope_finalize();
    printf("loop %ld\ninner %ld\nhandler %ld\n", l, l, h);
    return 0;
}
