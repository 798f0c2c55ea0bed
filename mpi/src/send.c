/* send.c - sends.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

WRAPPER(MPI_Send, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                   wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Send)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Send);
    const int rc = FORWARD(MPI_Send)(buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Bsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Bsend)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Bsend);
    const int rc = FORWARD(MPI_Bsend)(buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ssend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ssend)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Ssend);
    const int rc = FORWARD(MPI_Ssend)(buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Rsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rsend)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Rsend);
    const int rc = FORWARD(MPI_Rsend)(buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Isend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Isend);
    const int rc = FORWARD(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && mpi_is_large(&moved))
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Ibsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ibsend)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Ibsend);
    const int rc = FORWARD(MPI_Ibsend)(buf, count, datatype, dest, tag, comm, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Issend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Issend)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Issend);
    const int rc = FORWARD(MPI_Issend)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && moved.kind == SCOPE_MESSAGE_SENT)
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Irsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Irsend)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Irsend);
    const int rc = FORWARD(MPI_Irsend)(buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && mpi_is_large(&moved))
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Sendrecv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, int dest,
                       int sendtag, void *recvbuf, int recvcount, wide_Datatype recvtype,
                       int source, int recvtag, wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                     recvcount, recvtype, source, recvtag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_sending(on, mpi_sent(sendcount, sendtype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Sendrecv);
    const int rc = FORWARD(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                         recvcount, recvtype, source, recvtag, comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Sendrecv_replace, (void *buf, int count, wide_Datatype datatype, int dest, int sendtag,
                               int source, int recvtag, wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag,
                                             comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Sendrecv_replace);
    const int rc = FORWARD(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, source,
                                                 recvtag, comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Isendrecv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, int dest,
                        int sendtag, void *recvbuf, int recvcount, wide_Datatype recvtype,
                        int source, int recvtag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Isendrecv, mpi_missing)(sendbuf, sendcount, sendtype, dest, sendtag,
                                                      recvbuf, recvcount, recvtype, source, recvtag,
                                                      comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(sendcount, sendtype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Isendrecv);
    const int rc = FORWARD_OR(MPI_Isendrecv, mpi_missing)(sendbuf, sendcount, sendtype, dest,
                                                          sendtag, recvbuf, recvcount, recvtype,
                                                          source, recvtag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_posted_too(&moved, on, source, recvtag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Isendrecv_replace, (void *buf, int count, wide_Datatype datatype, int dest, int sendtag,
                                int source, int recvtag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Isendrecv_replace, mpi_missing)(
            buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Isendrecv_replace);
    const int rc = FORWARD_OR(MPI_Isendrecv_replace, mpi_missing)(
        buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_posted_too(&moved, on, source, recvtag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
