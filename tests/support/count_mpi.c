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
    X(Intercomm_create, intercomm_create) X(Intercomm_merge, intercomm_merge) \
    X(Neighbor_allgather, neighbor_allgather) X(Ineighbor_allgather, ineighbor_allgather) \
    X(Neighbor_allgatherv, neighbor_allgatherv) X(Ineighbor_allgatherv, ineighbor_allgatherv) \
    X(Neighbor_alltoall, neighbor_alltoall) X(Ineighbor_alltoall, ineighbor_alltoall) \
    X(Neighbor_alltoallv, neighbor_alltoallv) X(Ineighbor_alltoallv, ineighbor_alltoallv) \
    X(Neighbor_alltoallw, neighbor_alltoallw) X(Ineighbor_alltoallw, ineighbor_alltoallw) \
    X(Win_create, win_create) X(Win_allocate, win_allocate) \
    X(Win_allocate_shared, win_allocate_shared) X(Win_create_dynamic, win_create_dynamic) \
    X(Win_free, win_free) X(Win_set_info, win_set_info) X(Win_fence, win_fence) \
    X(Win_post, win_post) X(Win_start, win_start) X(Win_complete, win_complete) \
    X(Win_wait, win_wait) X(Win_test, win_test) X(Win_lock, win_lock) X(Win_unlock, win_unlock) \
    X(Win_lock_all, win_lock_all) X(Win_unlock_all, win_unlock_all) X(Win_flush, win_flush) \
    X(Win_flush_all, win_flush_all) X(Win_flush_local, win_flush_local) \
    X(Win_flush_local_all, win_flush_local_all) X(Win_sync, win_sync) X(Put, put) X(Get, get) \
    X(Accumulate, accumulate) X(Get_accumulate, get_accumulate) X(Fetch_and_op, fetch_and_op) \
    X(Compare_and_swap, compare_and_swap) X(Rput, rput) X(Rget, rget) X(Raccumulate, raccumulate) \
    X(Rget_accumulate, rget_accumulate) X(File_open, file_open) X(File_close, file_close) \
    X(File_delete, file_delete) X(File_sync, file_sync) X(File_set_size, file_set_size) \
    X(File_preallocate, file_preallocate) X(File_set_info, file_set_info) \
    X(File_set_view, file_set_view) X(File_seek_shared, file_seek_shared) \
    X(File_set_atomicity, file_set_atomicity) X(File_read, file_read) X(File_iread, file_iread) \
    X(File_write, file_write) X(File_iwrite, file_iwrite) X(File_read_at, file_read_at) \
    X(File_iread_at, file_iread_at) X(File_write_at, file_write_at) \
    X(File_iwrite_at, file_iwrite_at) X(File_read_shared, file_read_shared) \
    X(File_iread_shared, file_iread_shared) X(File_write_shared, file_write_shared) \
    X(File_iwrite_shared, file_iwrite_shared) X(File_read_all, file_read_all) \
    X(File_iread_all, file_iread_all) X(File_read_all_begin, file_read_all_begin) \
    X(File_read_all_end, file_read_all_end) X(File_write_all, file_write_all) \
    X(File_iwrite_all, file_iwrite_all) X(File_write_all_begin, file_write_all_begin) \
    X(File_write_all_end, file_write_all_end) X(File_read_at_all, file_read_at_all) \
    X(File_iread_at_all, file_iread_at_all) X(File_read_at_all_begin, file_read_at_all_begin) \
    X(File_read_at_all_end, file_read_at_all_end) X(File_write_at_all, file_write_at_all) \
    X(File_iwrite_at_all, file_iwrite_at_all) X(File_write_at_all_begin, file_write_at_all_begin) \
    X(File_write_at_all_end, file_write_at_all_end) X(File_read_ordered, file_read_ordered) \
    X(File_read_ordered_begin, file_read_ordered_begin) \
    X(File_read_ordered_end, file_read_ordered_end) X(File_write_ordered, file_write_ordered) \
    X(File_write_ordered_begin, file_write_ordered_begin) \
    X(File_write_ordered_end, file_write_ordered_end) X(Buffer_attach, buffer_attach) \
    X(Buffer_detach, buffer_detach) X(Request_get_status, request_get_status) \
    X(Comm_set_info, comm_set_info) X(Start, start) X(Startall, startall) X(Comm_free, comm_free)
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
/* of the Fortran module mpi, with a C pointer */
WRAP(mpi_win_allocate_cptr_, ID_Win_allocate)
WRAP(mpi_win_allocate_shared_cptr_, ID_Win_allocate_shared)

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
