/* requests.c - receives that are not complete yet: what arrives, and from whom.
 *
 *     parts[64] -> slots[capacity], open addressing by handle, kind NONE is free
 *
 * A handle may come back as soon as MPI has completed it, on another thread even
 * before the wait that completed it has returned to us. So an entry is taken out
 * only if its serial is still the one that was looked up.
 *
 * SPDX-License-Identifier: MIT
 */
#include "requests.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fortran.h"
#include "messages.h"

#define PARTS 64

static struct part {
    atomic_flag lock;
    _Atomic uint32_t count; /* 0 is read without the lock */
    uint32_t capacity, serial;
    mpi_pending *slots;
} __attribute__((aligned(64))) parts[PARTS];

static uint64_t hash(uintptr_t handle)
{
    return (uint64_t)handle * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

static struct part *part_of(uintptr_t handle)
{
    return &parts[hash(handle) % PARTS];
}

static uint32_t home(const struct part *part, uintptr_t handle)
{
    return (uint32_t)(hash(handle) / PARTS) & (part->capacity - 1);
}

static void lock(struct part *part)
{
    for (int tries = 0; atomic_flag_test_and_set_explicit(&part->lock, memory_order_acquire);)
        if (++tries % 64 == 0)
            sched_yield();
}

static void unlock(struct part *part)
{
    atomic_flag_clear_explicit(&part->lock, memory_order_release);
}

/* The slot of `handle`, or the free one where it would go. Needs a free one. */
static mpi_pending *slot_of(struct part *part, uintptr_t handle)
{
    uint32_t i = home(part, handle);
    while (part->slots[i].kind != PENDING_NONE && part->slots[i].handle != handle)
        i = (i + 1) & (part->capacity - 1);
    return &part->slots[i];
}

static bool grow(struct part *part)
{
    const uint32_t old_capacity = part->capacity;
    mpi_pending *old = part->slots;
    const uint32_t capacity = old_capacity ? old_capacity * 2 : 16;
    mpi_pending *larger = calloc(capacity, sizeof *larger);
    if (!larger)
        return false;
    part->slots = larger;
    part->capacity = capacity;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].kind != PENDING_NONE)
            *slot_of(part, old[i].handle) = old[i];
    free(old);
    return true;
}

/* Free a slot and close the gap, so that every probe still finds its entry. */
static void empty(struct part *part, mpi_pending *slot)
{
    const uint32_t mask = part->capacity - 1;
    uint32_t gap = (uint32_t)(slot - part->slots);
    for (uint32_t i = (gap + 1) & mask; part->slots[i].kind != PENDING_NONE; i = (i + 1) & mask) {
        const uint32_t wanted = home(part, part->slots[i].handle);
        if (((i - wanted) & mask) >= ((i - gap) & mask)) {
            part->slots[gap] = part->slots[i];
            gap = i;
        }
    }
    part->slots[gap].kind = PENDING_NONE;
    part->count--;
}

void mpi_pending_done(const mpi_pending *taken)
{
    if (taken->on)
        mpi_comm_release(taken->on);
}

static void add(mpi_pending pending)
{
    struct part *part = part_of(pending.handle);
    mpi_pending replaced = {.on = NULL};
    if (pending.on)
        mpi_comm_hold(pending.on);
    lock(part);
    if (part->count * 2 < part->capacity || grow(part)) {
        mpi_pending *slot = slot_of(part, pending.handle);
        if (slot->kind != PENDING_NONE)
            replaced = *slot; /* was completed behind our back */
        else
            part->count++;
        *slot = pending;
        slot->serial = ++part->serial;
    } else {
        replaced = pending; /* no memory: its bytes stay unknown */
    }
    unlock(part);
    mpi_pending_done(&replaced);
}

/* Without the lock: most calls wait for sends, or in programs that have no receives pending. */
static bool may_find(uintptr_t handle)
{
    return atomic_load_explicit(&part_of(handle)->count, memory_order_acquire) != 0;
}

static mpi_pending find(uintptr_t handle, bool take)
{
    struct part *part = part_of(handle);
    mpi_pending found = {.kind = PENDING_NONE, .peer = -1, .communicator = -1};
    if (!may_find(handle))
        return found;
    lock(part);
    if (part->count) {
        mpi_pending *slot = slot_of(part, handle);
        if (slot->kind != PENDING_NONE) {
            found = *slot;
            if (take)
                empty(part, slot);
        }
    }
    unlock(part);
    return found;
}

