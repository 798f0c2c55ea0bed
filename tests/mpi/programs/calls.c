/* calls.c - every recorded call of a C program, and what its row must say.
 *
 * Each rank writes `name bytes peer` to expected.<rank>, in the order of the calls,
 * and what it received to received.<rank>, so that runs with and without the
 * profiler can be compared. With -DLARGE the large-count forms are called. 3 ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LARGE
#define C(name) MPI_##name##_c
typedef MPI_Count count_t;
typedef MPI_Aint displ_t;
#else
#define C(name) MPI_##name
typedef int count_t;
typedef int displ_t;
#endif

static FILE *expected, *received;
static int rank, size, left, right;

static FILE *open_mine(const char *base)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%d", base, rank);
    return fopen(path, "w");
}

static void expect(const char *name, long bytes, int peer)
{
    fprintf(expected, "%s %ld %d\n", name, bytes, peer);
}

static void show(const char *what, const void *data, size_t bytes)
{
    fprintf(received, "%s", what);
    for (size_t i = 0; i < bytes; i++)
        fprintf(received, "%s%02x", i % 4 ? "" : " ", ((const unsigned char *)data)[i]);
    fputc('\n', received);
}
#define SHOW(what, array) show(what, array, sizeof(array))

static void fill(int *data, int count)
{
    for (int i = 0; i < count; i++)
        data[i] = 100 * rank + i + 1;
}

static void point_to_point(void)
{
    int out[8], in[8] = {0}, flag;
    MPI_Status status;
    MPI_Request request;
    MPI_Message message;
    fill(out, 8);

    /* The blocking modes, around the ring, from rank 0 on. */
    MPI_Request waiting[4];
    static int ring[4][8];
    for (int i = 0; i < 4; i++) {
        C(Irecv)(ring[i], 8, MPI_INT, left, i, MPI_COMM_WORLD, &waiting[i]);
        expect("MPI_Irecv", 0, left);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* so that ready sends find their receive */
    expect("MPI_Barrier", 0, -1);
    C(Send)(out, 8, MPI_INT, right, 0, MPI_COMM_WORLD);
    expect("MPI_Send", 32, right);
    void *room = malloc(10000);
    C(Buffer_attach)(room, 10000);
    expect("MPI_Buffer_attach", 0, -1);
    C(Bsend)(out, 4, MPI_INT, right, 1, MPI_COMM_WORLD);
    expect("MPI_Bsend", 16, right);
    C(Ssend)(out, 2, MPI_INT, right, 2, MPI_COMM_WORLD);
    expect("MPI_Ssend", 8, right);
    C(Rsend)(out, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    expect("MPI_Rsend", 4, right);
    MPI_Waitall(4, waiting, MPI_STATUSES_IGNORE);
    expect("MPI_Waitall", 32 + 16 + 8 + 4, left);
    SHOW("ring", ring);

    /* Nonblocking sends; a receive from any source, its status ignored. */
    MPI_Request sends[4];
    C(Isend)(out, 5, MPI_INT, right, 0, MPI_COMM_WORLD, &sends[0]);
    expect("MPI_Isend", 20, right);
    C(Ibsend)(out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &sends[1]);
    expect("MPI_Ibsend", 4, right);
    C(Issend)(out, 2, MPI_INT, right, 2, MPI_COMM_WORLD, &sends[2]);
    expect("MPI_Issend", 8, right);
    C(Recv)(in, 8, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("MPI_Recv", 20, left);
    C(Recv)(in, 8, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    expect("MPI_Recv", 4, left);
    C(Irecv)(in, 8, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    expect("MPI_Irecv", 0, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 8, left);
    MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
    expect("MPI_Waitall", 0, -1);
    SHOW("in", in);
    C(Irecv)(in, 8, MPI_INT, left, 4, MPI_COMM_WORLD, &request);
    expect("MPI_Irecv", 0, left);
    MPI_Barrier(MPI_COMM_WORLD);
    expect("MPI_Barrier", 0, -1);
    C(Irsend)(out, 3, MPI_INT, right, 4, MPI_COMM_WORLD, &sends[3]);
    expect("MPI_Irsend", 12, right);
    MPI_Wait(&sends[3], &status);
    expect("MPI_Wait", 0, -1);
    MPI_Wait(&request, &status);
    expect("MPI_Wait", 12, left);

    /* To nobody. */
    C(Send)(out, 8, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    expect("MPI_Send", 0, -1);
    C(Recv)(in, 8, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    expect("MPI_Recv", 0, -1);
    C(Irecv)(in, 8, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    expect("MPI_Irecv", 0, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 0, -1);

    /* Both at once. */
    C(Sendrecv)(out, 6, MPI_INT, right, 0, in, 8, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect("MPI_Sendrecv", 24, right);
    C(Sendrecv_replace)(in, 6, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, &status);
    expect("MPI_Sendrecv_replace", 24, right);
    SHOW("sendrecv", in);

    /* Probes. */
    C(Isend)(out, 3, MPI_INT, right, 5, MPI_COMM_WORLD, &request);
    expect("MPI_Isend", 12, right);
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    expect("MPI_Probe", 0, left);
    MPI_Iprobe(left, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    expect("MPI_Iprobe", 0, left);
    MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);
    expect("MPI_Mprobe", 0, left);
    C(Mrecv)(in, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
    expect("MPI_Mrecv", 12, left);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 0, -1);
    C(Isend)(out, 2, MPI_INT, right, 6, MPI_COMM_WORLD, &request);
    expect("MPI_Isend", 8, right);
    do {
        MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &message, &status);
        expect("MPI_Improbe", 0, flag ? left : -1);
    } while (!flag);
    MPI_Request matched;
    C(Imrecv)(in, 8, MPI_INT, &message, &matched);
    expect("MPI_Imrecv", 0, left);
    MPI_Wait(&matched, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 8, left);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 0, -1);
    SHOW("probed", in);
    count_t attached;
    C(Buffer_detach)(&room, &attached);
    expect("MPI_Buffer_detach", 0, -1);
    free(room);

#ifdef LARGE
    /* Of MPI 4, not in every MPI 3 header. */
    C(Isendrecv)(out, 2, MPI_INT, right, 7, in, 8, MPI_INT, left, 7, MPI_COMM_WORLD, &request);
    expect("MPI_Isendrecv", 8, right);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 8, left);
#endif
}

/* A test that is repeated until it says yes: only the last one has bytes. */
#define UNTIL(flag, call, name, bytes, peer)                                                       \
    do {                                                                                           \
        call;                                                                                      \
        expect(name, (flag) ? (bytes) : 0, (flag) ? (peer) : -1);                                  \
    } while (!(flag))

static void completions(void)
{
    enum { N = 10 };
    int out[4], in[N][4], flag, index, done, indices[N];
    MPI_Request request[N], send[N];
    MPI_Status statuses[N];
    memset(in, 0, sizeof in);
    fill(out, 4);

    for (int round = 0; round < 7; round++) {
        const int count = round < 2 ? 1 : N;
        for (int i = 0; i < count; i++) {
            C(Irecv)(in[i], 4, MPI_INT, left, i, MPI_COMM_WORLD, &request[i]);
            expect("MPI_Irecv", 0, left);
        }
        for (int i = 0; i < count; i++) {
            C(Isend)(out, 1 + i % 4, MPI_INT, right, i, MPI_COMM_WORLD, &send[i]);
            expect("MPI_Isend", 4 * (1 + i % 4), right);
        }
        switch (round) {
        case 0:
            UNTIL(flag, MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE), "MPI_Test", 4, left);
            break;
        case 1:
            UNTIL(flag, MPI_Test(&request[0], &flag, statuses), "MPI_Test", 4, left);
            break;
        case 2:
            UNTIL(flag, MPI_Testall(N, request, &flag, MPI_STATUSES_IGNORE), "MPI_Testall", 92, left);
            break;
        case 3:
            for (int i = 0; i < N; i++) {
                MPI_Waitany(N, request, &index, MPI_STATUS_IGNORE);
                expect("MPI_Waitany", 4 * (1 + index % 4), left);
            }
            MPI_Waitany(N, request, &index, statuses);
            expect("MPI_Waitany", 0, -1); /* nothing left: MPI_UNDEFINED */
            break;
        case 4:
            for (int left_over = N; left_over; left_over -= done) {
                MPI_Waitsome(N, request, &done, indices, MPI_STATUSES_IGNORE);
                long bytes = 0;
                for (int i = 0; i < done; i++)
                    bytes += 4 * (1 + indices[i] % 4);
                expect("MPI_Waitsome", bytes, done > 0 ? left : -1);
            }
            break;
        case 5:
            for (int i = 0; i < N; i++)
                UNTIL(flag, MPI_Testany(N, request, &index, &flag, statuses), "MPI_Testany",
                      4 * (1 + index % 4), left);
            break;
        case 6:
            for (int left_over = N; left_over; left_over -= done) {
                MPI_Testsome(N, request, &done, indices, statuses);
                long bytes = 0;
                for (int i = 0; i < done; i++)
                    bytes += 4 * (1 + indices[i] % 4);
                expect("MPI_Testsome", bytes, done > 0 ? left : -1);
            }
            break;
        }
        MPI_Waitall(count, send, MPI_STATUSES_IGNORE);
        expect("MPI_Waitall", 0, -1);
    }
    SHOW("completed", in);

    /* Persistent requests, one of them never started when waited for. */
    MPI_Request persistent[6];
    C(Send_init)(out, 3, MPI_INT, right, 0, MPI_COMM_WORLD, &persistent[0]);
    expect("MPI_Send_init", 0, right);
    C(Recv_init)(in[0], 4, MPI_INT, left, 0, MPI_COMM_WORLD, &persistent[1]);
    expect("MPI_Recv_init", 0, left);
    C(Ssend_init)(out, 2, MPI_INT, right, 1, MPI_COMM_WORLD, &persistent[2]);
    expect("MPI_Ssend_init", 0, right);
    C(Recv_init)(in[1], 4, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &persistent[3]);
    expect("MPI_Recv_init", 0, -1);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, persistent);
        expect("MPI_Startall", 12, right);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
        expect("MPI_Waitall", 12, left);
        MPI_Start(&persistent[3]);
        expect("MPI_Start", 0, -1);
        MPI_Start(&persistent[2]);
        expect("MPI_Start", 8, right);
        MPI_Wait(&persistent[2], MPI_STATUS_IGNORE);
        expect("MPI_Wait", 0, -1);
        MPI_Wait(&persistent[3], MPI_STATUS_IGNORE);
        expect("MPI_Wait", 8, left);
    }
    C(Bsend_init)(out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &persistent[4]);
    expect("MPI_Bsend_init", 0, right);
    C(Rsend_init)(out, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &persistent[5]);
    expect("MPI_Rsend_init", 0, right);
    for (int i = 0; i < 6; i++) {
        MPI_Request_free(&persistent[i]);
        expect("MPI_Request_free", 0, -1);
    }
    C(Irecv)(in[0], 4, MPI_INT, left, 99, MPI_COMM_WORLD, &request[0]);
    expect("MPI_Irecv", 0, left);
    MPI_Cancel(&request[0]);
    expect("MPI_Cancel", 0, -1);
    MPI_Wait(&request[0], statuses);
    expect("MPI_Wait", 0, left);
    SHOW("persistent", in);
}

/* Run a collective, blocking and nonblocking. The last argument is the request. */
#define BOTH(name, iname, bytes, peer, what, array, ...)                                           \
    do {                                                                                           \
        C(name)(__VA_ARGS__);                                                                      \
        expect("MPI_" #name, bytes, peer);                                                         \
        show(what, array, sizeof array);                                                           \
        C(iname)(__VA_ARGS__, &request);                                                           \
        expect("MPI_" #iname, bytes, peer);                                                        \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
        expect("MPI_Wait", 0, -1);                                                                 \
        show("I" what, array, sizeof array);                                                       \
    } while (0)

static void collectives(void)
{
    enum { P = 3 };
    int out[4 * P], in[4 * P];
    MPI_Request request;
    const int root = 1;
    const count_t counts[P] = {1, 2, 3};
    const displ_t displs[P] = {0, 1, 3};
    const displ_t byte_displs[P] = {0, 4, 12};
    const count_t mine[P] = {rank + 1, rank + 1, rank + 1};
    const displ_t mine_displs[P] = {0, rank + 1, 2 * (rank + 1)};
    const displ_t mine_byte_displs[P] = {0, 4 * (rank + 1), 8 * (rank + 1)};
    const count_t square[P] = {2, 2, 2};
    const displ_t square_displs[P] = {0, 2, 4};
    const displ_t square_byte_displs[P] = {0, 8, 16};
    const MPI_Datatype types[P] = {MPI_INT, MPI_INT, MPI_INT};
    const MPI_Datatype no_types[P] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    const MPI_Comm w = MPI_COMM_WORLD;
    (void)no_types;

#define FRESH()                                                                                    \
    do {                                                                                           \
        fill(out, 4 * P);                                                                          \
        memset(in, 0, sizeof in);                                                                  \
        fill(in, 4);                                                                               \
    } while (0)

    MPI_Barrier(w);
    expect("MPI_Barrier", 0, -1);
    MPI_Ibarrier(w, &request);
    expect("MPI_Ibarrier", 0, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 0, -1);

    FRESH();
    BOTH(Bcast, Ibcast, 16, root, "bcast", out, out, 4, MPI_INT, root, w);
    FRESH();
    BOTH(Gather, Igather, 8, root, "gather", in, out, 2, MPI_INT, in, 2, MPI_INT, root, w);
    FRESH();
    /* MPI_IN_PLACE: the other side's arguments may be anything. */
    if (rank == root)
        BOTH(Gather, Igather, 2 * P * 4, root, "gather in place", in, MPI_IN_PLACE, -1,
             MPI_DATATYPE_NULL, in, 2, MPI_INT, root, w);
    else
        BOTH(Gather, Igather, 8, root, "gather in place", in, out, 2, MPI_INT, NULL, -1,
             MPI_DATATYPE_NULL, root, w);
    FRESH();
    BOTH(Gatherv, Igatherv, 4 * (rank + 1), root, "gatherv", in, out, rank + 1, MPI_INT, in, counts,
         displs, MPI_INT, root, w);
    FRESH();
    if (rank == root)
        BOTH(Gatherv, Igatherv, 24, root, "gatherv in place", in, MPI_IN_PLACE, -1,
             MPI_DATATYPE_NULL, in, counts, displs, MPI_INT, root, w);
    else
        BOTH(Gatherv, Igatherv, 4 * (rank + 1), root, "gatherv in place", in, out, rank + 1, MPI_INT,
             NULL, NULL, NULL, MPI_DATATYPE_NULL, root, w);
    FRESH();
    BOTH(Scatter, Iscatter, rank == root ? 8 * P : 8, root, "scatter", in, out, 2, MPI_INT, in, 2,
         MPI_INT, root, w);
    FRESH();
    if (rank == root)
        BOTH(Scatter, Iscatter, 8 * P, root, "scatter in place", out, out, 2, MPI_INT, MPI_IN_PLACE,
             -1, MPI_DATATYPE_NULL, root, w);
    else
        BOTH(Scatter, Iscatter, 8, root, "scatter in place", in, NULL, -1, MPI_DATATYPE_NULL, in, 2,
             MPI_INT, root, w);
    FRESH();
    BOTH(Scatterv, Iscatterv, rank == root ? 24 : 4 * (rank + 1), root, "scatterv", in, out, counts,
         displs, MPI_INT, in, rank + 1, MPI_INT, root, w);
    FRESH();
    if (rank == root)
        BOTH(Scatterv, Iscatterv, 24, root, "scatterv in place", out, out, counts, displs, MPI_INT,
             MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, w);
    else
        BOTH(Scatterv, Iscatterv, 4 * (rank + 1), root, "scatterv in place", in, NULL, NULL, NULL,
             MPI_DATATYPE_NULL, in, rank + 1, MPI_INT, root, w);
    FRESH();
    BOTH(Allgather, Iallgather, 8, -1, "allgather", in, out, 2, MPI_INT, in, 2, MPI_INT, w);
    FRESH();
    BOTH(Allgather, Iallgather, 8 * P, -1, "allgather in place", in, MPI_IN_PLACE, -1,
         MPI_DATATYPE_NULL, in, 2, MPI_INT, w);
    FRESH();
    BOTH(Allgatherv, Iallgatherv, 4 * (rank + 1), -1, "allgatherv", in, out, rank + 1, MPI_INT, in,
         counts, displs, MPI_INT, w);
    FRESH();
    BOTH(Allgatherv, Iallgatherv, 24, -1, "allgatherv in place", in, MPI_IN_PLACE, -1,
         MPI_DATATYPE_NULL, in, counts, displs, MPI_INT, w);
    FRESH();
    BOTH(Alltoall, Ialltoall, 8 * P, -1, "alltoall", in, out, 2, MPI_INT, in, 2, MPI_INT, w);
    FRESH();
    C(Alltoall)(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in, 2, MPI_INT, w);
    expect("MPI_Alltoall", 8 * P, -1);
    SHOW("alltoall in place", in);
    FRESH();
    BOTH(Alltoallv, Ialltoallv, 24, -1, "alltoallv", in, out, counts, displs, MPI_INT, in, mine,
         mine_displs, MPI_INT, w);
    FRESH();
    C(Alltoallv)(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, square, square_displs, MPI_INT, w);
    expect("MPI_Alltoallv", 24, -1);
    SHOW("alltoallv in place", in);
    FRESH();
    BOTH(Alltoallw, Ialltoallw, 24, -1, "alltoallw", in, out, counts, byte_displs, types, in, mine,
         mine_byte_displs, types, w);
    FRESH();
    C(Alltoallw)(MPI_IN_PLACE, NULL, NULL, NULL, in, square, square_byte_displs, types, w);
    expect("MPI_Alltoallw", 24, -1);
    SHOW("alltoallw in place", in);
    FRESH();
    BOTH(Reduce, Ireduce, 16, root, "reduce", in, out, in, 4, MPI_INT, MPI_SUM, root, w);
    FRESH();
    BOTH(Reduce, Ireduce, 16, root, "reduce in place", in, rank == root ? MPI_IN_PLACE : out,
         rank == root ? in : NULL, 4, MPI_INT, MPI_SUM, root, w);
    FRESH();
    BOTH(Allreduce, Iallreduce, 16, -1, "allreduce", in, out, in, 4, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Allreduce, Iallreduce, 16, -1, "allreduce in place", in, MPI_IN_PLACE, in, 4, MPI_INT,
         MPI_SUM, w);
    FRESH();
    BOTH(Reduce_scatter, Ireduce_scatter, 24, -1, "reduce_scatter", in, out, in, counts, MPI_INT,
         MPI_SUM, w);
    FRESH();
    BOTH(Reduce_scatter, Ireduce_scatter, 24, -1, "reduce_scatter in place", in, MPI_IN_PLACE, in,
         counts, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, 8 * P, -1, "reduce_scatter_block", in, out, in,
         2, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, 8 * P, -1, "reduce_scatter_block in place", in,
         MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Scan, Iscan, 16, -1, "scan", in, out, in, 4, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Scan, Iscan, 16, -1, "scan in place", in, MPI_IN_PLACE, in, 4, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Exscan, Iexscan, 16, -1, "exscan", in, out, in, 4, MPI_INT, MPI_SUM, w);
    FRESH();
    BOTH(Exscan, Iexscan, 16, -1, "exscan in place", in, MPI_IN_PLACE, in, 4, MPI_INT, MPI_SUM, w);
}

static void types(void)
{
    /* A column of a matrix, a pair, an absolute address. */
    double matrix[4][5];
    struct { double value; int place; } pair = {rank * 1.5, rank}, most = {0, 0};
    MPI_Datatype column, absolute, resized;
    MPI_Aint address;
    for (int i = 0; i < 20; i++)
        (&matrix[0][0])[i] = rank * 20 + i;
    MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    C(Sendrecv)(&matrix[0][3], 1, column, right, 0, &matrix[0][0], 1, column, left, 0, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
    expect("MPI_Sendrecv", 32, right);
    C(Bcast)(&matrix[0][1], 1, column, 2, MPI_COMM_WORLD);
    expect("MPI_Bcast", 32, 2);
    MPI_Type_free(&column);
    /* The same handle may now be another type. */
    MPI_Type_vector(2, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    C(Bcast)(&matrix[0][2], 1, column, 0, MPI_COMM_WORLD);
    expect("MPI_Bcast", 16, 0);
    MPI_Type_free(&column);
    C(Allreduce)(&pair, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    expect("MPI_Allreduce", 12, -1);
    MPI_Get_address(&matrix[3][0], &address);
    MPI_Type_create_hindexed(1, (int[]){5}, &address, MPI_DOUBLE, &absolute);
    MPI_Type_create_resized(absolute, 0, 8, &resized);
    MPI_Type_commit(&resized);
    C(Bcast)(MPI_BOTTOM, 1, resized, 1, MPI_COMM_WORLD);
    expect("MPI_Bcast", 40, 1);
    MPI_Type_free(&absolute);
    MPI_Type_free(&resized);
    SHOW("matrix", matrix);
    SHOW("most", &most.value);
    fprintf(received, "at %d\n", most.place);
    C(Bcast)(matrix, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    expect("MPI_Bcast", 0, 0);
}

static void communicators(void)
{
    MPI_Comm copy, half, same, made, grid, graph, dist, inter, merged, shared, line;
    MPI_Request request;
    MPI_Group group, part;
    int value = rank, got = -1;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    expect("MPI_Comm_dup", 0, -1);
    MPI_Comm_set_name(copy, "a copy");
    expect("MPI_Comm_set_name", 0, -1);
    MPI_Comm_idup(MPI_COMM_WORLD, &same, &request);
    expect("MPI_Comm_idup", 0, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 0, -1);
    C(Bcast)(&value, 1, MPI_INT, 2, same);
    expect("MPI_Bcast", 4, 2);
    MPI_Comm_free(&same);
    expect("MPI_Comm_free", 0, -1);
    MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &same);
    expect("MPI_Comm_dup_with_info", 0, -1);
    MPI_Comm_disconnect(&same);
    expect("MPI_Comm_disconnect", 0, -1);

    /* Reversed: rank r is 2 - r there. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &half);
    expect("MPI_Comm_split", 0, -1);
    C(Bcast)(&value, 1, MPI_INT, 0, half);
    expect("MPI_Bcast", 4, 2);
    value = rank;
    C(Sendrecv)(&value, 1, MPI_INT, (2 - rank + 1) % 3, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, half,
                MPI_STATUS_IGNORE);
    expect("MPI_Sendrecv", 4, left);
    C(Irecv)(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, half, &request);
    expect("MPI_Irecv", 0, -1);
    C(Send)(&value, 1, MPI_INT, (2 - rank + 1) % 3, 0, half);
    expect("MPI_Send", 4, left);
    MPI_Comm_free(&half); /* with a receive pending */
    expect("MPI_Comm_free", 0, -1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("MPI_Wait", 4, right);
    fprintf(received, "got %d\n", got);

    /* Many, one after the other: their handles come back. */
    for (int i = 0; i < 100; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &half);
        expect("MPI_Comm_split", 0, -1);
        C(Bcast)(&value, 1, MPI_INT, 0, half);
        expect("MPI_Bcast", 4, i % 2 ? 0 : 2);
        MPI_Comm_free(&half);
        expect("MPI_Comm_free", 0, -1);
    }
    /* Freed where no wrapper sees it. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &half);
    expect("MPI_Comm_split", 0, -1);
    PMPI_Comm_free(&half);
    PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &half);
    C(Bcast)(&value, 1, MPI_INT, 0, half);
    expect("MPI_Bcast", 4, 0);
    PMPI_Comm_free(&half);

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    expect("MPI_Comm_split_type", 0, -1);
    MPI_Comm_free(&shared);
    expect("MPI_Comm_free", 0, -1);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_incl(group, 2, (int[]){2, 1}, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, &made);
    expect("MPI_Comm_create", 0, -1);
    if (made != MPI_COMM_NULL) {
        C(Bcast)(&value, 1, MPI_INT, 1, made);
        expect("MPI_Bcast", 4, 1);
        MPI_Comm_free(&made);
        expect("MPI_Comm_free", 0, -1);
    }
    if (rank) {
        MPI_Comm_create_group(MPI_COMM_WORLD, part, 7, &made);
        expect("MPI_Comm_create_group", 0, -1);
        MPI_Comm_free(&made);
        expect("MPI_Comm_free", 0, -1);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&part);

    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){3, 1}, (int[]){1, 0}, 0, &grid);
    expect("MPI_Cart_create", 0, -1);
    MPI_Cart_sub(grid, (int[]){1, 0}, &line);
    expect("MPI_Cart_sub", 0, -1);
    MPI_Comm_free(&line);
    expect("MPI_Comm_free", 0, -1);
    MPI_Comm_free(&grid);
    expect("MPI_Comm_free", 0, -1);
    MPI_Graph_create(MPI_COMM_WORLD, 3, (int[]){1, 2, 3}, (int[]){1, 2, 0}, 0, &graph);
    expect("MPI_Graph_create", 0, -1);
    MPI_Comm_free(&graph);
    expect("MPI_Comm_free", 0, -1);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, (int[]){1}, &right, (int[]){1}, MPI_INFO_NULL, 0,
                          &dist);
    expect("MPI_Dist_graph_create", 0, -1);
    MPI_Comm_free(&dist);
    expect("MPI_Comm_free", 0, -1);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, (int[]){1}, 1, &right, (int[]){1},
                                   MPI_INFO_NULL, 0, &dist);
    expect("MPI_Dist_graph_create_adjacent", 0, -1);
    MPI_Comm_free(&dist);
    expect("MPI_Comm_free", 0, -1);

    /* Rank 0 here, 1 and 2 there. */
    MPI_Comm_split(copy, rank > 0, rank, &half);
    expect("MPI_Comm_split", 0, -1);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank ? 0 : 1, 3, &inter);
    expect("MPI_Intercomm_create", 0, -1);
    C(Sendrecv)(&value, 1, MPI_INT, rank == 0 ? 1 : rank == 2 ? 0 : MPI_PROC_NULL, 0, &got, 1, MPI_INT,
                rank == 0 ? 1 : rank == 2 ? 0 : MPI_PROC_NULL, 0, inter, MPI_STATUS_IGNORE);
    expect("MPI_Sendrecv", rank == 1 ? 0 : 4, rank == 0 ? 2 : rank == 2 ? 0 : -1);
    /* From rank 2 to all of the other side; its neighbour 1 passes nothing. */
    C(Bcast)(&value, 1, MPI_INT, rank == 0 ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL, inter);
    expect("MPI_Bcast", rank == 1 ? 0 : 4, rank == 0 ? 2 : -1);
    MPI_Intercomm_merge(inter, rank > 0, &merged);
    expect("MPI_Intercomm_merge", 0, -1);
    MPI_Comm_free(&merged);
    expect("MPI_Comm_free", 0, -1);
    MPI_Comm_free(&inter);
    expect("MPI_Comm_free", 0, -1);
    MPI_Comm_free(&half);
    expect("MPI_Comm_free", 0, -1);
    C(Allreduce)(&value, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    expect("MPI_Allreduce", 4, -1);
    C(Bcast)(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
    expect("MPI_Bcast", 4, rank);
    MPI_Comm_free(&copy);
    expect("MPI_Comm_free", 0, -1);

    MPI_Pcontrol(0);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    MPI_Barrier(MPI_COMM_WORLD);
    expect("MPI_Barrier", 0, -1);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    expected = open_mine("expected");
    received = open_mine("received");
    expect("MPI_Init_thread", 0, -1);
    point_to_point();
    completions();
    collectives();
    types();
    communicators();
    expect("MPI_Finalize", 0, -1);
    fclose(expected);
    fclose(received);
    MPI_Finalize();
    return 0;
}
