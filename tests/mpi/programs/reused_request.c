/* reused_request.c - receives that end in an error, or while nothing is recorded: their
 * handles come back with sends, which bring no bytes.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <scope/scope.h>
#include <string.h>

enum { COUNT = 8, LARGE = 1 << 18 };

static void exchange(int other, int room, int wait_unseen)
{
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    int sent[2] = {1, 2}, received[COUNT][2];
    for (int i = 0; i < COUNT; i++)
        MPI_Irecv(received[i], room, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < COUNT; i++)
        MPI_Send(sent, 2, MPI_INT, other, i, MPI_COMM_WORLD);
    if (wait_unseen)
        scope_finalize();
    MPI_Waitall(COUNT, requests, statuses);
    if (wait_unseen)
        scope_init(NULL);
}

static void send(int other)
{
    static int sent[LARGE], received[LARGE]; /* small ones need no request under MPICH */
    MPI_Request requests[COUNT];
    for (int i = 0; i < COUNT; i++)
        MPI_Isend(sent, LARGE, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < COUNT; i++)
        MPI_Recv(received, LARGE, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE); /* the only MPI_Wait of the program */
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int unseen = argc > 1 && !strcmp(argv[1], "unseen");
    exchange(1 - rank, unseen ? 2 : 1, unseen); /* one int is too little room: truncated */
    send(1 - rank);
    MPI_Finalize();
    return 0;
}
