/* neighbour.c - neighbourhood, persistent and partitioned calls, and what their rows must say.
 *
 * See rows.h; 3 ranks. The persistent collectives and partitioned calls are of MPI 4.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

static int out[12], in[12];
static MPI_Request request;
static int starts = 2; /* of each persistent one */

static void fresh(void)
{
    for (int i = 0; i < 12; i++) {
        out[i] = 100 * rank + i;
        in[i] = 0;
    }
}

#define BLOCKING(name, bytes, peer, ...)                                                           \
    do {                                                                                           \
        fresh();                                                                                   \
        C(name)(__VA_ARGS__);                                                                      \
        expect(#name, bytes, peer, "collective");                                                  \
        SHOW(#name, in);                                                                           \
    } while (0)
#define NONBLOCKING(name, bytes, peer, ...)                                                        \
    do {                                                                                           \
        fresh();                                                                                   \
        C(name)(__VA_ARGS__, &request);                                                            \
        expect(#name, bytes, peer, "collective");                                                  \
        wait_for(&request);                                                                        \
        SHOW(#name, in);                                                                           \
    } while (0)
#if MPI_VERSION >= 4
/* The started one says what it moves. */
#define STARTED(call, name, bytes, peer)                                                           \
    do {                                                                                           \
        fresh();                                                                                   \
        call;                                                                                      \
        expect(name, 0, peer, "-");                                                                \
        for (int i = 0; i < starts; i++) {                                                         \
            MPI_Start(&request);                                                                   \
            expect("Start", bytes, peer, "collective");                                            \
            wait_for(&request);                                                                    \
        }                                                                                          \
        MPI_Request_free(&request);                                                                \
        expect("Request_free", 0, -1, "-");                                                        \
        SHOW(name, in);                                                                            \
    } while (0)
#define PERSISTENT(name, bytes, peer, ...)                                                         \
    STARTED(C(name)(__VA_ARGS__, MPI_INFO_NULL, &request), #name, bytes, peer)
#else
#define PERSISTENT(name, bytes, peer, ...) (void)0
#endif
#define ALL(name, iname, bytes, peer, ...)                                                         \
    do {                                                                                           \
        BLOCKING(name, bytes, peer, __VA_ARGS__);                                                  \
        NONBLOCKING(iname, bytes, peer, __VA_ARGS__);                                              \
        PERSISTENT(name##_init, bytes, peer, __VA_ARGS__);                                         \
    } while (0)

/* Each rank has `targets` neighbours that it sends to, and 2 that send to it at most. */
static void neighbours(MPI_Comm comm, int targets)
{
    const count_t counts[2] = {2, 2};
    const displ_t displs[2] = {0, 2};
    const MPI_Aint addresses[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    ALL(Neighbor_allgather, Ineighbor_allgather, 8, -1, out, 2, MPI_INT, in, 2, MPI_INT, comm);
    ALL(Neighbor_allgatherv, Ineighbor_allgatherv, 8, -1, out, 2, MPI_INT, in, counts, displs,
        MPI_INT, comm);
    ALL(Neighbor_alltoall, Ineighbor_alltoall, 8 * targets, -1, out, 2, MPI_INT, in, 2, MPI_INT,
        comm);
    ALL(Neighbor_alltoallv, Ineighbor_alltoallv, 8 * targets, -1, out, counts, displs, MPI_INT, in,
        counts, displs, MPI_INT, comm);
    ALL(Neighbor_alltoallw, Ineighbor_alltoallw, 8 * targets, -1, out, counts, addresses, types, in,
        counts, addresses, types, comm);
}

static void topologies(void)
{
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){3}, (int[]){1}, 0, &comm);
    expect("Cart_create", 0, -1, "collective");
    neighbours(comm, 2);
    MPI_Comm_free(&comm);
    expect("Comm_free", 0, -1, "collective");
    MPI_Graph_create(MPI_COMM_WORLD, 3, (int[]){1, 2, 4}, (int[]){2, 2, 0, 1}, 0, &comm);
    expect("Graph_create", 0, -1, "collective");
    neighbours(comm, rank == 2 ? 2 : 1);
    MPI_Comm_free(&comm);
    expect("Comm_free", 0, -1, "collective");
    /* Rank 0 sends to both others, which send to it. */
    const int others[2] = {1, 2}, first[1] = {0};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank ? 1 : 2, rank ? first : others,
                                   MPI_UNWEIGHTED, rank ? 1 : 2, rank ? first : others,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    expect("Dist_graph_create_adjacent", 0, -1, "collective");
    neighbours(comm, rank ? 1 : 2);
    MPI_Comm_free(&comm);
    expect("Comm_free", 0, -1, "collective");
}

#if MPI_VERSION >= 4
static void persistent(void)
{
    enum { P = 3 };
    const count_t counts[P] = {2, 2, 2};
    const displ_t displs[P] = {0, 2, 4}, addresses[P] = {0, 8, 16};
    const MPI_Datatype types[P] = {MPI_INT, MPI_INT, MPI_INT};
    const MPI_Comm w = MPI_COMM_WORLD;
    const int root = 1;
    STARTED(MPI_Barrier_init(w, MPI_INFO_NULL, &request), "Barrier_init", 0, -1);
    PERSISTENT(Bcast_init, 16, root, in, 4, MPI_INT, root, w);
    PERSISTENT(Gather_init, 8, root, out, 2, MPI_INT, in, 2, MPI_INT, root, w);
    PERSISTENT(Gatherv_init, 8, root, out, 2, MPI_INT, in, counts, displs, MPI_INT, root, w);
    starts = 1; /* MPICH 4.0 fails when these are started again */
    PERSISTENT(Scatter_init, rank == root ? 24 : 8, root, out, 2, MPI_INT, in, 2, MPI_INT, root, w);
    PERSISTENT(Scatterv_init, rank == root ? 24 : 8, root, out, counts, displs, MPI_INT, in, 2,
               MPI_INT, root, w);
    starts = 2;
    PERSISTENT(Allgather_init, 8, -1, out, 2, MPI_INT, in, 2, MPI_INT, w);
    PERSISTENT(Allgatherv_init, 8, -1, out, 2, MPI_INT, in, counts, displs, MPI_INT, w);
    PERSISTENT(Alltoall_init, 24, -1, out, 2, MPI_INT, in, 2, MPI_INT, w);
    PERSISTENT(Alltoallv_init, 24, -1, out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, w);
    PERSISTENT(Alltoallw_init, 24, -1, out, counts, addresses, types, in, counts, addresses, types, w);
    PERSISTENT(Reduce_init, 16, root, out, in, 4, MPI_INT, MPI_SUM, root, w);
    PERSISTENT(Allreduce_init, 16, -1, out, in, 4, MPI_INT, MPI_SUM, w);
    PERSISTENT(Reduce_scatter_init, 24, -1, out, in, counts, MPI_INT, MPI_SUM, w);
    PERSISTENT(Reduce_scatter_block_init, 24, -1, out, in, 2, MPI_INT, MPI_SUM, w);
    PERSISTENT(Scan_init, 16, -1, out, in, 4, MPI_INT, MPI_SUM, w);
    PERSISTENT(Exscan_init, 16, -1, out, in, 4, MPI_INT, MPI_SUM, w);
}

static void partitioned(void)
{
    MPI_Request send, receive;
    int flag = 0;
    fresh();
    MPI_Psend_init(out, 4, 2, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    expect("Psend_init", 0, right, "-");
    MPI_Precv_init(in, 4, 2, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    expect("Precv_init", 0, left, "-");
    MPI_Start(&receive);
    expect("Start", 0, left, "posted");
    MPI_Start(&send);
    expect("Start", 32, right, "sent");
    MPI_Pready(0, send);
    expect("Pready", 0, -1, "-");
    MPI_Pready_range(1, 2, send);
    expect("Pready_range", 0, -1, "-");
    MPI_Pready_list(1, (int[]){3}, send);
    expect("Pready_list", 0, -1, "-");
    while (!flag) {
        MPI_Parrived(receive, 3, &flag);
        expect("Parrived", 0, -1, "-");
    }
    wait_for(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    expect("Wait", 32, left, "received");
    SHOW("partitioned", in);
    MPI_Request_free(&send);
    expect("Request_free", 0, -1, "-");
    MPI_Request_free(&receive);
    expect("Request_free", 0, -1, "-");
}
#endif

static void others(void)
{
    int flag, value = rank;
    MPI_Comm made;
    MPI_Isend(&value, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &request);
    expect("Isend", 4, right, "sent");
    do {
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        expect("Request_get_status", 0, -1, "-");
        if (flag)
            break;
        MPI_Iprobe(left, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        expect("Iprobe", 0, left, "-");
        flag = 0;
    } while (!flag);
    MPI_Recv(in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("Recv", 4, left, "received");
    wait_for(&request);
    MPI_Info info = an_info();
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    expect("Comm_set_info", 0, -1, "collective");
    /* Two at once: they are told apart by the order in which they were begun. */
    MPI_Comm first;
    MPI_Request two[2];
    MPI_Comm_idup(MPI_COMM_WORLD, &first, &two[0]);
    expect("Comm_idup", 0, -1, "collective");
    MPI_Comm_idup(MPI_COMM_WORLD, &made, &two[1]);
    expect("Comm_idup", 0, -1, "collective");
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    expect("Waitall", 0, -1, "-");
    for (int i = 0; i < 2; i++) {
        /* First used in another order on each rank. */
        const MPI_Comm used = (rank + i) % 2 ? made : first;
        MPI_Ibarrier(used, &two[i]);
        expect("Ibarrier", 0, -1, "collective");
    }
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    expect("Waitall", 0, -1, "-");
    MPI_Comm_set_name(first, "first");
    expect("Comm_set_name", 0, -1, "-");
    MPI_Comm_set_name(made, "second");
    expect("Comm_set_name", 0, -1, "-");
    MPI_Comm_free(&first);
    expect("Comm_free", 0, -1, "collective");
    MPI_Comm_free(&made);
    expect("Comm_free", 0, -1, "collective");
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    topologies();
    others();
#if MPI_VERSION >= 4
    persistent();
    partitioned();
#endif
    finish();
    return 0;
}
