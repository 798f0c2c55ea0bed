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

#include <stdatomic.h>

#include "fortran.h"
#include "requests.h"

/* ---- request_table.c ---- */

#define REQUEST_PARTS 64

typedef struct request_part {
    atomic_flag lock;
    _Atomic uint32_t count; /* 0 is read without the lock */
    uint32_t capacity, serial;
    mpi_pending *slots;
} __attribute__((aligned(64))) request_part;

extern request_part request_parts[REQUEST_PARTS] __attribute__((visibility("hidden")));

static inline uint64_t request_hash(uintptr_t handle)
{
    return (uint64_t)handle * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

static inline request_part *request_part_of(uintptr_t handle)
{
    return &request_parts[request_hash(handle) % REQUEST_PARTS];
}

/* false: not there. Without a lock: most calls wait for short sends, or in programs that have
 * nothing pending. */
static inline bool request_may_find(uintptr_t handle)
{
    return atomic_load_explicit(&request_part_of(handle)->count, memory_order_acquire) != 0;
}

/* One of the same handle is replaced: it was completed behind our back, or stands for several that
 * were complete at once. */
void request_add(mpi_pending pending);

/* Kind PENDING_NONE: not there. take: out of the table. */
void request_look(uintptr_t handle, bool take, mpi_pending *found);

static inline mpi_pending request_find(uintptr_t handle, bool take)
{
    mpi_pending found;
    request_look(handle, take, &found);
    return found;
}

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
