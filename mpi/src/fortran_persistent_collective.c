/* fortran_persistent_collective.c - collectives that are started again and again, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_barrier_init(fortran_4 *next, void *comm, void *info, void *request,
                                 void *ierror)
{
    if (!mpi_enter()) {
        next(comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = 0;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Barrier_init);
    next(comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_barrier_init_(void *comm, void *info, void *request, void *ierror)
{
    fortran_barrier_init(FORWARD_FORTRAN(mpi_barrier_init_), comm, info, request, ierror);
}

SCOPE_API void mpi_barrier_init_f08_(void *comm, void *info, void *request, void *ierror)
{
    fortran_barrier_init(FORWARD_FORTRAN(mpi_barrier_init_f08_), comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_bcast_init(fortran_8 *next, void *buffer, void *count, void *datatype,
                               void *root, void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, count, datatype, root, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Bcast_init);
    next(buffer, count, datatype, root, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ONE_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_bcast_init_(void *buffer, void *count, void *datatype, void *root, void *comm,
                               void *info, void *request, void *ierror)
{
    fortran_bcast_init(FORWARD_FORTRAN(mpi_bcast_init_), buffer, count, datatype, root, comm, info,
                       request, ierror);
}

SCOPE_API void mpi_bcast_init_f08_(void *buffer, void *count, void *datatype, void *root,
                                   void *comm, void *info, void *request, void *ierror)
{
    fortran_bcast_init(FORWARD_FORTRAN(mpi_bcast_init_f08_), buffer, count, datatype, root, comm,
                       info, request, ierror);
}

SCOPE_API void mpi_bcast_init_f08ts_(void *buffer, void *count, void *datatype, void *root,
                                     void *comm, void *info, void *request, void *ierror)
{
    fortran_bcast_init(FORWARD_FORTRAN(mpi_bcast_init_f08ts_), buffer, count, datatype, root, comm,
                       info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_gather_init(fortran_11 *next, bool in_place, void *sendbuf, void *sendcount,
                                void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                void *root, void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gather_bytes(on, f_int(root), in_place, f_int(sendcount),
                                           f_type(sendtype), f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Gather_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ALL_TO_ONE,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_gather_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                void *recvcount, void *recvtype, void *root, void *comm, void *info,
                                void *request, void *ierror)
{
    fortran_gather_init(FORWARD_FORTRAN(mpi_gather_init_), f_in_place(sendbuf), sendbuf, sendcount,
                        sendtype, recvbuf, recvcount, recvtype, root, comm, info, request, ierror);
}

SCOPE_API void mpi_gather_init_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                    void *recvcount, void *recvtype, void *root, void *comm,
                                    void *info, void *request, void *ierror)
{
    fortran_gather_init(FORWARD_FORTRAN(mpi_gather_init_f08_), f_in_place(sendbuf), sendbuf,
                        sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
                        request, ierror);
}

SCOPE_API void mpi_gather_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcount, void *recvtype, void *root, void *comm,
                                      void *info, void *request, void *ierror)
{
    fortran_gather_init(FORWARD_FORTRAN(mpi_gather_init_f08ts_), f_in_place(*(void **)sendbuf),
                        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                        info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_gatherv_init(fortran_12 *next, bool in_place, void *sendbuf, void *sendcount,
                                 void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                 void *recvtype, void *root, void *comm, void *info, void *request,
                                 void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_gatherv_bytes(on, f_int(root), in_place, f_int(sendcount),
                                            f_type(sendtype), (mpi_counts){recvcounts, false},
                                            f_type(recvtype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Gatherv_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ALL_TO_ONE,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_gatherv_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcounts, void *displs, void *recvtype, void *root,
                                 void *comm, void *info, void *request, void *ierror)
{
    fortran_gatherv_init(FORWARD_FORTRAN(mpi_gatherv_init_), f_in_place(sendbuf), sendbuf,
                         sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                         info, request, ierror);
}

SCOPE_API void mpi_gatherv_init_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                     void *recvcounts, void *displs, void *recvtype, void *root,
                                     void *comm, void *info, void *request, void *ierror)
{
    fortran_gatherv_init(FORWARD_FORTRAN(mpi_gatherv_init_f08_), f_in_place(sendbuf), sendbuf,
                         sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
                         info, request, ierror);
}

SCOPE_API void mpi_gatherv_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcounts, void *displs,
                                       void *recvtype, void *root, void *comm, void *info,
                                       void *request, void *ierror)
{
    fortran_gatherv_init(FORWARD_FORTRAN(mpi_gatherv_init_f08ts_), f_in_place(*(void **)sendbuf),
                         sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                         comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_scatter_init(fortran_11 *next, void *sendbuf, void *sendcount, void *sendtype,
                                 void *recvbuf, void *recvcount, void *recvtype, void *root,
                                 void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatter_bytes(on, f_int(root), f_int(sendcount), f_type(sendtype),
                                            f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Scatter_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ONE_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatter_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                 void *recvcount, void *recvtype, void *root, void *comm,
                                 void *info, void *request, void *ierror)
{
    fortran_scatter_init(FORWARD_FORTRAN(mpi_scatter_init_), sendbuf, sendcount, sendtype, recvbuf,
                         recvcount, recvtype, root, comm, info, request, ierror);
}

SCOPE_API void mpi_scatter_init_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                     void *recvcount, void *recvtype, void *root, void *comm,
                                     void *info, void *request, void *ierror)
{
    fortran_scatter_init(FORWARD_FORTRAN(mpi_scatter_init_f08_), sendbuf, sendcount, sendtype,
                         recvbuf, recvcount, recvtype, root, comm, info, request, ierror);
}

SCOPE_API void mpi_scatter_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *root,
                                       void *comm, void *info, void *request, void *ierror)
{
    fortran_scatter_init(FORWARD_FORTRAN(mpi_scatter_init_f08ts_), sendbuf, sendcount, sendtype,
                         recvbuf, recvcount, recvtype, root, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_scatterv_init(fortran_12 *next, void *sendbuf, void *sendcounts, void *displs,
                                  void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                  void *root, void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_scatterv_bytes(on, f_int(root), (mpi_counts){sendcounts, false},
                                             f_type(sendtype), f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Scatterv_init);
    next(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ONE_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_scatterv_init_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                  void *recvbuf, void *recvcount, void *recvtype, void *root,
                                  void *comm, void *info, void *request, void *ierror)
{
    fortran_scatterv_init(FORWARD_FORTRAN(mpi_scatterv_init_), sendbuf, sendcounts, displs,
                          sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
                          ierror);
}

SCOPE_API void mpi_scatterv_init_f08_(void *sendbuf, void *sendcounts, void *displs, void *sendtype,
                                      void *recvbuf, void *recvcount, void *recvtype, void *root,
                                      void *comm, void *info, void *request, void *ierror)
{
    fortran_scatterv_init(FORWARD_FORTRAN(mpi_scatterv_init_f08_), sendbuf, sendcounts, displs,
                          sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
                          ierror);
}

SCOPE_API void mpi_scatterv_init_f08ts_(void *sendbuf, void *sendcounts, void *displs,
                                        void *sendtype, void *recvbuf, void *recvcount,
                                        void *recvtype, void *root, void *comm, void *info,
                                        void *request, void *ierror)
{
    fortran_scatterv_init(FORWARD_FORTRAN(mpi_scatterv_init_f08ts_), sendbuf, sendcounts, displs,
                          sendtype, recvbuf, recvcount, recvtype, root, comm, info, request,
                          ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_allgather_init(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                                   void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                   void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgather_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                              f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgather_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                   void *recvcount, void *recvtype, void *comm, void *info,
                                   void *request, void *ierror)
{
    fortran_allgather_init(FORWARD_FORTRAN(mpi_allgather_init_), f_in_place(sendbuf), sendbuf,
                           sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
                           ierror);
}

SCOPE_API void mpi_allgather_init_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                       void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                       void *info, void *request, void *ierror)
{
    fortran_allgather_init(FORWARD_FORTRAN(mpi_allgather_init_f08_), f_in_place(sendbuf), sendbuf,
                           sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
                           ierror);
}

SCOPE_API void mpi_allgather_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                         void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                         void *info, void *request, void *ierror)
{
    fortran_allgather_init(FORWARD_FORTRAN(mpi_allgather_init_f08ts_),
                           f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                           recvcount, recvtype, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_allgatherv_init(fortran_11 *next, bool in_place, void *sendbuf, void *sendcount,
                                    void *sendtype, void *recvbuf, void *recvcounts, void *displs,
                                    void *recvtype, void *comm, void *info, void *request,
                                    void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
             request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_allgatherv_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                               (mpi_counts){recvcounts, false}, f_type(recvtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request,
         ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_allgatherv_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                    void *recvcounts, void *displs, void *recvtype, void *comm,
                                    void *info, void *request, void *ierror)
{
    fortran_allgatherv_init(FORWARD_FORTRAN(mpi_allgatherv_init_), f_in_place(sendbuf), sendbuf,
                            sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                            request, ierror);
}

SCOPE_API void mpi_allgatherv_init_f08_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcounts, void *displs,
                                        void *recvtype, void *comm, void *info, void *request,
                                        void *ierror)
{
    fortran_allgatherv_init(FORWARD_FORTRAN(mpi_allgatherv_init_f08_), f_in_place(sendbuf), sendbuf,
                            sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
                            request, ierror);
}

SCOPE_API void mpi_allgatherv_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *recvbuf, void *recvcounts, void *displs,
                                          void *recvtype, void *comm, void *info, void *request,
                                          void *ierror)
{
    fortran_allgatherv_init(FORWARD_FORTRAN(mpi_allgatherv_init_f08ts_),
                            f_in_place(*(void **)sendbuf), sendbuf, sendcount, sendtype, recvbuf,
                            recvcounts, displs, recvtype, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_alltoall_init(fortran_10 *next, bool in_place, void *sendbuf, void *sendcount,
                                  void *sendtype, void *recvbuf, void *recvcount, void *recvtype,
                                  void *comm, void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoall_bytes(on, in_place, f_int(sendcount), f_type(sendtype),
                                             f_int(recvcount), f_type(recvtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall_init);
    next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoall_init_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                  void *recvcount, void *recvtype, void *comm, void *info,
                                  void *request, void *ierror)
{
    fortran_alltoall_init(FORWARD_FORTRAN(mpi_alltoall_init_), f_in_place(sendbuf), sendbuf,
                          sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
                          ierror);
}

SCOPE_API void mpi_alltoall_init_f08_(void *sendbuf, void *sendcount, void *sendtype, void *recvbuf,
                                      void *recvcount, void *recvtype, void *comm, void *info,
                                      void *request, void *ierror)
{
    fortran_alltoall_init(FORWARD_FORTRAN(mpi_alltoall_init_f08_), f_in_place(sendbuf), sendbuf,
                          sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request,
                          ierror);
}

SCOPE_API void mpi_alltoall_init_f08ts_(void *sendbuf, void *sendcount, void *sendtype,
                                        void *recvbuf, void *recvcount, void *recvtype, void *comm,
                                        void *info, void *request, void *ierror)
{
    fortran_alltoall_init(FORWARD_FORTRAN(mpi_alltoall_init_f08ts_), f_in_place(*(void **)sendbuf),
                          sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
                          request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_alltoallv_init(fortran_12 *next, bool in_place, void *sendbuf, void *sendcounts,
                                   void *sdispls, void *sendtype, void *recvbuf, void *recvcounts,
                                   void *rdispls, void *recvtype, void *comm, void *info,
                                   void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
             info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallv_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              f_type(sendtype), (mpi_counts){recvcounts, false},
                                              f_type(recvtype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv_init);
    next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
         request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallv_init_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtype,
                                   void *recvbuf, void *recvcounts, void *rdispls, void *recvtype,
                                   void *comm, void *info, void *request, void *ierror)
{
    fortran_alltoallv_init(FORWARD_FORTRAN(mpi_alltoallv_init_), f_in_place(sendbuf), sendbuf,
                           sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                           comm, info, request, ierror);
}

SCOPE_API void mpi_alltoallv_init_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                       void *sendtype, void *recvbuf, void *recvcounts,
                                       void *rdispls, void *recvtype, void *comm, void *info,
                                       void *request, void *ierror)
{
    fortran_alltoallv_init(FORWARD_FORTRAN(mpi_alltoallv_init_f08_), f_in_place(sendbuf), sendbuf,
                           sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                           comm, info, request, ierror);
}

SCOPE_API void mpi_alltoallv_init_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                         void *sendtype, void *recvbuf, void *recvcounts,
                                         void *rdispls, void *recvtype, void *comm, void *info,
                                         void *request, void *ierror)
{
    fortran_alltoallv_init(FORWARD_FORTRAN(mpi_alltoallv_init_f08ts_),
                           f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtype,
                           recvbuf, recvcounts, rdispls, recvtype, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_alltoallw_init(fortran_12 *next, bool in_place, void *sendbuf, void *sendcounts,
                                   void *sdispls, void *sendtypes, void *recvbuf, void *recvcounts,
                                   void *rdispls, void *recvtypes, void *comm, void *info,
                                   void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
             info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_alltoallw_bytes(on, in_place, (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, true},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, true});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw_init);
    next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
         info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_alltoallw_init_(void *sendbuf, void *sendcounts, void *sdispls, void *sendtypes,
                                   void *recvbuf, void *recvcounts, void *rdispls, void *recvtypes,
                                   void *comm, void *info, void *request, void *ierror)
{
    fortran_alltoallw_init(FORWARD_FORTRAN(mpi_alltoallw_init_), f_in_place(sendbuf), sendbuf,
                           sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                           comm, info, request, ierror);
}

SCOPE_API void mpi_alltoallw_init_f08_(void *sendbuf, void *sendcounts, void *sdispls,
                                       void *sendtypes, void *recvbuf, void *recvcounts,
                                       void *rdispls, void *recvtypes, void *comm, void *info,
                                       void *request, void *ierror)
{
    fortran_alltoallw_init(FORWARD_FORTRAN(mpi_alltoallw_init_f08_), f_in_place(sendbuf), sendbuf,
                           sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                           comm, info, request, ierror);
}

SCOPE_API void mpi_alltoallw_init_f08ts_(void *sendbuf, void *sendcounts, void *sdispls,
                                         void *sendtypes, void *recvbuf, void *recvcounts,
                                         void *rdispls, void *recvtypes, void *comm, void *info,
                                         void *request, void *ierror)
{
    fortran_alltoallw_init(FORWARD_FORTRAN(mpi_alltoallw_init_f08ts_),
                           f_in_place(*(void **)sendbuf), sendbuf, sendcounts, sdispls, sendtypes,
                           recvbuf, recvcounts, rdispls, recvtypes, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_reduce_init(fortran_10 *next, void *sendbuf, void *recvbuf, void *count,
                                void *datatype, void *op, void *root, void *comm, void *info,
                                void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_rooted_bytes(f_int(root), f_int(count), f_type(datatype));
    mpi_message moved = mpi_naming(on, f_int(root));
    mpi_begin(CALL_MPI_Reduce_init);
    next(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, f_int(root), SCOPE_COLLECTIVE_ALL_TO_ONE,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_init_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                                void *root, void *comm, void *info, void *request, void *ierror)
{
    fortran_reduce_init(FORWARD_FORTRAN(mpi_reduce_init_), sendbuf, recvbuf, count, datatype, op,
                        root, comm, info, request, ierror);
}

SCOPE_API void mpi_reduce_init_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                    void *op, void *root, void *comm, void *info, void *request,
                                    void *ierror)
{
    fortran_reduce_init(FORWARD_FORTRAN(mpi_reduce_init_f08_), sendbuf, recvbuf, count, datatype,
                        op, root, comm, info, request, ierror);
}

SCOPE_API void mpi_reduce_init_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                      void *op, void *root, void *comm, void *info, void *request,
                                      void *ierror)
{
    fortran_reduce_init(FORWARD_FORTRAN(mpi_reduce_init_f08ts_), sendbuf, recvbuf, count, datatype,
                        op, root, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_allreduce_init(fortran_9 *next, void *sendbuf, void *recvbuf, void *count,
                                   void *datatype, void *op, void *comm, void *info, void *request,
                                   void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce_init);
    next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_allreduce_init_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                   void *op, void *comm, void *info, void *request, void *ierror)
{
    fortran_allreduce_init(FORWARD_FORTRAN(mpi_allreduce_init_), sendbuf, recvbuf, count, datatype,
                           op, comm, info, request, ierror);
}

SCOPE_API void mpi_allreduce_init_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                       void *op, void *comm, void *info, void *request,
                                       void *ierror)
{
    fortran_allreduce_init(FORWARD_FORTRAN(mpi_allreduce_init_f08_), sendbuf, recvbuf, count,
                           datatype, op, comm, info, request, ierror);
}

SCOPE_API void mpi_allreduce_init_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                         void *op, void *comm, void *info, void *request,
                                         void *ierror)
{
    fortran_allreduce_init(FORWARD_FORTRAN(mpi_allreduce_init_f08ts_), sendbuf, recvbuf, count,
                           datatype, op, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_reduce_scatter_init(fortran_9 *next, void *sendbuf, void *recvbuf,
                                        void *recvcounts, void *datatype, void *op, void *comm,
                                        void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false},
                                                   f_type(datatype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_init);
    next(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_init_(void *sendbuf, void *recvbuf, void *recvcounts,
                                        void *datatype, void *op, void *comm, void *info,
                                        void *request, void *ierror)
{
    fortran_reduce_scatter_init(FORWARD_FORTRAN(mpi_reduce_scatter_init_), sendbuf, recvbuf,
                                recvcounts, datatype, op, comm, info, request, ierror);
}

SCOPE_API void mpi_reduce_scatter_init_f08_(void *sendbuf, void *recvbuf, void *recvcounts,
                                            void *datatype, void *op, void *comm, void *info,
                                            void *request, void *ierror)
{
    fortran_reduce_scatter_init(FORWARD_FORTRAN(mpi_reduce_scatter_init_f08_), sendbuf, recvbuf,
                                recvcounts, datatype, op, comm, info, request, ierror);
}

SCOPE_API void mpi_reduce_scatter_init_f08ts_(void *sendbuf, void *recvbuf, void *recvcounts,
                                              void *datatype, void *op, void *comm, void *info,
                                              void *request, void *ierror)
{
    fortran_reduce_scatter_init(FORWARD_FORTRAN(mpi_reduce_scatter_init_f08ts_), sendbuf, recvbuf,
                                recvcounts, datatype, op, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_reduce_scatter_block_init(fortran_9 *next, void *sendbuf, void *recvbuf,
                                              void *recvcount, void *datatype, void *op, void *comm,
                                              void *info, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(recvcount), f_type(datatype)) * on->local_size;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block_init);
    next(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_reduce_scatter_block_init_(void *sendbuf, void *recvbuf, void *recvcount,
                                              void *datatype, void *op, void *comm, void *info,
                                              void *request, void *ierror)
{
    fortran_reduce_scatter_block_init(FORWARD_FORTRAN(mpi_reduce_scatter_block_init_), sendbuf,
                                      recvbuf, recvcount, datatype, op, comm, info, request,
                                      ierror);
}

SCOPE_API void mpi_reduce_scatter_block_init_f08_(void *sendbuf, void *recvbuf, void *recvcount,
                                                  void *datatype, void *op, void *comm, void *info,
                                                  void *request, void *ierror)
{
    fortran_reduce_scatter_block_init(FORWARD_FORTRAN(mpi_reduce_scatter_block_init_f08_), sendbuf,
                                      recvbuf, recvcount, datatype, op, comm, info, request,
                                      ierror);
}

SCOPE_API void mpi_reduce_scatter_block_init_f08ts_(void *sendbuf, void *recvbuf, void *recvcount,
                                                    void *datatype, void *op, void *comm,
                                                    void *info, void *request, void *ierror)
{
    fortran_reduce_scatter_block_init(FORWARD_FORTRAN(mpi_reduce_scatter_block_init_f08ts_),
                                      sendbuf, recvbuf, recvcount, datatype, op, comm, info,
                                      request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_scan_init(fortran_9 *next, void *sendbuf, void *recvbuf, void *count,
                              void *datatype, void *op, void *comm, void *info, void *request,
                              void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan_init);
    next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_scan_init_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                              void *comm, void *info, void *request, void *ierror)
{
    fortran_scan_init(FORWARD_FORTRAN(mpi_scan_init_), sendbuf, recvbuf, count, datatype, op, comm,
                      info, request, ierror);
}

SCOPE_API void mpi_scan_init_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                  void *op, void *comm, void *info, void *request, void *ierror)
{
    fortran_scan_init(FORWARD_FORTRAN(mpi_scan_init_f08_), sendbuf, recvbuf, count, datatype, op,
                      comm, info, request, ierror);
}

SCOPE_API void mpi_scan_init_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                    void *op, void *comm, void *info, void *request, void *ierror)
{
    fortran_scan_init(FORWARD_FORTRAN(mpi_scan_init_f08ts_), sendbuf, recvbuf, count, datatype, op,
                      comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_exscan_init(fortran_9 *next, void *sendbuf, void *recvbuf, void *count,
                                void *datatype, void *op, void *comm, void *info, void *request,
                                void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_bytes(f_int(count), f_type(datatype));
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan_init);
    next(sendbuf, recvbuf, count, datatype, op, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX,
                                  f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_exscan_init_(void *sendbuf, void *recvbuf, void *count, void *datatype, void *op,
                                void *comm, void *info, void *request, void *ierror)
{
    fortran_exscan_init(FORWARD_FORTRAN(mpi_exscan_init_), sendbuf, recvbuf, count, datatype, op,
                        comm, info, request, ierror);
}

SCOPE_API void mpi_exscan_init_f08_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                    void *op, void *comm, void *info, void *request, void *ierror)
{
    fortran_exscan_init(FORWARD_FORTRAN(mpi_exscan_init_f08_), sendbuf, recvbuf, count, datatype,
                        op, comm, info, request, ierror);
}

SCOPE_API void mpi_exscan_init_f08ts_(void *sendbuf, void *recvbuf, void *count, void *datatype,
                                      void *op, void *comm, void *info, void *request, void *ierror)
{
    fortran_exscan_init(FORWARD_FORTRAN(mpi_exscan_init_f08ts_), sendbuf, recvbuf, count, datatype,
                        op, comm, info, request, ierror);
}

#endif
