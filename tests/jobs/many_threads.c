/* many_threads.c - argv[1] threads at once, each with calls of its own and shared regions.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static scope_region shared;

static void *worker(void *argument)
{
    const long number = (long)argument;
    char name[32];
    snprintf(name, sizeof name, "worker-%ld", number);
    pthread_setname_np(pthread_self(), name);
    pthread_barrier_wait(&barrier);
    for (long i = 0; i < 100 * (number + 1); i++) {
        scope_region_begin(shared);
        snprintf(name, sizeof name, "of thread %ld", number);
        scope_region_begin_name(name);
        scope_region_end_name(name);
        scope_region_end(shared);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 64;
    pthread_t *id = calloc((size_t)count, sizeof *id);
    if (scope_init(NULL) != SCOPE_OK || scope_region_register("shared", &shared) != SCOPE_OK)
        return 1;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (long i = 0; i < count; i++)
        if (pthread_create(&id[i], NULL, worker, (void *)i))
            return 2;
    for (long i = 0; i < count; i++)
        pthread_join(id[i], NULL);
    free(id);
    scope_finalize(); /* what it says does not change what the program does */
    return 0;
}
