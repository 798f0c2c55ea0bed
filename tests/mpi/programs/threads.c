/* threads.c - MPI from several threads at once (MPI_THREAD_MULTIPLE).
 *
 * Each of 4 threads of each rank works on a communicator of its own: a receive
 * from any source and a send around the ring, completed in turns by wait, test,
 * waitany and waitsome; a split and a free every round. Prints `name count bytes`
 * of what the rank did. 2 ranks or more.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 8

static int rank, size, rounds;
static MPI_Comm own[THREADS];
static long tests[THREADS];

static void *work(void *argument)
{
    const int thread = (int)(long)argument, to = (rank + 1) % size;
    for (int i = 0; i < rounds; i++) {
        int out = i, in[4] = {-1}, flag = 0, index, indices[2];
        MPI_Request requests[2];
        MPI_Irecv(in, 4, MPI_INT, MPI_ANY_SOURCE, 0, own[thread], &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, to, 0, own[thread], &requests[1]);
        switch (i % 4) {
        case 0:
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            break;
        case 1:
            while (!flag) {
                MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
                tests[thread]++;
                if (!flag)
                    usleep(200); /* else millions: the other rank needs the core */
            }
            break;
        case 2:
            MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE);
            break;
        case 3:
            MPI_Waitsome(1, requests, &index, indices, MPI_STATUSES_IGNORE);
            break;
        }
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        if (in[0] != i)
            abort();
        MPI_Comm part;
        MPI_Comm_split(own[thread], 0, -rank, &part);
        MPI_Bcast(&out, 1, MPI_INT, 0, part);
        MPI_Comm_free(&part);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return 77;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    long all_tests = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&own[i]);
        all_tests += tests[i];
    }
    char path[64];
    snprintf(path, sizeof path, "counted.%d", rank);
    FILE *out = fopen(path, "w");
    const long n = (long)THREADS * rounds;
    fprintf(out, "MPI_Irecv %ld 0\nMPI_Isend %ld %ld\nMPI_Wait %ld %ld\nMPI_Test %ld %ld\n", n, n,
            4 * n, n + n / 4, n, all_tests, n);
    fprintf(out, "MPI_Waitany %ld %ld\nMPI_Waitsome %ld %ld\nMPI_Comm_split %ld 0\n", n / 4, n, n / 4, n, n);
    fprintf(out, "MPI_Bcast %ld %ld\nMPI_Comm_free %ld 0\nMPI_Comm_dup %d 0\n", n, 4 * n,
            n + THREADS, THREADS);
    fclose(out);
    MPI_Finalize();
    return 0;
}
