/* relay.h - bytes of all ranks, in rank order, to rank 0, which holds one piece at a time.
 *
 * Up the tree (tree.h): each rank sends its own bytes, then hands on what its children
 * send, in messages as full as they get. So messages grow with the bytes that there
 * are, not with the ranks that have some.
 *
 * Messages   rank 0: one per MiB, one per child, and O(log size). No other rank more.
 * Memory     a rank with children: two messages of 1 MiB; any other: what it sends, at most 1 MiB.
 * Collective: every rank calls it; every rank returns an error, or none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_RELAY_H
#define SCOPE_MPI_RELAY_H

#include <scope/world.h>

#include "tree.h"

#define MPI_RELAY_BYTES ((size_t)1 << 20)

/* As scope_world's function of the same name (world.h). */
scope_status mpi_relay(const mpi_tree *tree, const void *mine, size_t length_bytes,
                       scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                            size_t length_bytes),
                       void *context);

#endif
