/* world.c - the ranks of MPI_COMM_WORLD as a scope_world.
 *
 * SPDX-License-Identifier: MIT
 */
#include "world.h"

#include <limits.h>
#include <string.h>

#include "gather.h"

/* Clocks that nobody compared may drift apart by this much. */
#define UNKNOWN_DRIFT 100e-6

static MPI_Comm comm_of(scope_world *world)
{
    return *(MPI_Comm *)world->state;
}

static scope_status worst(scope_world *world, scope_status mine)
{
    return mpi_agree(comm_of(world), mine);
}

static scope_status sums(scope_world *world, const int64_t *mine, int64_t *before, int64_t *total,
                         size_t count)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < count;) {
        const size_t left = count - at, most = MPI_PIECE_BYTES / sizeof *mine;
        const int piece = (int)(left < most ? left : most);
        if (PMPI(Exscan)(mine + at, before + at, piece, MPI_INT64_T, MPI_SUM, comm_of(world)) ||
            PMPI(Allreduce)(mine + at, total + at, piece, MPI_INT64_T, MPI_SUM, comm_of(world)))
            status = SCOPE_ERR_RANK;
        at += (size_t)piece;
    }
    if (world->rank == 0 && count)
        memset(before, 0, count * sizeof *before); /* MPI leaves it undefined there */
    return mpi_agree(comm_of(world), status);
}

static scope_status broadcast(scope_world *world, void *bytes, size_t length_bytes)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes;) {
        const size_t left = length_bytes - at;
        const int piece = (int)(left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
        if (PMPI(Bcast)((char *)bytes + at, piece, MPI_BYTE, 0, comm_of(world)) != MPI_SUCCESS)
            status = SCOPE_ERR_RANK;
        at += (size_t)piece;
    }
    return mpi_agree(comm_of(world), status);
}

static scope_status gather(scope_world *world, const void *mine, size_t length_bytes, void **all,
                           uint64_t *ends)
{
    return mpi_gather(comm_of(world), mine, length_bytes, all, ends);
}

static scope_status unify(scope_world *world, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids)
{
    return mpi_unify(comm_of(world), mine, all, ids);
}

static scope_status relay(scope_world *world, const void *mine, size_t length_bytes,
                          scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                               size_t length_bytes),
                          void *context)
{
    return mpi_relay(comm_of(world), mine, length_bytes, take, context);
}

static void set_clock(scope_world *world, const mpi_clock *start, const mpi_clock *end)
{
    const int64_t elapsed_ns = end->at_ns - start->at_ns;
    world->clock_offset_ns = end->offset_ns;
    world->clock_at_ns = end->at_ns;
    world->clock_bound_ns = end->bound_ns;
    if (end->shared || end->bound_ns < 0)
        return;
    if (start->bound_ns < 0 || elapsed_ns <= 0) {
        world->clock_bound_ns += (int64_t)((double)elapsed_ns * UNKNOWN_DRIFT);
        return;
    }
    const int64_t moved_ns = end->offset_ns - start->offset_ns;
    const double noise = (double)(start->bound_ns + end->bound_ns) / (double)elapsed_ns;
    int64_t start_error_ns = start->bound_ns;
    if (noise < UNKNOWN_DRIFT) /* else the run was too short to tell drift from noise */
        world->clock_drift = (double)moved_ns / (double)elapsed_ns;
    else
        start_error_ns += moved_ns < 0 ? -moved_ns : moved_ns;
    if (start_error_ns > end->bound_ns)
        world->clock_bound_ns = start_error_ns;
}

void mpi_world_open(scope_world *world, MPI_Comm *comm, const mpi_clock *start,
                    const mpi_clock *end)
{
    *world = (scope_world){
        .size_bytes = sizeof *world,
        .size = 1,
        .state = comm,
        .worst = worst,
        .sums = sums,
        .broadcast = broadcast,
        .gather = gather,
        .unify = unify,
        .relay = relay,
    };
    PMPI(Comm_rank)(*comm, &world->rank);
    PMPI(Comm_size)(*comm, &world->size);
    set_clock(world, start, end);
}
