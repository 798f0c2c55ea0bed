/* receive_large.c - receives and probes, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Recv_c(void *buf, MPI_Count count, wide_Datatype datatype, int source,
                             int tag, wide_Comm comm, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Recv)(buf, (int)count, datatype, source, tag, comm, status);
}

WRAPPER(MPI_Recv_c, (void *buf, MPI_Count count, wide_Datatype datatype, int source, int tag,
                     wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Recv_c, narrow_MPI_Recv_c)(buf, count, datatype, source, tag, comm,
                                                         status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, source);
    mpi_begin(CALL_MPI_Recv);
    const int rc = FORWARD_OR(MPI_Recv_c, narrow_MPI_Recv_c)(
        buf, count, datatype, source, tag, comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Irecv_c(void *buf, MPI_Count count, wide_Datatype datatype, int source,
                              int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Irecv)(buf, (int)count, datatype, source, tag, comm, request);
}

WRAPPER(MPI_Irecv_c, (void *buf, MPI_Count count, wide_Datatype datatype, int source, int tag,
                      wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Irecv_c, narrow_MPI_Irecv_c)(buf, count, datatype, source, tag, comm,
                                                           request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_posting(on, source, tag);
    mpi_begin(CALL_MPI_Irecv);
    const int rc = FORWARD_OR(MPI_Irecv_c, narrow_MPI_Irecv_c)(
        buf, count, datatype, source, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_receive(on, source, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Mrecv_c(void *buf, MPI_Count count, wide_Datatype datatype,
                              MPI_Message *message, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Mrecv)(buf, (int)count, datatype, message, status);
}

WRAPPER(MPI_Mrecv_c, (void *buf, MPI_Count count, wide_Datatype datatype, MPI_Message *message,
                      MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Mrecv_c, narrow_MPI_Mrecv_c)(buf, count, datatype, message, status);
    const mpi_pending matched = mpi_take_message(*message);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_receiving_matched(&matched);
    mpi_begin(CALL_MPI_Mrecv);
    const int rc = FORWARD_OR(MPI_Mrecv_c, narrow_MPI_Mrecv_c)(
        buf, count, datatype, message, status);
    if (rc == MPI_SUCCESS)
        mpi_received(&moved, matched.on, status);
    mpi_leave(&moved);
    mpi_pending_done(&matched);
    return rc;
}

static int narrow_MPI_Imrecv_c(void *buf, MPI_Count count, wide_Datatype datatype,
                               MPI_Message *message, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Imrecv)(buf, (int)count, datatype, message, request);
}

WRAPPER(MPI_Imrecv_c, (void *buf, MPI_Count count, wide_Datatype datatype, MPI_Message *message,
                       MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Imrecv_c, narrow_MPI_Imrecv_c)(
            buf, count, datatype, message, request);
    const mpi_pending matched = mpi_take_message(*message);
    mpi_message moved = mpi_posting_matched(&matched);
    mpi_begin(CALL_MPI_Imrecv);
    const int rc = FORWARD_OR(MPI_Imrecv_c, narrow_MPI_Imrecv_c)(
        buf, count, datatype, message, request);
    if (rc == MPI_SUCCESS)
        mpi_track_matched(&matched, *request);
    mpi_leave(&moved);
    mpi_pending_done(&matched);
    return rc;
}

#endif
