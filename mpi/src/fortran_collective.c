/* fortran_collective.c - blocking collectives, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_barrier(fortran_2 *next, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Barrier);
    next(comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_barrier_(void *comm, void *ierror)
{
    fortran_barrier(FORWARD_FORTRAN(mpi_barrier_), comm, ierror);
}

SCOPE_API void mpi_barrier_f08_(void *comm, void *ierror)
{
    fortran_barrier(FORWARD_FORTRAN(mpi_barrier_f08_), comm, ierror);
}

static void fortran_bcast(fortran_6 *next, void *buffer, void *count, void *datatype, void *root,
                          void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, count, datatype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Bcast);
    next(buffer, count, datatype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_bcast_(void *buffer, void *count, void *datatype, void *root, void *comm,
                          void *ierror)
{
    fortran_bcast(FORWARD_FORTRAN(mpi_bcast_), buffer, count, datatype, root, comm, ierror);
}

SCOPE_API void mpi_bcast_f08_(void *buffer, void *count, void *datatype, void *root, void *comm,
                              void *ierror)
{
    fortran_bcast(FORWARD_FORTRAN(mpi_bcast_f08_), buffer, count, datatype, root, comm, ierror);
}

SCOPE_API void mpi_bcast_f08ts_(void *buffer, void *count, void *datatype, void *root, void *comm,
                                void *ierror)
{
    fortran_bcast(FORWARD_FORTRAN(mpi_bcast_f08ts_), buffer, count, datatype, root, comm, ierror);
}

static void fortran_gather(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                           void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                           void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gather_bytes(on, f_int(root), in_place, f_int(sendcount),
                                           f_type(sendtype), f_int(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Gather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_gather_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                           void *recvcount, void *recvtype, void *root, void *comm, void *ierror)
{
    fortran_gather(FORWARD_FORTRAN(mpi_gather_), f_in_place(sendbuf), sendbuf, sendcount, sendtype,
                   recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_gather_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                               void *recvcount, void *recvtype, void *root, void *comm,
                               void *ierror)
{
    fortran_gather(FORWARD_FORTRAN(mpi_gather_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                   sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_gather_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcount, void *recvtype, void *root, void *comm,
                                 void *ierror)
{
    fortran_gather(FORWARD_FORTRAN(mpi_gather_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                   sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
}

static void fortran_gatherv(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                            void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                            void *recvtype, void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gatherv_bytes(on, f_int(root), in_place, f_int(sendcount),
                                            f_type(sendtype), (mpi_counts){recvcounts, false},
                                            f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Gatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_gatherv_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                            void *recvcounts, void *displs, void *recvtype, void *root, void *comm,
                            void *ierror)
{
    fortran_gatherv(FORWARD_FORTRAN(mpi_gatherv_), f_in_place(sendbuf), sendbuf, sendcount,
                    sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_gatherv_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                void *recvcounts, void *displs, void *recvtype, void *root,
                                void *comm, void *ierror)
{
    fortran_gatherv(FORWARD_FORTRAN(mpi_gatherv_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                    sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_gatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcounts, void *displs, void *recvtype, void *root,
                                  void *comm, void *ierror)
{
    fortran_gatherv(FORWARD_FORTRAN(mpi_gatherv_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                    sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, ierror);
}

static void fortran_scatter(fortran_9 *next, void *sendbuf, void *sendcount, void *sendtype,
                            void *recvbuf, void *recvcount, void *recvtype, void *root, void *comm,
                            void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatter_bytes(on, f_int(root), f_int(sendcount), f_type(sendtype),
                                            f_int(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Scatter);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatter_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                            void *recvcount, void *recvtype, void *root, void *comm, void *ierror)
{
    fortran_scatter(FORWARD_FORTRAN(mpi_scatter_), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                    recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatter_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                void *recvcount, void *recvtype, void *root, void *comm,
                                void *ierror)
{
    fortran_scatter(FORWARD_FORTRAN(mpi_scatter_f08_), sendbuf, sendcount, sendtype, recvbuf,
                    recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatter_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcount, void *recvtype, void *root, void *comm,
                                  void *ierror)
{
    fortran_scatter(FORWARD_FORTRAN(mpi_scatter_f08ts_), sendbuf, sendcount, sendtype, recvbuf,
                    recvcount, recvtype, root, comm, ierror);
}

static void fortran_scatterv(fortran_10 *next, void *sendbuf, void *sendcounts, void *displs,
                             void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                             void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatterv_bytes(on, f_int(root), (mpi_counts){sendcounts, false},
                                             f_type(sendtype), f_int(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Scatterv);
    next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatterv_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                             void *recvbuf, void *recvcount, void *recvtype, void *root, void *comm,
                             void *ierror)
{
    fortran_scatterv(FORWARD_FORTRAN(mpi_scatterv_), sendbuf, sendcounts, displs, sendtype, recvbuf,
                     recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatterv_f08_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                 void *recvbuf, void *recvcount, void *recvtype, void *root,
                                 void *comm, void *ierror)
{
    fortran_scatterv(FORWARD_FORTRAN(mpi_scatterv_f08_), sendbuf, sendcounts, displs, sendtype,
                     recvbuf, recvcount, recvtype, root, comm, ierror);
}

SCOPE_API void mpi_scatterv_f08ts_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                   void *recvbuf, void *recvcount, void *recvtype, void *root,
                                   void *comm, void *ierror)
{
    fortran_scatterv(FORWARD_FORTRAN(mpi_scatterv_f08ts_), sendbuf, sendcounts, displs, sendtype,
                     recvbuf, recvcount, recvtype, root, comm, ierror);
}

static void fortran_allgather(fortran_8 *next, bool in_place, void *sendbuf, void *sendcount,
                              void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                              void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgather_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                              f_int(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgather_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                              void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_allgather(FORWARD_FORTRAN(mpi_allgather_), f_in_place(sendbuf), sendbuf, sendcount,
                      sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_allgather_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_allgather(FORWARD_FORTRAN(mpi_allgather_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                      sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_allgather_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                    void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_allgather(FORWARD_FORTRAN(mpi_allgather_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                      sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

static void fortran_allgatherv(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                               void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                               void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgatherv_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                               (mpi_counts){recvcounts, false}, f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgatherv_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                               void *recvcounts, void *displs, void *recvtype, void *comm,
                               void *ierror)
{
    fortran_allgatherv(FORWARD_FORTRAN(mpi_allgatherv_), f_in_place(sendbuf), sendbuf, sendcount,
                       sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
}

SCOPE_API void mpi_allgatherv_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcounts, void *displs, void *recvtype, void *comm,
                                   void *ierror)
{
    fortran_allgatherv(FORWARD_FORTRAN(mpi_allgatherv_f08_), f_in_place(sendbuf), sendbuf,
                       sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
}

SCOPE_API void mpi_allgatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                     void *recvcounts, void *displs, void *recvtype, void *comm,
                                     void *ierror)
{
    fortran_allgatherv(FORWARD_FORTRAN(mpi_allgatherv_f08ts_), f_in_place(*(void **)sendbuf),
                       sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                       ierror);
}

static void fortran_alltoall(fortran_8 *next, bool in_place, void *sendbuf, void *sendcount,
                             void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                             void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoall_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                             f_int(recvcount), f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoall_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                             void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_alltoall(FORWARD_FORTRAN(mpi_alltoall_), f_in_place(sendbuf), sendbuf, sendcount,
                     sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_alltoall_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_alltoall(FORWARD_FORTRAN(mpi_alltoall_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                     sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_alltoall_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_alltoall(FORWARD_FORTRAN(mpi_alltoall_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                     sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

static void fortran_alltoallv(fortran_10 *next, bool in_place, void *sendbuf, void *sendcounts,
                              void *sdispls, void *sendtype, void *recvbuf, void *recvcounts,
                              void *rdispls, void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallv_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              f_type(sendtype), (mpi_counts){recvcounts, false},
                                              f_type(recvtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallv_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                              void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                              void *comm, void *ierror)
{
    fortran_alltoallv(FORWARD_FORTRAN(mpi_alltoallv_), f_in_place(sendbuf), sendbuf, sendcounts,
                      sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
}

SCOPE_API void mpi_alltoallv_f08_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                                  void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                                  void *comm, void *ierror)
{
    fortran_alltoallv(FORWARD_FORTRAN(mpi_alltoallv_f08_), f_in_place(sendbuf), sendbuf, sendcounts,
                      sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, ierror);
}

SCOPE_API void mpi_alltoallv_f08ts_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                                    void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                                    void *comm, void *ierror)
{
    fortran_alltoallv(FORWARD_FORTRAN(mpi_alltoallv_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                      sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                      ierror);
}

static void fortran_alltoallw(fortran_10 *next, bool in_place, void *sendbuf, void *sendcounts,
                              void *sdispls, void *sendtypes, void *recvbuf, void *recvcounts,
                              void *rdispls, void *recvtypes, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallw_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, true},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, true});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallw_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                              void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                              void *comm, void *ierror)
{
    fortran_alltoallw(FORWARD_FORTRAN(mpi_alltoallw_), f_in_place(sendbuf), sendbuf, sendcounts,
                      sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
}

SCOPE_API void mpi_alltoallw_f08_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                                  void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                                  void *comm, void *ierror)
{
    fortran_alltoallw(FORWARD_FORTRAN(mpi_alltoallw_f08_), f_in_place(sendbuf), sendbuf, sendcounts,
                      sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, ierror);
}

SCOPE_API void mpi_alltoallw_f08ts_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                                    void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                                    void *comm, void *ierror)
{
    fortran_alltoallw(FORWARD_FORTRAN(mpi_alltoallw_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                      sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                      ierror);
}

static void fortran_reduce(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                           void *datatype, void *op, void *root, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Reduce);
    next(sendbuf, recvbuf, count, datatype, op, root, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                           void *root, void *comm, void *ierror)
{
    fortran_reduce(FORWARD_FORTRAN(mpi_reduce_), sendbuf, recvbuf, count, datatype, op, root, comm,
                   ierror);
}

SCOPE_API void mpi_reduce_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                               void *root, void *comm, void *ierror)
{
    fortran_reduce(FORWARD_FORTRAN(mpi_reduce_f08_), sendbuf, recvbuf, count, datatype, op, root,
                   comm, ierror);
}

SCOPE_API void mpi_reduce_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                 void *op, void *root, void *comm, void *ierror)
{
    fortran_reduce(FORWARD_FORTRAN(mpi_reduce_f08ts_), sendbuf, recvbuf, count, datatype, op, root,
                   comm, ierror);
}

static void fortran_allreduce(fortran_7 *next, void *sendbuf, void *recvbuf, void *count,
                              void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_allreduce_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                              void *comm, void *ierror)
{
    fortran_allreduce(FORWARD_FORTRAN(mpi_allreduce_), sendbuf, recvbuf, count, datatype, op, comm,
                      ierror);
}

SCOPE_API void mpi_allreduce_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                  void *op, void *comm, void *ierror)
{
    fortran_allreduce(FORWARD_FORTRAN(mpi_allreduce_f08_), sendbuf, recvbuf, count, datatype, op,
                      comm, ierror);
}

SCOPE_API void mpi_allreduce_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                    void *op, void *comm, void *ierror)
{
    fortran_allreduce(FORWARD_FORTRAN(mpi_allreduce_f08ts_), sendbuf, recvbuf, count, datatype, op,
                      comm, ierror);
}

static void fortran_reduce_scatter(fortran_7 *next, void *sendbuf, void *recvbuf, void *recvcounts,
                                   void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false},
                                                   f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter);
    next(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_(void *sendbuf, void *recvbuf, void *recvcounts, void *datatype,
                                   void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter(FORWARD_FORTRAN(mpi_reduce_scatter_), sendbuf, recvbuf, recvcounts,
                           datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_f08_(void *sendbuf, void *recvbuf, void *recvcounts,
                                       void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter(FORWARD_FORTRAN(mpi_reduce_scatter_f08_), sendbuf, recvbuf, recvcounts,
                           datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_f08ts_(void *sendbuf, void *recvbuf, void *recvcounts,
                                         void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter(FORWARD_FORTRAN(mpi_reduce_scatter_f08ts_), sendbuf, recvbuf, recvcounts,
                           datatype, op, comm, ierror);
}

static void fortran_reduce_scatter_block(fortran_7 *next, void *sendbuf, void *recvbuf,
                                         void *recvcount, void *datatype, void *op, void *comm,
                                         void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(recvcount), f_type(datatype)) * on->local_size;
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block);
    next(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_block_(void *sendbuf, void *recvbuf, void *recvcount,
                                         void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter_block(FORWARD_FORTRAN(mpi_reduce_scatter_block_), sendbuf, recvbuf,
                                 recvcount, datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_block_f08_(void *sendbuf, void *recvbuf, void *recvcount,
                                             void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter_block(FORWARD_FORTRAN(mpi_reduce_scatter_block_f08_), sendbuf, recvbuf,
                                 recvcount, datatype, op, comm, ierror);
}

SCOPE_API void mpi_reduce_scatter_block_f08ts_(void *sendbuf, void *recvbuf, void *recvcount,
                                               void *datatype, void *op, void *comm, void *ierror)
{
    fortran_reduce_scatter_block(FORWARD_FORTRAN(mpi_reduce_scatter_block_f08ts_), sendbuf, recvbuf,
                                 recvcount, datatype, op, comm, ierror);
}

static void fortran_scan(fortran_7 *next, void *sendbuf, void *recvbuf, void *count, void *datatype,
                         void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_scan_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                         void *comm, void *ierror)
{
    fortran_scan(FORWARD_FORTRAN(mpi_scan_), sendbuf, recvbuf, count, datatype, op, comm, ierror);
}

SCOPE_API void mpi_scan_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                             void *comm, void *ierror)
{
    fortran_scan(FORWARD_FORTRAN(mpi_scan_f08_), sendbuf, recvbuf, count, datatype, op, comm,
                 ierror);
}

SCOPE_API void mpi_scan_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                               void *comm, void *ierror)
{
    fortran_scan(FORWARD_FORTRAN(mpi_scan_f08ts_), sendbuf, recvbuf, count, datatype, op, comm,
                 ierror);
}

static void fortran_exscan(fortran_7 *next, void *sendbuf, void *recvbuf, void *count,
                           void *datatype, void *op, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_exscan_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                           void *comm, void *ierror)
{
    fortran_exscan(FORWARD_FORTRAN(mpi_exscan_), sendbuf, recvbuf, count, datatype, op, comm,
                   ierror);
}

SCOPE_API void mpi_exscan_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                               void *comm, void *ierror)
{
    fortran_exscan(FORWARD_FORTRAN(mpi_exscan_f08_), sendbuf, recvbuf, count, datatype, op, comm,
                   ierror);
}

SCOPE_API void mpi_exscan_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                 void *op, void *comm, void *ierror)
{
    fortran_exscan(FORWARD_FORTRAN(mpi_exscan_f08ts_), sendbuf, recvbuf, count, datatype, op, comm,
                   ierror);
}
