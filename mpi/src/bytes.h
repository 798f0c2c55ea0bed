/* bytes.h - what a rank passes as data argument: counts times sizes of types.
 *
 * The size of the whole argument: an alltoall passes a block for each rank, a
 * scatter's root too. Arguments that MPI does not read (of a gather with
 * MPI_IN_PLACE, of ranks that are not root) are not read here either: they may
 * hold anything.
 *
 * Threads    any. Sizes of predefined types are cached without a lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_BYTES_H
#define SCOPE_MPI_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "communicators.h"
#include "family.h"

/* An array of counts: int, or MPI_Count in the large-count forms. */
typedef struct mpi_counts {
    const void *values;
    bool large;
} mpi_counts;

/* An array of types: C handles, or Fortran's. */
typedef struct mpi_types {
    const void *values;
    bool fortran;
} mpi_types;

/* Bytes of one element. 0 for MPI_DATATYPE_NULL. */
int64_t mpi_type_bytes(MPI_Datatype datatype);

static inline int64_t mpi_bytes(int64_t count, MPI_Datatype datatype)
{
    return count * mpi_type_bytes(datatype);
}

/* To MPI_PROC_NULL nothing goes. */
static inline int64_t mpi_sent(int64_t count, MPI_Datatype datatype, int dest)
{
    return dest == MPI_PROC_NULL ? 0 : mpi_bytes(count, datatype);
}

/* Of a rooted collective in which all pass the same; in an intercommunicator the
 * root's neighbours pass nothing. */
static inline int64_t mpi_rooted_bytes(int root, int64_t count, MPI_Datatype datatype)
{
    return root == MPI_PROC_NULL ? 0 : mpi_bytes(count, datatype);
}

int64_t mpi_gather_bytes(const mpi_comm *on, int root, bool in_place, int64_t send_count,
                         MPI_Datatype send_type, int64_t receive_count, MPI_Datatype receive_type);
int64_t mpi_gatherv_bytes(const mpi_comm *on, int root, bool in_place, int64_t send_count,
                          MPI_Datatype send_type, mpi_counts receive_counts,
                          MPI_Datatype receive_type);
int64_t mpi_scatter_bytes(const mpi_comm *on, int root, int64_t send_count, MPI_Datatype send_type,
                          int64_t receive_count, MPI_Datatype receive_type);
int64_t mpi_scatterv_bytes(const mpi_comm *on, int root, mpi_counts send_counts,
                           MPI_Datatype send_type, int64_t receive_count,
                           MPI_Datatype receive_type);
int64_t mpi_allgather_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                            MPI_Datatype send_type, int64_t receive_count,
                            MPI_Datatype receive_type);
int64_t mpi_allgatherv_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                             MPI_Datatype send_type, mpi_counts receive_counts,
                             MPI_Datatype receive_type);
int64_t mpi_alltoall_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                           MPI_Datatype send_type, int64_t receive_count,
                           MPI_Datatype receive_type);
int64_t mpi_alltoallv_bytes(const mpi_comm *on, bool in_place, mpi_counts send_counts,
                            MPI_Datatype send_type, mpi_counts receive_counts,
                            MPI_Datatype receive_type);
int64_t mpi_alltoallw_bytes(const mpi_comm *on, bool in_place, mpi_counts send_counts,
                            mpi_types send_types, mpi_counts receive_counts,
                            mpi_types receive_types);
int64_t mpi_reduce_scatter_bytes(const mpi_comm *on, mpi_counts receive_counts,
                                 MPI_Datatype datatype);

/* To all neighbours that this rank sends to. */
int64_t mpi_neighbour_bytes(const mpi_comm *on, mpi_counts send_counts, MPI_Datatype send_type);
int64_t mpi_neighbour_w_bytes(const mpi_comm *on, mpi_counts send_counts, mpi_types send_types);

#endif
