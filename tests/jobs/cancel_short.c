/* cancel_short.c - threads that allow cancellation at any instant, cancelled at any instant
 * of their short life: while they start, record, and end.
 *
 * argv: threads that cancel, how many each. Prints the least and the most calls of "work".
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <sched.h>
#include <scope/scope.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static scope_region work;
static atomic_long begun, ended;
static int number;

static void *records(void *ready)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_store((atomic_int *)ready, 1);
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&begun, 1);
        scope_region_begin(work);
        scope_region_end(work);
        atomic_fetch_add(&ended, 1);
    }
    return NULL;
}

static void *cancels(void *argument)
{
    unsigned seed = (unsigned)(long)argument;
    for (int i = 0; i < number; i++) {
        atomic_int ready = 0;
        pthread_t id;
        pthread_create(&id, NULL, records, &ready);
        while (!atomic_load(&ready))
            sched_yield();
        const int most = 1 << (4 + rand_r(&seed) % 10);
        for (volatile int k = rand_r(&seed) % most; k > 0; k--)
            ;
        pthread_cancel(id);
        pthread_join(id, NULL);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t id[64];
    number = argc > 2 ? atoi(argv[2]) : 100;
    scope_init(NULL);
    scope_region_register("work", &work);
    for (long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, cancels, (void *)(i + 1));
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    printf("work %ld %ld\n", atomic_load(&ended), atomic_load(&begun));
    scope_finalize();
    return 0;
}
