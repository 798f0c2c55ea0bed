/* openmp_mpi.c - parallel regions between MPI calls; argv: regions.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int regions = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    double sum = 0, all;
    for (int i = 0; i < regions; i++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        sum += 1;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
