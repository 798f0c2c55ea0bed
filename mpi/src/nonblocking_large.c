/* nonblocking_large.c - nonblocking collectives, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Ibcast_c(void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                               wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ibcast)(buffer, (int)count, datatype, root, comm, request);
}

WRAPPER(MPI_Ibcast_c, (void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ibcast_c, narrow_MPI_Ibcast_c)(
            buffer, count, datatype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_rooted_bytes(root, count, datatype), root);
    mpi_begin(CALL_MPI_Ibcast);
    const int rc = FORWARD_OR(MPI_Ibcast_c, narrow_MPI_Ibcast_c)(
        buffer, count, datatype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Igather_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                int root, wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Igather)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype,
                              root, comm, request);
}

WRAPPER(MPI_Igather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                        wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Igather_c, narrow_MPI_Igather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Igather);
    const int rc = FORWARD_OR(MPI_Igather_c, narrow_MPI_Igather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                 void *recvbuf, const MPI_Count recvcounts[],
                                 const MPI_Aint displs[], wide_Datatype recvtype, int root,
                                 wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Igatherv)(sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts,
                                 narrow_displs, recvtype, root, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Igatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                         wide_Datatype recvtype, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Igatherv_c, narrow_MPI_Igatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Igatherv);
    const int rc = FORWARD_OR(MPI_Igatherv_c, narrow_MPI_Igatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                 void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                 int root, wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Iscatter)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype,
                               root, comm, request);
}

WRAPPER(MPI_Iscatter_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                         wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iscatter_c, narrow_MPI_Iscatter_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Iscatter);
    const int rc = FORWARD_OR(MPI_Iscatter_c, narrow_MPI_Iscatter_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint displs[], wide_Datatype sendtype, void *recvbuf,
                                  MPI_Count recvcount, wide_Datatype recvtype, int root,
                                  wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, true);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow, sendcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(recvcount) && !narrow.failed)
        rc = PLAIN(MPI_Iscatterv)(sendbuf, narrow_sendcounts, narrow_displs, sendtype, recvbuf,
                                  (int)recvcount, recvtype, root, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Iscatterv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint displs[], wide_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iscatterv_c, narrow_MPI_Iscatterv_c)(
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, true}, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Iscatterv);
    const int rc = FORWARD_OR(MPI_Iscatterv_c, narrow_MPI_Iscatterv_c)(
        sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                   void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                   wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Iallgather)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                 recvtype, comm, request);
}

WRAPPER(MPI_Iallgather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                           void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                           wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iallgather_c, narrow_MPI_Iallgather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgather);
    const int rc = FORWARD_OR(MPI_Iallgather_c, narrow_MPI_Iallgather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount,
                                    wide_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint displs[],
                                    wide_Datatype recvtype, wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Iallgatherv)(sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts,
                                    narrow_displs, recvtype, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Iallgatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                            void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                            wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iallgatherv_c, narrow_MPI_Iallgatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgatherv);
    const int rc = FORWARD_OR(MPI_Iallgatherv_c, narrow_MPI_Iallgatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                  wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ialltoall)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                recvtype, comm, request);
}

WRAPPER(MPI_Ialltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                          wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ialltoall_c, narrow_MPI_Ialltoall_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoall);
    const int rc = FORWARD_OR(MPI_Ialltoall_c, narrow_MPI_Ialltoall_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                   const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                                   const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                   wide_Datatype recvtype, wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, true);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow,
                                                    mpi_any_in_place(sendbuf) ? NULL : sendcounts);
    const int *narrow_sdispls = mpi_narrow_array(&narrow,
                                                 mpi_any_in_place(sendbuf) ? NULL : sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Ialltoallv)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtype, recvbuf,
                                   narrow_recvcounts, narrow_rdispls, recvtype, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ialltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                           const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ialltoallv_c, narrow_MPI_Ialltoallv_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true}, sendtype,
                                              (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallv);
    const int rc = FORWARD_OR(MPI_Ialltoallv_c, narrow_MPI_Ialltoallv_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                   const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                   wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, true);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow,
                                                    mpi_any_in_place(sendbuf) ? NULL : sendcounts);
    const int *narrow_sdispls = mpi_narrow_array(&narrow,
                                                 mpi_any_in_place(sendbuf) ? NULL : sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Ialltoallw)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtypes, recvbuf,
                                   narrow_recvcounts, narrow_rdispls, recvtypes, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ialltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                           const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           const MPI_Datatype recvtypes[], wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ialltoallw_c, narrow_MPI_Ialltoallw_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, true},
                                              (mpi_types){recvtypes, false});
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallw);
    const int rc = FORWARD_OR(MPI_Ialltoallw_c, narrow_MPI_Ialltoallw_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                wide_Datatype datatype, wide_Op op, int root, wide_Comm comm,
                                MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ireduce)(sendbuf, recvbuf, (int)count, datatype, op, root, comm, request);
}

WRAPPER(MPI_Ireduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                        wide_Op op, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ireduce_c, narrow_MPI_Ireduce_c)(
            sendbuf, recvbuf, count, datatype, op, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_rooted_bytes(root, count, datatype), root);
    mpi_begin(CALL_MPI_Ireduce);
    const int rc = FORWARD_OR(MPI_Ireduce_c, narrow_MPI_Ireduce_c)(
        sendbuf, recvbuf, count, datatype, op, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                   wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                   MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Iallreduce)(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

WRAPPER(MPI_Iallreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                           wide_Datatype datatype, wide_Op op, wide_Comm comm,
                           MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iallreduce_c, narrow_MPI_Iallreduce_c)(
            sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallreduce);
    const int rc = FORWARD_OR(MPI_Iallreduce_c, narrow_MPI_Iallreduce_c)(
        sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf,
                                        const MPI_Count recvcounts[], wide_Datatype datatype,
                                        wide_Op op, wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, true, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Ireduce_scatter)(sendbuf, recvbuf, narrow_recvcounts, datatype, op, comm,
                                        request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ireduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                                wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ireduce_scatter_c, narrow_MPI_Ireduce_scatter_c)(
            sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true}, datatype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter);
    const int rc = FORWARD_OR(MPI_Ireduce_scatter_c, narrow_MPI_Ireduce_scatter_c)(
        sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf,
                                              MPI_Count recvcount, wide_Datatype datatype,
                                              wide_Op op, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(recvcount))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ireduce_scatter_block)(sendbuf, recvbuf, (int)recvcount, datatype, op, comm,
                                            request);
}

WRAPPER(MPI_Ireduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                      wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                      MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ireduce_scatter_block_c, narrow_MPI_Ireduce_scatter_block_c)(
            sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter_block);
    const int rc = FORWARD_OR(MPI_Ireduce_scatter_block_c, narrow_MPI_Ireduce_scatter_block_c)(
        sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                              wide_Datatype datatype, wide_Op op, wide_Comm comm,
                              MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Iscan)(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

WRAPPER(MPI_Iscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                      wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iscan_c, narrow_MPI_Iscan_c)(sendbuf, recvbuf, count, datatype, op,
                                                           comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iscan);
    const int rc = FORWARD_OR(MPI_Iscan_c, narrow_MPI_Iscan_c)(
        sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Iexscan)(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

WRAPPER(MPI_Iexscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Iexscan_c, narrow_MPI_Iexscan_c)(
            sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iexscan);
    const int rc = FORWARD_OR(MPI_Iexscan_c, narrow_MPI_Iexscan_c)(
        sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
