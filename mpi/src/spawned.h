/* spawned.h - tell the processes of MPI_Comm_spawn who starts them.
 *
 *     SCOPE_PARENT=<run id>/<rank>/<pid>/<host>
 *
 * in their environment, by the key "env" (lines NAME=value) of a copy of the info objects that
 * the root passes. Nothing is communicated; the program's objects stay as they are. MPICH has
 * no such key.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_SPAWNED_H
#define SCOPE_MPI_SPAWNED_H

#include "communicators.h"
#include "family.h"

typedef struct mpi_spawn { /* what is passed instead; on the stack of the wrapper */
    int count;             /* infos of ours to free */
    MPI_Info *infos, one;
    MPI_Fint *handles, one_handle; /* of Fortran */
} mpi_spawn;

/* What the root passes on in place of `info`, or of each of `infos`; on other ranks, and where
 * there is no memory or no room for the value, the same. Until mpi_spawn_end. */
MPI_Info mpi_spawn_tell(mpi_spawn *spawn, const mpi_comm *on, int root, MPI_Info info);
const MPI_Info *mpi_spawn_tell_each(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                                    const MPI_Info *infos);

/* The same for Fortran's handles. */
void *mpi_spawn_tell_fortran(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                             void *handles);

void mpi_spawn_end(mpi_spawn *spawn);

#endif
