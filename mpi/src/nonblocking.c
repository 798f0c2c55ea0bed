/* nonblocking.c - nonblocking collectives.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Ibarrier, (wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ibarrier)(comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ibarrier);
    const int rc = FORWARD(MPI_Ibarrier)(comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ibcast, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm,
                     MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ibcast)(buffer, count, datatype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_rooted_bytes(root, count, datatype), root);
    mpi_begin(CALL_MPI_Ibcast);
    const int rc = FORWARD(MPI_Ibcast)(buffer, count, datatype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Igather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                      MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Igather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                    root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Igather);
    const int rc = FORWARD(MPI_Igather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                        root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Igatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       const int recvcounts[], const int displs[], wide_Datatype recvtype, int root,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Igatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                     recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Igatherv);
    const int rc = FORWARD(MPI_Igatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iscatter, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                       MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Iscatter);
    const int rc = FORWARD(MPI_Iscatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[],
                        wide_Datatype sendtype, void *recvbuf, int recvcount,
                        wide_Datatype recvtype, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                      recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, false}, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Iscatterv);
    const int rc = FORWARD(MPI_Iscatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ONE_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iallgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                         int recvcount, wide_Datatype recvtype, wide_Comm comm,
                         MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                       comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgather);
    const int rc = FORWARD(MPI_Iallgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                           recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iallgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], wide_Datatype recvtype,
                          wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                        recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallgatherv);
    const int rc = FORWARD(MPI_Iallgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                            displs, recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ialltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                        int recvcount, wide_Datatype recvtype, wide_Comm comm,
                        MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoall);
    const int rc = FORWARD(MPI_Ialltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                          recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                         wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                         const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                         MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                       rdispls, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false}, sendtype,
                                              (mpi_counts){recvcounts, false}, recvtype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallv);
    const int rc = FORWARD(MPI_Ialltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                           recvcounts, rdispls, recvtype, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                         const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                         const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm,
                         MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                       rdispls, recvtypes, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, false});
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ialltoallw);
    const int rc = FORWARD(MPI_Ialltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                           recvcounts, rdispls, recvtypes, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ireduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                      wide_Op op, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce)(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_rooted_bytes(root, count, datatype), root);
    mpi_begin(CALL_MPI_Ireduce);
    const int rc = FORWARD(MPI_Ireduce)(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ONE, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iallreduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                         wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallreduce)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iallreduce);
    const int rc = FORWARD(MPI_Iallreduce)(sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                              wide_Datatype datatype, wide_Op op, wide_Comm comm,
                              MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm,
                                            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false}, datatype);
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter);
    const int rc = FORWARD(MPI_Ireduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm,
                                                request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount,
                                    wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                    MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm,
                                                  request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ireduce_scatter_block);
    const int rc = FORWARD(MPI_Ireduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op,
                                                      comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_ALL_TO_ALL, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                    wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscan)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iscan);
    const int rc = FORWARD(MPI_Iscan)(sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iexscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                      wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iexscan)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Iexscan);
    const int rc = FORWARD(MPI_Iexscan)(sendbuf, recvbuf, count, datatype, op, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective(&moved, SCOPE_COLLECTIVE_PREFIX, *request);
    mpi_leave(&moved);
    return rc;
}
