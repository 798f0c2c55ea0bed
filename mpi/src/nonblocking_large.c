/* nonblocking_large.c - nonblocking collectives, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

#if MPI_VERSION >= 4

WRAPPER(MPI_Ibcast_c, (void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ibcast_c)(buffer, count, datatype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_rooted_bytes(root, count, datatype), mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Ibcast);
    const int rc = FORWARD(MPI_Ibcast_c)(buffer, count, datatype, root, comm, request);
    mpi_leave(CALL_MPI_Ibcast, moved);
    return rc;
}

WRAPPER(MPI_Igather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                        wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Igather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Igather);
    const int rc = FORWARD(MPI_Igather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm, request);
    mpi_leave(CALL_MPI_Igather, moved);
    return rc;
}

WRAPPER(MPI_Igatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                         wide_Datatype recvtype, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Igatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Igatherv);
    const int rc = FORWARD(MPI_Igatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                           displs, recvtype, root, comm, request);
    mpi_leave(CALL_MPI_Igatherv, moved);
    return rc;
}

WRAPPER(MPI_Iscatter_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                         wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscatter_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                       root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Iscatter);
    const int rc = FORWARD(MPI_Iscatter_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                           recvtype, root, comm, request);
    mpi_leave(CALL_MPI_Iscatter, moved);
    return rc;
}

WRAPPER(MPI_Iscatterv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint displs[], wide_Datatype sendtype, void *recvbuf,
                          MPI_Count recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscatterv_c)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                        recvtype, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, true}, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Iscatterv);
    const int rc = FORWARD(MPI_Iscatterv_c)(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                            recvcount, recvtype, root, comm, request);
    mpi_leave(CALL_MPI_Iscatterv, moved);
    return rc;
}

WRAPPER(MPI_Iallgather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                           void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                           wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallgather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Iallgather);
    const int rc = FORWARD(MPI_Iallgather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                             recvtype, comm, request);
    mpi_leave(CALL_MPI_Iallgather, moved);
    return rc;
}

WRAPPER(MPI_Iallgatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                            void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                            wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallgatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                          recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Iallgatherv);
    const int rc = FORWARD(MPI_Iallgatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                              displs, recvtype, comm, request);
    mpi_leave(CALL_MPI_Iallgatherv, moved);
    return rc;
}

WRAPPER(MPI_Ialltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                          wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoall_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                        comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Ialltoall);
    const int rc = FORWARD(MPI_Ialltoall_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                            recvtype, comm, request);
    mpi_leave(CALL_MPI_Ialltoall, moved);
    return rc;
}

WRAPPER(MPI_Ialltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                           const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoallv_c)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                         recvcounts, rdispls, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE, (mpi_counts){sendcounts, true}, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Ialltoallv);
    const int rc = FORWARD(MPI_Ialltoallv_c)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                             recvcounts, rdispls, recvtype, comm, request);
    mpi_leave(CALL_MPI_Ialltoallv, moved);
    return rc;
}

WRAPPER(MPI_Ialltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                           const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                           const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                           const MPI_Datatype recvtypes[], wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ialltoallw_c)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                         recvcounts, rdispls, recvtypes, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE, (mpi_counts){sendcounts, true}, (mpi_types){sendtypes, false}, (mpi_counts){recvcounts, true}, (mpi_types){recvtypes, false}),
                               -1, on->id};
    mpi_begin(CALL_MPI_Ialltoallw);
    const int rc = FORWARD(MPI_Ialltoallw_c)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                             recvcounts, rdispls, recvtypes, comm, request);
    mpi_leave(CALL_MPI_Ialltoallw, moved);
    return rc;
}

WRAPPER(MPI_Ireduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                        wide_Op op, int root, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce_c)(sendbuf, recvbuf, count, datatype, op, root, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_rooted_bytes(root, count, datatype), mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Ireduce);
    const int rc = FORWARD(MPI_Ireduce_c)(sendbuf, recvbuf, count, datatype, op, root, comm,
                                          request);
    mpi_leave(CALL_MPI_Ireduce, moved);
    return rc;
}

WRAPPER(MPI_Iallreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                           wide_Datatype datatype, wide_Op op, wide_Comm comm,
                           MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iallreduce_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Iallreduce);
    const int rc = FORWARD(MPI_Iallreduce_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    mpi_leave(CALL_MPI_Iallreduce, moved);
    return rc;
}

WRAPPER(MPI_Ireduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                                wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce_scatter_c)(sendbuf, recvbuf, recvcounts, datatype, op, comm,
                                              request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true}, datatype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Ireduce_scatter);
    const int rc = FORWARD(MPI_Ireduce_scatter_c)(sendbuf, recvbuf, recvcounts, datatype, op, comm,
                                                  request);
    mpi_leave(CALL_MPI_Ireduce_scatter, moved);
    return rc;
}

WRAPPER(MPI_Ireduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                      wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                      MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ireduce_scatter_block_c)(sendbuf, recvbuf, recvcount, datatype, op, comm,
                                                    request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(recvcount, datatype) * on->local_size, -1, on->id};
    mpi_begin(CALL_MPI_Ireduce_scatter_block);
    const int rc = FORWARD(MPI_Ireduce_scatter_block_c)(sendbuf, recvbuf, recvcount, datatype, op,
                                                        comm, request);
    mpi_leave(CALL_MPI_Ireduce_scatter_block, moved);
    return rc;
}

WRAPPER(MPI_Iscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                      wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iscan_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Iscan);
    const int rc = FORWARD(MPI_Iscan_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    mpi_leave(CALL_MPI_Iscan, moved);
    return rc;
}

WRAPPER(MPI_Iexscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iexscan_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Iexscan);
    const int rc = FORWARD(MPI_Iexscan_c)(sendbuf, recvbuf, count, datatype, op, comm, request);
    mpi_leave(CALL_MPI_Iexscan, moved);
    return rc;
}

#endif
