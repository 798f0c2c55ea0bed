/* collective.c - blocking collectives.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Barrier, (wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Barrier)(comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Barrier);
    const int rc = FORWARD(MPI_Barrier)(comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Bcast, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Bcast)(buffer, count, datatype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Bcast);
    const int rc = FORWARD(MPI_Bcast)(buffer, count, datatype, root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Gather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                     int recvcount, wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                   comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Gather);
    const int rc = FORWARD(MPI_Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                       root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Gatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], wide_Datatype recvtype, int root,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                    recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, false}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Gatherv);
    const int rc = FORWARD(MPI_Gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                        recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Scatter, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      int recvcount, wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                    root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Scatter);
    const int rc = FORWARD(MPI_Scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                        root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Scatterv, (const void *sendbuf, const int sendcounts[], const int displs[],
                       wide_Datatype sendtype, void *recvbuf, int recvcount, wide_Datatype recvtype,
                       int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                     recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, false}, sendtype,
                                             recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Scatterv);
    const int rc = FORWARD(MPI_Scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                         recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                        int recvcount, wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                      comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather);
    const int rc = FORWARD(MPI_Allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                          recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], wide_Datatype recvtype,
                         wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                       recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, false}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv);
    const int rc = FORWARD(MPI_Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                           displs, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       int recvcount, wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall);
    const int rc = FORWARD(MPI_Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                        wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                      rdispls, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false}, sendtype,
                                              (mpi_counts){recvcounts, false}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv);
    const int rc = FORWARD(MPI_Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                          recvcounts, rdispls, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Alltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                      rdispls, recvtypes, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, false},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, false},
                                              (mpi_types){recvtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw);
    const int rc = FORWARD(MPI_Alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                          recvcounts, rdispls, recvtypes, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Reduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                     wide_Op op, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Reduce);
    const int rc = FORWARD(MPI_Reduce)(sendbuf, recvbuf, count, datatype, op, root, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Allreduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Allreduce)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce);
    const int rc = FORWARD(MPI_Allreduce)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Reduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                             wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, false}, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter);
    const int rc = FORWARD(MPI_Reduce_scatter)(sendbuf, recvbuf, recvcounts, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount,
                                   wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Reduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block);
    const int rc = FORWARD(MPI_Reduce_scatter_block)(sendbuf, recvbuf, recvcount, datatype, op,
                                                     comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Scan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                   wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Scan)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan);
    const int rc = FORWARD(MPI_Scan)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Exscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                     wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Exscan)(sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan);
    const int rc = FORWARD(MPI_Exscan)(sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}
