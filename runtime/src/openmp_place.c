/* openmp_place.c - where a parallel region is in the program, and the names of what happens in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "openmp_place.h"

#include <stdio.h>
#include <string.h>

#include "code_name.h"
#include "engine.h"
#include "openmp.h"
#include "pool.h"
#include "record.h"

#define SLOTS (2 * OPENMP_PLACES_MAX)

static const char *const kind_names[OPENMP_KINDS] = {
    [OPENMP_PARALLEL] = "OpenMP parallel", [OPENMP_TEAMS] = "OpenMP teams",
    [OPENMP_BARRIER] = "OpenMP barrier",   [OPENMP_IMPLICIT_BARRIER] = "OpenMP implicit barrier",
    [OPENMP_TASKWAIT] = "OpenMP taskwait", [OPENMP_TASKGROUP] = "OpenMP taskgroup",
    [OPENMP_TASK] = "OpenMP task",         [OPENMP_CRITICAL] = "OpenMP critical wait",
    [OPENMP_LOCK] = "OpenMP lock wait",    [OPENMP_ORDERED] = "OpenMP ordered wait",
    [OPENMP_LOOP] = "OpenMP loop",         [OPENMP_SECTIONS] = "OpenMP sections",
    [OPENMP_SINGLE] = "OpenMP single",     [OPENMP_DISTRIBUTE] = "OpenMP distribute",
    [OPENMP_TASKLOOP] = "OpenMP taskloop",
};

static openmp_place nowhere;
static _Atomic(openmp_place *) places[SLOTS];
static _Atomic(uint32_t) place_count; /* changed under the engine lock */

/* Where it is, or belongs. */
static _Atomic(openmp_place *) *find(uintptr_t code)
{
    uint64_t at = (uint64_t)code * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    for (;; at++) {
        _Atomic(openmp_place *) *slot = &places[at % SLOTS];
        const openmp_place *place = atomic_load_explicit(slot, memory_order_acquire);
        if (!place || place->code == code)
            return slot;
    }
}

static bool is_full(void)
{
    return atomic_load_explicit(&place_count, memory_order_relaxed) >= OPENMP_PLACES_MAX;
}

/* The name is made before the lock is taken: it reads files. */
static openmp_place *add(uintptr_t code)
{
    char name[sizeof nowhere.name] = "";
    openmp_place *place = &nowhere;
    scope_code_name(code, scope_openmp_demangle(), name, sizeof name);
    if (!scope_enter())
        return place;
    scope_engine_lock();
    _Atomic(openmp_place *) *slot = find(code);
    openmp_place *known = atomic_load_explicit(slot, memory_order_relaxed);
    openmp_place *added = NULL;
    if (!known && !is_full())
        added = scope_pool_alloc(sizeof *added);
    if (added) {
        added->code = code;
        memcpy(added->name, name, sizeof name);
        atomic_fetch_add_explicit(&place_count, 1, memory_order_relaxed);
        atomic_store_explicit(slot, added, memory_order_release);
    }
    scope_engine_unlock();
    scope_leave();
    return known ? known : added ? added : place;
}

openmp_place *scope_openmp_place(const void *code)
{
    if (!code)
        return &nowhere;
    openmp_place *place = atomic_load_explicit(find((uintptr_t)code), memory_order_acquire);
    if (!place)
        place = is_full() ? &nowhere : add((uintptr_t)code);
    return place;
}

static scope_region register_region(openmp_place *place, openmp_kind kind, uint32_t recording)
{
    char text[sizeof place->name + 32];
    scope_region region = SCOPE_REGION_NONE;
    snprintf(text, sizeof text, "%s%s%s", kind_names[kind], *place->name ? " " : "", place->name);
    if (scope_region_register(text, &region) != SCOPE_OK)
        region = SCOPE_REGION_NONE;
    if (region >= 0)
        scope_region_tag(region, "openmp");
    atomic_store_explicit(&place->regions[kind], (uint64_t)recording << 32 | (uint32_t)region,
                          memory_order_relaxed);
    return region;
}

scope_region scope_openmp_region(openmp_place *place, openmp_kind kind, uint32_t recording)
{
    const uint64_t word = atomic_load_explicit(&place->regions[kind], memory_order_relaxed);
    if (!recording)
        return SCOPE_REGION_NONE;
    return word >> 32 == recording ? (scope_region)(uint32_t)word
                                   : register_region(place, kind, recording);
}
