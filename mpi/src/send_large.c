/* send_large.c - sends, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

#if MPI_VERSION >= 4

WRAPPER(MPI_Send_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Send_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Send);
    const int rc = FORWARD(MPI_Send_c)(buf, count, datatype, dest, tag, comm);
    mpi_leave(CALL_MPI_Send, moved);
    return rc;
}

WRAPPER(MPI_Bsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Bsend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Bsend);
    const int rc = FORWARD(MPI_Bsend_c)(buf, count, datatype, dest, tag, comm);
    mpi_leave(CALL_MPI_Bsend, moved);
    return rc;
}

WRAPPER(MPI_Ssend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ssend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Ssend);
    const int rc = FORWARD(MPI_Ssend_c)(buf, count, datatype, dest, tag, comm);
    mpi_leave(CALL_MPI_Ssend, moved);
    return rc;
}

WRAPPER(MPI_Rsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rsend_c)(buf, count, datatype, dest, tag, comm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Rsend);
    const int rc = FORWARD(MPI_Rsend_c)(buf, count, datatype, dest, tag, comm);
    mpi_leave(CALL_MPI_Rsend, moved);
    return rc;
}

WRAPPER(MPI_Isend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                      wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Isend_c)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Isend);
    const int rc = FORWARD(MPI_Isend_c)(buf, count, datatype, dest, tag, comm, request);
    mpi_leave(CALL_MPI_Isend, moved);
    return rc;
}

WRAPPER(MPI_Ibsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Ibsend_c)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Ibsend);
    const int rc = FORWARD(MPI_Ibsend_c)(buf, count, datatype, dest, tag, comm, request);
    mpi_leave(CALL_MPI_Ibsend, moved);
    return rc;
}

WRAPPER(MPI_Issend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Issend_c)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Issend);
    const int rc = FORWARD(MPI_Issend_c)(buf, count, datatype, dest, tag, comm, request);
    mpi_leave(CALL_MPI_Issend, moved);
    return rc;
}

WRAPPER(MPI_Irsend_c, (const void *buf, MPI_Count count, wide_Datatype datatype, int dest, int tag,
                       wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Irsend_c)(buf, count, datatype, dest, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Irsend);
    const int rc = FORWARD(MPI_Irsend_c)(buf, count, datatype, dest, tag, comm, request);
    mpi_leave(CALL_MPI_Irsend, moved);
    return rc;
}

WRAPPER(MPI_Sendrecv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype, int dest,
                         int sendtag, void *recvbuf, MPI_Count recvcount, wide_Datatype recvtype,
                         int source, int recvtag, wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Sendrecv_c)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                       recvcount, recvtype, source, recvtag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(sendcount, sendtype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Sendrecv);
    const int rc = FORWARD(MPI_Sendrecv_c)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                           recvcount, recvtype, source, recvtag, comm, status);
    mpi_leave(CALL_MPI_Sendrecv, moved);
    return rc;
}

WRAPPER(MPI_Sendrecv_replace_c, (void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                                 int sendtag, int source, int recvtag, wide_Comm comm,
                                 MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Sendrecv_replace_c)(buf, count, datatype, dest, sendtag, source, recvtag,
                                               comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Sendrecv_replace);
    const int rc = FORWARD(MPI_Sendrecv_replace_c)(buf, count, datatype, dest, sendtag, source,
                                                   recvtag, comm, status);
    mpi_leave(CALL_MPI_Sendrecv_replace, moved);
    return rc;
}

WRAPPER(MPI_Isendrecv_c, (const void *sendbuf, MPI_Count sendcount, wide_Datatype sendtype,
                          int dest, int sendtag, void *recvbuf, MPI_Count recvcount,
                          wide_Datatype recvtype, int source, int recvtag, wide_Comm comm,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Isendrecv_c)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                        recvcount, recvtype, source, recvtag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(sendcount, sendtype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Isendrecv);
    const int rc = FORWARD(MPI_Isendrecv_c)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                            recvcount, recvtype, source, recvtag, comm, request);
    mpi_leave(CALL_MPI_Isendrecv, moved);
    return rc;
}

WRAPPER(MPI_Isendrecv_replace_c, (void *buf, MPI_Count count, wide_Datatype datatype, int dest,
                                  int sendtag, int source, int recvtag, wide_Comm comm,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Isendrecv_replace_c)(buf, count, datatype, dest, sendtag, source,
                                                recvtag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = {mpi_sent(count, datatype, dest), mpi_peer(on, dest), on->id};
    mpi_begin(CALL_MPI_Isendrecv_replace);
    const int rc = FORWARD(MPI_Isendrecv_replace_c)(buf, count, datatype, dest, sendtag, source,
                                                    recvtag, comm, request);
    mpi_leave(CALL_MPI_Isendrecv_replace, moved);
    return rc;
}

#endif
