/* world.h - the ranks of MPI_COMM_WORLD as a scope_world (the port of that name).
 *
 * Ownership  `tree` and its communicator stay the caller's and must outlive the world.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_WORLD_H
#define SCOPE_MPI_WORLD_H

#include <scope/world.h>

#include "clock_offset.h"
#include "tree.h"

/* Collective; the communicator must return errors. `start` is the measurement at the
 * start, or only says when that was (bound_ns -1): with two the drift is known. */
void mpi_world_open(scope_world *world, mpi_tree *tree, const mpi_clock *start,
                    const mpi_clock *end);

#endif
