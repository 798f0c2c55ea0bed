/* clock_offset.h - every rank's clock against rank 0's.
 *
 * Ranks that see one CLOCK_MONOTONIC (same host, boot and time namespace) share
 * one measurement, made by the lowest of them against its parent in a binomial
 * tree of such nodes: O(log nodes) rounds, and the errors add up along the path.
 *
 * Units      nanoseconds of CLOCK_MONOTONIC.
 * Collective over `comm`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_CLOCK_OFFSET_H
#define SCOPE_MPI_CLOCK_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

#include <scope/status.h>

#include "family.h"

typedef struct mpi_clock {
    int64_t offset_ns; /* rank 0's time = mine + offset_ns ... */
    int64_t at_ns;     /* ... at this time of mine */
    int64_t bound_ns;  /* and it is that within this; -1: not measured */
    bool shared;       /* my clock is rank 0's own: nothing drifts */
} mpi_clock;

/* Not measured, but now. */
mpi_clock mpi_clock_unknown(void);

scope_status mpi_clock_measure(MPI_Comm comm, mpi_clock *clock);

#endif
