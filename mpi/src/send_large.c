/* send_large.c - sends, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Send_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                             int tag, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Send)(buf, (int)count, datatype, dest, tag, comm);
}

WRAPPER(MPI_Send_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Send_c, narrow_MPI_Send_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Send);
    const int rc = FORWARD_OR(MPI_Send_c, narrow_MPI_Send_c)(buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Bsend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                              int tag, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Bsend)(buf, (int)count, datatype, dest, tag, comm);
}

WRAPPER(MPI_Bsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Bsend_c, narrow_MPI_Bsend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Bsend);
    const int rc = FORWARD_OR(MPI_Bsend_c, narrow_MPI_Bsend_c)(
        buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ssend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                              int tag, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ssend)(buf, (int)count, datatype, dest, tag, comm);
}

WRAPPER(MPI_Ssend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ssend_c, narrow_MPI_Ssend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Ssend);
    const int rc = FORWARD_OR(MPI_Ssend_c, narrow_MPI_Ssend_c)(
        buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Rsend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                              int tag, wide_Comm comm)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Rsend)(buf, (int)count, datatype, dest, tag, comm);
}

WRAPPER(MPI_Rsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Rsend_c, narrow_MPI_Rsend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Rsend);
    const int rc = FORWARD_OR(MPI_Rsend_c, narrow_MPI_Rsend_c)(
        buf, count, datatype, dest, tag, comm);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Isend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                              int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Isend)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Isend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Isend_c, narrow_MPI_Isend_c)(buf, count, datatype, dest, tag, comm,
                                                           request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Isend);
    const int rc = FORWARD_OR(MPI_Isend_c, narrow_MPI_Isend_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && mpi_is_large(&moved))
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ibsend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                               int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ibsend)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Ibsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ibsend_c, narrow_MPI_Ibsend_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Ibsend);
    const int rc = FORWARD_OR(MPI_Ibsend_c, narrow_MPI_Ibsend_c)(
        buf, count, datatype, dest, tag, comm, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Issend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                               int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Issend)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Issend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Issend_c, narrow_MPI_Issend_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Issend);
    const int rc = FORWARD_OR(MPI_Issend_c, narrow_MPI_Issend_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && moved.kind == SCOPE_MESSAGE_SENT)
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Irsend_c(const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                               int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Irsend)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Irsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Irsend_c, narrow_MPI_Irsend_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, tag);
    mpi_begin(CALL_MPI_Irsend);
    const int rc = FORWARD_OR(MPI_Irsend_c, narrow_MPI_Irsend_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS && mpi_is_large(&moved))
        mpi_track_send(&moved, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                 int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                                 wide_Datatype recvtype, int source, int recvtag, wide_Comm comm,
                                 MPI_Status *status)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Sendrecv)(sendbuf, (int)sendcount, sendtype, dest, sendtag, recvbuf,
                               (int)recvcount, recvtype, source, recvtag, comm, status);
}

WRAPPER(MPI_Sendrecv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype, int dest,
                         int sendtag, void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                         int source, int recvtag, wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Sendrecv_c, narrow_MPI_Sendrecv_c)(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_sending(on, mpi_sent(sendcount, sendtype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Sendrecv);
    const int rc = FORWARD_OR(MPI_Sendrecv_c, narrow_MPI_Sendrecv_c)(
        sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
        comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Sendrecv_replace_c(void *buf, MPI_Count count, wide_Datatype datatype,
                                         int dest, int sendtag, int source, int recvtag,
                                         wide_Comm comm, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Sendrecv_replace)(buf, (int)count, datatype, dest, sendtag, source, recvtag,
                                       comm, status);
}

WRAPPER(MPI_Sendrecv_replace_c, (void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                                 int sendtag, int source, int recvtag, wide_Comm comm,
                                 MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Sendrecv_replace_c, narrow_MPI_Sendrecv_replace_c)(
            buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Sendrecv_replace);
    const int rc = FORWARD_OR(MPI_Sendrecv_replace_c, narrow_MPI_Sendrecv_replace_c)(
        buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                                  int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                                  wide_Datatype recvtype, int source, int recvtag, wide_Comm comm,
                                  MPI_Request *request)
{
    if (!(mpi_fits_int(sendcount) && mpi_fits_int(recvcount)))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Isendrecv, mpi_missing)(sendbuf, (int)sendcount, sendtype, dest, sendtag,
                                                  recvbuf, (int)recvcount, recvtype, source,
                                                  recvtag, comm, request);
}

WRAPPER(MPI_Isendrecv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                          wide_Datatype recvtype, int source, int recvtag, wide_Comm comm,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Isendrecv_c, narrow_MPI_Isendrecv_c)(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(sendcount, sendtype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Isendrecv);
    const int rc = FORWARD_OR(MPI_Isendrecv_c, narrow_MPI_Isendrecv_c)(
        sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
        comm, request);
    if (rc == MPI_SUCCESS)
        mpi_posted_too(&moved, on, source, recvtag, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Isendrecv_replace_c(void *buf, MPI_Count count, wide_Datatype datatype,
                                          int dest, int sendtag, int source, int recvtag,
                                          wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return FORWARD_OR(MPI_Isendrecv_replace, mpi_missing)(buf, (int)count, datatype, dest, sendtag,
                                                          source, recvtag, comm, request);
}

WRAPPER(MPI_Isendrecv_replace_c, (void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                                  int sendtag, int source, int recvtag, wide_Comm comm,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Isendrecv_replace_c, narrow_MPI_Isendrecv_replace_c)(
            buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_sending(on, mpi_sent(count, datatype, dest), dest, sendtag);
    mpi_begin(CALL_MPI_Isendrecv_replace);
    const int rc = FORWARD_OR(MPI_Isendrecv_replace_c, narrow_MPI_Isendrecv_replace_c)(
        buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_posted_too(&moved, on, source, recvtag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
