/* host.c - the ranks for a language runtime that writes its files itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>

#include "core.h"
#include "gather.h"
#include "lifecycle.h"
#include "world.h"

typedef struct host_world {
    scope_world world; /* first: what the caller sees */
    MPI_Comm comm;
    mpi_clock start;
} host_world;

int scope_mpi_host_fits(void)
{
    int initialised = 0, finalised = 0;
    if (!mpi_fits())
        return 0;
    PMPI(Initialized)(&initialised);
    PMPI(Finalized)(&finalised);
    return initialised && !finalised;
}

scope_status scope_mpi_host_open(scope_world **world)
{
    if (!scope_mpi_host_fits())
        return SCOPE_ERR_STATE;
    int rank = 0;
    host_world *host = calloc(1, sizeof *host);
    mpi_quiet_begin();
    if (mpi_meet(MEET_FOR_HOST) != MEETING_HELD) {
        mpi_quiet_end();
        free(host);
        return SCOPE_ERR_RANK;
    }
    scope_status status = host ? SCOPE_OK : SCOPE_ERR_MEMORY;
    PMPI(Comm_rank)(MPI_COMM_WORLD, &rank);
    MPI_Comm comm;
    /* not a dup: that would run the program's attribute callbacks */
    if (PMPI(Comm_split)(MPI_COMM_WORLD, 0, rank, &comm) != MPI_SUCCESS) {
        mpi_quiet_end();
        free(host);
        return SCOPE_ERR_RANK;
    }
    PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    status = mpi_agree(comm, status);
    if (status == SCOPE_OK) {
        host->comm = comm;
        if (mpi_clock_measure(comm, &host->start) != SCOPE_OK)
            host->start = mpi_clock_unknown();
        mpi_world_open(&host->world, &host->comm, &host->start, &host->start);
        *world = &host->world;
    } else {
        PMPI(Comm_free)(&comm);
        free(host);
    }
    mpi_quiet_end();
    return status;
}

scope_status scope_mpi_host_measure(scope_world *world)
{
    host_world *host = (host_world *)world;
    mpi_clock end;
    mpi_quiet_begin();
    const scope_status status = mpi_clock_measure(host->comm, &end);
    if (status == SCOPE_OK)
        mpi_world_open(&host->world, &host->comm, &host->start, &end);
    mpi_quiet_end();
    return status;
}

void scope_mpi_host_close(scope_world *world)
{
    host_world *host = (host_world *)world;
    if (!host)
        return;
    mpi_quiet_begin();
    if (scope_mpi_host_fits())
        PMPI(Comm_free)(&host->comm);
    mpi_quiet_end();
    free(host);
}
