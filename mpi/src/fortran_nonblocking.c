/* fortran_nonblocking.c - nonblocking collectives, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_ibarrier(fortran_3 *next, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ibarrier);
    next(comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ibarrier_(void *comm, void *request, void *ierror)
{
    fortran_ibarrier(FORWARD_FORTRAN(mpi_ibarrier_), comm, request, ierror);
}

SCOPE_API void mpi_ibarrier_f08_(void *comm, void *request, void *ierror)
{
    fortran_ibarrier(FORWARD_FORTRAN(mpi_ibarrier_f08_), comm, request, ierror);
}

static void fortran_ibcast(fortran_7 *next, void *buffer, void *count, void *datatype, void *root,
                           void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, count, datatype, root, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Ibcast);
    next(buffer, count, datatype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ibcast_(void *buffer, void *count, void *datatype, void *root, void *comm,
                           void *request, void *ierror)
{
    fortran_ibcast(FORWARD_FORTRAN(mpi_ibcast_), buffer, count, datatype, root, comm, request,
                   ierror);
}

SCOPE_API void mpi_ibcast_f08_(void *buffer, void *count, void *datatype, void *root, void *comm,
                               void *request, void *ierror)
{
    fortran_ibcast(FORWARD_FORTRAN(mpi_ibcast_f08_), buffer, count, datatype, root, comm, request,
                   ierror);
}

SCOPE_API void mpi_ibcast_f08ts_(void *buffer, void *count, void *datatype, void *root, void *comm,
                                 void *request, void *ierror)
{
    fortran_ibcast(FORWARD_FORTRAN(mpi_ibcast_f08ts_), buffer, count, datatype, root, comm, request,
                   ierror);
}

static void fortran_igather(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                            void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                            void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gather_bytes(on, f_int(root), in_place, f_int(sendcount),
                                           f_type(sendtype), f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Igather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_igather_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                            void *recvcount, void *recvtype, void *root, void *comm, void *request,
                            void *ierror)
{
    fortran_igather(FORWARD_FORTRAN(mpi_igather_), f_in_place(sendbuf), sendbuf, sendcount,
                    sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_igather_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                void *recvcount, void *recvtype, void *root, void *comm,
                                void *request, void *ierror)
{
    fortran_igather(FORWARD_FORTRAN(mpi_igather_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                    sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_igather_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcount, void *recvtype, void *root, void *comm,
                                  void *request, void *ierror)
{
    fortran_igather(FORWARD_FORTRAN(mpi_igather_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                    sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

static void fortran_igatherv(fortran_11 *next, bool in_place, void *sendbuf, void *sendcount,
                             void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                             void *recvtype, void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gatherv_bytes(on, f_int(root), in_place, f_int(sendcount),
                                            f_type(sendtype), (mpi_counts){recvcounts, false},
                                            f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Igatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_igatherv_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                             void *recvcounts, void *displs, void *recvtype, void *root, void *comm,
                             void *request, void *ierror)
{
    fortran_igatherv(FORWARD_FORTRAN(mpi_igatherv_), f_in_place(sendbuf), sendbuf, sendcount,
                     sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_igatherv_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcounts, void *displs, void *recvtype, void *root,
                                 void *comm, void *request, void *ierror)
{
    fortran_igatherv(FORWARD_FORTRAN(mpi_igatherv_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                     sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_igatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcounts, void *displs, void *recvtype, void *root,
                                   void *comm, void *request, void *ierror)
{
    fortran_igatherv(FORWARD_FORTRAN(mpi_igatherv_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                     sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                     request, ierror);
}

static void fortran_iscatter(fortran_10 *next, void *sendbuf, void *sendcount, void *sendtype,
                             void *recvbuf, void *recvcount, void *recvtype, void *root, void *comm,
                             void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatter_bytes(on, f_int(root), f_int(sendcount), f_type(sendtype),
                                            f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Iscatter);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscatter_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                             void *recvcount, void *recvtype, void *root, void *comm, void *request,
                             void *ierror)
{
    fortran_iscatter(FORWARD_FORTRAN(mpi_iscatter_), sendbuf, sendcount, sendtype, recvbuf,
                     recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatter_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcount, void *recvtype, void *root, void *comm,
                                 void *request, void *ierror)
{
    fortran_iscatter(FORWARD_FORTRAN(mpi_iscatter_f08_), sendbuf, sendcount, sendtype, recvbuf,
                     recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatter_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcount, void *recvtype, void *root, void *comm,
                                   void *request, void *ierror)
{
    fortran_iscatter(FORWARD_FORTRAN(mpi_iscatter_f08ts_), sendbuf, sendcount, sendtype, recvbuf,
                     recvcount, recvtype, root, comm, request, ierror);
}

static void fortran_iscatterv(fortran_11 *next, void *sendbuf, void *sendcounts, void *displs,
                              void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                              void *root, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatterv_bytes(on, f_int(root), (mpi_counts){sendcounts, false},
                                             f_type(sendtype), f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Iscatterv);
    next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscatterv_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                              void *recvbuf, void *recvcount, void *recvtype, void *root,
                              void *comm, void *request, void *ierror)
{
    fortran_iscatterv(FORWARD_FORTRAN(mpi_iscatterv_), sendbuf, sendcounts, displs, sendtype,
                      recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatterv_f08_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                  void *recvbuf, void *recvcount, void *recvtype, void *root,
                                  void *comm, void *request, void *ierror)
{
    fortran_iscatterv(FORWARD_FORTRAN(mpi_iscatterv_f08_), sendbuf, sendcounts, displs, sendtype,
                      recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

SCOPE_API void mpi_iscatterv_f08ts_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                    void *recvbuf, void *recvcount, void *recvtype, void *root,
                                    void *comm, void *request, void *ierror)
{
    fortran_iscatterv(FORWARD_FORTRAN(mpi_iscatterv_f08ts_), sendbuf, sendcounts, displs, sendtype,
                      recvbuf, recvcount, recvtype, root, comm, request, ierror);
}

static void fortran_iallgather(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                               void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                               void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgather_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                              f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallgather_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                               void *recvcount, void *recvtype, void *comm, void *request,
                               void *ierror)
{
    fortran_iallgather(FORWARD_FORTRAN(mpi_iallgather_), f_in_place(sendbuf), sendbuf, sendcount,
                       sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_iallgather_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcount, void *recvtype, void *comm, void *request,
                                   void *ierror)
{
    fortran_iallgather(FORWARD_FORTRAN(mpi_iallgather_f08_), f_in_place(sendbuf), sendbuf,
                       sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_iallgather_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                     void *recvcount, void *recvtype, void *comm, void *request,
                                     void *ierror)
{
    fortran_iallgather(FORWARD_FORTRAN(mpi_iallgather_f08ts_), f_in_place(*(void **)sendbuf),
                       sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request,
                       ierror);
}

static void fortran_iallgatherv(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                                void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                void *recvtype, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgatherv_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                               (mpi_counts){recvcounts, false}, f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallgatherv_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                void *recvcounts, void *displs, void *recvtype, void *comm,
                                void *request, void *ierror)
{
    fortran_iallgatherv(FORWARD_FORTRAN(mpi_iallgatherv_), f_in_place(sendbuf), sendbuf, sendcount,
                        sendtype, recvbuf, recvcounts, displs, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_iallgatherv_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                    void *recvcounts, void *displs, void *recvtype, void *comm,
                                    void *request, void *ierror)
{
    fortran_iallgatherv(FORWARD_FORTRAN(mpi_iallgatherv_f08_), f_in_place(sendbuf), sendbuf,
                        sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
                        ierror);
}

SCOPE_API void mpi_iallgatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcounts, void *displs, void *recvtype, void *comm,
                                      void *request, void *ierror)
{
    fortran_iallgatherv(FORWARD_FORTRAN(mpi_iallgatherv_f08ts_), f_in_place(*(void **)sendbuf),
                        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                        request, ierror);
}

static void fortran_ialltoall(fortran_9 *next, bool in_place, void *sendbuf, void *sendcount,
                              void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                              void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoall_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                             f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoall_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                              void *recvcount, void *recvtype, void *comm, void *request,
                              void *ierror)
{
    fortran_ialltoall(FORWARD_FORTRAN(mpi_ialltoall_), f_in_place(sendbuf), sendbuf, sendcount,
                      sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ialltoall_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcount, void *recvtype, void *comm, void *request,
                                  void *ierror)
{
    fortran_ialltoall(FORWARD_FORTRAN(mpi_ialltoall_f08_), f_in_place(sendbuf), sendbuf, sendcount,
                      sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ialltoall_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                    void *recvcount, void *recvtype, void *comm, void *request,
                                    void *ierror)
{
    fortran_ialltoall(FORWARD_FORTRAN(mpi_ialltoall_f08ts_), f_in_place(*(void **)sendbuf), sendbuf,
                      sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

static void fortran_ialltoallv(fortran_11 *next, bool in_place, void *sendbuf, void *sendcounts,
                               void *sdispls, void *sendtype, void *recvbuf, void *recvcounts,
                               void *rdispls, void *recvtype, void *comm, void *request,
                               void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallv_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              f_type(sendtype), (mpi_counts){recvcounts, false},
                                              f_type(recvtype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoallv_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                               void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                               void *comm, void *request, void *ierror)
{
    fortran_ialltoallv(FORWARD_FORTRAN(mpi_ialltoallv_), f_in_place(sendbuf), sendbuf, sendcounts,
                       sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request,
                       ierror);
}

SCOPE_API void mpi_ialltoallv_f08_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                                   void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                                   void *comm, void *request, void *ierror)
{
    fortran_ialltoallv(FORWARD_FORTRAN(mpi_ialltoallv_f08_), f_in_place(sendbuf), sendbuf,
                       sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                       request, ierror);
}

SCOPE_API void mpi_ialltoallv_f08ts_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                                     void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                                     void *comm, void *request, void *ierror)
{
    fortran_ialltoallv(FORWARD_FORTRAN(mpi_ialltoallv_f08ts_), f_in_place(*(void **)sendbuf),
                       sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                       recvtype, comm, request, ierror);
}

static void fortran_ialltoallw(fortran_11 *next, bool in_place, void *sendbuf, void *sendcounts,
                               void *sdispls, void *sendtypes, void *recvbuf, void *recvcounts,
                               void *rdispls, void *recvtypes, void *comm, void *request,
                               void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallw_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, true},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, true});
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ialltoallw_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                               void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                               void *comm, void *request, void *ierror)
{
    fortran_ialltoallw(FORWARD_FORTRAN(mpi_ialltoallw_), f_in_place(sendbuf), sendbuf, sendcounts,
                       sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request,
                       ierror);
}

SCOPE_API void mpi_ialltoallw_f08_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                                   void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                                   void *comm, void *request, void *ierror)
{
    fortran_ialltoallw(FORWARD_FORTRAN(mpi_ialltoallw_f08_), f_in_place(sendbuf), sendbuf,
                       sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                       comm, request, ierror);
}

SCOPE_API void mpi_ialltoallw_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                     void *sendtypes, void *recvbuf, void *recvcounts,
                                     void *rdispls, void *recvtypes, void *comm, void *request,
                                     void *ierror)
{
    fortran_ialltoallw(FORWARD_FORTRAN(mpi_ialltoallw_f08ts_), f_in_place(*(void **)sendbuf),
                       sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                       recvtypes, comm, request, ierror);
}

static void fortran_ireduce(fortran_9 *next, void *sendbuf, void *recvbuf, void *count,
                            void *datatype, void *op, void *root, void *comm, void *request,
                            void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, f_int(root));
    mpi_begin(CALL_MPI_Ireduce);
    next(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                            void *root, void *comm, void *request, void *ierror)
{
    fortran_ireduce(FORWARD_FORTRAN(mpi_ireduce_), sendbuf, recvbuf, count, datatype, op, root,
                    comm, request, ierror);
}

SCOPE_API void mpi_ireduce_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                                void *root, void *comm, void *request, void *ierror)
{
    fortran_ireduce(FORWARD_FORTRAN(mpi_ireduce_f08_), sendbuf, recvbuf, count, datatype, op, root,
                    comm, request, ierror);
}

SCOPE_API void mpi_ireduce_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                  void *op, void *root, void *comm, void *request, void *ierror)
{
    fortran_ireduce(FORWARD_FORTRAN(mpi_ireduce_f08ts_), sendbuf, recvbuf, count, datatype, op,
                    root, comm, request, ierror);
}

static void fortran_iallreduce(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                               void *datatype, void *op, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallreduce);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iallreduce_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                               void *comm, void *request, void *ierror)
{
    fortran_iallreduce(FORWARD_FORTRAN(mpi_iallreduce_), sendbuf, recvbuf, count, datatype, op,
                       comm, request, ierror);
}

SCOPE_API void mpi_iallreduce_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                   void *op, void *comm, void *request, void *ierror)
{
    fortran_iallreduce(FORWARD_FORTRAN(mpi_iallreduce_f08_), sendbuf, recvbuf, count, datatype, op,
                       comm, request, ierror);
}

SCOPE_API void mpi_iallreduce_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                     void *op, void *comm, void *request, void *ierror)
{
    fortran_iallreduce(FORWARD_FORTRAN(mpi_iallreduce_f08ts_), sendbuf, recvbuf, count, datatype,
                       op, comm, request, ierror);
}

static void fortran_ireduce_scatter(fortran_8 *next, void *sendbuf, void *recvbuf, void *recvcounts,
                                    void *datatype, void *op, void *comm, void *request,
                                    void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false},
                                                   f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter);
    next(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_scatter_(void *sendbuf, void *recvbuf, void *recvcounts, void *datatype,
                                    void *op, void *comm, void *request, void *ierror)
{
    fortran_ireduce_scatter(FORWARD_FORTRAN(mpi_ireduce_scatter_), sendbuf, recvbuf, recvcounts,
                            datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_scatter_f08_(void *sendbuf, void *recvbuf, void *recvcounts,
                                        void *datatype, void *op, void *comm, void *request,
                                        void *ierror)
{
    fortran_ireduce_scatter(FORWARD_FORTRAN(mpi_ireduce_scatter_f08_), sendbuf, recvbuf, recvcounts,
                            datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_scatter_f08ts_(void *sendbuf, void *recvbuf, void *recvcounts,
                                          void *datatype, void *op, void *comm, void *request,
                                          void *ierror)
{
    fortran_ireduce_scatter(FORWARD_FORTRAN(mpi_ireduce_scatter_f08ts_), sendbuf, recvbuf,
                            recvcounts, datatype, op, comm, request, ierror);
}

static void fortran_ireduce_scatter_block(fortran_8 *next, void *sendbuf, void *recvbuf,
                                          void *recvcount, void *datatype, void *op, void *comm,
                                          void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(recvcount), f_type(datatype)) * on->local_size;
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter_block);
    next(sendbuf, recvbuf, recvcount, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ireduce_scatter_block_(void *sendbuf, void *recvbuf, void *recvcount,
                                          void *datatype, void *op, void *comm, void *request,
                                          void *ierror)
{
    fortran_ireduce_scatter_block(FORWARD_FORTRAN(mpi_ireduce_scatter_block_), sendbuf, recvbuf,
                                  recvcount, datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_scatter_block_f08_(void *sendbuf, void *recvbuf, void *recvcount,
                                              void *datatype, void *op, void *comm, void *request,
                                              void *ierror)
{
    fortran_ireduce_scatter_block(FORWARD_FORTRAN(mpi_ireduce_scatter_block_f08_), sendbuf, recvbuf,
                                  recvcount, datatype, op, comm, request, ierror);
}

SCOPE_API void mpi_ireduce_scatter_block_f08ts_(void *sendbuf, void *recvbuf, void *recvcount,
                                                void *datatype, void *op, void *comm, void *request,
                                                void *ierror)
{
    fortran_ireduce_scatter_block(FORWARD_FORTRAN(mpi_ireduce_scatter_block_f08ts_), sendbuf,
                                  recvbuf, recvcount, datatype, op, comm, request, ierror);
}

static void fortran_iscan(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                          void *datatype, void *op, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iscan_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                          void *comm, void *request, void *ierror)
{
    fortran_iscan(FORWARD_FORTRAN(mpi_iscan_), sendbuf, recvbuf, count, datatype, op, comm, request,
                  ierror);
}

SCOPE_API void mpi_iscan_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                              void *comm, void *request, void *ierror)
{
    fortran_iscan(FORWARD_FORTRAN(mpi_iscan_f08_), sendbuf, recvbuf, count, datatype, op, comm,
                  request, ierror);
}

SCOPE_API void mpi_iscan_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                                void *comm, void *request, void *ierror)
{
    fortran_iscan(FORWARD_FORTRAN(mpi_iscan_f08ts_), sendbuf, recvbuf, count, datatype, op, comm,
                  request, ierror);
}

static void fortran_iexscan(fortran_8 *next, void *sendbuf, void *recvbuf, void *count,
                            void *datatype, void *op, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iexscan);
    next(sendbuf, recvbuf, count, datatype, op, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_iexscan_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                            void *comm, void *request, void *ierror)
{
    fortran_iexscan(FORWARD_FORTRAN(mpi_iexscan_), sendbuf, recvbuf, count, datatype, op, comm,
                    request, ierror);
}

SCOPE_API void mpi_iexscan_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                                void *comm, void *request, void *ierror)
{
    fortran_iexscan(FORWARD_FORTRAN(mpi_iexscan_f08_), sendbuf, recvbuf, count, datatype, op, comm,
                    request, ierror);
}

SCOPE_API void mpi_iexscan_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                  void *op, void *comm, void *request, void *ierror)
{
    fortran_iexscan(FORWARD_FORTRAN(mpi_iexscan_f08ts_), sendbuf, recvbuf, count, datatype, op,
                    comm, request, ierror);
}
