/* messages.h - what a row says of the messages that its call moved.
 *
 * Each gives one message, of which `peer` and `tag` are arguments of the call.
 * A call to or from MPI_PROC_NULL moves nothing: its message is of kind OTHER.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_MESSAGES_H
#define SCOPE_MPI_MESSAGES_H

#include <stdint.h>

#include "communicators.h"
#include "core.h"

/* Nothing moves between two ranks, or it is not known yet what. */
MPI_INLINE mpi_message mpi_naming(const mpi_comm *on, int peer)
{
    return (mpi_message){0, mpi_peer(on, peer), on->id, -1, SCOPE_MESSAGE_OTHER};
}

/* A probe: what is asked for. */
MPI_INLINE mpi_message mpi_probing(const mpi_comm *on, int source, int tag)
{
    mpi_message message = mpi_naming(on, source);
    if (source != MPI_PROC_NULL && tag >= 0)
        message.tag = tag;
    return message;
}

MPI_INLINE mpi_message mpi_sending(const mpi_comm *on, int64_t bytes, int dest, int tag)
{
    if (dest == MPI_PROC_NULL)
        return mpi_naming(on, dest);
    return (mpi_message){bytes, mpi_peer(on, dest), on->id, tag, SCOPE_MESSAGE_SENT};
}

/* A send that may wait for its receiver. */
MPI_INLINE bool mpi_is_large(const mpi_message *sent)
{
    return sent->bytes >= SCOPE_FOLLOWED_BYTES;
}

/* A receive that another call completes. MPI_ANY_TAG is negative: none. */
MPI_INLINE mpi_message mpi_posting(const mpi_comm *on, int source, int tag)
{
    if (source == MPI_PROC_NULL)
        return mpi_naming(on, source);
    return (mpi_message){0, mpi_peer(on, source), on->id, tag, SCOPE_MESSAGE_POSTED};
}

/* All ranks of a communicator make its collective calls in one order: this one's place in it says
 * which of the other ranks' it belongs to. */
MPI_INLINE mpi_message mpi_collecting(const mpi_comm *on, int64_t bytes, int root)
{
    return (mpi_message){bytes, root < 0 ? -1 : mpi_peer(on, root), on->id,
                         mpi_comm_next_collective(on), SCOPE_MESSAGE_COLLECTIVE};
}

/* One-sided. */
MPI_INLINE mpi_message mpi_reaching(const mpi_comm *on, int64_t bytes, int target)
{
    if (target == MPI_PROC_NULL)
        return mpi_naming(on, target);
    return (mpi_message){bytes, mpi_peer(on, target), on->id, -1, SCOPE_MESSAGE_REMOTE};
}

MPI_INLINE mpi_message mpi_reading(const mpi_comm *on, int64_t bytes)
{
    return (mpi_message){bytes, -1, on->id, -1, SCOPE_MESSAGE_READ};
}

MPI_INLINE mpi_message mpi_writing(const mpi_comm *on, int64_t bytes)
{
    return (mpi_message){bytes, -1, on->id, -1, SCOPE_MESSAGE_WRITTEN};
}

#endif
