/* relay.h - bytes of one rank after the other to rank 0, which holds one piece at a time.
 *
 * Ranks that have nothing send nothing. The others form a list in rank order: rank
 * 0 knows the first of them, each says who follows. So nobody has a table of all
 * ranks; rank 0 asks one after the other, and nobody's bytes pile up there.
 *
 * Messages   rank 0: 3 and the pieces per rank that has something. The others: these, and
 *            O(log size).
 * Collective: every rank calls it; every rank returns an error, or none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_RELAY_H
#define SCOPE_MPI_RELAY_H

#include <scope/world.h>

#include "tree.h"

/* As scope_world's function of the same name (world.h). */
scope_status mpi_relay(const mpi_tree *tree, const void *mine, size_t length_bytes,
                       scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                            size_t length_bytes),
                       void *context);

#endif
