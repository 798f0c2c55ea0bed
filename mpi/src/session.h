/* session.h - MPI 4's sessions: a run without MPI_Init.
 *
 *     MPI_Session_init        the first open one starts the run; rank and size: mpi://WORLD
 *     a communicator is made  of all ranks: they take part in the end
 *     MPI_Session_finalize    of the last open one, before it: the end, as in MPI_Finalize
 *
 * Where MPI_Init comes in between, MPI_Finalize is the end. Where it came before, sessions are
 * calls as all others.
 *
 * MPI lets nobody wait for a limited time in making a communicator out of a session, and a
 * rank without us would be waited for, for ever. So the ranks meet on MPI_COMM_WORLD where the
 * MPI has it underneath: MPICH 4 and 5, once a communicator of all ranks was made, which no
 * rank can miss. There the last MPI_Session_finalize waits for all ranks, too, so that nobody
 * is kept who would not be. Elsewhere each rank writes its own file.
 *
 * A session of our own is open while the program's first are: it gives the group of all ranks.
 *
 * Threads    any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_SESSION_H
#define SCOPE_MPI_SESSION_H

#include <stdbool.h>

#include "family.h"

/* The run goes by sessions alone, and one is open. */
bool mpi_sessions_run(void);

/* All ranks of the world, however MPI was started. The caller frees it. */
bool mpi_world_group(MPI_Group *group);

/* A communicator of this process alone, MPI_COMM_SELF where it may be used. */
bool mpi_self_comm(MPI_Comm *comm);
void mpi_self_comm_done(MPI_Comm *comm);

/* One was made out of a group, which may be that of all ranks. */
void mpi_made_from_group(MPI_Comm comm);

/* After the call that makes it, also on ranks that record nothing. */
static inline void mpi_making(int rc, const MPI_Comm *comm)
{
    if (rc == MPI_SUCCESS && mpi_sessions_run())
        mpi_made_from_group(*comm);
}

#endif
