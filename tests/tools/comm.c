/* comm.c - communication whose counts are known: 4 ranks, N rounds (argument 1).
 *
 *     world      ring of 100 ints by MPI_Sendrecv, N rounds; rank 0 asks all others, by tag and
 *                wildcard, with sizes 0, 64, 65 and 2 MiB; all pairs by MPI_Isend and MPI_Waitall
 *     "even"     (0, 2) and (1, 3): persistent ping, N rounds; then MPI_Bcast of 1000 doubles
 *     "backward" all in reverse order: MPI_Allreduce of 3 ints, MPI_Barrier
 *     a dup of world without a name: one MPI_Gather of an int to rank 3
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdlib.h>

enum { RANKS = 4, LARGE = 2 << 20 };

static char *large;
static int rank;

static void ring(int rounds)
{
    int out[100] = {rank}, in[100];
    for (int i = 0; i < rounds; i++)
        MPI_Sendrecv(out, 100, MPI_INT, (rank + 1) % RANKS, 1, in, 100, MPI_INT,
                     (rank + RANKS - 1) % RANKS, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ask_by_wildcard(void)
{
    static const int sizes[] = {0, 64, 65, LARGE};
    for (int k = 0; k < 4; k++) {
        if (rank)
            MPI_Send(large, sizes[k], MPI_BYTE, 0, k, MPI_COMM_WORLD);
        for (int from = 1; !rank && from < RANKS; from++)
            MPI_Recv(large, LARGE, MPI_BYTE, MPI_ANY_SOURCE, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void all_pairs(void)
{
    double in[RANKS] = {0}, out = rank;
    MPI_Request requests[2 * RANKS];
    for (int peer = 0; peer < RANKS; peer++)
        MPI_Irecv(&in[peer], 1, MPI_DOUBLE, peer, 9, MPI_COMM_WORLD, &requests[peer]);
    for (int peer = 0; peer < RANKS; peer++)
        MPI_Isend(&out, 1, MPI_DOUBLE, peer, 9, MPI_COMM_WORLD, &requests[RANKS + peer]);
    MPI_Waitall(2 * RANKS, requests, MPI_STATUSES_IGNORE);
}

static void halves(int rounds)
{
    MPI_Comm half;
    MPI_Request requests[2];
    double data[1000] = {0};
    short in, out = 1;
    int me;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    MPI_Comm_rank(half, &me);
    MPI_Send_init(&out, 1, MPI_SHORT, 1 - me, 2, half, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_SHORT, 1 - me, 2, half, &requests[1]);
    for (int i = 0; i < rounds; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Bcast(data, 1000, MPI_DOUBLE, 1, half);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm backward, again;
    int sum[3] = {0}, all[RANKS], three[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int rounds = argc > 1 ? atoi(argv[1]) : 5;
    large = calloc(1, LARGE);
    ring(rounds);
    ask_by_wildcard();
    all_pairs();
    halves(rounds);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backward);
    MPI_Comm_set_name(backward, "backward");
    MPI_Allreduce(sum, three, 3, MPI_INT, MPI_SUM, backward);
    MPI_Barrier(backward);
    MPI_Comm_free(&backward);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 3, again);
    MPI_Comm_free(&again);
    free(large);
    return MPI_Finalize();
}
