/* openmp_mpi.c - two threads in parallel regions between MPI calls; argv: regions.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <scope/scope.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const int regions = argc > 1 ? atoi(argv[1]) : 5;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    double sum = 0, all;
    for (int i = 0; i < regions; i++) {
        SCOPE_REGION("step");
#pragma omp parallel num_threads(2) reduction(+ : sum)
        {
            SCOPE_REGION("part");
            sum += 1;
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
