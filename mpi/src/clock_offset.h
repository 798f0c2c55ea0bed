/* clock_offset.h - every rank's clock against rank 0's.
 *
 * The ranks of a node share one clock and one measurement, made by their leader
 * against its parent among the leaders (tree.h): O(log nodes) rounds. Measured
 * twice, at the start and at the end, the clocks' drift is known. What each pair
 * found is put together on the way down from rank 0; the errors add up along it.
 *
 *     rank 0's time of my time t:  t + offset_ns + drift * (t - at_ns)
 *
 * Units      nanoseconds of CLOCK_MONOTONIC; drift without a unit (1e-6 is 1 ppm).
 * Collective over the tree's communicator.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_CLOCK_OFFSET_H
#define SCOPE_MPI_CLOCK_OFFSET_H

#include <stdint.h>

#include <scope/status.h>

#include "tree.h"

/* Clocks that nobody compared may drift apart by this much: two crystals at +-50 ppm, and what
 * is lost in multiplying. */
#define MPI_CLOCK_DRIFT_MOST 101e-6

/* What a leader found once, against its parent among the leaders. */
typedef struct mpi_clock {
    int64_t offset_ns; /* the parent's time = mine + offset_ns ... */
    int64_t at_ns;     /* ... at this time of mine */
    int64_t bound_ns;  /* and it is that within this; -1: not measured */
    int parent;        /* that rank; -1: rank 0, or not a leader */
} mpi_clock;

typedef struct mpi_clock_line {
    int64_t offset_ns, at_ns;
    double drift;
    /* How wrong the line is from since_ns to at_ns, if the clocks' rates are steady; before
     * since_ns this much more per nanosecond. -1: unknown. */
    int64_t bound_ns, since_ns;
    double drift_bound;
} mpi_clock_line;

/* Not measured, but now. */
mpi_clock mpi_clock_unknown(void);

/* Compare the leaders' clocks: at least 8 messages to and fro per pair, then more until they say
 * nothing new, at most 100 and for 5 ms (100 ms while they say little). */
scope_status mpi_clock_measure(const mpi_tree *tree, mpi_clock *clock);

/* Everybody's line from two measurements. `start` may be unknown (on any rank) or the same as
 * `end`: the drift is not known then, and the bound says so. */
scope_status mpi_clock_combine(const mpi_tree *tree, const mpi_clock *start, const mpi_clock *end,
                               mpi_clock_line *line);

#endif
