/* persistent_collective.c - collectives that are started again and again.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

#if MPI_VERSION >= 4

WRAPPER(MPI_Barrier_init, (wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Barrier_init, mpi_missing)(comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = 0;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Barrier_init);
    const int rc = FORWARD_OR(MPI_Barrier_init, mpi_missing)(comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Bcast_init, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm,
                         wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Bcast_init, mpi_missing)(buffer, count, datatype, root, comm, info,
                                                       request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Bcast_init);
    const int rc = FORWARD_OR(MPI_Bcast_init, mpi_missing)(buffer, count, datatype, root, comm,
                                                           info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Gather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                          int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                          wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gather_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                        recvcount, recvtype, root, comm, info,
                                                        request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Gather_init);
    const int rc = FORWARD_OR(MPI_Gather_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                            recvcount, recvtype, root, comm, info,
                                                            request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Gatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                           void *recvbuf, const int recvcounts[], const int displs[],
                           wide_Datatype recvtype, int root, wide_Comm comm, wide_Info info,
                           MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gatherv_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                         recvcounts, displs, recvtype, root, comm,
                                                         info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Gatherv_init);
    const int rc = FORWARD_OR(MPI_Gatherv_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Scatter_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                           void *recvbuf, int recvcount, wide_Datatype recvtype, int root,
                           wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatter_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                         recvcount, recvtype, root, comm, info,
                                                         request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Scatter_init);
    const int rc = FORWARD_OR(MPI_Scatter_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Scatterv_init, (const void *sendbuf, const int sendcounts[], const int displs[],
                            wide_Datatype sendtype, void *recvbuf, int recvcount,
                            wide_Datatype recvtype, int root, wide_Comm comm, wide_Info info,
                            MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatterv_init, mpi_missing)(sendbuf, sendcounts, displs, sendtype,
                                                          recvbuf, recvcount, recvtype, root, comm,
                                                          info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, false}, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Scatterv_init);
    const int rc = FORWARD_OR(MPI_Scatterv_init, mpi_missing)(
        sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Allgather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                             void *recvbuf, int recvcount, wide_Datatype recvtype, wide_Comm comm,
                             wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgather_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                           recvcount, recvtype, comm, info,
                                                           request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather_init);
    const int rc = FORWARD_OR(MPI_Allgather_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Allgatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                              MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgatherv_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                            recvcounts, displs, recvtype, comm,
                                                            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv_init);
    const int rc = FORWARD_OR(MPI_Allgatherv_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Alltoall_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                            void *recvbuf, int recvcount, wide_Datatype recvtype, wide_Comm comm,
                            wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoall_init, mpi_missing)(sendbuf, sendcount, sendtype, recvbuf,
                                                          recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall_init);
    const int rc = FORWARD_OR(MPI_Alltoall_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                             wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                             wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallv_init, mpi_missing)(sendbuf, sendcounts, sdispls, sendtype,
                                                           recvbuf, recvcounts, rdispls, recvtype,
                                                           comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false}, sendtype,
                                              (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv_init);
    const int rc = FORWARD_OR(MPI_Alltoallv_init, mpi_missing)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Alltoallw_init, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm,
                             wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallw_init, mpi_missing)(sendbuf, sendcounts, sdispls, sendtypes,
                                                           recvbuf, recvcounts, rdispls, recvtypes,
                                                           comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, false});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw_init);
    const int rc = FORWARD_OR(MPI_Alltoallw_init, mpi_missing)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Reduce_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                          wide_Op op, int root, wide_Comm comm, wide_Info info,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op, root,
                                                        comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    mpi_message moved = mpi_naming(on, root);
    mpi_begin(CALL_MPI_Reduce_init);
    const int rc = FORWARD_OR(MPI_Reduce_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op,
                                                            root, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, root, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Allreduce_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                             wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allreduce_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op,
                                                           comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce_init);
    const int rc = FORWARD_OR(MPI_Allreduce_init, mpi_missing)(
        sendbuf, recvbuf, count, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Reduce_scatter_init, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                                  wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                  wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_init, mpi_missing)(
            sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false}, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_init);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_init, mpi_missing)(
        sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Reduce_scatter_block_init, (const void *sendbuf, void *recvbuf, int recvcount,
                                        wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                        wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_block_init, mpi_missing)(
            sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block_init);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_block_init, mpi_missing)(
        sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Scan_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scan_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op, comm,
                                                      info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan_init);
    const int rc = FORWARD_OR(MPI_Scan_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op,
                                                          comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Exscan_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                          wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Exscan_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op, comm,
                                                        info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(count, datatype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan_init);
    const int rc = FORWARD_OR(MPI_Exscan_init, mpi_missing)(sendbuf, recvbuf, count, datatype, op,
                                                            comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
