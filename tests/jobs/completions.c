/* completions.c - requests of every kind that one rank of two makes and completes.
 *
 * Rank 0 waits in other orders than it began, so that it matters which request a wait names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>

enum { LARGE = 1 << 20, SHORT = 4095, TAGS = 10 };

static int rank, other;
static char out[LARGE], in[TAGS][LARGE];

static void sends(void)
{
    MPI_Request requests[6];
    MPI_Isend(out, LARGE, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, SHORT, MPI_CHAR, other, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Issend(out, 1, MPI_CHAR, other, 2, MPI_COMM_WORLD, &requests[2]);
    MPI_Ibsend(out, LARGE, MPI_CHAR, other, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Isend(out, LARGE, MPI_CHAR, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(out, LARGE, MPI_CHAR, other, 5, MPI_COMM_WORLD, &requests[5]);
    for (int i = 5; i >= 1; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
}

static void persistent_sends(void)
{
    MPI_Request requests[2];
    MPI_Send_init(out, LARGE, MPI_CHAR, other, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, SHORT, MPI_CHAR, other, 7, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* nothing is begun */
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void receives(void)
{
    static const int tags[] = {0, 1, 2, 3, 5, 6, 7, 6, 7};
    MPI_Request requests[9];
    MPI_Message message;
    for (int i = 0; i < 9; i++)
        MPI_Irecv(in[i], LARGE, MPI_CHAR, other, tags[i], MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(9, requests, MPI_STATUSES_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &(MPI_Status){0});
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in[0], LARGE, MPI_CHAR, &message, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void collectives(void)
{
    MPI_Request requests[4];
    MPI_Comm copy;
    int one = 1, sum = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&one, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Ireduce(&one, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Iscan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
#if MPI_VERSION >= 4
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
#endif
}

int main(int argc, char **argv)
{
    static char buffer[LARGE + MPI_BSEND_OVERHEAD];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0) {
        sends();
        persistent_sends();
        MPI_Send(out, 3, MPI_CHAR, other, 8, MPI_COMM_WORLD);
    } else {
        receives();
    }
    collectives();
    MPI_Finalize();
    return 0;
}
