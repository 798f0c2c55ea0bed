/* communicators.h - what we know of each communicator: its id, its peers.
 *
 * Ids are dense and told to libscope: 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF (mpi://WORLD and
 * mpi://SELF, where neither may be used, in a program of sessions). A
 * communicator gets its entry when it is created or first used; an attribute of
 * ours on it says when it is freed, by whomever, so that a handle that comes
 * back is never taken for the old one. The world needs no table and no lock.
 *
 * Ownership  entries are the table's. One that is freed stays readable for the
 *            next 64 frees; who needs it longer holds it.
 * Threads    any. Looking up takes no lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_COMMUNICATORS_H
#define SCOPE_MPI_COMMUNICATORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "family.h"

typedef struct mpi_comm {
    int32_t id;         /* -1: not a communicator */
    int32_t rank;       /* ours in it */
    int32_t parent;     /* id of the communicator it was made from; -1 unknown */
    int32_t local_size; /* ranks of our group */
    int32_t size;       /* ranks that `peer` arguments count: in an intercommunicator the others */
    bool same;          /* its ranks are those of MPI_COMM_WORLD */
    bool inter;
    int32_t serial;     /* how many of the same members this process had before */
    uint64_t members;   /* hash of its ranks in MPI_COMM_WORLD; 0 unknown */
    MPI_Comm handle;
    char name[MPI_MAX_OBJECT_NAME + 1];
    _Atomic(int32_t *) peers; /* their ranks in MPI_COMM_WORLD, made when first asked for */
    _Atomic int32_t collectives; /* calls so far: all its ranks make the same ones */
    _Atomic int holds;        /* the table's and mpi_comm_hold's; 0: may go */
} mpi_comm;

/* MPI is initialised, the world's entry is there, and `recording` (of libscope's
 * scope_runtime_recording) has been told of all communicators. */
bool mpi_comm_ready(uint32_t recording);

/* MPI was not there, or had been shut down, or knew sessions only: what it knew of us may be
 * gone, and the world may have got a name. */
void mpi_comm_begin(void);

/* Never NULL. */
const mpi_comm *mpi_comm_of(MPI_Comm comm);

/* The rank in MPI_COMM_WORLD of a peer in `on`; -1 for MPI_PROC_NULL, wildcards
 * and processes outside it. */
int32_t mpi_peer(const mpi_comm *on, int rank);

/* The number of a collective call that is about to be made, from 0. Threads make those of one
 * communicator one after the other, as MPI asks of them: no locked instruction. */
static inline int32_t mpi_comm_next_collective(const mpi_comm *on)
{
    _Atomic int32_t *count = &((mpi_comm *)on)->collectives;
    const int32_t number = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, (number + 1) & INT32_MAX, memory_order_relaxed);
    return number;
}

/* A communicator was made from another, or got a name. */
void mpi_comm_created(MPI_Comm comm, int32_t parent);
void mpi_comm_spawned(MPI_Comm comm, int32_t parent); /* to processes that were started */
void mpi_comm_named(MPI_Comm comm);

/* One is being made of the members of `on`; it is there. */
int32_t mpi_comm_reserve(const mpi_comm *on);
void mpi_comm_reserved(MPI_Comm comm, const mpi_comm *on, int32_t serial);

/* How many neighbours this rank sends to in a communicator with a topology. */
int mpi_targets(const mpi_comm *on);

/* Keep an entry and its peers readable, also after the communicator is freed,
 * until it is released. */
void mpi_comm_hold(const mpi_comm *on);
void mpi_comm_release(const mpi_comm *on);

#endif
