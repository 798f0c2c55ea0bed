/* busy_thread.c - threads that burn CPU or sleep, and say themselves how much they used.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static long long used_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return 1000LL * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) +
           1000000000LL * (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

static void *worker(void *argument)
{
    const char *name = argument;
    pthread_setname_np(pthread_self(), name);
    scope_region_begin_name(name);
    if (name[0] == 'b') {
        const long long until = used_ns() + 80000000;
        while (used_ns() < until)
            ;
    } else {
        usleep(80000);
    }
    scope_region_end_name(name);
    printf("%s %lld %ld\n", name, used_ns(), (long)gettid());
    return NULL;
}

static sem_t done;

static void *waits(void *argument)
{
    worker(argument);
    sem_post(&done);
    for (;;)
        pause(); /* alive at the end of the run */
    return NULL;
}

int main(void)
{
    static char *names[] = {"busy-1", "busy-2", "sleepy"};
    pthread_t id[3], alive;
    if (scope_init(NULL) != SCOPE_OK)
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&id[i], NULL, worker, names[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(id[i], NULL);
    sem_init(&done, 0, 0);
    pthread_create(&alive, NULL, waits, "busy-alive");
    sem_wait(&done);
    return scope_finalize() == SCOPE_OK ? 0 : 2;
}
