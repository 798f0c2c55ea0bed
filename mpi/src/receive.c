/* receive.c - receives and probes.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Recv, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                   wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, source);
    mpi_begin(CALL_MPI_Recv);
    const int rc = FORWARD(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    if (rc == MPI_SUCCESS)
        mpi_received(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Irecv, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                    wide_Comm comm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_posting(on, source, tag);
    mpi_begin(CALL_MPI_Irecv);
    const int rc = FORWARD(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_receive(on, source, *request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Probe, (int source, int tag, wide_Comm comm, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Probe)(source, tag, comm, status);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_probing(on, source, tag);
    mpi_begin(CALL_MPI_Probe);
    const int rc = FORWARD(MPI_Probe)(source, tag, comm, status);
    if (rc == MPI_SUCCESS && status != MPI_STATUS_IGNORE)
        mpi_probed(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Iprobe, (int source, int tag, wide_Comm comm, int *flag, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Iprobe)(source, tag, comm, flag, status);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_probing(on, source, tag);
    mpi_begin(CALL_MPI_Iprobe);
    const int rc = FORWARD(MPI_Iprobe)(source, tag, comm, flag, status);
    if (rc == MPI_SUCCESS && *flag && status != MPI_STATUS_IGNORE)
        mpi_probed(&moved, on, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Mprobe, (int source, int tag, wide_Comm comm, MPI_Message *message, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Mprobe)(source, tag, comm, message, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_probing(on, source, tag);
    mpi_begin(CALL_MPI_Mprobe);
    const int rc = FORWARD(MPI_Mprobe)(source, tag, comm, message, status);
    if (rc == MPI_SUCCESS) {
        mpi_probed(&moved, on, status);
        mpi_track_message(on, &moved, *message);
    }
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Improbe, (int source, int tag, wide_Comm comm, int *flag, MPI_Message *message,
                      MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Improbe)(source, tag, comm, flag, message, status);
    const mpi_comm *on = mpi_comm_of(comm);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_probing(on, source, tag);
    mpi_begin(CALL_MPI_Improbe);
    const int rc = FORWARD(MPI_Improbe)(source, tag, comm, flag, message, status);
    if (rc == MPI_SUCCESS) {
        if (*flag)
            mpi_probed(&moved, on, status);
        if (*flag)
            mpi_track_message(on, &moved, *message);
    }
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Mrecv, (void *buf, int count, wide_Datatype datatype, MPI_Message *message,
                    MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Mrecv)(buf, count, datatype, message, status);
    const mpi_pending matched = mpi_take_message(*message);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_receiving_matched(&matched);
    mpi_begin(CALL_MPI_Mrecv);
    const int rc = FORWARD(MPI_Mrecv)(buf, count, datatype, message, status);
    if (rc == MPI_SUCCESS)
        mpi_received(&moved, matched.on, status);
    mpi_leave(&moved);
    mpi_pending_done(&matched);
    return rc;
}

WRAPPER(MPI_Imrecv, (void *buf, int count, wide_Datatype datatype, MPI_Message *message,
                     MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Imrecv)(buf, count, datatype, message, request);
    const mpi_pending matched = mpi_take_message(*message);
    mpi_message moved = mpi_posting_matched(&matched);
    mpi_begin(CALL_MPI_Imrecv);
    const int rc = FORWARD(MPI_Imrecv)(buf, count, datatype, message, request);
    if (rc == MPI_SUCCESS)
        mpi_track_matched(&matched, *request);
    mpi_leave(&moved);
    mpi_pending_done(&matched);
    return rc;
}
