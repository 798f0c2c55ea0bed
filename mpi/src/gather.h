/* gather.h - everybody's names and bytes to rank 0, in O(log size) messages.
 *
 * A binomial tree: rank r takes in the ranks [r, r + 2^k), one child after the
 * other, in rank order, and hands the whole on to r - 2^k. Data goes in pieces
 * of at most 8 MiB, so no count overflows an int and no message needs more.
 *
 * Collective: every rank calls each function in the same order. A rank without
 * memory takes part with nothing, and every rank returns an error.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_GATHER_H
#define SCOPE_MPI_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include <scope/world.h>

#include "family.h"

#define MPI_PIECE_BYTES ((size_t)8 << 20)

/* The worst of all ranks' statuses, on every rank. */
scope_status mpi_agree(MPI_Comm comm, scope_status mine);

/* `length_bytes` from one rank to another, in pieces; a piece that is 0 long is
 * not sent. Both sides know the length. */
scope_status mpi_send_pieces(MPI_Comm comm, const void *bytes, size_t length_bytes, int to);
scope_status mpi_receive_pieces(MPI_Comm comm, void *bytes, size_t length_bytes, int from);

/* As scope_world's functions of the same names (world.h). */
scope_status mpi_gather(MPI_Comm comm, const void *mine, size_t length_bytes, void **all,
                        uint64_t *ends);
scope_status mpi_unify(MPI_Comm comm, const scope_strings *mine, scope_strings *all, uint32_t *ids);
scope_status mpi_relay(MPI_Comm comm, const void *mine, size_t length_bytes,
                       scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                            size_t length_bytes),
                       void *context);

#endif
