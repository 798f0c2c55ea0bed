/* neighbour.c - collectives among neighbours.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

WRAPPER(MPI_Neighbor_allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                 void *recvbuf, int recvcount, wide_Datatype recvtype,
                                 wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                               recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather);
    const int rc = FORWARD(MPI_Neighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                   recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ineighbor_allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                  void *recvbuf, int recvcount, wide_Datatype recvtype,
                                  wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgather);
    const int rc = FORWARD(MPI_Ineighbor_allgather)(sendbuf, sendcount, sendtype, recvbuf,
                                                    recvcount, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Neighbor_allgather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                      void *recvbuf, int recvcount, wide_Datatype recvtype,
                                      wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgather_init, mpi_missing)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgather_init);
    const int rc = FORWARD_OR(MPI_Neighbor_allgather_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

WRAPPER(MPI_Neighbor_allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                  void *recvbuf, const int recvcounts[], const int displs[],
                                  wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                displs, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv);
    const int rc = FORWARD(MPI_Neighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf,
                                                    recvcounts, displs, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ineighbor_allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                   void *recvbuf, const int recvcounts[], const int displs[],
                                   wide_Datatype recvtype, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                                 displs, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_allgatherv);
    const int rc = FORWARD(MPI_Ineighbor_allgatherv)(sendbuf, sendcount, sendtype, recvbuf,
                                                     recvcounts, displs, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Neighbor_allgatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                       void *recvbuf, const int recvcounts[], const int displs[],
                                       wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                       MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_allgatherv_init, mpi_missing)(
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_allgatherv_init);
    const int rc = FORWARD_OR(MPI_Neighbor_allgatherv_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

WRAPPER(MPI_Neighbor_alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                void *recvbuf, int recvcount, wide_Datatype recvtype,
                                wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                              recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall);
    const int rc = FORWARD(MPI_Neighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                  recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ineighbor_alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                 void *recvbuf, int recvcount, wide_Datatype recvtype,
                                 wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                               recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoall);
    const int rc = FORWARD(MPI_Ineighbor_alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                   recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Neighbor_alltoall_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                     void *recvbuf, int recvcount, wide_Datatype recvtype,
                                     wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoall_init, mpi_missing)(
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_bytes(sendcount, sendtype) * mpi_targets(on);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoall_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoall_init, mpi_missing)(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

WRAPPER(MPI_Neighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], wide_Datatype recvtype, wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                               recvcounts, rdispls, recvtype, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false}, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv);
    const int rc = FORWARD(MPI_Neighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                   recvcounts, rdispls, recvtype, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ineighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                                  wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                  const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                recvcounts, rdispls, recvtype, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false}, sendtype);
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallv);
    const int rc = FORWARD(MPI_Ineighbor_alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                    recvcounts, rdispls, recvtype, comm, request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Neighbor_alltoallv_init, (const void *sendbuf, const int sendcounts[],
                                      const int sdispls[], wide_Datatype sendtype, void *recvbuf,
                                      const int recvcounts[], const int rdispls[],
                                      wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                      MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallv_init, mpi_missing)(
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_bytes(on, (mpi_counts){sendcounts, false}, sendtype);
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallv_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallv_init, mpi_missing)(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info,
        request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

WRAPPER(MPI_Neighbor_alltoallw, (const void *sendbuf, const int sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                               recvcounts, rdispls, recvtypes, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw);
    const int rc = FORWARD(MPI_Neighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                   recvcounts, rdispls, recvtypes, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ineighbor_alltoallw, (const void *sendbuf, const int sendcounts[],
                                  const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                  void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                  const MPI_Datatype recvtypes[], wide_Comm comm,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                                recvcounts, rdispls, recvtypes, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, false});
    const mpi_message moved = mpi_collecting(on, bytes, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Ineighbor_alltoallw);
    const int rc = FORWARD(MPI_Ineighbor_alltoallw)(sendbuf, sendcounts, sdispls, sendtypes,
                                                    recvbuf, recvcounts, rdispls, recvtypes, comm,
                                                    request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Neighbor_alltoallw_init, (const void *sendbuf, const int sendcounts[],
                                      const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                      void *recvbuf, const int recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                      wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Neighbor_alltoallw_init, mpi_missing)(
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
            info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const int64_t bytes = mpi_neighbour_w_bytes(on, (mpi_counts){sendcounts, false},
                                                (mpi_types){sendtypes, false});
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Neighbor_alltoallw_init);
    const int rc = FORWARD_OR(MPI_Neighbor_alltoallw_init, mpi_missing)(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
        info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_collective_init(on, bytes, MPI_PROC_NULL, SCOPE_COLLECTIVE_OTHER, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
