/* members.h - who is in a communicator, as a number that is the same on all its ranks.
 *
 * No rank may ask another one: the number is a hash of their places in
 * MPI_COMM_WORLD, in order. Communicators of the same members are made one after
 * the other, in the same order on each of their ranks: the serial number says
 * which one it is.
 *
 * Cost       two MPI_Group calls; of at most 256 ranks it is asked where they are.
 * Threads    one at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_MEMBERS_H
#define SCOPE_MPI_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "family.h"

/* 0: some are not of our MPI_COMM_WORLD. Of an intercommunicator both groups, in either
 * order. `same`: its ranks are known to be those of MPI_COMM_WORLD. */
uint64_t mpi_members(MPI_Comm comm, bool inter, bool same);

/* Its ranks are those of MPI_COMM_WORLD, in order. */
bool mpi_members_are_all(MPI_Comm comm);

/* Of MPI_COMM_WORLD, whose *size it says (rank -1), or of MPI_COMM_SELF on this rank: also where
 * neither may be used (session.h). */
uint64_t mpi_members_fixed(int rank, int *size);

/* How many communicators of these members there were before this one. 0 of unknown ones. */
int32_t mpi_members_serial(uint64_t members);

#endif
