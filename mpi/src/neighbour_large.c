/* neighbour_large.c - collectives among neighbours, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount,
                                           wide_Datatype sendtype, void *recvbuf,
                                           MPI_Count recvcount, wide_Datatype recvtype,
                                           wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Neighbor_allgather)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                         recvtype, comm);
}

WRAPPER(MPI_Neighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                   void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                   wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgather_c, narrow_MPI_Neighbor_allgather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather);
    const int rc = FORWARD_OR(MPI_Neighbor_allgather_c, narrow_MPI_Neighbor_allgather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount,
                                            wide_Datatype sendtype, void *recvbuf,
                                            MPI_Count recvcount, wide_Datatype recvtype,
                                            wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ineighbor_allgather)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                          (int)recvcount, recvtype, comm, request);
}

WRAPPER(MPI_Ineighbor_allgather_c, (const void *sendbuf, MPI_Count sendcount,
                                    wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                    wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ineighbor_allgather_c, narrow_MPI_Ineighbor_allgather_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgather);
    const int rc = FORWARD_OR(MPI_Ineighbor_allgather_c, narrow_MPI_Ineighbor_allgather_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount,
                                                wide_Datatype sendtype, void *recvbuf,
                                                MPI_Count recvcount, wide_Datatype recvtype,
                                                wide_Comm comm, wide_Info info,
                                                MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Neighbor_allgather_init, mpi_missing)(
        sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

WRAPPER(MPI_Neighbor_allgather_init_c, (const void *sendbuf, MPI_Count sendcount,
                                        wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                        wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                        MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgather_init_c, narrow_MPI_Neighbor_allgather_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather_init);
    const int rc = FORWARD_OR(MPI_Neighbor_allgather_init_c, narrow_MPI_Neighbor_allgather_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount,
                                            wide_Datatype sendtype, void *recvbuf,
                                            const MPI_Count recvcounts[], const MPI_Aint displs[],
                                            wide_Datatype recvtype, wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, false);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Neighbor_allgatherv)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                            narrow_recvcounts, narrow_displs, recvtype, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount,
                                    wide_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint displs[],
                                    wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgatherv_c, narrow_MPI_Neighbor_allgatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv);
    const int rc = FORWARD_OR(MPI_Neighbor_allgatherv_c, narrow_MPI_Neighbor_allgatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount,
                                             wide_Datatype sendtype, void *recvbuf,
                                             const MPI_Count recvcounts[], const MPI_Aint displs[],
                                             wide_Datatype recvtype, wide_Comm comm,
                                             MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = PLAIN(MPI_Ineighbor_allgatherv)(sendbuf, (int)sendcount, sendtype, recvbuf,
                                             narrow_recvcounts, narrow_displs, recvtype, comm,
                                             request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ineighbor_allgatherv_c, (const void *sendbuf, MPI_Count sendcount,
                                     wide_Datatype sendtype, void *recvbuf,
                                     const MPI_Count recvcounts[], const MPI_Aint displs[],
                                     wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ineighbor_allgatherv_c, narrow_MPI_Ineighbor_allgatherv_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgatherv);
    const int rc = FORWARD_OR(MPI_Ineighbor_allgatherv_c, narrow_MPI_Ineighbor_allgatherv_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount,
                                                 wide_Datatype sendtype, void *recvbuf,
                                                 const MPI_Count recvcounts[],
                                                 const MPI_Aint displs[], wide_Datatype recvtype,
                                                 wide_Comm comm, wide_Info info,
                                                 MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_displs = mpi_narrow_array(&narrow, displs);
    int rc = MPI_ERR_COUNT;
    if (mpi_fits_int(sendcount) && !narrow.failed)
        rc = FORWARD_OR(MPI_Neighbor_allgatherv_init, mpi_missing)(
            sendbuf, (int)sendcount, sendtype, recvbuf, narrow_recvcounts, narrow_displs, recvtype,
            comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_allgatherv_init_c, (const void *sendbuf, MPI_Count sendcount,
                                         wide_Datatype sendtype, void *recvbuf,
                                         const MPI_Count recvcounts[], const MPI_Aint displs[],
                                         wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                         MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgatherv_init_c, narrow_MPI_Neighbor_allgatherv_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv_init);
    const int rc = FORWARD_OR(MPI_Neighbor_allgatherv_init_c, narrow_MPI_Neighbor_allgatherv_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount,
                                          wide_Datatype sendtype, void *recvbuf,
                                          MPI_Count recvcount, wide_Datatype recvtype,
                                          wide_Comm comm)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Neighbor_alltoall)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                        recvtype, comm);
}

WRAPPER(MPI_Neighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                  wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoall_c, narrow_MPI_Neighbor_alltoall_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoall_c, narrow_MPI_Neighbor_alltoall_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount,
                                           wide_Datatype sendtype, void *recvbuf,
                                           MPI_Count recvcount, wide_Datatype recvtype,
                                           wide_Comm comm, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ineighbor_alltoall)(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount,
                                         recvtype, comm, request);
}

WRAPPER(MPI_Ineighbor_alltoall_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                   void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                                   wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ineighbor_alltoall_c, narrow_MPI_Ineighbor_alltoall_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoall);
    const int rc = FORWARD_OR(MPI_Ineighbor_alltoall_c, narrow_MPI_Ineighbor_alltoall_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount,
                                               wide_Datatype sendtype, void *recvbuf,
                                               MPI_Count recvcount, wide_Datatype recvtype,
                                               wide_Comm comm, wide_Info info, MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Neighbor_alltoall_init, mpi_missing)(
        sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

WRAPPER(MPI_Neighbor_alltoall_init_c, (const void *sendbuf, MPI_Count sendcount,
                                       wide_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                       wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                       MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoall_init_c, narrow_MPI_Neighbor_alltoall_init_c)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoall_init_c, narrow_MPI_Neighbor_alltoall_init_c)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                           const MPI_Aint sdispls[], wide_Datatype sendtype,
                                           void *recvbuf, const MPI_Count recvcounts[],
                                           const MPI_Aint rdispls[], wide_Datatype recvtype,
                                           wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, false);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_sdispls = mpi_narrow_targets(&narrow, sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Neighbor_alltoallv)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtype,
                                           recvbuf, narrow_recvcounts, narrow_rdispls, recvtype,
                                           comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                   const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                                   const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                   wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallv_c, narrow_MPI_Neighbor_alltoallv_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, true}, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallv_c, narrow_MPI_Neighbor_alltoallv_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                            const MPI_Aint sdispls[], wide_Datatype sendtype,
                                            void *recvbuf, const MPI_Count recvcounts[],
                                            const MPI_Aint rdispls[], wide_Datatype recvtype,
                                            wide_Comm comm, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_sdispls = mpi_narrow_targets(&narrow, sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Ineighbor_alltoallv)(sendbuf, narrow_sendcounts, narrow_sdispls, sendtype,
                                            recvbuf, narrow_recvcounts, narrow_rdispls, recvtype,
                                            comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ineighbor_alltoallv_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint sdispls[], wide_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                    wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ineighbor_alltoallv_c, narrow_MPI_Ineighbor_alltoallv_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, true}, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallv);
    const int rc = FORWARD_OR(MPI_Ineighbor_alltoallv_c, narrow_MPI_Ineighbor_alltoallv_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
        request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                                const MPI_Aint sdispls[], wide_Datatype sendtype,
                                                void *recvbuf, const MPI_Count recvcounts[],
                                                const MPI_Aint rdispls[], wide_Datatype recvtype,
                                                wide_Comm comm, wide_Info info,
                                                MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_sdispls = mpi_narrow_targets(&narrow, sdispls);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    const int *narrow_rdispls = mpi_narrow_array(&narrow, rdispls);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = FORWARD_OR(MPI_Neighbor_alltoallv_init, mpi_missing)(
            sendbuf, narrow_sendcounts, narrow_sdispls, sendtype, recvbuf, narrow_recvcounts,
            narrow_rdispls, recvtype, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_alltoallv_init_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                        const MPI_Aint sdispls[], wide_Datatype sendtype,
                                        void *recvbuf, const MPI_Count recvcounts[],
                                        const MPI_Aint rdispls[], wide_Datatype recvtype,
                                        wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallv_init_c, narrow_MPI_Neighbor_alltoallv_init_c)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, true}, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallv_init_c, narrow_MPI_Neighbor_alltoallv_init_c)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                           const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                           void *recvbuf, const MPI_Count recvcounts[],
                                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                           wide_Comm comm)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, false);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Neighbor_alltoallw)(sendbuf, narrow_sendcounts, sdispls, sendtypes, recvbuf,
                                           narrow_recvcounts, rdispls, recvtypes, comm);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                   const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                   wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallw_c, narrow_MPI_Neighbor_alltoallw_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, true},
                                                (mpi_types){sendtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallw_c, narrow_MPI_Neighbor_alltoallw_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                            const MPI_Aint sdispls[],
                                            const MPI_Datatype sendtypes[], void *recvbuf,
                                            const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                            const MPI_Datatype recvtypes[], wide_Comm comm,
                                            MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = PLAIN(MPI_Ineighbor_alltoallw)(sendbuf, narrow_sendcounts, sdispls, sendtypes, recvbuf,
                                            narrow_recvcounts, rdispls, recvtypes, comm, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Ineighbor_alltoallw_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                    void *recvbuf, const MPI_Count recvcounts[],
                                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                    wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ineighbor_alltoallw_c, narrow_MPI_Ineighbor_alltoallw_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, true},
                                                (mpi_types){sendtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallw);
    const int rc = FORWARD_OR(MPI_Ineighbor_alltoallw_c, narrow_MPI_Ineighbor_alltoallw_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[],
                                                const MPI_Aint sdispls[],
                                                const MPI_Datatype sendtypes[], void *recvbuf,
                                                const MPI_Count recvcounts[],
                                                const MPI_Aint rdispls[],
                                                const MPI_Datatype recvtypes[], wide_Comm comm,
                                                wide_Info info, MPI_Request *request)
{
    mpi_narrow narrow = mpi_narrow_neighbours((intptr_t)comm, true);
    const int *narrow_sendcounts = mpi_narrow_targets(&narrow, sendcounts);
    const int *narrow_recvcounts = mpi_narrow_array(&narrow, recvcounts);
    int rc = MPI_ERR_COUNT;
    if (!narrow.failed)
        rc = FORWARD_OR(MPI_Neighbor_alltoallw_init, mpi_missing)(
            sendbuf, narrow_sendcounts, sdispls, sendtypes, recvbuf, narrow_recvcounts, rdispls,
            recvtypes, comm, info, request);
    mpi_narrow_end(&narrow);
    return rc;
}

WRAPPER(MPI_Neighbor_alltoallw_init_c, (const void *sendbuf, const MPI_Count sendcounts[],
                                        const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                        void *recvbuf, const MPI_Count recvcounts[],
                                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                        wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallw_init_c, narrow_MPI_Neighbor_alltoallw_init_c)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, true},
                                                (mpi_types){sendtypes, false});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallw_init_c, narrow_MPI_Neighbor_alltoallw_init_c)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
