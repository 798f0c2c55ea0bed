/* collective_large.c - blocking collectives, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

#if MPI_VERSION >= 4

WRAPPER(MPI_Bcast_c, (void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Bcast_c)(buffer, count, datatype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_rooted_bytes(root, count, datatype), mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Bcast);
    const int rc = FORWARD(MPI_Bcast_c)(buffer, count, datatype, root, comm);
    mpi_leave(CALL_MPI_Bcast, moved);
    return rc;
}

WRAPPER(MPI_Gather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                       void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                       wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Gather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Gather);
    const int rc = FORWARD(MPI_Gather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         root, comm);
    mpi_leave(CALL_MPI_Gather, moved);
    return rc;
}

WRAPPER(MPI_Gatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                        wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Gatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                      recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Gatherv);
    const int rc = FORWARD(MPI_Gatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                          recvtype, root, comm);
    mpi_leave(CALL_MPI_Gatherv, moved);
    return rc;
}

WRAPPER(MPI_Scatter_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                        wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scatter_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Scatter);
    const int rc = FORWARD(MPI_Scatter_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
    mpi_leave(CALL_MPI_Scatter, moved);
    return rc;
}

WRAPPER(MPI_Scatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                         wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scatterv_c)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                       recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, true}, sendtype, recvcount, recvtype),
                               mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Scatterv);
    const int rc = FORWARD(MPI_Scatterv_c)(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                           recvcount, recvtype, root, comm);
    mpi_leave(CALL_MPI_Scatterv, moved);
    return rc;
}

WRAPPER(MPI_Allgather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                          wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allgather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                        comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Allgather);
    const int rc = FORWARD(MPI_Allgather_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                            recvtype, comm);
    mpi_leave(CALL_MPI_Allgather, moved);
    return rc;
}

WRAPPER(MPI_Allgatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                           void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                           wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allgatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Allgatherv);
    const int rc = FORWARD(MPI_Allgatherv_c)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                             displs, recvtype, comm);
    mpi_leave(CALL_MPI_Allgatherv, moved);
    return rc;
}

WRAPPER(MPI_Alltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                         wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoall_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                       comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype, recvcount, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Alltoall);
    const int rc = FORWARD(MPI_Alltoall_c)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                           recvtype, comm);
    mpi_leave(CALL_MPI_Alltoall, moved);
    return rc;
}

WRAPPER(MPI_Alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoallv_c)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                        rdispls, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE, (mpi_counts){sendcounts, true}, sendtype, (mpi_counts){recvcounts, true}, recvtype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Alltoallv);
    const int rc = FORWARD(MPI_Alltoallv_c)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                            recvcounts, rdispls, recvtype, comm);
    mpi_leave(CALL_MPI_Alltoallv, moved);
    return rc;
}

WRAPPER(MPI_Alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          const MPI_Datatype recvtypes[], wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoallw_c)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                        recvcounts, rdispls, recvtypes, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE, (mpi_counts){sendcounts, true}, (mpi_types){sendtypes, false}, (mpi_counts){recvcounts, true}, (mpi_types){recvtypes, false}),
                               -1, on->id};
    mpi_begin(CALL_MPI_Alltoallw);
    const int rc = FORWARD(MPI_Alltoallw_c)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                            recvcounts, rdispls, recvtypes, comm);
    mpi_leave(CALL_MPI_Alltoallw, moved);
    return rc;
}

WRAPPER(MPI_Reduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                       wide_Op op, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce_c)(sendbuf, recvbuf, count, datatype, op, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_rooted_bytes(root, count, datatype), mpi_peer(on, root), on->id};
    mpi_begin(CALL_MPI_Reduce);
    const int rc = FORWARD(MPI_Reduce_c)(sendbuf, recvbuf, count, datatype, op, root, comm);
    mpi_leave(CALL_MPI_Reduce, moved);
    return rc;
}

WRAPPER(MPI_Allreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                          wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allreduce_c)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Allreduce);
    const int rc = FORWARD(MPI_Allreduce_c)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(CALL_MPI_Allreduce, moved);
    return rc;
}

WRAPPER(MPI_Reduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                               wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce_scatter_c)(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true}, datatype),
                               -1, on->id};
    mpi_begin(CALL_MPI_Reduce_scatter);
    const int rc = FORWARD(MPI_Reduce_scatter_c)(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    mpi_leave(CALL_MPI_Reduce_scatter, moved);
    return rc;
}

WRAPPER(MPI_Reduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                     wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce_scatter_block_c)(sendbuf, recvbuf, recvcount, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(recvcount, datatype) * on->local_size, -1, on->id};
    mpi_begin(CALL_MPI_Reduce_scatter_block);
    const int rc = FORWARD(MPI_Reduce_scatter_block_c)(sendbuf, recvbuf, recvcount, datatype, op,
                                                       comm);
    mpi_leave(CALL_MPI_Reduce_scatter_block, moved);
    return rc;
}

WRAPPER(MPI_Scan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                     wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scan_c)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Scan);
    const int rc = FORWARD(MPI_Scan_c)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(CALL_MPI_Scan, moved);
    return rc;
}

WRAPPER(MPI_Exscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                       wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Exscan_c)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_bytes(count, datatype), -1, on->id};
    mpi_begin(CALL_MPI_Exscan);
    const int rc = FORWARD(MPI_Exscan_c)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(CALL_MPI_Exscan, moved);
    return rc;
}

#endif
