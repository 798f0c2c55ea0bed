/* collective_large.c - blocking collectives, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Bcast_c(void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                              wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Bcast)(buffer, (int)count, datatype, root, comm);
}

WRAPPER(MPI_Bcast_c, (void *buffer, MPI_Count count, wide_Datatype datatype, int root,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Bcast_c, narrow_MPI_Bcast_c)(buffer, count, datatype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Bcast);
    const int rc = FORWARD_OR(MPI_Bcast_c, narrow_MPI_Bcast_c)(buffer, count, datatype, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Gather_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                               void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                               wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Gather)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype,
                             root, comm);
}

WRAPPER(MPI_Gather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                       void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                       wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gather_c, narrow_MPI_Gather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gather_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                           recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Gather);
    const int rc = FORWARD_OR(MPI_Gather_c, narrow_MPI_Gather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                void *recvbuf, const MPI_Count recvcounts[],
                                const MPI_Aint displs[], wide_Datatype recvtype, int root,
                                wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, false);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Gatherv)(sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts,
                                narrow_displs, recvtype, root, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Gatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                        wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Gatherv_c, narrow_MPI_Gatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_gatherv_bytes(on, root, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                            (mpi_counts){recvcounts, true}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Gatherv);
    const int rc = FORWARD_OR(MPI_Gatherv_c, narrow_MPI_Gatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                int root, wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Scatter)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype,
                              root, comm);
}

WRAPPER(MPI_Scatter_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                        void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype, int root,
                        wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatter_c, narrow_MPI_Scatter_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatter_bytes(on, root, sendcount, sendtype, recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Scatter);
    const int rc = FORWARD_OR(MPI_Scatter_c, narrow_MPI_Scatter_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint displs[], wide_Datatype sendtype, void *recvbuf,
                                 MPI_Count recvcount, wide_Datatype recvtype, int root,
                                 wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, root, false, false);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow, sendcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(recvcount) && !narrow.failed)
        rc = PLAIN(MPI_Scatterv)(sendbuf, narrow_sendcounts, narrow_displs, sendtype, recvbuf,
                                 (int)recvcount, recvtype, root, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Scatterv_c, (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                         wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                         wide_Datatype recvtype, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scatterv_c, narrow_MPI_Scatterv_c)(
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_scatterv_bytes(on, root, (mpi_counts){sendcounts, true}, sendtype,
                                             recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Scatterv);
    const int rc = FORWARD_OR(MPI_Scatterv_c, narrow_MPI_Scatterv_c)(
        sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                  wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Allgather)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                recvtype, comm);
}

WRAPPER(MPI_Allgather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                          wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgather_c, narrow_MPI_Allgather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgather_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                              recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgather);
    const int rc = FORWARD_OR(MPI_Allgather_c, narrow_MPI_Allgather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint displs[], wide_Datatype recvtype, wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, false);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Allgatherv)(sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts,
                                   narrow_displs, recvtype, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Allgatherv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                           void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                           wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allgatherv_c, narrow_MPI_Allgatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_allgatherv_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                               (mpi_counts){recvcounts, true}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allgatherv);
    const int rc = FORWARD_OR(MPI_Allgatherv_c, narrow_MPI_Allgatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                 void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                 wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Alltoall)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype,
                               comm);
}

WRAPPER(MPI_Alltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                         void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                         wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoall_c, narrow_MPI_Alltoall_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoall_bytes(on, sendbuf == MPI_IN_PLACE, sendcount, sendtype,
                                             recvcount, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoall);
    const int rc = FORWARD_OR(MPI_Alltoall_c, narrow_MPI_Alltoall_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                                  const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                  wide_Datatype recvtype, wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, false);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow,
                                                    mpi_any_in_place(sendbuf) ? NULL : sendcounts);
    const int *narrow_sdispls = mpi_narrow_array(&narrow,
                                                 mpi_any_in_place(sendbuf) ? NULL : sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Alltoallv)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtype, recvbuf,
                                  narrow_recvcounts, narrow_rdispls, recvtype, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallv_c, narrow_MPI_Alltoallv_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallv_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true}, sendtype,
                                              (mpi_counts){recvcounts, true}, recvtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallv);
    const int rc = FORWARD_OR(MPI_Alltoallv_c, narrow_MPI_Alltoallv_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                  void *recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                  wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, false, false);
    const int *narrow_sendcounts = mpi_narrow_array(&narrow,
                                                    mpi_any_in_place(sendbuf) ? NULL : sendcounts);
    const int *narrow_sdispls = mpi_narrow_array(&narrow,
                                                 mpi_any_in_place(sendbuf) ? NULL : sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Alltoallw)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtypes, recvbuf,
                                  narrow_recvcounts, narrow_rdispls, recvtypes, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                          const MPI_Datatype recvtypes[], wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Alltoallw_c, narrow_MPI_Alltoallw_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_alltoallw_bytes(on, sendbuf == MPI_IN_PLACE,
                                              (mpi_counts){sendcounts, true},
                                              (mpi_types){sendtypes, false},
                                              (mpi_counts){recvcounts, true},
                                              (mpi_types){recvtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Alltoallw);
    const int rc = FORWARD_OR(MPI_Alltoallw_c, narrow_MPI_Alltoallw_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                               wide_Datatype datatype, wide_Op op, int root, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Reduce)(sendbuf, recvbuf, (int)count, datatype, op, root, comm);
}

WRAPPER(MPI_Reduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                       wide_Op op, int root, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_c, narrow_MPI_Reduce_c)(
            sendbuf, recvbuf, count, datatype, op, root, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_rooted_bytes(root, count, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, root);
    mpi_begin(CALL_MPI_Reduce);
    const int rc = FORWARD_OR(MPI_Reduce_c, narrow_MPI_Reduce_c)(
        sendbuf, recvbuf, count, datatype, op, root, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                  wide_Datatype datatype, wide_Op op, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Allreduce)(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

WRAPPER(MPI_Allreduce_c, (const void *sendbuf, void *recvbuf, MPI_Count count,
                          wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Allreduce_c, narrow_MPI_Allreduce_c)(
            sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Allreduce);
    const int rc = FORWARD_OR(MPI_Allreduce_c, narrow_MPI_Allreduce_c)(
        sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf,
                                       const MPI_Count recvcounts[], wide_Datatype datatype,
                                       wide_Op op, wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_begin((intptr_t)comm, NARROW_NO_ROOT, true, false);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Reduce_scatter)(sendbuf, recvbuf, narrow_recvcounts, datatype, op, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Reduce_scatter_c, (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[],
                               wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_c, narrow_MPI_Reduce_scatter_c)(
            sendbuf, recvbuf, recvcounts, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_reduce_scatter_bytes(on, (mpi_counts){recvcounts, true}, datatype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_c, narrow_MPI_Reduce_scatter_c)(
        sendbuf, recvbuf, recvcounts, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf,
                                             MPI_Count recvcount, wide_Datatype datatype,
                                             wide_Op op, wide_Comm comm)
{
    if (!mpi_fits_int(recvcount))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Reduce_scatter_block)(sendbuf, recvbuf, (int)recvcount, datatype, op, comm);
}

WRAPPER(MPI_Reduce_scatter_block_c, (const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                     wide_Datatype datatype, wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Reduce_scatter_block_c, narrow_MPI_Reduce_scatter_block_c)(
            sendbuf, recvbuf, recvcount, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(recvcount, datatype) * on->local_size;
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Reduce_scatter_block);
    const int rc = FORWARD_OR(MPI_Reduce_scatter_block_c, narrow_MPI_Reduce_scatter_block_c)(
        sendbuf, recvbuf, recvcount, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                             wide_Datatype datatype, wide_Op op, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Scan)(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

WRAPPER(MPI_Scan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                     wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Scan_c, narrow_MPI_Scan_c)(sendbuf, recvbuf, count, datatype, op,
                                                         comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Scan);
    const int rc = FORWARD_OR(MPI_Scan_c, narrow_MPI_Scan_c)(
        sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                               wide_Datatype datatype, wide_Op op, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Exscan)(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

WRAPPER(MPI_Exscan_c, (const void *sendbuf, void *recvbuf, MPI_Count count, wide_Datatype datatype,
                       wide_Op op, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Exscan_c, narrow_MPI_Exscan_c)(
            sendbuf, recvbuf, count, datatype, op, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, mpi_bytes(count, datatype), MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Exscan);
    const int rc = FORWARD_OR(MPI_Exscan_c, narrow_MPI_Exscan_c)(
        sendbuf, recvbuf, count, datatype, op, comm);
    mpi_leave(&moved);
    return rc;
}

#endif
