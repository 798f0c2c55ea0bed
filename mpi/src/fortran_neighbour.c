/* fortran_neighbour.c - collectives among neighbours, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_neighbor_allgather(fortran_8 *next, void *sendbuf, void *sendcount,
                                       void *sendtype, void *recvbuf, void *recvcount,
                                       void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_allgather_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                       void *ierror)
{
    fortran_neighbor_allgather(FORWARD_FORTRAN(mpi_neighbor_allgather_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_allgather_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                           void *recvbuf, void *recvcount, void *recvtype,
                                           void *comm, void *ierror)
{
    fortran_neighbor_allgather(FORWARD_FORTRAN(mpi_neighbor_allgather_f08_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_allgather_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                             void *recvbuf, void *recvcount, void *recvtype,
                                             void *comm, void *ierror)
{
    fortran_neighbor_allgather(FORWARD_FORTRAN(mpi_neighbor_allgather_f08ts_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

static void fortran_ineighbor_allgather(fortran_9 *next, void *sendbuf, void *sendcount,
                                        void *sendtype, void *recvbuf, void *recvcount,
                                        void *recvtype, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgather);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ineighbor_allgather_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                        void *request, void *ierror)
{
    fortran_ineighbor_allgather(FORWARD_FORTRAN(mpi_ineighbor_allgather_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ineighbor_allgather_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                            void *recvbuf, void *recvcount, void *recvtype,
                                            void *comm, void *request, void *ierror)
{
    fortran_ineighbor_allgather(FORWARD_FORTRAN(mpi_ineighbor_allgather_f08_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ineighbor_allgather_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                              void *recvbuf, void *recvcount, void *recvtype,
                                              void *comm, void *request, void *ierror)
{
    fortran_ineighbor_allgather(FORWARD_FORTRAN(mpi_ineighbor_allgather_f08ts_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_neighbor_allgather_init(fortran_10 *next, void *sendbuf, void *sendcount,
                                            void *sendtype, void *recvbuf, void *recvcount,
                                            void *recvtype, void *comm, void *info, void *request,
                                            void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_allgather_init_(void *sendbuf, void *sendcount, void *sendtype,
                                            void *recvbuf, void *recvcount, void *recvtype,
                                            void *comm, void *info, void *request, void *ierror)
{
    fortran_neighbor_allgather_init(FORWARD_FORTRAN(mpi_neighbor_allgather_init_), sendbuf,
                                    sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                    request, ierror);
}

SCOPE_API void mpi_neighbor_allgather_init_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                                void *recvbuf, void *recvcount, void *recvtype,
                                                void *comm, void *info, void *request, void *ierror)
{
    fortran_neighbor_allgather_init(FORWARD_FORTRAN(mpi_neighbor_allgather_init_f08_), sendbuf,
                                    sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                    request, ierror);
}

SCOPE_API void mpi_neighbor_allgather_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                                  void *recvbuf, void *recvcount, void *recvtype,
                                                  void *comm, void *info, void *request,
                                                  void *ierror)
{
    fortran_neighbor_allgather_init(FORWARD_FORTRAN(mpi_neighbor_allgather_init_f08ts_), sendbuf,
                                    sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                    request, ierror);
}

#endif

static void fortran_neighbor_allgatherv(fortran_9 *next, void *sendbuf, void *sendcount,
                                        void *sendtype, void *recvbuf, void *recvcounts,
                                        void *displs, void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_allgatherv_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcounts, void *displs,
                                        void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_allgatherv(FORWARD_FORTRAN(mpi_neighbor_allgatherv_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_allgatherv_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                            void *recvbuf, void *recvcounts, void *displs,
                                            void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_allgatherv(FORWARD_FORTRAN(mpi_neighbor_allgatherv_f08_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_allgatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                              void *recvbuf, void *recvcounts, void *displs,
                                              void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_allgatherv(FORWARD_FORTRAN(mpi_neighbor_allgatherv_f08ts_), sendbuf, sendcount,
                                sendtype, recvbuf, recvcounts, displs, recvtype, comm, ierror);
}

static void fortran_ineighbor_allgatherv(fortran_10 *next, void *sendbuf, void *sendcount,
                                         void *sendtype, void *recvbuf, void *recvcounts,
                                         void *displs, void *recvtype, void *comm, void *request,
                                         void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgatherv);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ineighbor_allgatherv_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcounts, void *displs,
                                         void *recvtype, void *comm, void *request, void *ierror)
{
    fortran_ineighbor_allgatherv(FORWARD_FORTRAN(mpi_ineighbor_allgatherv_), sendbuf, sendcount,
                                 sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
                                 ierror);
}

SCOPE_API void mpi_ineighbor_allgatherv_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                             void *recvbuf, void *recvcounts, void *displs,
                                             void *recvtype, void *comm, void *request,
                                             void *ierror)
{
    fortran_ineighbor_allgatherv(FORWARD_FORTRAN(mpi_ineighbor_allgatherv_f08_), sendbuf, sendcount,
                                 sendtype, recvbuf, recvcounts, displs, recvtype, comm, request,
                                 ierror);
}

SCOPE_API void mpi_ineighbor_allgatherv_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                               void *recvbuf, void *recvcounts, void *displs,
                                               void *recvtype, void *comm, void *request,
                                               void *ierror)
{
    fortran_ineighbor_allgatherv(FORWARD_FORTRAN(mpi_ineighbor_allgatherv_f08ts_), sendbuf,
                                 sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
                                 request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_neighbor_allgatherv_init(fortran_11 *next, void *sendbuf, void *sendcount,
                                             void *sendtype, void *recvbuf, void *recvcounts,
                                             void *displs, void *recvtype, void *comm, void *info,
                                             void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_allgatherv_init_(void *sendbuf, void *sendcount, void *sendtype,
                                             void *recvbuf, void *recvcounts, void *displs,
                                             void *recvtype, void *comm, void *info, void *request,
                                             void *ierror)
{
    fortran_neighbor_allgatherv_init(FORWARD_FORTRAN(mpi_neighbor_allgatherv_init_), sendbuf,
                                     sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                     comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_allgatherv_init_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                                 void *recvbuf, void *recvcounts, void *displs,
                                                 void *recvtype, void *comm, void *info,
                                                 void *request, void *ierror)
{
    fortran_neighbor_allgatherv_init(FORWARD_FORTRAN(mpi_neighbor_allgatherv_init_f08_), sendbuf,
                                     sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                     comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_allgatherv_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                                   void *recvbuf, void *recvcounts, void *displs,
                                                   void *recvtype, void *comm, void *info,
                                                   void *request, void *ierror)
{
    fortran_neighbor_allgatherv_init(FORWARD_FORTRAN(mpi_neighbor_allgatherv_init_f08ts_), sendbuf,
                                     sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                     comm, info, request, ierror);
}

#endif

static void fortran_neighbor_alltoall(fortran_8 *next, void *sendbuf, void *sendcount,
                                      void *sendtype, void *recvbuf, void *recvcount,
                                      void *recvtype, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype)) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoall_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcount, void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_alltoall(FORWARD_FORTRAN(mpi_neighbor_alltoall_), sendbuf, sendcount, sendtype,
                              recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_alltoall_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *recvbuf, void *recvcount, void *recvtype,
                                          void *comm, void *ierror)
{
    fortran_neighbor_alltoall(FORWARD_FORTRAN(mpi_neighbor_alltoall_f08_), sendbuf, sendcount,
                              sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

SCOPE_API void mpi_neighbor_alltoall_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                            void *recvbuf, void *recvcount, void *recvtype,
                                            void *comm, void *ierror)
{
    fortran_neighbor_alltoall(FORWARD_FORTRAN(mpi_neighbor_alltoall_f08ts_), sendbuf, sendcount,
                              sendtype, recvbuf, recvcount, recvtype, comm, ierror);
}

static void fortran_ineighbor_alltoall(fortran_9 *next, void *sendbuf, void *sendcount,
                                       void *sendtype, void *recvbuf, void *recvcount,
                                       void *recvtype, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype)) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoall);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ineighbor_alltoall_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                       void *request, void *ierror)
{
    fortran_ineighbor_alltoall(FORWARD_FORTRAN(mpi_ineighbor_alltoall_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoall_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                           void *recvbuf, void *recvcount, void *recvtype,
                                           void *comm, void *request, void *ierror)
{
    fortran_ineighbor_alltoall(FORWARD_FORTRAN(mpi_ineighbor_alltoall_f08_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoall_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                             void *recvbuf, void *recvcount, void *recvtype,
                                             void *comm, void *request, void *ierror)
{
    fortran_ineighbor_alltoall(FORWARD_FORTRAN(mpi_ineighbor_alltoall_f08ts_), sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype, comm, request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_neighbor_alltoall_init(fortran_10 *next, void *sendbuf, void *sendcount,
                                           void *sendtype, void *recvbuf, void *recvcount,
                                           void *recvtype, void *comm, void *info, void *request,
                                           void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(sendcount), f_type(sendtype)) * mpi_targets(on);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoall_init_(void *sendbuf, void *sendcount, void *sendtype,
                                           void *recvbuf, void *recvcount, void *recvtype,
                                           void *comm, void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoall_init(FORWARD_FORTRAN(mpi_neighbor_alltoall_init_), sendbuf, sendcount,
                                   sendtype, recvbuf, recvcount, recvtype, comm, info, request,
                                   ierror);
}

SCOPE_API void mpi_neighbor_alltoall_init_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                               void *recvbuf, void *recvcount, void *recvtype,
                                               void *comm, void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoall_init(FORWARD_FORTRAN(mpi_neighbor_alltoall_init_f08_), sendbuf,
                                   sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                   request, ierror);
}

SCOPE_API void mpi_neighbor_alltoall_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                                 void *recvbuf, void *recvcount, void *recvtype,
                                                 void *comm, void *info, void *request,
                                                 void *ierror)
{
    fortran_neighbor_alltoall_init(FORWARD_FORTRAN(mpi_neighbor_alltoall_init_f08ts_), sendbuf,
                                   sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                                   request, ierror);
}

#endif

static void fortran_neighbor_alltoallv(fortran_10 *next, void *sendbuf, void *sendcounts,
                                       void *sdispls, void *sendtype, void *recvbuf,
                                       void *recvcounts, void *rdispls, void *recvtype, void *comm,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false},
                                              f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoallv_(void *sendbuf, void *sendcounts, void *sdispls,
                                       void *sendtype, void *recvbuf, void *recvcounts,
                                       void *rdispls, void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_alltoallv(FORWARD_FORTRAN(mpi_neighbor_alltoallv_), sendbuf, sendcounts,
                               sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                               ierror);
}

SCOPE_API void mpi_neighbor_alltoallv_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                           void *sendtype, void *recvbuf, void *recvcounts,
                                           void *rdispls, void *recvtype, void *comm, void *ierror)
{
    fortran_neighbor_alltoallv(FORWARD_FORTRAN(mpi_neighbor_alltoallv_f08_), sendbuf, sendcounts,
                               sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                               ierror);
}

SCOPE_API void mpi_neighbor_alltoallv_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                             void *sendtype, void *recvbuf, void *recvcounts,
                                             void *rdispls, void *recvtype, void *comm,
                                             void *ierror)
{
    fortran_neighbor_alltoallv(FORWARD_FORTRAN(mpi_neighbor_alltoallv_f08ts_), sendbuf, sendcounts,
                               sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                               ierror);
}

static void fortran_ineighbor_alltoallv(fortran_11 *next, void *sendbuf, void *sendcounts,
                                        void *sdispls, void *sendtype, void *recvbuf,
                                        void *recvcounts, void *rdispls, void *recvtype, void *comm,
                                        void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false},
                                              f_type(sendtype));
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallv);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
         request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ineighbor_alltoallv_(void *sendbuf, void *sendcounts, void *sdispls,
                                        void *sendtype, void *recvbuf, void *recvcounts,
                                        void *rdispls, void *recvtype, void *comm, void *request,
                                        void *ierror)
{
    fortran_ineighbor_alltoallv(FORWARD_FORTRAN(mpi_ineighbor_alltoallv_), sendbuf, sendcounts,
                                sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                                request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoallv_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                            void *sendtype, void *recvbuf, void *recvcounts,
                                            void *rdispls, void *recvtype, void *comm,
                                            void *request, void *ierror)
{
    fortran_ineighbor_alltoallv(FORWARD_FORTRAN(mpi_ineighbor_alltoallv_f08_), sendbuf, sendcounts,
                                sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                                request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoallv_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                              void *sendtype, void *recvbuf, void *recvcounts,
                                              void *rdispls, void *recvtype, void *comm,
                                              void *request, void *ierror)
{
    fortran_ineighbor_alltoallv(FORWARD_FORTRAN(mpi_ineighbor_alltoallv_f08ts_), sendbuf,
                                sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                recvtype, comm, request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_neighbor_alltoallv_init(fortran_12 *next, void *sendbuf, void *sendcounts,
                                            void *sdispls, void *sendtype, void *recvbuf,
                                            void *recvcounts, void *rdispls, void *recvtype,
                                            void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false},
                                              f_type(sendtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv_init);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoallv_init_(void *sendbuf, void *sendcounts, void *sdispls,
                                            void *sendtype, void *recvbuf, void *recvcounts,
                                            void *rdispls, void *recvtype, void *comm, void *info,
                                            void *request, void *ierror)
{
    fortran_neighbor_alltoallv_init(FORWARD_FORTRAN(mpi_neighbor_alltoallv_init_), sendbuf,
                                    sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                    recvtype, comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_alltoallv_init_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                                void *sendtype, void *recvbuf, void *recvcounts,
                                                void *rdispls, void *recvtype, void *comm,
                                                void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoallv_init(FORWARD_FORTRAN(mpi_neighbor_alltoallv_init_f08_), sendbuf,
                                    sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                    recvtype, comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_alltoallv_init_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                                  void *sendtype, void *recvbuf, void *recvcounts,
                                                  void *rdispls, void *recvtype, void *comm,
                                                  void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoallv_init(FORWARD_FORTRAN(mpi_neighbor_alltoallv_init_f08ts_), sendbuf,
                                    sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                                    recvtype, comm, info, request, ierror);
}

#endif

static void fortran_neighbor_alltoallw(fortran_10 *next, void *sendbuf, void *sendcounts,
                                       void *sdispls, void *sendtypes, void *recvbuf,
                                       void *recvcounts, void *rdispls, void *recvtypes, void *comm,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, true});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoallw_(void *sendbuf, void *sendcounts, void *sdispls,
                                       void *sendtypes, void *recvbuf, void *recvcounts,
                                       void *rdispls, void *recvtypes, void *comm, void *ierror)
{
    fortran_neighbor_alltoallw(FORWARD_FORTRAN(mpi_neighbor_alltoallw_), sendbuf, sendcounts,
                               sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                               ierror);
}

SCOPE_API void mpi_neighbor_alltoallw_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                           void *sendtypes, void *recvbuf, void *recvcounts,
                                           void *rdispls, void *recvtypes, void *comm, void *ierror)
{
    fortran_neighbor_alltoallw(FORWARD_FORTRAN(mpi_neighbor_alltoallw_f08_), sendbuf, sendcounts,
                               sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                               ierror);
}

SCOPE_API void mpi_neighbor_alltoallw_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                             void *sendtypes, void *recvbuf, void *recvcounts,
                                             void *rdispls, void *recvtypes, void *comm,
                                             void *ierror)
{
    fortran_neighbor_alltoallw(FORWARD_FORTRAN(mpi_neighbor_alltoallw_f08ts_), sendbuf, sendcounts,
                               sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                               ierror);
}

static void fortran_ineighbor_alltoallw(fortran_11 *next, void *sendbuf, void *sendcounts,
                                        void *sdispls, void *sendtypes, void *recvbuf,
                                        void *recvcounts, void *rdispls, void *recvtypes,
                                        void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, true});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallw);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ineighbor_alltoallw_(void *sendbuf, void *sendcounts, void *sdispls,
                                        void *sendtypes, void *recvbuf, void *recvcounts,
                                        void *rdispls, void *recvtypes, void *comm, void *request,
                                        void *ierror)
{
    fortran_ineighbor_alltoallw(FORWARD_FORTRAN(mpi_ineighbor_alltoallw_), sendbuf, sendcounts,
                                sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoallw_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                            void *sendtypes, void *recvbuf, void *recvcounts,
                                            void *rdispls, void *recvtypes, void *comm,
                                            void *request, void *ierror)
{
    fortran_ineighbor_alltoallw(FORWARD_FORTRAN(mpi_ineighbor_alltoallw_f08_), sendbuf, sendcounts,
                                sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                request, ierror);
}

SCOPE_API void mpi_ineighbor_alltoallw_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                              void *sendtypes, void *recvbuf, void *recvcounts,
                                              void *rdispls, void *recvtypes, void *comm,
                                              void *request, void *ierror)
{
    fortran_ineighbor_alltoallw(FORWARD_FORTRAN(mpi_ineighbor_alltoallw_f08ts_), sendbuf,
                                sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                recvtypes, comm, request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_neighbor_alltoallw_init(fortran_12 *next, void *sendbuf, void *sendcounts,
                                            void *sdispls, void *sendtypes, void *recvbuf,
                                            void *recvcounts, void *rdispls, void *recvtypes,
                                            void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, true});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw_init);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_neighbor_alltoallw_init_(void *sendbuf, void *sendcounts, void *sdispls,
                                            void *sendtypes, void *recvbuf, void *recvcounts,
                                            void *rdispls, void *recvtypes, void *comm, void *info,
                                            void *request, void *ierror)
{
    fortran_neighbor_alltoallw_init(FORWARD_FORTRAN(mpi_neighbor_alltoallw_init_), sendbuf,
                                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                    recvtypes, comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_alltoallw_init_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                                void *sendtypes, void *recvbuf, void *recvcounts,
                                                void *rdispls, void *recvtypes, void *comm,
                                                void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoallw_init(FORWARD_FORTRAN(mpi_neighbor_alltoallw_init_f08_), sendbuf,
                                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                    recvtypes, comm, info, request, ierror);
}

SCOPE_API void mpi_neighbor_alltoallw_init_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                                  void *sendtypes, void *recvbuf, void *recvcounts,
                                                  void *rdispls, void *recvtypes, void *comm,
                                                  void *info, void *request, void *ierror)
{
    fortran_neighbor_alltoallw_init(FORWARD_FORTRAN(mpi_neighbor_alltoallw_init_f08ts_), sendbuf,
                                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                    recvtypes, comm, info, request, ierror);
}

#endif
