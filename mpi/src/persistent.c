/* persistent.c - persistent requests.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

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
