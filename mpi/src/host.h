/* host.h - the ranks for a language runtime that writes its files itself (pybind).
 *
 *     scope_world *world;
 *     if (scope_mpi_host_open(&world) == SCOPE_OK) {
 *         scope_mpi_host_measure(world);
 *         ... world->gather(world, ...) ...
 *         scope_mpi_host_close(world);
 *     }
 *
 * The library may be opened late and privately for this: MPI runs already, and its
 * wrappers are then in nobody's way. Exported, not for applications.
 *
 * Ownership  the caller closes the world before MPI_Finalize.
 * Collective over MPI_COMM_WORLD: open, measure, close.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_HOST_H
#define SCOPE_MPI_HOST_H

#include <scope/world.h>

/* 1: MPI runs in this process, and is of this library's family. Not collective. */
SCOPE_API int scope_mpi_host_fits(void);

/* A communicator of its own, and the clocks compared for the first time. ERR_RANK: not every
 * rank came within SCOPE_GATHER_TIMEOUT; nobody else has a world then. ERR_STATE: other ranks
 * are in MPI_Finalize already; there one file of all is written, with what the host leaves to
 * it (scope_host_leave). */
SCOPE_API scope_status scope_mpi_host_open(scope_world **world);

/* Compare the clocks again: with two measurements their drift is known. */
SCOPE_API scope_status scope_mpi_host_measure(scope_world *world);

SCOPE_API void scope_mpi_host_close(scope_world *world);

#endif
