/* fortran_collective_large.c - blocking collectives, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_bcast_large(fortran_6 *next, void *buffer, void *count, void *datatype,
                                void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, count, datatype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_count(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Bcast);
    next(buffer, count, datatype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_bcast_f08_large_(void *buffer, void *count, void *datatype, void *root,
                                    void *comm, void *ierror)
{
    fortran_bcast_large(FORWARD_FORTRAN(mpi_bcast_f08_large_), buffer, count, datatype, root, comm,
                        ierror);
}

SCOPE_API void mpi_bcast_f08ts_large_(void *buffer, void *count, void *datatype, void *root,
                                      void *comm, void *ierror)
{
    fortran_bcast_large(FORWARD_FORTRAN(mpi_bcast_f08ts_large_), buffer, count, datatype, root,
                        comm, ierror);
}

static void fortran_gather_large(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                                 void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                 void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gather_bytes(on, f_int(root), in_place, f_count(sendcount),
                                           f_type(sendtype), f_count(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Gather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_gather_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                     void *recvcount, void *recvtype, void *root, void *comm,
                                     void *ierror)
{
    fortran_gather_large(FORWARD_FORTRAN(mpi_gather_f08_large_), f_in_place(sendbuf), sendbuf,
                         sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_gather_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *root,
                                       void *comm, void *ierror)
{
    fortran_gather_large(FORWARD_FORTRAN(mpi_gather_f08ts_large_), f_in_place(*(void **)sendbuf),
                         sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                         ierror);
}

static void fortran_gatherv_large(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                                  void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                  void *recvtype, void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gatherv_bytes(on, f_int(root), in_place, f_count(sendcount),
                                            f_type(sendtype), (mpi_counts){recvcounts, true},
                                            f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Gatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_gatherv_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcounts, void *displs, void *recvtype, void *root,
                                      void *comm, void *ierror)
{
    fortran_gatherv_large(FORWARD_FORTRAN(mpi_gatherv_f08_large_), f_in_place(sendbuf), sendbuf,
                          sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                          ierror);
}

SCOPE_API void mpi_gatherv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcounts, void *displs,
                                        void *recvtype, void *root, void *comm, void *ierror)
{
    fortran_gatherv_large(FORWARD_FORTRAN(mpi_gatherv_f08ts_large_), f_in_place(*(void **)sendbuf),
                          sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                          comm, ierror);
}

static void fortran_scatter_large(fortran_9 *next, void *sendbuf, void *sendcount, void *sendtype,
                                  void *recvbuf, void *recvcount, void *recvtype, void *root,
                                  void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatter_bytes(on, f_int(root), f_count(sendcount), f_type(sendtype),
                                            f_count(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Scatter);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatter_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcount, void *recvtype, void *root, void *comm,
                                      void *ierror)
{
    fortran_scatter_large(FORWARD_FORTRAN(mpi_scatter_f08_large_), sendbuf, sendcount, sendtype,
                          recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatter_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *root,
                                        void *comm, void *ierror)
{
    fortran_scatter_large(FORWARD_FORTRAN(mpi_scatter_f08ts_large_), sendbuf, sendcount, sendtype,
                          recvbuf, recvcount, recvtype, root, comm, ierror);
}

static void fortran_scatterv_large(fortran_10 *next, void *sendbuf, void *sendcounts, void *displs,
                                   void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                   void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatterv_bytes(on, f_int(root), (mpi_counts){sendcounts, true},
                                             f_type(sendtype), f_count(recvcount),
                                             f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Scatterv);
    next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatterv_f08_large_(void *sendbuf, void *sendcounts, void *displs,
                                       void *sendtype, void *recvbuf, void *recvcount,
                                       void *recvtype, void *root, void *comm, void *ierror)
{
    fortran_scatterv_large(FORWARD_FORTRAN(mpi_scatterv_f08_large_), sendbuf, sendcounts, displs,
                           sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatterv_f08ts_large_(void *sendbuf, void *sendcounts, void *displs,
                                         void *sendtype, void *recvbuf, void *recvcount,
                                         void *recvtype, void *root, void *comm, void *ierror)
{
    fortran_scatterv_large(FORWARD_FORTRAN(mpi_scatterv_f08ts_large_), sendbuf, sendcounts, displs,
                           sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
}

static void fortran_allgather_large(fortran_8 *next, bool in_place, void *sendbuf, void *sendcount,
                                    void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                    void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgather_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                              f_count(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgather_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                        void *ierror)
{
    fortran_allgather_large(FORWARD_FORTRAN(mpi_allgather_f08_large_), f_in_place(sendbuf), sendbuf,
                            sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_allgather_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *recvbuf, void *recvcount, void *recvtype,
                                          void *comm, void *ierror)
{
    fortran_allgather_large(FORWARD_FORTRAN(mpi_allgather_f08ts_large_),
                            f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                            recvcount, recvtype, comm, ierror);
}

static void fortran_allgatherv_large(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                                     void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                     void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgatherv_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                               (mpi_counts){recvcounts, true}, f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgatherv_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcounts, void *displs,
                                         void *recvtype, void *comm, void *ierror)
{
    fortran_allgatherv_large(FORWARD_FORTRAN(mpi_allgatherv_f08_large_), f_in_place(sendbuf),
                             sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                             comm, ierror);
}

SCOPE_API void mpi_allgatherv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                           void *recvbuf, void *recvcounts, void *displs,
                                           void *recvtype, void *comm, void *ierror)
{
    fortran_allgatherv_large(FORWARD_FORTRAN(mpi_allgatherv_f08ts_large_),
                             f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                             recvcounts, displs, recvtype, comm, ierror);
}

static void fortran_alltoall_large(fortran_8 *next, bool in_place, void *sendbuf, void *sendcount,
                                   void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                   void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoall_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                             f_count(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoall_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                       void *ierror)
{
    fortran_alltoall_large(FORWARD_FORTRAN(mpi_alltoall_f08_large_), f_in_place(sendbuf), sendbuf,
                           sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_alltoall_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                         void *ierror)
{
    fortran_alltoall_large(FORWARD_FORTRAN(mpi_alltoall_f08ts_large_),
                           f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                           recvcount, recvtype, comm, ierror);
}

static void fortran_alltoallv_large(fortran_10 *next, bool in_place, void *sendbuf,
                                    void *sendcounts, void *sdispls, void *sendtype, void *recvbuf,
                                    void *recvcounts, void *rdispls, void *recvtype, void *comm,
                                    void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallv_bytes(on, in_place, (mpi_counts){sendcounts, true},
                                              f_type(sendtype), (mpi_counts){recvcounts, true},
                                              f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallv_f08_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                        void *sendtype, void *recvbuf, void *recvcounts,
                                        void *rdispls, void *recvtype, void *comm, void *ierror)
{
    fortran_alltoallv_large(FORWARD_FORTRAN(mpi_alltoallv_f08_large_), f_in_place(sendbuf), sendbuf,
                            sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                            comm, ierror);
}

SCOPE_API void mpi_alltoallv_f08ts_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                          void *sendtype, void *recvbuf, void *recvcounts,
                                          void *rdispls, void *recvtype, void *comm, void *ierror)
{
    fortran_alltoallv_large(FORWARD_FORTRAN(mpi_alltoallv_f08ts_large_),
                            f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtype,
                            recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
}

static void fortran_alltoallw_large(fortran_10 *next, bool in_place, void *sendbuf,
                                    void *sendcounts, void *sdispls, void *sendtypes, void *recvbuf,
                                    void *recvcounts, void *rdispls, void *recvtypes, void *comm,
                                    void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallw_bytes(on, in_place, (mpi_counts){sendcounts, true},
                                              (mpi_types){sendtypes, true},
                                              (mpi_counts){recvcounts, true},
                                              (mpi_types){recvtypes, true});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallw_f08_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                        void *sendtypes, void *recvbuf, void *recvcounts,
                                        void *rdispls, void *recvtypes, void *comm, void *ierror)
{
    fortran_alltoallw_large(FORWARD_FORTRAN(mpi_alltoallw_f08_large_), f_in_place(sendbuf), sendbuf,
                            sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                            comm, ierror);
}

SCOPE_API void mpi_alltoallw_f08ts_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                          void *sendtypes, void *recvbuf, void *recvcounts,
                                          void *rdispls, void *recvtypes, void *comm, void *ierror)
{
    fortran_alltoallw_large(FORWARD_FORTRAN(mpi_alltoallw_f08ts_large_),
                            f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtypes,
                            recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
}

static void fortran_reduce_large(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                                 void *datatype, void *op, void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_count(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Reduce);
    next(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                     void *op, void *root, void *comm, void *ierror)
{
    fortran_reduce_large(FORWARD_FORTRAN(mpi_reduce_f08_large_), sendbuf, recvbuf, count, datatype,
                         op, root, comm, ierror);
}

SCOPE_API void mpi_reduce_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                       void *op, void *root, void *comm, void *ierror)
{
    fortran_reduce_large(FORWARD_FORTRAN(mpi_reduce_f08ts_large_), sendbuf, recvbuf, count,
                         datatype, op, root, comm, ierror);
}

static void fortran_allreduce_large(fortran_7 *next, void *sendbuf, void *recvbuf, void *count,
                                    void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allreduce_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                        void *op, void *comm, void *ierror)
{
    fortran_allreduce_large(FORWARD_FORTRAN(mpi_allreduce_f08_large_), sendbuf, recvbuf, count,
                            datatype, op, comm, ierror);
}

SCOPE_API void mpi_allreduce_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                          void *op, void *comm, void *ierror)
{
    fortran_allreduce_large(FORWARD_FORTRAN(mpi_allreduce_f08ts_large_), sendbuf, recvbuf, count,
                            datatype, op, comm, ierror);
}

static void fortran_reduce_scatter_large(fortran_7 *next, void *sendbuf, void *recvbuf,
                                         void *recvcounts, void *datatype, void *op, void *comm,
                                         void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true},
                                                   f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter);
    next(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_f08_large_(void *sendbuf, void *recvbuf, void *recvcounts,
                                             void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter_large(FORWARD_FORTRAN(mpi_reduce_scatter_f08_large_), sendbuf, recvbuf,
                                 recvcounts, datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_f08ts_large_(void *sendbuf, void *recvbuf, void *recvcounts,
                                               void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter_large(FORWARD_FORTRAN(mpi_reduce_scatter_f08ts_large_), sendbuf, recvbuf,
                                 recvcounts, datatype, op, comm, ierror);
}

static void fortran_reduce_scatter_block_large(fortran_7 *next, void *sendbuf, void *recvbuf,
                                               void *recvcount, void *datatype, void *op,
                                               void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(recvcount), f_type(datatype)) * on->local_size;
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block);
    next(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_block_f08_large_(void *sendbuf, void *recvbuf, void *recvcount,
                                                   void *datatype, void *op, void *comm,
                                                   void *ierror)
{
    fortran_reduce_scatter_block_large(FORWARD_FORTRAN(mpi_reduce_scatter_block_f08_large_),
                                       sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_block_f08ts_large_(void *sendbuf, void *recvbuf, void *recvcount,
                                                     void *datatype, void *op, void *comm,
                                                     void *ierror)
{
    fortran_reduce_scatter_block_large(FORWARD_FORTRAN(mpi_reduce_scatter_block_f08ts_large_),
                                       sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
}

static void fortran_scan_large(fortran_7 *next, void *sendbuf, void *recvbuf, void *count,
                               void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scan_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                   void *op, void *comm, void *ierror)
{
    fortran_scan_large(FORWARD_FORTRAN(mpi_scan_f08_large_), sendbuf, recvbuf, count, datatype, op,
                       comm, ierror);
}

SCOPE_API void mpi_scan_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                     void *op, void *comm, void *ierror)
{
    fortran_scan_large(FORWARD_FORTRAN(mpi_scan_f08ts_large_), sendbuf, recvbuf, count, datatype,
                       op, comm, ierror);
}

static void fortran_exscan_large(fortran_7 *next, void *sendbuf, void *recvbuf, void *count,
                                 void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_exscan_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                     void *op, void *comm, void *ierror)
{
    fortran_exscan_large(FORWARD_FORTRAN(mpi_exscan_f08_large_), sendbuf, recvbuf, count, datatype,
                         op, comm, ierror);
}

SCOPE_API void mpi_exscan_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                       void *op, void *comm, void *ierror)
{
    fortran_exscan_large(FORWARD_FORTRAN(mpi_exscan_f08ts_large_), sendbuf, recvbuf, count,
                         datatype, op, comm, ierror);
}

#endif
