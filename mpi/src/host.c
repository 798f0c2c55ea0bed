/* host.c - the ranks for a language runtime that writes its files itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host.h"

#include <stdlib.h>

#include "core.h"
#include "gather.h"
#include "lifecycle.h"
#include "meeting.h"
#include "world.h"

typedef struct host_world {
    scope_world world; /* first: what the caller sees */
    mpi_tree tree;
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
    host_world *host = calloc(1, sizeof *host);
    mpi_quiet_begin();
    MPI_Comm comm;
    const mpi_meeting meeting = mpi_meet(MEET_FOR_HOST);
    if (meeting == MEETING_APART)
        mpi_leave_to_end();
    if (meeting != MEETING_HELD || mpi_private_comm(&comm) != SCOPE_OK) {
        mpi_quiet_end();
        free(host);
        return meeting == MEETING_APART ? SCOPE_ERR_STATE : SCOPE_ERR_RANK;
    }
    const scope_status status = mpi_agree(comm, host ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK) {
        mpi_tree_build(comm, &host->tree);
        mpi_clock now;
        mpi_clock_measure(&host->tree, &now);
        const mpi_clock in_init = mpi_clock_at_start();
        const scope_status measured = in_init.bound_ns < 0 ? SCOPE_ERR_STATE : SCOPE_OK;
        host->start = mpi_agree(comm, measured) == SCOPE_OK ? in_init : now;
        mpi_world_open(&host->world, &host->tree, &host->start, &now);
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
    const scope_status status = mpi_clock_measure(&host->tree, &end);
    if (status == SCOPE_OK)
        mpi_world_open(&host->world, &host->tree, &host->start, &end);
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
        PMPI(Comm_free)(&host->tree.comm);
    mpi_quiet_end();
    free(host);
}
