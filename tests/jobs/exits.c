/* exits.c - 20 000 calls, then an end that gives nobody time to write.
 *
 * argv[1]: _exit quick_exit abort kill segv term return exit. argv[2]: threads.
 * Every lane has "work" (20 000) with one "inner" each and one open "main loop".
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS 20000

static pthread_barrier_t barrier;

static void work(void)
{
    scope_region work, inner;
    scope_region_register("work", &work);
    scope_region_register("inner", &inner);
    scope_region_begin_name("main loop");
    for (int i = 0; i < CALLS; i++) {
        scope_region_begin(work);
        scope_region_begin(inner);
        scope_region_end(inner);
        scope_region_end(work);
    }
}

static void *thread(void *unused)
{
    work();
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "kill";
    const int threads = argc > 2 ? atoi(argv[2]) : 0;
    pthread_t id;
    scope_init(NULL);
    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        pthread_create(&id, NULL, thread, NULL);
    work();
    pthread_barrier_wait(&barrier);
    if (!strcmp(how, "_exit"))
        _exit(7);
    if (!strcmp(how, "_Exit"))
        _Exit(7);
    if (!strcmp(how, "quick_exit"))
        quick_exit(7);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "segv"))
        raise(SIGSEGV);
    if (!strcmp(how, "term"))
        raise(SIGTERM);
    if (!strcmp(how, "exit"))
        exit(7);
    return 0;
}
