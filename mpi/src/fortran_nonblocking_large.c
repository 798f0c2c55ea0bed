/* fortran_nonblocking_large.c - nonblocking collectives, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_ibcast_large(fortran_7 *next, void *buffer, void *count, void *datatype,
                                 void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, count, datatype, root, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_count(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Ibcast);
    next(buffer, count, datatype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ibcast_f08_large_(void *buffer, void *count, void *datatype, void *root,
                                     void *comm, void *request, void *ierror)
{
    fortran_ibcast_large(FORWARD_FORTRAN(mpi_ibcast_f08_large_), buffer, count, datatype, root,
                         comm, request, ierror);
}

SCOPE_API void mpi_ibcast_f08ts_large_(void *buffer, void *count, void *datatype, void *root,
                                       void *comm, void *request, void *ierror)
{
    fortran_ibcast_large(FORWARD_FORTRAN(mpi_ibcast_f08ts_large_), buffer, count, datatype, root,
                         comm, request, ierror);
}

static void fortran_igather_large(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                                  void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                  void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gather_bytes(on, f_int(root), in_place, f_count(sendcount),
                                           f_type(sendtype), f_count(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Igather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_igather_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcount, void *recvtype, void *root, void *comm,
                                      void *request, void *ierror)
{
    fortran_igather_large(FORWARD_FORTRAN(mpi_igather_f08_large_), f_in_place(sendbuf), sendbuf,
                          sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
                          ierror);
}

SCOPE_API void mpi_igather_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *root,
                                        void *comm, void *request, void *ierror)
{
    fortran_igather_large(FORWARD_FORTRAN(mpi_igather_f08ts_large_), f_in_place(*(void **)sendbuf),
                          sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                          request, ierror);
}

static void fortran_igatherv_large(fortran_11 *next, bool in_place, void *sendbuf, void *sendcount,
                                   void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                   void *recvtype, void *root, void *comm, void *request,
                                   void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gatherv_bytes(on, f_int(root), in_place, f_count(sendcount),
                                            f_type(sendtype), (mpi_counts){recvcounts, true},
                                            f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Igatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_igatherv_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcounts, void *displs,
                                       void *recvtype, void *root, void *comm, void *request,
                                       void *ierror)
{
    fortran_igatherv_large(FORWARD_FORTRAN(mpi_igatherv_f08_large_), f_in_place(sendbuf), sendbuf,
                           sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                           request, ierror);
}

SCOPE_API void mpi_igatherv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcounts, void *displs,
                                         void *recvtype, void *root, void *comm, void *request,
                                         void *ierror)
{
    fortran_igatherv_large(FORWARD_FORTRAN(mpi_igatherv_f08ts_large_),
                           f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                           recvcounts, displs, recvtype, root, comm, request, ierror);
}

static void fortran_iscatter_large(fortran_10 *next, void *sendbuf, void *sendcount, void *sendtype,
                                   void *recvbuf, void *recvcount, void *recvtype, void *root,
                                   void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatter_bytes(on, f_int(root), f_count(sendcount), f_type(sendtype),
                                            f_count(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Iscatter);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscatter_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *root,
                                       void *comm, void *request, void *ierror)
{
    fortran_iscatter_large(FORWARD_FORTRAN(mpi_iscatter_f08_large_), sendbuf, sendcount, sendtype,
                           recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatter_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcount, void *recvtype, void *root,
                                         void *comm, void *request, void *ierror)
{
    fortran_iscatter_large(FORWARD_FORTRAN(mpi_iscatter_f08ts_large_), sendbuf, sendcount, sendtype,
                           recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

static void fortran_iscatterv_large(fortran_11 *next, void *sendbuf, void *sendcounts, void *displs,
                                    void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                    void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatterv_bytes(on, f_int(root), (mpi_counts){sendcounts, true},
                                             f_type(sendtype), f_count(recvcount),
                                             f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Iscatterv);
    next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscatterv_f08_large_(void *sendbuf, void *sendcounts, void *displs,
                                        void *sendtype, void *recvbuf, void *recvcount,
                                        void *recvtype, void *root, void *comm, void *request,
                                        void *ierror)
{
    fortran_iscatterv_large(FORWARD_FORTRAN(mpi_iscatterv_f08_large_), sendbuf, sendcounts, displs,
                            sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatterv_f08ts_large_(void *sendbuf, void *sendcounts, void *displs,
                                          void *sendtype, void *recvbuf, void *recvcount,
                                          void *recvtype, void *root, void *comm, void *request,
                                          void *ierror)
{
    fortran_iscatterv_large(FORWARD_FORTRAN(mpi_iscatterv_f08ts_large_), sendbuf, sendcounts,
                            displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
                            ierror);
}

static void fortran_iallgather_large(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                                     void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                     void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgather_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                              f_count(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallgather_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                         void *request, void *ierror)
{
    fortran_iallgather_large(FORWARD_FORTRAN(mpi_iallgather_f08_large_), f_in_place(sendbuf),
                             sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                             request, ierror);
}

SCOPE_API void mpi_iallgather_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                           void *recvbuf, void *recvcount, void *recvtype,
                                           void *comm, void *request, void *ierror)
{
    fortran_iallgather_large(FORWARD_FORTRAN(mpi_iallgather_f08ts_large_),
                             f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                             recvcount, recvtype, comm, request, ierror);
}

static void fortran_iallgatherv_large(fortran_10 *next, bool in_place, void *sendbuf,
                                      void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcounts, void *displs, void *recvtype, void *comm,
                                      void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgatherv_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                               (mpi_counts){recvcounts, true}, f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallgatherv_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *recvbuf, void *recvcounts, void *displs,
                                          void *recvtype, void *comm, void *request, void *ierror)
{
    fortran_iallgatherv_large(FORWARD_FORTRAN(mpi_iallgatherv_f08_large_), f_in_place(sendbuf),
                              sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                              comm, request, ierror);
}

SCOPE_API void mpi_iallgatherv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                            void *recvbuf, void *recvcounts, void *displs,
                                            void *recvtype, void *comm, void *request, void *ierror)
{
    fortran_iallgatherv_large(FORWARD_FORTRAN(mpi_iallgatherv_f08ts_large_),
                              f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                              recvcounts, displs, recvtype, comm, request, ierror);
}

static void fortran_ialltoall_large(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                                    void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                    void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoall_bytes(on, in_place, f_count(sendcount), f_type(sendtype),
                                             f_count(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoall_f08_large_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                        void *request, void *ierror)
{
    fortran_ialltoall_large(FORWARD_FORTRAN(mpi_ialltoall_f08_large_), f_in_place(sendbuf), sendbuf,
                            sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request,
                            ierror);
}

SCOPE_API void mpi_ialltoall_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *recvbuf, void *recvcount, void *recvtype,
                                          void *comm, void *request, void *ierror)
{
    fortran_ialltoall_large(FORWARD_FORTRAN(mpi_ialltoall_f08ts_large_),
                            f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                            recvcount, recvtype, comm, request, ierror);
}

static void fortran_ialltoallv_large(fortran_11 *next, bool in_place, void *sendbuf,
                                     void *sendcounts, void *sdispls, void *sendtype, void *recvbuf,
                                     void *recvcounts, void *rdispls, void *recvtype, void *comm,
                                     void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallv_bytes(on, in_place, (mpi_counts){sendcounts, true},
                                              f_type(sendtype), (mpi_counts){recvcounts, true},
                                              f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoallv_f08_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                         void *sendtype, void *recvbuf, void *recvcounts,
                                         void *rdispls, void *recvtype, void *comm, void *request,
                                         void *ierror)
{
    fortran_ialltoallv_large(FORWARD_FORTRAN(mpi_ialltoallv_f08_large_), f_in_place(sendbuf),
                             sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                             recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ialltoallv_f08ts_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                           void *sendtype, void *recvbuf, void *recvcounts,
                                           void *rdispls, void *recvtype, void *comm, void *request,
                                           void *ierror)
{
    fortran_ialltoallv_large(FORWARD_FORTRAN(mpi_ialltoallv_f08ts_large_),
                             f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtype,
                             recvbuf, recvcounts, rdispls, recvtype, comm, request, ierror);
}

static void fortran_ialltoallw_large(fortran_11 *next, bool in_place, void *sendbuf,
                                     void *sendcounts, void *sdispls, void *sendtypes,
                                     void *recvbuf, void *recvcounts, void *rdispls,
                                     void *recvtypes, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallw_bytes(on, in_place, (mpi_counts){sendcounts, true},
                                              (mpi_types){sendtypes, true},
                                              (mpi_counts){recvcounts, true},
                                              (mpi_types){recvtypes, true});
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoallw_f08_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                         void *sendtypes, void *recvbuf, void *recvcounts,
                                         void *rdispls, void *recvtypes, void *comm, void *request,
                                         void *ierror)
{
    fortran_ialltoallw_large(FORWARD_FORTRAN(mpi_ialltoallw_f08_large_), f_in_place(sendbuf),
                             sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                             recvtypes, comm, request, ierror);
}

SCOPE_API void mpi_ialltoallw_f08ts_large_(void *sendbuf, void *sendcounts, void *sdispls,
                                           void *sendtypes, void *recvbuf, void *recvcounts,
                                           void *rdispls, void *recvtypes, void *comm,
                                           void *request, void *ierror)
{
    fortran_ialltoallw_large(FORWARD_FORTRAN(mpi_ialltoallw_f08ts_large_),
                             f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtypes,
                             recvbuf, recvcounts, rdispls, recvtypes, comm, request, ierror);
}

static void fortran_ireduce_large(fortran_9 *next, void *sendbuf, void *recvbuf, void *count,
                                  void *datatype, void *op, void *root, void *comm, void *request,
                                  void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_count(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Ireduce);
    next(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                      void *op, void *root, void *comm, void *request, void *ierror)
{
    fortran_ireduce_large(FORWARD_FORTRAN(mpi_ireduce_f08_large_), sendbuf, recvbuf, count,
                          datatype, op, root, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                        void *op, void *root, void *comm, void *request,
                                        void *ierror)
{
    fortran_ireduce_large(FORWARD_FORTRAN(mpi_ireduce_f08ts_large_), sendbuf, recvbuf, count,
                          datatype, op, root, comm, request, ierror);
}

static void fortran_iallreduce_large(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                                     void *datatype, void *op, void *comm, void *request,
                                     void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallreduce);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallreduce_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                         void *op, void *comm, void *request, void *ierror)
{
    fortran_iallreduce_large(FORWARD_FORTRAN(mpi_iallreduce_f08_large_), sendbuf, recvbuf, count,
                             datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_iallreduce_f08ts_large_(void *sendbuf, void *recvbuf, void *count,
                                           void *datatype, void *op, void *comm, void *request,
                                           void *ierror)
{
    fortran_iallreduce_large(FORWARD_FORTRAN(mpi_iallreduce_f08ts_large_), sendbuf, recvbuf, count,
                             datatype, op, comm, request, ierror);
}

static void fortran_ireduce_scatter_large(fortran_8 *next, void *sendbuf, void *recvbuf,
                                          void *recvcounts, void *datatype, void *op, void *comm,
                                          void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true},
                                                   f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter);
    next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_scatter_f08_large_(void *sendbuf, void *recvbuf, void *recvcounts,
                                              void *datatype, void *op, void *comm, void *request,
                                              void *ierror)
{
    fortran_ireduce_scatter_large(FORWARD_FORTRAN(mpi_ireduce_scatter_f08_large_), sendbuf, recvbuf,
                                  recvcounts, datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_scatter_f08ts_large_(void *sendbuf, void *recvbuf, void *recvcounts,
                                                void *datatype, void *op, void *comm, void *request,
                                                void *ierror)
{
    fortran_ireduce_scatter_large(FORWARD_FORTRAN(mpi_ireduce_scatter_f08ts_large_), sendbuf,
                                  recvbuf, recvcounts, datatype, op, comm, request, ierror);
}

static void fortran_ireduce_scatter_block_large(fortran_8 *next, void *sendbuf, void *recvbuf,
                                                void *recvcount, void *datatype, void *op,
                                                void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(recvcount), f_type(datatype)) * on->local_size;
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter_block);
    next(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_scatter_block_f08_large_(void *sendbuf, void *recvbuf, void *recvcount,
                                                    void *datatype, void *op, void *comm,
                                                    void *request, void *ierror)
{
    fortran_ireduce_scatter_block_large(FORWARD_FORTRAN(mpi_ireduce_scatter_block_f08_large_),
                                        sendbuf, recvbuf, recvcount, datatype, op, comm, request,
                                        ierror);
}

SCOPE_API void mpi_ireduce_scatter_block_f08ts_large_(void *sendbuf, void *recvbuf, void *recvcount,
                                                      void *datatype, void *op, void *comm,
                                                      void *request, void *ierror)
{
    fortran_ireduce_scatter_block_large(FORWARD_FORTRAN(mpi_ireduce_scatter_block_f08ts_large_),
                                        sendbuf, recvbuf, recvcount, datatype, op, comm, request,
                                        ierror);
}

static void fortran_iscan_large(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                                void *datatype, void *op, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscan_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                    void *op, void *comm, void *request, void *ierror)
{
    fortran_iscan_large(FORWARD_FORTRAN(mpi_iscan_f08_large_), sendbuf, recvbuf, count, datatype,
                        op, comm, request, ierror);
}

SCOPE_API void mpi_iscan_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                      void *op, void *comm, void *request, void *ierror)
{
    fortran_iscan_large(FORWARD_FORTRAN(mpi_iscan_f08ts_large_), sendbuf, recvbuf, count, datatype,
                        op, comm, request, ierror);
}

static void fortran_iexscan_large(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                                  void *datatype, void *op, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_count(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iexscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iexscan_f08_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                      void *op, void *comm, void *request, void *ierror)
{
    fortran_iexscan_large(FORWARD_FORTRAN(mpi_iexscan_f08_large_), sendbuf, recvbuf, count,
                          datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_iexscan_f08ts_large_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                        void *op, void *comm, void *request, void *ierror)
{
    fortran_iexscan_large(FORWARD_FORTRAN(mpi_iexscan_f08ts_large_), sendbuf, recvbuf, count,
                          datatype, op, comm, request, ierror);
}

#endif
