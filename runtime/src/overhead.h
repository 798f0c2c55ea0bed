/* overhead.h - what recording a call costs the program, measured in the process itself.
 *
 *     caller   ----|begin: call, clock| store, return |the region| call, clock| store, return|----
 *     inside                          [--------------- the call's own time ---]
 *     pair         [------------------- all of it, without the region ---------------------]
 *
 * Measured by the hot path's own steps on memory of its own: no event, no system call
 * but for the clock's. The minimum of some short rounds, so caches are warm and nobody was
 * in between: new memory and folding come on top of it. With the clock that the sessions
 * use. Calls by name, from MPI wrappers and from Python cost more; what is said is the
 * recorder's part.
 *
 * Units      ns.
 * Threads    under the engine lock (stream.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OVERHEAD_H
#define SCOPE_OVERHEAD_H

#include <stdint.h>

typedef struct scope_overhead {
    double pair_ns;   /* of one begin and its end, in all */
    double inside_ns; /* of that what lies between their clock readings: an empty call's time */
} scope_overhead;

/* Measured by the first that asks, for some 20 us (50 us without a counter). After
 * scope_clock_setup. */
scope_overhead scope_overhead_of_call(void);

/* Both as metadata of the session: scope_overhead_pair_ns, scope_overhead_inside_ns, decimal
 * text. */
void scope_overhead_define(uint16_t session);

#endif
