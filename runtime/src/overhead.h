/* overhead.h - what recording a call costs the program, measured in the process itself.
 *
 *     caller   ----|begin: call, clock| store, return |the region| call, clock| store, return|----
 *     inside                          [--------------- the call's own time ---]
 *     pair         [------------------- all of it, without the region ---------------------]
 *
 * Measured by the hot path's own steps on memory of its own, twice: of empty regions one after
 * the other, and of regions that take long (twice `pair`). A processor does what is independent
 * at once: beside a long region the recorder costs a fraction, and of its clock readings the
 * first may be late and the second early, so that `inside` is negative. No event, no system
 * call but for the clock's. The fastest of some short rounds, so caches are warm and
 * nobody was in between: new memory and folding come on top. With the clock that the
 * sessions use. Calls by name, from MPI wrappers and from Python cost more; what is said is
 * the recorder's part.
 *
 * Units      ns.
 * Threads    under the engine lock (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OVERHEAD_H
#define SCOPE_OVERHEAD_H

#include <stdint.h>

typedef struct scope_overhead {
    double pair_ns;   /* of one begin and its end, in all; 0: could not be measured */
    double inside_ns; /* of that what lies between their clock readings: an empty call's time */
    double long_pair_ns, long_inside_ns; /* the same of a call that takes long */
} scope_overhead;

/* Measured by the first that asks, for some 25 us (70 us without a counter). After
 * scope_clock_setup. */
scope_overhead scope_overhead_of_call(void);

/* All as metadata of the session: scope_overhead_pair_ns, ..._inside_ns, ..._long_pair_ns,
 * ..._long_inside_ns, decimal text. */
void scope_overhead_define(uint16_t session);

#endif
