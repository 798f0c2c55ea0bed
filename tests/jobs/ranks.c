/* ranks.c - ranks that differ: regions only on the last rank, a rank with none, threads' own names.
 *
 * argv[1]: seed of disjoint random region sets, 0 none. Prints "rank name count" lines.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
    if (count)
        printf("%d|%s|%d\n", rank, name, count);
}

static void *worker(void *argument)
{
    char name[64];
    snprintf(name, sizeof name, "rank %d thread %ld", rank, (long)argument);
    calls(name, 3 + (int)(long)argument);
    if (rank == size - 1)
        calls("only on a worker of the last rank", 5);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 1) { /* rank 1 has no region at all */
        calls("common", 10 + rank);
        if (rank == size - 1)
            calls("only on the last rank", 7);
        pthread_t id[3];
        for (long i = 0; i < rank % 4; i++)
            pthread_create(&id[i], NULL, worker, (void *)i);
        for (long i = 0; i < rank % 4; i++)
            pthread_join(id[i], NULL);
        srand((unsigned)(atoi(argc > 1 ? argv[1] : "0") * 1000 + rank));
        for (int i = 0; argc > 1 && i < 200; i++) {
            char name[64];
            snprintf(name, sizeof name, "set %d", i);
            if (rand() % size == 0)
                calls(name, 1 + rand() % 5);
            snprintf(name, sizeof name, "of rank %d, %d", rank, i);
            if (rand() % 4 == 0)
                calls(name, 1);
        }
    }
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
