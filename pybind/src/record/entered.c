/* entered.c - which region each context has entered through a handle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "entered.h"

static size_t home(const entered *self, const void *context)
{
    return (size_t)((uintptr_t)context >> 4) * 0x9E3779B97F4A7C15u >> 20 & (self->capacity - 1);
}

static entered_slot *place(const entered *self, const void *context, const RegionObject *region)
{
    size_t i = home(self, context);
    while (self->slots[i].region &&
           (self->slots[i].context != context || self->slots[i].region != region))
        i = (i + 1) & (self->capacity - 1);
    return &self->slots[i];
}

static int grow(entered *self)
{
    entered more = {.capacity = self->capacity ? 2 * self->capacity : 4,
                    .used = self->used,
                    .turn = self->turn};
    more.slots = PyMem_Calloc(more.capacity, sizeof *more.slots);
    if (!more.slots)
        return -1;
    for (size_t i = 0; i < self->capacity; i++)
        if (self->slots[i].region)
            *place(&more, self->slots[i].context, self->slots[i].region) = self->slots[i];
    PyMem_Free(self->slots);
    *self = more;
    return 0;
}

int entered_push(entered *self, const void *context, RegionObject *region)
{
    if (2 * (self->used + 1) > self->capacity && grow(self) < 0)
        return -1;
    entered_slot *slot = place(self, context, region);
    if (!slot->region) {
        slot->context = context;
        slot->region = (RegionObject *)Py_NewRef((PyObject *)region);
        slot->count = 0;
        self->used++;
    }
    slot->count++;
    slot->last = ++self->turn;
    return 0;
}

/* Later slots of the same run move up, so that none is behind a free one. */
static void remove_slot(entered *self, size_t i)
{
    const size_t mask = self->capacity - 1;
    for (size_t next = (i + 1) & mask; self->slots[next].region; next = (next + 1) & mask) {
        const size_t at = home(self, self->slots[next].context);
        if (((next - at) & mask) >= ((next - i) & mask)) {
            self->slots[i] = self->slots[next];
            i = next;
        }
    }
    self->slots[i] = (entered_slot){0};
    self->used--;
}

RegionObject *entered_pop(entered *self, const void *context)
{
    entered_slot *found = NULL;
    if (!self->used)
        return NULL;
    for (size_t i = home(self, context); self->slots[i].region; i = (i + 1) & (self->capacity - 1))
        if (self->slots[i].context == context && (!found || self->slots[i].last > found->last))
            found = &self->slots[i];
    const int anywhere = !found;
    for (size_t i = 0; anywhere && i < self->capacity; i++)
        if (self->slots[i].region && (!found || self->slots[i].last > found->last))
            found = &self->slots[i];
    RegionObject *region = found->region;
    if (--found->count)
        return (RegionObject *)Py_NewRef((PyObject *)region);
    remove_slot(self, (size_t)(found - self->slots)); /* its reference is the caller's now */
    return region;
}

int entered_traverse(const entered *self, visitproc visit, void *arg)
{
    for (size_t i = 0; i < self->capacity; i++)
        Py_VISIT(self->slots[i].region);
    return 0;
}

void entered_clear(entered *self)
{
    entered dropped = *self;
    *self = (entered){0};
    for (size_t i = 0; i < dropped.capacity; i++)
        Py_XDECREF(dropped.slots[i].region);
    PyMem_Free(dropped.slots);
}
