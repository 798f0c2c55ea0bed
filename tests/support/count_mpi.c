/* count_mpi.c - counts MPI calls per rank and name: the oracle of the MPI tests.
 *
 * Knows no MPI and no prototype: every wrapper hands 14 words on to the next
 * symbol of its name, which is right for any call of MPI on x86-64 and aarch64
 * (none takes a floating-point argument). C and Fortran have symbols of their
 * own. A call is counted where the program makes it: MPI libraries call
 * themselves, and some Fortran bindings call the C one. Each process appends
 * "rank name count" lines to $COUNT_MPI_DIR/<rank>.<pid> when it ends.
 *
 * Build: gcc -shared -fPIC count_mpi.c -o libcount_mpi.so -ldl; use: LD_PRELOAD.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* clang-format off */
#define CALLS(X) \
    X(Init, init) X(Init_thread, init_thread) X(Finalize, finalize) \
    X(Send, send) X(Bsend, bsend) X(Ssend, ssend) X(Rsend, rsend) \
    X(Isend, isend) X(Ibsend, ibsend) X(Issend, issend) X(Irsend, irsend) \
    X(Recv, recv) X(Irecv, irecv) X(Mrecv, mrecv) X(Imrecv, imrecv) \
    X(Sendrecv, sendrecv) X(Sendrecv_replace, sendrecv_replace) \
    X(Probe, probe) X(Iprobe, iprobe) X(Mprobe, mprobe) X(Improbe, improbe) \
    X(Wait, wait) X(Waitall, waitall) X(Waitany, waitany) X(Waitsome, waitsome) \
    X(Test, test) X(Testall, testall) X(Testany, testany) X(Testsome, testsome) \
    X(Barrier, barrier) X(Bcast, bcast) X(Gather, gather) X(Gatherv, gatherv) \
    X(Scatter, scatter) X(Scatterv, scatterv) X(Allgather, allgather) X(Allgatherv, allgatherv) \
    X(Alltoall, alltoall) X(Alltoallv, alltoallv) X(Alltoallw, alltoallw) \
    X(Reduce, reduce) X(Allreduce, allreduce) X(Scan, scan) X(Exscan, exscan) \
    X(Reduce_scatter, reduce_scatter) X(Reduce_scatter_block, reduce_scatter_block) \
    X(Ibarrier, ibarrier) X(Ibcast, ibcast) X(Igather, igather) X(Igatherv, igatherv) \
    X(Iscatter, iscatter) X(Iscatterv, iscatterv) X(Iallgather, iallgather) \
    X(Iallgatherv, iallgatherv) X(Ialltoall, ialltoall) X(Ialltoallv, ialltoallv) \
    X(Ialltoallw, ialltoallw) X(Ireduce, ireduce) X(Iallreduce, iallreduce) X(Iscan, iscan) \
    X(Iexscan, iexscan) X(Ireduce_scatter, ireduce_scatter) \
    X(Ireduce_scatter_block, ireduce_scatter_block) \
    X(Comm_dup, comm_dup) X(Comm_idup, comm_idup) X(Comm_dup_with_info, comm_dup_with_info) \
    X(Comm_create, comm_create) X(Comm_create_group, comm_create_group) \
    X(Comm_split, comm_split) X(Comm_split_type, comm_split_type) \
    X(Cart_create, cart_create) X(Cart_sub, cart_sub) X(Graph_create, graph_create) \
    X(Dist_graph_create, dist_graph_create) \
    X(Dist_graph_create_adjacent, dist_graph_create_adjacent) \
    X(Intercomm_create, intercomm_create) X(Intercomm_merge, intercomm_merge)
/* clang-format on */

#define ID(Name, name) ID_##Name,
#define TEXT(Name, name) "MPI_" #Name,
enum { CALLS(ID) ID_COUNT };
static const char *const names[] = {CALLS(TEXT)};
static long counts[ID_COUNT];
static __thread int depth;

#define PARAMETERS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, \
                   long k, long l, long m, long n
#define WRAP(symbol, id)                                                                          \
    long symbol(PARAMETERS)                                                                       \
    {                                                                                             \
        static long (*next)(PARAMETERS);                                                          \
        if (!next)                                                                                \
            next = (long (*)(PARAMETERS))dlsym(RTLD_NEXT, #symbol);                               \
        if (depth++ == 0)                                                                         \
            __atomic_add_fetch(&counts[id], 1, __ATOMIC_RELAXED);                                 \
        const long result = next(a, b, c, d, e, f, g, h, i, j, k, l, m, n);                       \
        depth--;                                                                                  \
        return result;                                                                            \
    }
#define WRAP_ALL(Name, name)                                                                      \
    WRAP(MPI_##Name, ID_##Name)                                                                   \
    WRAP(mpi_##name##_, ID_##Name)                                                                \
    WRAP(mpi_##name##_f08_, ID_##Name)                                                            \
    WRAP(mpi_##name##_f08ts_, ID_##Name)
CALLS(WRAP_ALL)

__attribute__((destructor)) static void report(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *folder = getenv("COUNT_MPI_DIR");
    if (!rank)
        rank = getenv("PMI_RANK");
    char path[4096];
    if (!folder || !(counts[ID_Init] + counts[ID_Init_thread]))
        return; /* a shell, a launcher */
    snprintf(path, sizeof path, "%s/%s.%ld", folder, rank ? rank : "0", (long)getpid());
    FILE *file = fopen(path, "w");
    for (int id = 0; file && id < ID_COUNT; id++)
        if (counts[id])
            fprintf(file, "%s %s %ld\n", rank ? rank : "0", names[id], counts[id]);
    if (file)
        fclose(file);
}
