/* ring.c - messages around a ring of ranks that leave MPI_Init at different times.
 *
 * Each rank first receives what its left one sent, argv[1] times; rank 0 sends first.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    const int rounds = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct timespec late = {0, rank * 20000000};
    nanosleep(&late, NULL);
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < rounds; i++) {
        if (rank)
            MPI_Recv(&value, 1, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, right, i, MPI_COMM_WORLD);
        if (!rank)
            MPI_Recv(&value, 1, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
