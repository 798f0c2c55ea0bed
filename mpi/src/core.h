/* core.h - what every wrapper does: enter, forward, leave.
 *
 *     int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
 *     {
 *         const mpi_scope scope = mpi_enter(CALL_BCAST);
 *         const int rc = NEXT(Bcast)(buffer, count, type, root, comm);
 *         return mpi_leave(scope, mpi_bytes(count, type), mpi_peer(root, comm), comm, rc);
 *     }
 *
 * (The exact macros are the generator's; this is the contract.) Only the
 * outermost call of a thread is recorded: MPI libraries call themselves, and
 * under MPICH a Fortran call reaches the C wrapper too. Our own traffic is
 * marked with mpi_quiet and not recorded.
 *
 * Units      bytes.
 * Threads    any, up to MPI_THREAD_MULTIPLE: all state is thread-local, but for
 *            the table of communicators, which has a lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_CORE_H
#define SCOPE_MPI_CORE_H

#include <stdbool.h>
#include <stdint.h>

/* Our own MPI calls between these are not recorded. They nest. */
void mpi_quiet_begin(void);
void mpi_quiet_end(void);

/* lifecycle.c: before the first wrapped call's begin is recorded (cheap when
 * done): decides the family, starts the session when MPI is initialised. */
void mpi_prepare(void);

#endif
