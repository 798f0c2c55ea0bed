/* persistent_collective_large.c - collectives that are started again and again, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Bcast_init_c(void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                                   wide_Comm comm, wide_Info info, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Bcast_init, mpi_missing)(buffer, (int)count, datatype, root, comm, info,
                                                   request);
}

WRAPPER(MPI_Bcast_init_c, (void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                           wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Bcast_init_c, narrow_MPI_Bcast_init_c)(
            buffer, count, datatype, root, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Bcast_init);
    const int rc = FORWARD_OR(MPI_Bcast_init_c, narrow_MPI_Bcast_init_c)(
        buffer, count, datatype, root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount,
                                    wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                    wide_Datatype recvtype, int root, wide_Comm comm,
                                    wide_Info info, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Gather_init, mpi_missing)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                    (int)recvcount, recvtype, root, comm, info,
                                                    request);
}

WRAPPER(MPI_Gather_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                            void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                            wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gather_init_c, narrow_MPI_Gather_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Gather_init);
    const int rc = FORWARD_OR(MPI_Gather_init_c, narrow_MPI_Gather_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount,
                                     wide_Datatype sendtype, void *recvbuf,
                                     const MPI_Count recvcounts[], const MPI_Aint displs[],
                                     wide_Datatype recvtype, int root, wide_Comm comm,
                                     wide_Info info, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = FORWARD_OR(MPI_Gatherv_init, mpi_missing)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                       narrow_recvcounts, narrow_displs, recvtype,
                                                       root, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Gatherv_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                             void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                             wide_Datatype recvtype, int root, wide_Comm comm, wide_Info info,
                             MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gatherv_init_c, narrow_MPI_Gatherv_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Gatherv_init);
    const int rc = FORWARD_OR(MPI_Gatherv_init_c, narrow_MPI_Gatherv_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount,
                                     wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                     wide_Datatype recvtype, int root, wide_Comm comm,
                                     wide_Info info, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Scatter_init, mpi_missing)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                     (int)recvcount, recvtype, root, comm, info,
                                                     request);
}

WRAPPER(MPI_Scatter_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                             void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                             wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatter_init_c, narrow_MPI_Scatter_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Scatter_init);
    const int rc = FORWARD_OR(MPI_Scatter_init_c, narrow_MPI_Scatter_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                      const MPI_Aint displs[], wide_Datatype sendtype,
                                      void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                      int root, wide_Comm comm, wide_Info info,
                                      MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, true);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow, sendcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(recvcount) && !narrow.failed)
        rc = FORWARD_OR(MPI_Scatterv_init, mpi_missing)(sendbuf, narrow_sendcounts, narrow_displs,
                                                        sendtype, recvbuf, (int)recvcount, recvtype,
                                                        root, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Scatterv_init_c, (const void *sendbuf, const MPI_Count sendcounts[],
                              const MPI_Aint displs[], wide_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                              wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatterv_init_c, narrow_MPI_Scatterv_init_c)(
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, true}, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Scatterv_init);
    const int rc = FORWARD_OR(MPI_Scatterv_init_c, narrow_MPI_Scatterv_init_c)(
        sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount,
                                       wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                       wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                       MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Allgather_init, mpi_missing)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                       (int)recvcount, recvtype, comm, info,
                                                       request);
}

WRAPPER(MPI_Allgather_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                               void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                               wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgather_init_c, narrow_MPI_Allgather_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather_init);
    const int rc = FORWARD_OR(MPI_Allgather_init_c, narrow_MPI_Allgather_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount,
                                        wide_Datatype sendtype, void *recvbuf,
                                        const MPI_Count recvcounts[], const MPI_Aint displs[],
                                        wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                        MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = FORWARD_OR(MPI_Allgatherv_init, mpi_missing)(sendbuf, (int)sendcount, sendtype,
                                                          recvbuf, narrow_recvcounts, narrow_displs,
                                                          recvtype, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint displs[], wide_Datatype recvtype, wide_Comm comm,
                                wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgatherv_init_c, narrow_MPI_Allgatherv_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv_init);
    const int rc = FORWARD_OR(MPI_Allgatherv_init_c, narrow_MPI_Allgatherv_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount,
                                      wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                      wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                      MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Alltoall_init, mpi_missing)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                                      (int)recvcount, recvtype, comm, info,
                                                      request);
}

WRAPPER(MPI_Alltoall_init_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                              void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                              wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoall_init_c, narrow_MPI_Alltoall_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall_init);
    const int rc = FORWARD_OR(MPI_Alltoall_init_c, narrow_MPI_Alltoall_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                       const MPI_Aint sdispls[], wide_Datatype sendtype,
                                       void *recvbuf, const MPI_Count recvcounts[],
                                       const MPI_Aint rdispls[], wide_Datatype recvtype,
                                       wide_Comm comm, wide_Info info, MPI_Request *request)
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
        rc = FORWARD_OR(MPI_Alltoallv_init, mpi_missing)(sendbuf, narrow_sendcounts, narrow_sdispls,
                                                         sendtype, recvbuf, narrow_recvcounts,
                                                         narrow_rdispls, recvtype, comm, info,
                                                         request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[],
                               const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                               wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                               MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallv_init_c, narrow_MPI_Alltoallv_init_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true}, sendtype,
                                              (mpi_counts){recvcounts, true}, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv_init);
    const int rc = FORWARD_OR(MPI_Alltoallv_init_c, narrow_MPI_Alltoallv_init_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                       const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                       void *recvbuf, const MPI_Count recvcounts[],
                                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                       wide_Comm comm, wide_Info info, MPI_Request *request)
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
        rc = FORWARD_OR(MPI_Alltoallw_init, mpi_missing)(sendbuf, narrow_sendcounts, narrow_sdispls,
                                                         sendtypes, recvbuf, narrow_recvcounts,
                                                         narrow_rdispls, recvtypes, comm, info,
                                                         request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[],
                               const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                               void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                               wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallw_init_c, narrow_MPI_Alltoallw_init_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, true},
                                              (mpi_types){recvtypes, false});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw_init);
    const int rc = FORWARD_OR(MPI_Alltoallw_init_c, narrow_MPI_Alltoallw_init_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                    wide_Datatype datatype, wide_Op op, int root, wide_Comm comm,
                                    wide_Info info, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Reduce_init, mpi_missing)(sendbuf, recvbuf, (int)count, datatype, op,
                                                    root, comm, info, request);
}

WRAPPER(MPI_Reduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                            wide_Datatype datatype, wide_Op op, int root, wide_Comm comm,
                            wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_init_c, narrow_MPI_Reduce_init_c)(
            sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Reduce_init);
    const int rc = FORWARD_OR(MPI_Reduce_init_c, narrow_MPI_Reduce_init_c)(
        sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                       wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                       wide_Info info, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Allreduce_init, mpi_missing)(sendbuf, recvbuf, (int)count, datatype, op,
                                                       comm, info, request);
}

WRAPPER(MPI_Allreduce_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                               wide_Datatype datatype, wide_Op op, wide_Comm comm, wide_Info info,
                               MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allreduce_init_c, narrow_MPI_Allreduce_init_c)(
            sendbuf, recvbuf, count, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce_init);
    const int rc = FORWARD_OR(MPI_Allreduce_init_c, narrow_MPI_Allreduce_init_c)(
        sendbuf, recvbuf, count, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf,
                                            const MPI_Count recvcounts[], wide_Datatype datatype,
                                            wide_Op op, wide_Comm comm, wide_Info info,
                                            MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, true, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = FORWARD_OR(MPI_Reduce_scatter_init, mpi_missing)(
            sendbuf, recvbuf, narrow_recvcounts, datatype, op, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Reduce_scatter_init_c, (const void *sendbuf, void *recvbuf,
                                    const MPI_Count recvcounts[], wide_Datatype datatype,
                                    wide_Op op, wide_Comm comm, wide_Info info,
                                    MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_init_c, narrow_MPI_Reduce_scatter_init_c)(
            sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true}, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_init);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_init_c, narrow_MPI_Reduce_scatter_init_c)(
        sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf,
                                                  MPI_Count recvcount, wide_Datatype datatype,
                                                  wide_Op op, wide_Comm comm, wide_Info info,
                                                  MPI_Request *request)
{
    if (!mpi_fits_int(recvcount))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Reduce_scatter_block_init, mpi_missing)(
        sendbuf, recvbuf, (int)recvcount, datatype, op, comm, info, request);
}

WRAPPER(MPI_Reduce_scatter_block_init_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                          wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                          wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_block_init_c, narrow_MPI_Reduce_scatter_block_init_c)(
            sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block_init);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_block_init_c, narrow_MPI_Reduce_scatter_block_init_c)(
        sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                  wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                  wide_Info info, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Scan_init, mpi_missing)(sendbuf, recvbuf, (int)count, datatype, op, comm,
                                                  info, request);
}

WRAPPER(MPI_Scan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                          wide_Datatype datatype, wide_Op op, wide_Comm comm, wide_Info info,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scan_init_c, narrow_MPI_Scan_init_c)(
            sendbuf, recvbuf, count, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan_init);
    const int rc = FORWARD_OR(MPI_Scan_init_c, narrow_MPI_Scan_init_c)(
        sendbuf, recvbuf, count, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                    wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                    wide_Info info, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Exscan_init, mpi_missing)(sendbuf, recvbuf, (int)count, datatype, op,
                                                    comm, info, request);
}

WRAPPER(MPI_Exscan_init_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                            wide_Datatype datatype, wide_Op op, wide_Comm comm, wide_Info info,
                            MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Exscan_init_c, narrow_MPI_Exscan_init_c)(
            sendbuf, recvbuf, count, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan_init);
    const int rc = FORWARD_OR(MPI_Exscan_init_c, narrow_MPI_Exscan_init_c)(
        sendbuf, recvbuf, count, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
