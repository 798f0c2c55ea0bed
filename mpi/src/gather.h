/* gather.h - everybody's bytes to rank 0, and what travels between two ranks.
 *
 * Up the tree (tree.h): a rank takes in its children's data, one after the other,
 * in rank order, and hands the whole on. Data goes in pieces of at most 8 MiB, so no
 * count overflows an int and no message needs more.
 *
 * Collective, but for what goes from one rank to one: every rank calls each function
 * in the same order. A rank without memory takes part with nothing, and every rank
 * returns an error.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_GATHER_H
#define SCOPE_MPI_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include <scope/world.h>

#include "tree.h"

#define MPI_PIECE_BYTES ((size_t)8 << 20)

static inline scope_status mpi_status_of(int rc)
{
    return rc == MPI_SUCCESS ? SCOPE_OK : SCOPE_ERR_RANK;
}

static inline scope_status mpi_worse(scope_status a, scope_status b)
{
    return a < b ? a : b;
}

/* The worst of all ranks' statuses, on every rank. */
scope_status mpi_agree(MPI_Comm comm, scope_status mine);

/* Rank 0's bytes to all; the same length everywhere. */
scope_status mpi_broadcast(MPI_Comm comm, void *bytes, size_t length_bytes);

/* `length_bytes` from one rank to another, in pieces; a piece that is 0 long is
 * not sent. Both sides know the length. */
scope_status mpi_send_pieces(MPI_Comm comm, const void *bytes, size_t length_bytes, int to);
scope_status mpi_receive_pieces(MPI_Comm comm, void *bytes, size_t length_bytes, int from);

/* A table of strings from one rank to another, which learns of the sender's status `mine`: who
 * failed sends an empty one. On success the receiver owns *table; otherwise it is empty. */
scope_status mpi_table_send(MPI_Comm comm, const scope_strings *table, scope_status mine, int to);
scope_status mpi_table_receive(MPI_Comm comm, scope_strings *table, int from);
void mpi_table_free(scope_strings *table);

/* As scope_world's function of the same name (world.h). Rank 0 holds it all, a rank in
 * between what its subtree sends: for little, or for few. */
scope_status mpi_gather(const mpi_tree *tree, const void *mine, size_t length_bytes, void **all,
                        uint64_t *ends);

#endif
