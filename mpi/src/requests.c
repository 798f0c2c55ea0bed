/* requests.c - which requests are followed, and what a start or a completion says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "requests.h"

#include <stdatomic.h>

#include "messages.h"
#include "request_parts.h"

/* ---- after calls that make requests ---- */

static void track(mpi_pending_kind kind, const mpi_comm *on, int other, int tag, int64_t bytes,
                  uintptr_t handle)
{
    if (other == MPI_PROC_NULL)
        return; /* nothing moves, and MPI may give one handle for all of these */
    request_add((mpi_pending){
        .handle = handle,
        .kind = (uint8_t)kind,
        .peer = mpi_peer(on, other),
        .communicator = on->id,
        .tag = tag,
        .on = other < 0 ? on : NULL,
        .bytes = bytes,
    });
}

void mpi_track_receive(const mpi_comm *on, int source, MPI_Request request)
{
    track(PENDING_RECEIVE, on, source, -1, 0, (uintptr_t)request);
}

void mpi_track_receive_init(const mpi_comm *on, int source, int tag, MPI_Request request)
{
    track(PENDING_PERSISTENT_RECEIVE, on, source, tag, 0, (uintptr_t)request);
}

void mpi_track_send_init(const mpi_comm *on, int64_t bytes, int dest, int tag, MPI_Request request)
{
    track(PENDING_PERSISTENT_SEND, on, dest, tag, bytes, (uintptr_t)request);
}

void mpi_track_collective_init(const mpi_comm *on, int64_t bytes, int root,
                               scope_collective_class waits_for, MPI_Request request)
{
    request_add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_PERSISTENT_COLLECTIVE,
        .peer = mpi_peer(on, root),
        .communicator = on->id,
        .on = on,
        .bytes = bytes,
        .collective = -1,
        .waits_for = (uint8_t)waits_for,
    });
}

/* Sends that are followed, as analysis counts them: so many were begun. */
static _Atomic uint32_t sends;

static uint32_t next_send(void)
{
    return atomic_fetch_add_explicit(&sends, 1, memory_order_relaxed) + 1;
}

void mpi_track_send(const mpi_message *sent, MPI_Request request)
{
    request_add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_SEND,
        .communicator = sent->communicator,
        .sent = next_send(),
        .dest = sent->peer,
        .sent_tag = sent->tag,
    });
}

void mpi_posted_too(mpi_message *moved, const mpi_comm *on, int source, int tag,
                    MPI_Request request)
{
    const bool receives = source != MPI_PROC_NULL, is_followed = mpi_is_large(moved);
    if (receives || is_followed)
        request_add((mpi_pending){
            .handle = (uintptr_t)request,
            .kind = receives ? PENDING_RECEIVE : PENDING_SEND,
            .peer = receives ? mpi_peer(on, source) : -1,
            .communicator = on->id,
            .on = receives && source < 0 ? on : NULL,
            .sent = is_followed ? next_send() : 0,
            .dest = moved->peer,
            .sent_tag = moved->tag,
        });
    if (receives)
        request_next_message(moved, mpi_posting(on, source, tag));
}

void mpi_track_collective(const mpi_message *begun, scope_collective_class waits_for,
                          MPI_Request request)
{
    request_add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_COLLECTIVE,
        .peer = begun->peer,
        .communicator = begun->communicator,
        .collective = begun->tag,
        .waits_for = (uint8_t)waits_for,
    });
}

void mpi_track_idup(const mpi_comm *on, const mpi_message *begun, const void *made, bool fortran,
                    MPI_Request request)
{
    request_add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_IDUP,
        .peer = -1,
        .communicator = on->id,
        .on = on,
        .tag = mpi_comm_reserve(on),
        .collective = begun->tag,
        .waits_for = SCOPE_COLLECTIVE_ALL_TO_ALL,
        .made = made,
        .fortran = fortran,
    });
}

static void track_object(mpi_pending_kind kind, const mpi_comm *on, uintptr_t handle)
{
    request_add((mpi_pending){
        .handle = handle, .kind = (uint8_t)kind, .peer = -1, .communicator = on->id, .on = on});
}

static void untrack(uintptr_t handle)
{
    const mpi_pending pending = request_find(handle, true);
    mpi_pending_done(&pending);
}

static const mpi_comm *comm_behind(uintptr_t handle)
{
    const mpi_pending pending = request_find(handle, false);
    return pending.kind >= PENDING_WINDOW ? pending.on : mpi_comm_of(MPI_COMM_NULL);
}

