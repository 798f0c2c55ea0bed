/* plain_mpi.c - an MPI program that knows nothing of us: argv[1] rounds of Barrier and Allreduce.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    int rank;
    long mine, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < rounds; i++) {
        mine = rank + i;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0)
        printf("sum %ld\n", sum);
    return 0;
}
