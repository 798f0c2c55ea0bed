/* openmp_place.h - where a parallel region is in the program, and the names of what happens in it.
 *
 *     OpenMP parallel solve+0x5c      the region, on each of its threads
 *     OpenMP barrier solve+0x5c       waiting in it, whichever of its barriers it is
 *
 * Ownership  places are never freed.
 * Threads    any. One that is known is found without a lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OPENMP_PLACE_H
#define SCOPE_OPENMP_PLACE_H

#include <stdatomic.h>
#include <stdint.h>

#include <scope/region.h>

typedef enum openmp_kind {
    OPENMP_PARALLEL,
    OPENMP_TEAMS,
    OPENMP_BARRIER,
    OPENMP_IMPLICIT_BARRIER,
    OPENMP_TASKWAIT,
    OPENMP_TASKGROUP,
    OPENMP_TASK,
    OPENMP_CRITICAL,
    OPENMP_LOCK,
    OPENMP_ORDERED,
    OPENMP_LOOP,
    OPENMP_SECTIONS,
    OPENMP_SINGLE,
    OPENMP_DISTRIBUTE,
    OPENMP_TASKLOOP,
    OPENMP_KINDS,
    OPENMP_NOTHING = OPENMP_KINDS,
} openmp_kind;

typedef struct openmp_place {
    uintptr_t code; /* the address behind the call into the runtime; 0: anywhere */
    _Atomic(uint64_t) regions[OPENMP_KINDS]; /* recording << 32 | region; 0: not registered */
    char name[256];
} openmp_place;

/* Never NULL: beyond OPENMP_PLACES_MAX, and for NULL, it is the place without a name. */
#define OPENMP_PLACES_MAX 1024
openmp_place *scope_openmp_place(const void *code);

/* Negative: filtered. The filter and the tag are asked for once per recording. */
scope_region scope_openmp_region(openmp_place *place, openmp_kind kind, uint32_t recording);

#endif
