/* request_watch.c - what statuses say, and what calls say that complete requests.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "request_parts.h"

/* ---- statuses ---- */

static MPI_Status status_at(const void *statuses, int i)
{
    MPI_Status status;
    memcpy(&status, (const char *)statuses + (size_t)i * sizeof status, sizeof status);
    return status; /* a copy: Fortran's are aligned as integers only */
}

/* What a status says. The fields are public and fixed by the family's binary interface. */
static int64_t bytes_in(const MPI_Status *status)
{
#if defined(SCOPE_MPI_FAMILY_OMPI)
    return (int64_t)status->_ucount;
#elif defined(SCOPE_MPI_FAMILY_MPICH)
    const uint64_t high = (unsigned)status->count_hi_and_cancelled >> 1;
    return (int64_t)(high << 32 | (unsigned)status->count_lo);
#else
    MPI_Count bytes = 0;
    if (PMPI(Get_elements_x)(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
        return 0;
    return (int64_t)bytes;
#endif
}

/* A cancelled receive leaves any count. MPI-IO leaves any value here. */
static bool was_cancelled(const MPI_Status *status)
{
#if defined(SCOPE_MPI_FAMILY_OMPI)
    return status->_cancelled;
#elif defined(SCOPE_MPI_FAMILY_MPICH)
    return status->count_hi_and_cancelled & 1;
#else
    int cancelled = 0;
    return PMPI(Test_cancelled)(status, &cancelled) != MPI_SUCCESS || cancelled;
#endif
}

void mpi_probed(mpi_message *moved, const mpi_comm *on, const void *status)
{
    const MPI_Status probed = status_at(status, 0);
    if (probed.MPI_SOURCE < 0) /* MPI_PROC_NULL */
        return;
    if (moved->peer < 0)
        moved->peer = mpi_peer(on, probed.MPI_SOURCE);
    moved->tag = probed.MPI_TAG;
}

static void take_status(mpi_message *moved, const mpi_comm *on, const MPI_Status *status)
{
    if (status->MPI_SOURCE == MPI_PROC_NULL || was_cancelled(status))
        return;
    moved->bytes = bytes_in(status);
    moved->tag = status->MPI_TAG;
    moved->kind = SCOPE_MESSAGE_RECEIVED;
    if (moved->peer < 0 && on)
        moved->peer = mpi_peer(on, status->MPI_SOURCE);
}

void mpi_received(mpi_message *moved, const mpi_comm *on, const void *status)
{
    const MPI_Status first = status_at(status, 0);
    take_status(moved, on, &first);
}

void mpi_read(mpi_message *moved, const void *status)
{
    const MPI_Status first = status_at(status, 0);
    moved->bytes = bytes_in(&first);
    moved->kind = SCOPE_MESSAGE_READ;
}

void mpi_received_too(mpi_message *moved, const mpi_comm *on, const void *status)
{
    mpi_message received = {0, -1, on->id, -1, SCOPE_MESSAGE_OTHER};
    mpi_received(&received, on, status);
    if (received.kind != SCOPE_MESSAGE_OTHER)
        request_next_message(moved, received);
}

/* ---- around calls that complete requests ---- */

/* It is complete when a wait says so, and something is said of it then. */
static bool is_watched(const mpi_pending *pending)
{
    const unsigned kinds = 1u << PENDING_RECEIVE | 1u << PENDING_PERSISTENT_RECEIVE |
                           1u << PENDING_SEND | 1u << PENDING_COLLECTIVE | 1u << PENDING_IDUP;
    return kinds >> pending->kind & 1 ||
           (pending->kind == PENDING_PERSISTENT_SEND && pending->sent) ||
           (pending->kind == PENDING_PERSISTENT_COLLECTIVE && pending->collective >= 0);
}

static bool is_receive(const mpi_pending *pending)
{
    return pending->kind == PENDING_RECEIVE || pending->kind == PENDING_PERSISTENT_RECEIVE;
}

/* The request is gone when it is complete. */
static bool is_once(const mpi_pending *pending)
{
    const unsigned kinds =
        1u << PENDING_RECEIVE | 1u << PENDING_SEND | 1u << PENDING_COLLECTIVE | 1u << PENDING_IDUP;
    return kinds >> pending->kind & 1;
}

void mpi_watch_begin(mpi_watch *watch, mpi_requests requests, int count)
{
    watch->count = watch->receive_count = 0;
    watch->requests = requests;
    watch->watched = watch->room;
    watch->statuses = NULL;
    int capacity = MPI_WATCH_ROOM;
    for (int i = 0; i < count; i++) {
        const uintptr_t handle = (uintptr_t)request_at(requests, i);
        if (!request_may_find(handle))
            continue;
        if (watch->count == capacity) {
            mpi_watched *larger = malloc((size_t)count * sizeof *larger);
            if (!larger)
                return; /* the others' bytes stay unknown */
            memcpy(larger, watch->room, sizeof watch->room);
            watch->watched = larger;
            capacity = count;
        }
        mpi_watched *next = &watch->watched[watch->count];
        request_look(handle, false, &next->pending);
        if (!is_watched(&next->pending))
            continue;
        next->index = i;
        watch->receive_count += is_receive(&next->pending);
        watch->count++;
    }
}

void *mpi_watch_statuses(mpi_watch *watch, void *statuses, bool ignored, int count)
{
    if (!watch->receive_count || !ignored)
        return statuses;
    watch->statuses = watch->status;
    if (count > MPI_WATCH_ROOM)
        watch->statuses = malloc((size_t)count * sizeof *watch->statuses);
    if (!watch->statuses) {
        watch->count = 0;
        return statuses;
    }
    memset(watch->statuses, 0, (size_t)count * sizeof *watch->statuses);
    return watch->statuses;
}

static void take_received(mpi_message *moved, const mpi_pending *pending, const MPI_Status *status)
{
    mpi_message received = {0, pending->peer, pending->communicator, -1, SCOPE_MESSAGE_OTHER};
    /* An inactive persistent request completes with an empty status: from MPI_ANY_SOURCE. */
    if (status->MPI_SOURCE >= 0)
        take_status(&received, pending->on, status);
    if (received.kind != SCOPE_MESSAGE_OTHER || moved->kind == SCOPE_MESSAGE_OTHER)
        request_next_message(moved, received);
}

/* It is complete; its status is the one at `place`. Those of sends and collectives may be ignored
 * ones. */
static void take_in(mpi_message *moved, mpi_pending *pending, const void *statuses, int place)
{
    if (is_receive(pending)) {
        const MPI_Status status = status_at(statuses, place);
        take_received(moved, pending, &status);
    } else if (pending->kind == PENDING_IDUP) {
        const MPI_Comm made =
            pending->fortran ? f_comm(pending->made) : *(const MPI_Comm *)pending->made;
        mpi_comm_reserved(made, pending->on, pending->tag);
    }
    if (pending->sent)
        request_send_completed(moved, pending);
    if (pending->waits_for && pending->collective >= 0)
        request_collective_completed(moved, pending);
    if (is_once(pending)) {
        request_remove(pending);
    } else if (!is_receive(pending)) {
        pending->sent = 0;
        pending->collective = -1;
        request_change(pending);
    }
    pending->kind = PENDING_NONE;
}

void mpi_watch_all(mpi_watch *watch, mpi_message *moved, const void *statuses)
{
    for (int i = 0; i < watch->count; i++)
        take_in(moved, &watch->watched[i].pending, statuses, watch->watched[i].index);
}

static int by_index(const void *key, const void *element)
{
    return *(const int *)key - ((const mpi_watched *)element)->index;
}

void mpi_watch_some(mpi_watch *watch, mpi_message *moved, int count, const int *indices,
                    const void *statuses)
{
    for (int i = 0; watch->count && i < count; i++) { /* MPI_UNDEFINED is negative */
        const int index = indices[i] - watch->requests.first;
        mpi_watched *watched =
            bsearch(&index, watch->watched, (size_t)watch->count, sizeof *watch->watched, by_index);
        if (watched)
            take_in(moved, &watched->pending, statuses, i);
    }
}

void mpi_watch_one(mpi_watch *watch, mpi_message *moved, int index, const void *status)
{
    mpi_watch_some(watch, moved, 1, &index, status);
}

void mpi_watch_end(mpi_watch *watch)
{
    for (int i = 0; i < watch->count; i++) {
        const mpi_pending *pending = &watch->watched[i].pending;
        if (is_once(pending) &&
            (uintptr_t)request_at(watch->requests, watch->watched[i].index) != pending->handle)
            request_remove(pending);
    }
    if (watch->watched != watch->room)
        free(watch->watched);
    if (watch->statuses && watch->statuses != watch->status)
        free(watch->statuses);
}
