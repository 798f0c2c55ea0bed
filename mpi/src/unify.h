/* unify.h - one numbering for all ranks' names.
 *
 * If all ranks have the same names in the same order, one allreduce says so and is
 * the whole job. Else names climb the tree, each once per subtree, and numbers come
 * down: O(log size) messages per rank, and memory for the names of the subtree.
 *
 * Collective, as gather.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_UNIFY_H
#define SCOPE_MPI_UNIFY_H

#include <scope/world.h>

#include "tree.h"

/* As scope_world's function of the same name (world.h). */
scope_status mpi_unify(const mpi_tree *tree, const scope_strings *mine, scope_strings *all,
                       uint32_t *ids);

#endif
