/* app_mpi.c - three calls of one region between MPI_Init and MPI_Finalize.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdio.h>

#include <scope/scope.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        SCOPE_REGION("work");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    puts("success");
    return 0;
}