void mpi_track_window(const mpi_comm *on, MPI_Win window)
{
    track_object(PENDING_WINDOW, on, (uintptr_t)window);
}

void mpi_track_file(const mpi_comm *on, MPI_File file)
{
    track_object(PENDING_FILE, on, (uintptr_t)file);
}

void mpi_untrack_window(MPI_Win window)
{
    untrack((uintptr_t)window);
}

void mpi_untrack_file(MPI_File file)
{
    untrack((uintptr_t)file);
}

const mpi_comm *mpi_window_of(MPI_Win window)
{
    return comm_behind((uintptr_t)window);
}

const mpi_comm *mpi_file_of(MPI_File file)
{
    return comm_behind((uintptr_t)file);
}

void mpi_untrack(MPI_Request request)
{
    untrack((uintptr_t)request);
}

static bool ends_with_a_wait(const mpi_pending *pending)
{
    return pending->kind == PENDING_RECEIVE || pending->kind == PENDING_SEND ||
           pending->kind == PENDING_MESSAGE || pending->kind == PENDING_IDUP ||
           pending->kind == PENDING_COLLECTIVE;
}

void mpi_untrack_receives(void)
{
    request_remove_all(ends_with_a_wait);
}

void mpi_track_message(const mpi_comm *on, const mpi_message *probed, MPI_Message message)
{
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    request_add((mpi_pending){
        .handle = (uintptr_t)message,
        .kind = PENDING_MESSAGE,
        .peer = probed->peer,
        .communicator = on->id,
        .tag = probed->tag,
        .on = on,
    });
}

mpi_pending mpi_take_message(MPI_Message message)
{
    return request_find((uintptr_t)message, true);
}

void mpi_track_matched(const mpi_pending *matched, MPI_Request request)
{
    if (matched->on)
        mpi_track_receive(matched->on, MPI_ANY_SOURCE, request);
}

mpi_message mpi_receiving_matched(const mpi_pending *matched)
{
    return (mpi_message){0, -1, matched->communicator, -1, SCOPE_MESSAGE_OTHER};
}

mpi_message mpi_posting_matched(const mpi_pending *matched)
{
    return (mpi_message){0, matched->peer, matched->communicator, matched->on ? matched->tag : -1,
                         matched->on ? SCOPE_MESSAGE_POSTED : SCOPE_MESSAGE_OTHER};
}

/* The send or the collective of this persistent request is begun. */
static void begin_again(mpi_pending *pending, mpi_message begun)
{
    if (begun.kind == SCOPE_MESSAGE_COLLECTIVE) {
        pending->collective = begun.tag;
    } else if (mpi_is_large(&begun)) {
        pending->sent = next_send();
        pending->dest = begun.peer;
        pending->sent_tag = begun.tag;
    } else {
        return;
    }
    request_change(pending);
}

void mpi_started(mpi_message *moved, mpi_requests requests, int count)
{
    for (int i = 0; i < count; i++) {
        mpi_pending pending = request_find((uintptr_t)request_at(requests, i), false);
        mpi_message begun = {0, pending.peer, pending.communicator, pending.tag,
                             SCOPE_MESSAGE_POSTED};
        if (pending.kind == PENDING_PERSISTENT_SEND) {
            begun.bytes = pending.bytes;
            begun.kind = SCOPE_MESSAGE_SENT;
            begin_again(&pending, begun);
        } else if (pending.kind == PENDING_PERSISTENT_COLLECTIVE) {
            begun.bytes = pending.bytes;
            begun.tag = mpi_comm_next_collective(pending.on);
            begun.kind = SCOPE_MESSAGE_COLLECTIVE;
            begin_again(&pending, begun);
        } else if (pending.kind != PENDING_PERSISTENT_RECEIVE) {
            continue;
        }
        request_next_message(moved, begun);
    }
}

/* ---- what is complete ---- */

void request_send_completed(mpi_message *moved, const mpi_pending *pending)
{
    const uint32_t since = atomic_load_explicit(&sends, memory_order_relaxed) - pending->sent;
    request_next_message(moved, (mpi_message){since, pending->dest, pending->communicator,
                                              pending->sent_tag, SCOPE_MESSAGE_SEND_COMPLETED});
}

void request_collective_completed(mpi_message *moved, const mpi_pending *pending)
{
    request_next_message(moved,
                         (mpi_message){pending->waits_for, pending->peer, pending->communicator,
                                       pending->collective, SCOPE_MESSAGE_COLLECTIVE_COMPLETED});
}