static void complete(const mpi_pending *pending)
{
    if (pending->kind != PENDING_RECEIVE && pending->kind != PENDING_IDUP)
        return;
    struct part *part = part_of(pending->handle);
    lock(part);
    mpi_pending *slot = part->count ? slot_of(part, pending->handle) : NULL;
    const bool ours = slot && slot->kind != PENDING_NONE && slot->serial == pending->serial;
    if (ours)
        empty(part, slot);
    unlock(part);
    if (ours)
        mpi_pending_done(pending);
}

/* ---- after calls that make requests ---- */

static void track(mpi_pending_kind kind, const mpi_comm *on, int other, int tag, int64_t bytes,
                  uintptr_t handle)
{
    if (other == MPI_PROC_NULL)
        return; /* nothing moves, and MPI may give one handle for all of these */
    add((mpi_pending){
        .handle = handle,
        .kind = kind,
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

void mpi_track_collective_init(const mpi_comm *on, int64_t bytes, int root, MPI_Request request)
{
    add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_PERSISTENT_COLLECTIVE,
        .peer = mpi_peer(on, root),
        .communicator = on->id,
        .on = on,
        .bytes = bytes,
    });
}

void mpi_track_idup(const mpi_comm *on, const void *made, bool fortran, MPI_Request request)
{
    add((mpi_pending){
        .handle = (uintptr_t)request,
        .kind = PENDING_IDUP,
        .peer = -1,
        .communicator = on->id,
        .tag = mpi_comm_reserve(on),
        .on = on,
        .made = made,
        .fortran = fortran,
    });
}

static void track_object(mpi_pending_kind kind, const mpi_comm *on, uintptr_t handle)
{
    add((mpi_pending){
        .handle = handle, .kind = kind, .peer = -1, .communicator = on->id, .on = on});
}

static void untrack(uintptr_t handle)
{
    const mpi_pending pending = find(handle, true);
    mpi_pending_done(&pending);
}

static const mpi_comm *comm_behind(uintptr_t handle)
{
    const mpi_pending pending = find(handle, false);
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

void mpi_untrack_receives(void)
{
    for (struct part *part = parts; part < parts + PARTS; part++) {
        lock(part);
        for (uint32_t i = 0; i < part->capacity;) {
            const mpi_pending pending = part->slots[i];
            if (pending.kind == PENDING_RECEIVE || pending.kind == PENDING_MESSAGE ||
                pending.kind == PENDING_IDUP) {
                empty(part, &part->slots[i]); /* another may move here */
                mpi_pending_done(&pending);
            } else {
                i++;
            }
        }
        unlock(part);
    }
}

void mpi_track_message(const mpi_comm *on, MPI_Message message)
{
    if (message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
        track(PENDING_MESSAGE, on, MPI_ANY_SOURCE, -1, 0, (uintptr_t)message);
}

mpi_pending mpi_take_message(MPI_Message message)
{
    return find((uintptr_t)message, true);
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
    return (mpi_message){0, -1, matched->communicator, -1,
                         matched->on ? SCOPE_MESSAGE_POSTED : SCOPE_MESSAGE_OTHER};
}

static MPI_Request request_at(mpi_requests requests, int i)
{
    return requests.fortran ? f_request((const MPI_Fint *)requests.values + i)
                            : ((const MPI_Request *)requests.values)[i];
}

/* One more message of the call: the one before it is said. */
static void next_message(mpi_message *moved, mpi_message message)
{
    mpi_say(moved);
    *moved = message;
}

void mpi_started(mpi_message *moved, mpi_requests requests, int count)
{
    for (int i = 0; i < count; i++) {
        const mpi_pending pending = find((uintptr_t)request_at(requests, i), false);
        if (pending.kind == PENDING_PERSISTENT_SEND)
            next_message(moved, (mpi_message){pending.bytes, pending.peer, pending.communicator,
                                              pending.tag, SCOPE_MESSAGE_SENT});
        else if (pending.kind == PENDING_PERSISTENT_RECEIVE)
            next_message(moved, (mpi_message){0, pending.peer, pending.communicator, pending.tag,
                                              SCOPE_MESSAGE_POSTED});
        else if (pending.kind == PENDING_PERSISTENT_COLLECTIVE)
            next_message(moved, (mpi_message){pending.bytes, pending.peer, pending.communicator,
                                              mpi_comm_next_collective(pending.on),
                                              SCOPE_MESSAGE_COLLECTIVE});
    }
}

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
    if (moved->peer < 0 && on)
        moved->peer = mpi_peer(on, status_at(status, 0).MPI_SOURCE);
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
        next_message(moved, received);
}

void mpi_posted_too(mpi_message *moved, const mpi_comm *on, int source, int tag,
                    MPI_Request request)
{
    if (source == MPI_PROC_NULL)
        return;
    next_message(moved, mpi_posting(on, source, tag));
    mpi_track_receive(on, source, request);
}

/* ---- around calls that complete requests ---- */

void mpi_watch_begin(mpi_watch *watch, mpi_requests requests, int count)
{
    watch->count = 0;
    watch->requests = requests;
    watch->receives = watch->room;
    watch->statuses = NULL;
    int capacity = MPI_WATCH_ROOM;
    for (int i = 0; i < count; i++) {
        const uintptr_t handle = (uintptr_t)request_at(requests, i);
        if (!may_find(handle))
            continue;
        const mpi_pending pending = find(handle, false);
        if (pending.kind != PENDING_RECEIVE && pending.kind != PENDING_PERSISTENT_RECEIVE &&
            pending.kind != PENDING_IDUP)
            continue;
        if (watch->count == capacity) {
            mpi_watched *larger = malloc((size_t)count * sizeof *larger);
            if (!larger)
                return; /* the others' bytes stay unknown */
            memcpy(larger, watch->room, sizeof watch->room);
            watch->receives = larger;
            capacity = count;
        }
        watch->receives[watch->count++] = (mpi_watched){.index = i, .pending = pending};
    }
}

void *mpi_watch_statuses(mpi_watch *watch, void *statuses, bool ignored, int count)
{
    if (!watch->count || !ignored)
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

static void take_in(mpi_message *moved, mpi_pending *pending, const MPI_Status *status)
{
    if (pending->kind == PENDING_IDUP) {
        const MPI_Comm made = pending->fortran ? f_comm(pending->made)
                                               : *(const MPI_Comm *)pending->made;
        mpi_comm_reserved(made, pending->on, pending->tag);
        complete(pending);
        pending->kind = PENDING_NONE;
        return;
    }
    mpi_message received = {0, pending->peer, pending->communicator, -1, SCOPE_MESSAGE_OTHER};
    /* An inactive persistent request completes with an empty status: from MPI_ANY_SOURCE. */
    if (status->MPI_SOURCE >= 0)
        take_status(&received, pending->on, status);
    if (received.kind != SCOPE_MESSAGE_OTHER || moved->kind == SCOPE_MESSAGE_OTHER)
        next_message(moved, received);
    complete(pending);
    pending->kind = PENDING_NONE;
}

void mpi_watch_all(mpi_watch *watch, mpi_message *moved, const void *statuses)
{
    for (int i = 0; i < watch->count; i++) {
        const MPI_Status status = status_at(statuses, watch->receives[i].index);
        take_in(moved, &watch->receives[i].pending, &status);
    }
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
        mpi_watched *watched = bsearch(&index, watch->receives, (size_t)watch->count,
                                             sizeof *watch->receives, by_index);
        const MPI_Status status = status_at(statuses, i);
        if (watched)
            take_in(moved, &watched->pending, &status);
    }
}

void mpi_watch_one(mpi_watch *watch, mpi_message *moved, int index, const void *status)
{
    mpi_watch_some(watch, moved, 1, &index, status);
}

void mpi_watch_end(mpi_watch *watch)
{
    for (int i = 0; i < watch->count; i++) {
        const mpi_pending *pending = &watch->receives[i].pending;
        if ((pending->kind == PENDING_RECEIVE || pending->kind == PENDING_IDUP) &&
            (uintptr_t)request_at(watch->requests, watch->receives[i].index) != pending->handle)
            complete(pending);
    }
    if (watch->receives != watch->room)
        free(watch->receives);
    if (watch->statuses && watch->statuses != watch->status)
        free(watch->statuses);
}
