/* meeting.h - all ranks come together, or it is known that they do not.
 *
 * Threads    one at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_MEETING_H
#define SCOPE_MPI_MEETING_H

#include <scope/status.h>

#include "family.h"

typedef enum mpi_purpose { MEET_TO_END = 1, MEET_FOR_HOST, MEET_TO_START } mpi_purpose;

typedef enum mpi_meeting {
    MEETING_HELD,   /* all are here for the same and will stay, on every rank */
    MEETING_MISSED, /* somebody is missing, or MPI fails */
    MEETING_APART,  /* all are here, hosts (Python) and some that end */
} mpi_meeting;

/* Wait for all ranks, at most SCOPE_GATHER_TIMEOUT. Unless the meeting is held nobody may go on
 * into a collective. After one that was missed no later meeting is held; after one that was
 * apart who ends meets again, and hosts come to the end, too. */
mpi_meeting mpi_meet(mpi_purpose purpose);

/* A communicator of our own of all ranks, whose errors return. Collective. */
scope_status mpi_private_comm(MPI_Comm *comm);

#endif
