/* jump.c - an MPI error handler that leaves by longjmp.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;

static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    volatile int jumps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (volatile int i = 0; i < 3; i++) {
        if (!setjmp(back))
            MPI_Send(NULL, 0, MPI_INT, 12345, 0, MPI_COMM_WORLD);
        else
            jumps++;
        MPI_Barrier(MPI_COMM_SELF);
    }
    printf("jumps %d\n", jumps);
    MPI_Finalize();
    return 0;
}
