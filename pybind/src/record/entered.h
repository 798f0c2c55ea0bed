/* entered.h - which region each context has entered through a handle.
 *
 * A thread, a task and a greenlet each have their context. A region that is entered
 * again counts; one that is entered after the handle was bound anew is innermost.
 *
 * Ownership  the table owns its regions; contexts are borrowed and only compared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_ENTERED_H
#define SCOPE_PYBIND_ENTERED_H

#include "region.h"

typedef struct entered_slot {
    const void *context;
    RegionObject *region; /* NULL: free */
    uint64_t count, last; /* not left yet; turn of the last entry */
} entered_slot;

typedef struct entered {
    entered_slot *slots;   /* open addressing, at most half full */
    size_t capacity, used; /* capacity: 0 or a power of two */
    uint64_t turn;
} entered;

int entered_push(entered *self, const void *context, RegionObject *region); /* 0, -1 no memory */

/* The innermost region of this context; if it has none (entered in one context, left in
 * another) the last one that any entered. New reference, NULL: none. */
RegionObject *entered_pop(entered *self, const void *context);

int entered_traverse(const entered *self, visitproc visit, void *arg);
void entered_clear(entered *self);

#endif
