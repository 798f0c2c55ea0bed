/* persistent_large.c - persistent requests, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Send_init_c(const void *buf, MPI_Count count, wide_Datatype datatype,
                                  int dest, int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Send_init)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Send_init_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                          int tag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Send_init_c, narrow_MPI_Send_init_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Send_init);
    const int rc = FORWARD_OR(MPI_Send_init_c, narrow_MPI_Send_init_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Bsend_init_c(const void *buf, MPI_Count count, wide_Datatype datatype,
                                   int dest, int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Bsend_init)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Bsend_init_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                           int tag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Bsend_init_c, narrow_MPI_Bsend_init_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Bsend_init);
    const int rc = FORWARD_OR(MPI_Bsend_init_c, narrow_MPI_Bsend_init_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Ssend_init_c(const void *buf, MPI_Count count, wide_Datatype datatype,
                                   int dest, int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Ssend_init)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Ssend_init_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                           int tag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Ssend_init_c, narrow_MPI_Ssend_init_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Ssend_init);
    const int rc = FORWARD_OR(MPI_Ssend_init_c, narrow_MPI_Ssend_init_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Rsend_init_c(const void *buf, MPI_Count count, wide_Datatype datatype,
                                   int dest, int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Rsend_init)(buf, (int)count, datatype, dest, tag, comm, request);
}

WRAPPER(MPI_Rsend_init_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                           int tag, wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Rsend_init_c, narrow_MPI_Rsend_init_c)(
            buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, dest);
    mpi_begin(CALL_MPI_Rsend_init);
    const int rc = FORWARD_OR(MPI_Rsend_init_c, narrow_MPI_Rsend_init_c)(
        buf, count, datatype, dest, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_send_init(on, mpi_sent(count, datatype, dest), dest, tag, *request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Recv_init_c(void *buf, MPI_Count count, wide_Datatype datatype, int source,
                                  int tag, wide_Comm comm, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Recv_init)(buf, (int)count, datatype, source, tag, comm, request);
}

WRAPPER(MPI_Recv_init_c, (void *buf, MPI_Count count, wide_Datatype datatype, int source, int tag,
                          wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Recv_init_c, narrow_MPI_Recv_init_c)(
            buf, count, datatype, source, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_naming(on, source);
    mpi_begin(CALL_MPI_Recv_init);
    const int rc = FORWARD_OR(MPI_Recv_init_c, narrow_MPI_Recv_init_c)(
        buf, count, datatype, source, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_receive_init(on, source, tag, *request);
    mpi_leave(&moved);
    return rc;
}

#endif
