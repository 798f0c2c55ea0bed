/* request_parts.h - what the files behind requests.h share.
 *
 *     request_table.c   the requests that are followed, by their handles; matched messages,
 *                       windows and files, too
 *     requests.c        which are followed; what a start and a completion say
 *     request_watch.c   statuses, and around calls that complete requests
 *
 * A handle may come back as soon as MPI has completed it, on another thread even
 * before the wait that completed it has returned to us. So an entry is changed or
 * removed only if its serial is still the one that was looked up.
 *
 * Ownership  an entry holds its communicator; who takes it out gives that back with
 *            mpi_pending_done.
 * Threads    any: 64 parts, each with a lock held for a few instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_REQUEST_PARTS_H
#define SCOPE_MPI_REQUEST_PARTS_H

#include "fortran.h"
#include "requests.h"

/* ---- request_table.c ---- */

/* One of the same handle is replaced: it was completed behind our back, or stands for several that
 * were complete at once. */
void request_add(mpi_pending pending);

/* false: not there. Without a lock: most calls wait for short sends, or in programs that have
 * nothing pending. */
bool request_may_find(uintptr_t handle);

/* Kind PENDING_NONE: not there. */
mpi_pending request_find(uintptr_t handle, bool take);

void request_change(const mpi_pending *pending);
void request_remove(const mpi_pending *pending);
void request_remove_all(bool (*is_meant)(const mpi_pending *pending));

/* ---- requests.c ---- */

/* The followed send of a pending one is complete; its collective is. */
void request_send_completed(mpi_message *moved, const mpi_pending *pending);
void request_collective_completed(mpi_message *moved, const mpi_pending *pending);

/* ---- all ---- */

static inline MPI_Request request_at(mpi_requests requests, int i)
{
    return requests.fortran ? f_request((const MPI_Fint *)requests.values + i)
                            : ((const MPI_Request *)requests.values)[i];
}

/* One more message of the call: the one before it is said. */
static inline void request_next_message(mpi_message *moved, mpi_message message)
{
    mpi_say(moved);
    *moved = message;
}

#endif
