/* mpi_calls.h - what kind of call each recorded MPI call is.
 *
 * For who asks what a call may have waited for: its class says which others it
 * depends on, its messages (event.h) which ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ANALYSIS_MPI_CALLS_H
#define SCOPE_ANALYSIS_MPI_CALLS_H

#include <stdbool.h>

typedef enum scope_mpi_class {
    SCOPE_MPI_OTHER = 0,
    SCOPE_MPI_SEND,
    SCOPE_MPI_RECEIVE,
    SCOPE_MPI_SENDRECV,
    SCOPE_MPI_PROBE,
    SCOPE_MPI_START,      /* of persistent requests: its messages are sent, or posted */
    SCOPE_MPI_WAIT,       /* completes requests: its messages are received */
    SCOPE_MPI_ALL_TO_ALL, /* nobody leaves before all have come: barrier, allreduce, Comm_split */
    SCOPE_MPI_ONE_TO_ALL, /* nobody leaves before the root has come: bcast, scatter */
    SCOPE_MPI_ALL_TO_ONE, /* the root leaves when all have come: gather, reduce */
    SCOPE_MPI_PREFIX,     /* nobody leaves before all lower ranks have come: scan */
    SCOPE_MPI_NEIGHBOUR,  /* a collective call that waits for some: neighbourhood, RMA's post and start */
    SCOPE_MPI_RMA,
    SCOPE_MPI_IO,
} scope_mpi_class;

/* Sends of a call whose completion is told by the call that completes them (SCOPE_FOLLOWED_BYTES). */
typedef enum scope_mpi_follows {
    SCOPE_FOLLOWS_NONE,
    SCOPE_FOLLOWS_LARGE,
    SCOPE_FOLLOWS_ALL,
} scope_mpi_follows;

typedef struct scope_mpi_call {
    const char *name; /* "MPI_Ibcast" */
    scope_mpi_class class;
    bool blocks; /* false: another call waits for what it began, or it only asks */
    scope_mpi_follows follows;
} scope_mpi_call;

/* NULL: no MPI call that is recorded. */
const scope_mpi_call *scope_mpi_call_of(const char *name);

#endif
