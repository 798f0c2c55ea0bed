/* persistent.c - persistent requests.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

WRAPPER(MPI_Send_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                        wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Send_init)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Send_init);
    const int rc = FORWARD(MPI_Send_init)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Bsend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Bsend_init)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Bsend_init);
    const int rc = FORWARD(MPI_Bsend_init)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ssend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ssend_init)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Ssend_init);
    const int rc = FORWARD(MPI_Ssend_init)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Rsend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rsend_init)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Rsend_init);
    const int rc = FORWARD(MPI_Rsend_init)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Recv_init, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                        wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Recv_init)(buf, count, datatype, source, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, source);
    mpi_begin(CALL_MPI_Recv_init);
    const int rc = FORWARD(MPI_Recv_init)(buf, count, datatype, source, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_receive_init(on, source, tag, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Start, (MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Start)(request);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Start);
    const int rc = FORWARD(MPI_Start)(request);
    if (rc == MPI_SUCCESS)
        mpi_started(&moved, (mpi_requests){request, false, 0}, 1);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Startall, (int count, MPI_Request array_of_requests[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Startall)(count, array_of_requests);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Startall);
    const int rc = FORWARD(MPI_Startall)(count, array_of_requests);
    if (rc == MPI_SUCCESS)
        mpi_started(&moved, (mpi_requests){array_of_requests, false, 0}, count);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Psend_init, (const void *buf, int partitions, MPI_Count count, wide_Datatype datatype,
                         int dest, int tag, wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Psend_init, mpi_missing)(buf, partitions, count, datatype, dest, tag,
                                                       comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Psend_init);
    const int rc = FORWARD_OR(MPI_Psend_init, mpi_missing)(buf, partitions, count, datatype, dest,
                                                           tag, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(partitions * count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Precv_init, (void *buf, int partitions, MPI_Count count, wide_Datatype datatype,
                         int source, int tag, wide_Comm comm, wide_Info info, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Precv_init, mpi_missing)(buf, partitions, count, datatype, source,
                                                       tag, comm, info, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, source);
    mpi_begin(CALL_MPI_Precv_init);
    const int rc = FORWARD_OR(MPI_Precv_init, mpi_missing)(buf, partitions, count, datatype, source,
                                                           tag, comm, info, request);
    if (rc == MPI_SUCCESS)
        mpi_track_receive_init(on, source, tag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Pready, (int partition, wide_Request request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Pready, mpi_missing)(partition, request);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready);
    const int rc = FORWARD_OR(MPI_Pready, mpi_missing)(partition, request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Pready_range, (int partition_low, int partition_high, wide_Request request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Pready_range, mpi_missing)(partition_low, partition_high, request);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready_range);
    const int rc = FORWARD_OR(MPI_Pready_range, mpi_missing)(
        partition_low, partition_high, request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Pready_list, (int length, const int array_of_partitions[], wide_Request request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Pready_list, mpi_missing)(length, array_of_partitions, request);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready_list);
    const int rc = FORWARD_OR(MPI_Pready_list, mpi_missing)(length, array_of_partitions, request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Parrived, (wide_Request request, int partition, int *flag))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Parrived, mpi_missing)(request, partition, flag);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Parrived);
    const int rc = FORWARD_OR(MPI_Parrived, mpi_missing)(request, partition, flag);
    mpi_leave(&moved);
    return rc;
}

#endif
