/* handle.h - a region that is asked for again after each rebind().
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_HANDLE_H
#define SCOPE_PYBIND_HANDLE_H

#include "region.h"

typedef struct bound_region {
    RegionObject *region; /* owned; NULL: none */
    uint64_t binding;     /* module_state.binding when it was asked for; 0: never */
} bound_region;

int bound_region_resolve(bound_region *self, module_state *state, PyObject *resolve);

/* self->region is up to date: 0; -1 with the exception of `resolve`. */
static inline int bound_region_refresh(bound_region *self, module_state *state, PyObject *resolve)
{
    return self->binding == state->binding ? 0 : bound_region_resolve(self, state, resolve);
}

#endif
