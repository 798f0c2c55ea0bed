/* meeting.c - see meeting.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "meeting.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include <scope/sink.h>

/* A communicator of our own, whose errors return. Not a dup: that would run the program's
 * attribute callbacks; not a split: that tells every rank of every rank. */
scope_status mpi_private_comm(MPI_Comm *comm)
{
    MPI_Group world;
    if (PMPI(Comm_group)(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    const int rc = PMPI(Comm_create)(MPI_COMM_WORLD, world, comm);
    PMPI(Group_free)(&world);
    if (rc != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    PMPI(Comm_set_errhandler)(*comm, MPI_ERRORS_RETURN);
    return SCOPE_OK;
}

/* A barrier on MPI_COMM_WORLD that does not wait for ever. false: somebody is
 * missing, or it failed. */
static bool all_arrive(double limit_s)
{
    static MPI_Request request; /* given up, it outlives this call */
    if (PMPI(Ibarrier)(MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return false;
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int tries = 0;; tries++) {
        int done = 0;
        if (PMPI(Test)(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        if (done)
            return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double waited_s =
            (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) * 1e-9;
        if (limit_s > 0 && waited_s > limit_s)
            return false;
        /* 20 us at first, 5 ms in the end: quick when all are here, cheap when not */
        const long pause_ns = tries < 50 ? 20000 : tries < 500 ? 200000 : 5000000;
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    }
}

/* What the ranks came for is the same for all? The end of C ranks and a finalize() of Python
 * ranks are not: what follows them would never match. These meet again at the end of all; who
 * waits in MPI_Init meets nobody who is there. */
static mpi_meeting compare(int purpose)
{
    const int own[2] = {purpose, -purpose};
    int least[2] = {0, 0};
    if (PMPI(Allreduce)(own, least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD) != MPI_SUCCESS)
        return MEETING_MISSED;
    if (least[0] == -least[1])
        return MEETING_HELD;
    return least[1] == -MEET_TO_START ? MEETING_MISSED : MEETING_APART;
}

/* Twice: a rank that gave up the first time does not come to the second, so nobody goes on
 * into a collective without it; nor does it come to any later meeting. Where a meeting was
 * apart, all ranks know that hosts have none before the end. */
mpi_meeting mpi_meet(mpi_purpose purpose)
{
    static _Atomic int gave_up, apart;
    int size = 1;
    PMPI(Comm_size)(MPI_COMM_WORLD, &size);
    if (size == 1)
        return MEETING_HELD;
    if (atomic_load(&apart) && purpose == MEET_FOR_HOST)
        return MEETING_APART;
    MPI_Errhandler handler;
    if (atomic_load(&gave_up) || PMPI(Comm_get_errhandler)(MPI_COMM_WORLD, &handler) != MPI_SUCCESS)
        return MEETING_MISSED;
    PMPI(Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const double limit_s = scope_runtime_seconds("SCOPE_GATHER_TIMEOUT");
    const mpi_meeting met =
        all_arrive(limit_s) && all_arrive(limit_s) ? compare(purpose) : MEETING_MISSED;
    PMPI(Comm_set_errhandler)(MPI_COMM_WORLD, handler);
    PMPI(Errhandler_free)(&handler);
    atomic_store(&gave_up, met == MEETING_MISSED);
    if (met == MEETING_APART)
        atomic_store(&apart, 1);
    return met;
}
