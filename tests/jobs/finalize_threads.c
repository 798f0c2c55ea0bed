/* finalize_threads.c - threads that go on recording while MPI_Finalize runs and after it.
 *
 * Prints per rank and thread "rank thread low high": at least `low` calls had ended
 * when MPI_Finalize was called; there were `high` in all.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <pthread.h>
#include <scope/scope.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 2

static atomic_long ended[THREADS];
static atomic_int stop;

static void *worker(void *argument)
{
    const long number = (long)argument;
    char name[32];
    snprintf(name, sizeof name, "thread %ld", number);
    scope_region region;
    scope_region_register(name, &region);
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        scope_region_begin(region);
        scope_region_end(region);
        atomic_fetch_add_explicit(&ended[number], 1, memory_order_release);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    long low[THREADS];
    pthread_t id[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&id[i], NULL, worker, (void *)i);
    for (long i = 0; i < THREADS; i++)
        while (atomic_load(&ended[i]) < 10000)
            ;
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < THREADS; i++)
        low[i] = atomic_load_explicit(&ended[i], memory_order_acquire);
    MPI_Finalize();
    for (long i = 0; i < THREADS; i++) { /* they still run, and do nothing now */
        const long now = atomic_load(&ended[i]);
        while (atomic_load(&ended[i]) < now + 1000)
            ;
    }
    atomic_store(&stop, 1);
    for (long i = 0; i < THREADS; i++) {
        pthread_join(id[i], NULL);
        printf("%d %ld %ld %ld\n", rank, i, low[i], atomic_load(&ended[i]));
    }
    return 0;
}
