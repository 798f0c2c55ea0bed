/* weak.c - a program that calls large-count forms where it finds them, as mpi4py does.
 *
 * Built for an MPI that has none: it finds those of a library of ours that was
 * preloaded for another family. Prints `none` or `ok`. 3 ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma weak MPI_Send_c
#pragma weak MPI_Isendrecv
int MPI_Send_c(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
int MPI_Isendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                  MPI_Comm, MPI_Request *);
#pragma weak MPI_Irecv_c
int MPI_Irecv_c(void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
#pragma weak MPI_Gatherv_c
int MPI_Gatherv_c(const void *, MPI_Count, MPI_Datatype, void *, const MPI_Count[], const MPI_Aint[],
                  MPI_Datatype, int, MPI_Comm);
#pragma weak MPI_Allgatherv_c
int MPI_Allgatherv_c(const void *, MPI_Count, MPI_Datatype, void *, const MPI_Count[],
                     const MPI_Aint[], MPI_Datatype, MPI_Comm);
#pragma weak MPI_Alltoallv_c
int MPI_Alltoallv_c(const void *, const MPI_Count[], const MPI_Aint[], MPI_Datatype, void *,
                    const MPI_Count[], const MPI_Aint[], MPI_Datatype, MPI_Comm);
#pragma weak MPI_Ialltoallv_c
int MPI_Ialltoallv_c(const void *, const MPI_Count[], const MPI_Aint[], MPI_Datatype, void *,
                     const MPI_Count[], const MPI_Aint[], MPI_Datatype, MPI_Comm, MPI_Request *);
#pragma weak MPI_Reduce_scatter_c
int MPI_Reduce_scatter_c(const void *, void *, const MPI_Count[], MPI_Datatype, MPI_Op, MPI_Comm);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv)
{
    int rank, size, out[6], in[9] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!MPI_Send_c) {
        printf("none\n");
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < 6; i++)
        out[i] = 10 * rank + i;
    const MPI_Count counts[3] = {1, 2, 3}, mine[3] = {rank + 1, rank + 1, rank + 1};
    const MPI_Aint displs[3] = {0, 1, 3}, mine_displs[3] = {0, rank + 1, 2 * (rank + 1)};
    const MPI_Count too_large = (MPI_Count)1 << 31, large[3] = {1, 2, too_large};

    CHECK(MPI_Irecv_c(in, 6, MPI_INT, (rank + 2) % 3, 0, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    CHECK(MPI_Send_c(out, 6, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[5] == 10 * ((rank + 2) % 3) + 5);
    CHECK(MPI_Send_c(out, too_large, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Allgatherv_c(out, rank + 1, MPI_INT, in, large, displs, MPI_INT, MPI_COMM_WORLD) ==
          MPI_ERR_COUNT);

    /* What is not significant may be anything. */
    if (rank == 1)
        MPI_Gatherv_c(out, 2, MPI_INT, in, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gatherv_c(out, rank + 1, MPI_INT, NULL, (void *)8, (void *)8, MPI_INT, 1, MPI_COMM_WORLD);
    CHECK(rank != 1 || (in[0] == 0 && in[2] == 11 && in[5] == 22));
    MPI_Allgatherv_c(out, rank + 1, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    CHECK(in[0] == 0 && in[2] == 11 && in[5] == 22);
    MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    CHECK(in[5] == 22);
    MPI_Alltoallv_c(out, counts, displs, MPI_INT, in, mine, mine_displs, MPI_INT, MPI_COMM_WORLD);
    CHECK(in[0] == displs[rank] && in[rank + 1] == 10 + displs[rank]);
    const MPI_Count two[3] = {2, 2, 2};
    const MPI_Aint two_displs[3] = {0, 2, 4};
    for (int i = 0; i < 6; i++)
        in[i] = 10 * rank + i;
    MPI_Alltoallv_c(MPI_IN_PLACE, (void *)8, (void *)8, MPI_INT, in, two, two_displs, MPI_INT,
                    MPI_COMM_WORLD);
    CHECK(in[4] == 20 + 2 * rank && in[0] == 2 * rank);
    MPI_Ialltoallv_c(out, counts, displs, MPI_INT, in, mine, mine_displs, MPI_INT, MPI_COMM_WORLD,
                     &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(in[0] == displs[rank] && in[rank + 1] == 10 + displs[rank]);

    /* Their arrays outlive such calls, but once only. */
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 2000; i++) {
        MPI_Ialltoallv_c(out, counts, displs, MPI_INT, in, mine, mine_displs, MPI_INT,
                         MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK(mallinfo2().uordblks < before + 2000 * 32);
    MPI_Reduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(in[0] == 30 + 3 * displs[rank]);

    /* Nothing stands for a call that only MPI 4 has. */
    CHECK(MPI_Isendrecv(out, 1, MPI_INT, 0, 0, in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request) !=
          MPI_SUCCESS);
    printf("ok\n");
    MPI_Finalize();
    return 0;
}
