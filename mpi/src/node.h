/* node.h - the ranks of a node as a communicator.
 *
 * Its ranks go up to the leader and back (tree.h): nobody hears of those of other nodes, as
 * MPI_Comm_split would have it.
 *
 * Collective over the tree's communicator. An error is the same on every rank.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_NODE_H
#define SCOPE_MPI_NODE_H

#include <scope/status.h>

#include "tree.h"

/* My node's ranks, in rank order; where the nodes are not known, this rank alone. */
scope_status mpi_node_comm(const mpi_tree *tree, MPI_Comm *node);

#endif
