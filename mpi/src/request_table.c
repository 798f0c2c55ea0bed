/* request_table.c - the requests that are followed, by their handles.
 *
 *     parts[64] -> slots[capacity], open addressing by handle, kind NONE is free
 *
 * SPDX-License-Identifier: MIT
 */
#include "request_parts.h"

#include <sched.h>
#include <stdlib.h>

request_part request_parts[REQUEST_PARTS];

static uint32_t home(const request_part *part, uintptr_t handle)
{
    return (uint32_t)(request_hash(handle) / REQUEST_PARTS) & (part->capacity - 1);
}

static void lock(request_part *part)
{
    for (int tries = 0; atomic_flag_test_and_set_explicit(&part->lock, memory_order_acquire);)
        if (++tries % 64 == 0)
            sched_yield();
}

static void unlock(request_part *part)
{
    atomic_flag_clear_explicit(&part->lock, memory_order_release);
}

/* The slot of `handle`, or the free one where it would go. Needs a free one. */
static mpi_pending *slot_of(request_part *part, uintptr_t handle)
{
    uint32_t i = home(part, handle);
    while (part->slots[i].kind != PENDING_NONE && part->slots[i].handle != handle)
        i = (i + 1) & (part->capacity - 1);
    return &part->slots[i];
}

static bool grow(request_part *part)
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
static void empty(request_part *part, mpi_pending *slot)
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

void request_add(mpi_pending pending)
{
    request_part *part = request_part_of(pending.handle);
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

void request_look(uintptr_t handle, bool take, mpi_pending *found)
{
    request_part *part = request_part_of(handle);
    const mpi_pending none = {.kind = PENDING_NONE, .peer = -1, .communicator = -1};
    mpi_pending *slot = NULL;
    if (request_may_find(handle)) {
        lock(part);
        slot = part->count ? slot_of(part, handle) : NULL;
        if (slot && slot->kind == PENDING_NONE)
            slot = NULL;
        if (slot)
            *found = *slot;
        if (slot && take)
            empty(part, slot);
        unlock(part);
    }
    if (!slot)
        *found = none;
}

/* The slot of a pending one, if it is still that; locked. */
static mpi_pending *slot_still(request_part *part, const mpi_pending *pending)
{
    mpi_pending *slot = part->count ? slot_of(part, pending->handle) : NULL;
    return slot && slot->kind != PENDING_NONE && slot->serial == pending->serial ? slot : NULL;
}

void request_change(const mpi_pending *pending)
{
    request_part *part = request_part_of(pending->handle);
    lock(part);
    mpi_pending *slot = slot_still(part, pending);
    if (slot)
        *slot = *pending;
    unlock(part);
}

void request_remove(const mpi_pending *pending)
{
    request_part *part = request_part_of(pending->handle);
    lock(part);
    mpi_pending *slot = slot_still(part, pending);
    if (slot)
        empty(part, slot);
    unlock(part);
    if (slot)
        mpi_pending_done(pending);
}

void request_remove_all(bool (*is_meant)(const mpi_pending *pending))
{
    for (request_part *part = request_parts; part < request_parts + REQUEST_PARTS; part++) {
        lock(part);
        for (uint32_t i = 0; i < part->capacity;) {
            const mpi_pending pending = part->slots[i];
            if (is_meant(&pending)) {
                empty(part, &part->slots[i]); /* another may move here */
                mpi_pending_done(&pending);
            } else {
                i++;
            }
        }
        unlock(part);
    }
}
