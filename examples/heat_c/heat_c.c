/* heat_c.c - the 2-D heat equation on a square plate: MPI between ranks, threads inside a rank.
 *
 * The plate is cut into strips of rows, one per rank; a strip is cut again, one part per
 * thread. Each step the ranks exchange their edge rows (the halo), then all threads sweep.
 *
 * Recording needs no call here but the regions: linked with libscope_mpi it starts in
 * MPI_Init and writes profiling_data.h5 in MPI_Finalize.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* pthread_setname_np */
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <scope/scope.h>

enum { SIZE = 1536, WIDTH = SIZE + 2, STEPS = 200, CHECK_EVERY = 20, THREADS = 2 };

/* Rows 1..rows are ours; 0 and rows + 1 are halo or the plate's edge. */
typedef struct strip {
    int rows, above, below; /* ranks; MPI_PROC_NULL at the edge */
    double *now, *next;
} strip;

typedef struct worker {
    strip *strip;
    int first, last; /* rows of this thread */
    double change;   /* largest change of its last sweep */
    pthread_t thread;
} worker;

static pthread_barrier_t sweep_begins, sweep_ends;

static void exchange_halo(strip *s)
{
    SCOPE_REGION("halo");
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(&s->now[0], WIDTH, MPI_DOUBLE, s->above, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&s->now[(s->rows + 1) * WIDTH], WIDTH, MPI_DOUBLE, s->below, 0, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Isend(&s->now[WIDTH], WIDTH, MPI_DOUBLE, s->above, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&s->now[s->rows * WIDTH], WIDTH, MPI_DOUBLE, s->below, 0, MPI_COMM_WORLD,
              &requests[3]);
    MPI_Waitall(4, requests, statuses);
}

static void sweep(worker *w)
{
    SCOPE_REGION("sweep");
    const double *now = w->strip->now;
    double *next = w->strip->next;
    double change = 0;
    for (int row = w->first; row <= w->last; row++)
        for (int i = row * WIDTH + 1; i <= row * WIDTH + SIZE; i++) {
            next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - WIDTH] + now[i + WIDTH]);
            const double difference = fabs(next[i] - now[i]);
            if (difference > change)
                change = difference;
        }
    w->change = change;
}

static void *work(void *argument)
{
    for (int step = 0; step < STEPS; step++) {
        pthread_barrier_wait(&sweep_begins);
        sweep(argument);
        pthread_barrier_wait(&sweep_ends);
    }
    return NULL;
}

static double residual(const worker *workers)
{
    SCOPE_REGION("residual");
    double mine = 0, all;
    for (int t = 0; t < THREADS; t++)
        if (workers[t].change > mine)
            mine = workers[t].change;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    scope_counter("residual", all);
    return all;
}

static double mean_temperature(const strip *s)
{
    SCOPE_REGION("mean");
    double mine = 0, all;
    for (int row = 1; row <= s->rows; row++)
        for (int i = row * WIDTH + 1; i <= row * WIDTH + SIZE; i++)
            mine += s->now[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ((double)SIZE * SIZE);
}

static void start_strip(strip *s, int rank, int size)
{
    s->rows = SIZE / size + (rank < SIZE % size);
    s->above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    s->below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    s->now = calloc((size_t)(s->rows + 2) * WIDTH, sizeof(double));
    s->next = calloc((size_t)(s->rows + 2) * WIDTH, sizeof(double));
    if (!s->now || !s->next)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) /* the upper edge is hot, the others are cold */
        for (int i = 0; i < WIDTH; i++)
            s->now[i] = s->next[i] = 100;
}

int main(int argc, char **argv)
{
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    strip s;
    worker workers[THREADS];
    double largest_change = 0;
    start_strip(&s, rank, size);
    pthread_barrier_init(&sweep_begins, NULL, THREADS);
    pthread_barrier_init(&sweep_ends, NULL, THREADS);
    for (int t = 0; t < THREADS; t++) { /* the last part is the main thread's own */
        workers[t].strip = &s;
        workers[t].first = 1 + s.rows * t / THREADS;
        workers[t].last = s.rows * (t + 1) / THREADS;
        if (t < THREADS - 1) {
            pthread_create(&workers[t].thread, NULL, work, &workers[t]);
            pthread_setname_np(workers[t].thread, "sweeper");
        }
    }

    for (int step = 1; step <= STEPS; step++) {
        SCOPE_REGION("step");
        exchange_halo(&s);
        pthread_barrier_wait(&sweep_begins);
        sweep(&workers[THREADS - 1]);
        pthread_barrier_wait(&sweep_ends);
        double *const old = s.now;
        s.now = s.next;
        s.next = old;
        if (step % CHECK_EVERY == 0)
            largest_change = residual(workers);
    }

    const double mean = mean_temperature(&s);
    if (rank == 0)
        printf("after %d steps: mean temperature %.6f, residual %.6f\n", STEPS, mean,
               largest_change);
    for (int t = 0; t < THREADS - 1; t++)
        pthread_join(workers[t].thread, NULL);
    free(s.now);
    free(s.next);
    MPI_Finalize();
    return 0;
}
