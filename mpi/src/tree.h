/* tree.h - who hands on to whom when all ranks' data goes to rank 0.
 *
 * Ranks that see one clock are a node: same host, boot and time namespace. A
 * node's lowest rank leads it. The ranks of a node form a binomial tree under
 * their leader, the leaders one under rank 0: what leaves a node leaves it once.
 *
 *     rank     0   1   2   3   4   5   6   7     three nodes of 3, 3 and 2
 *     index    0   1   2   0   1   2   0   1     leaders 0, 3, 6
 *     parent   -   0   0   0   3   3   0   6
 *
 * A rank knows its own neighbours only: no array here is as long as the ranks or
 * the nodes are many. They are found by sorting the ranks' node keys across the
 * ranks, in O(log^2 size) small messages and O(1) memory.
 *
 * Threads    none.
 * Collective over `comm`, which must return errors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_TREE_H
#define SCOPE_MPI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

#include "family.h"

#define MPI_LINKS_MAX 62 /* twice 31: a rank is an int */

typedef struct mpi_links {
    int parent; /* -1: none */
    int child_count;
    int children[MPI_LINKS_MAX]; /* ascending; the largest subtree is the last */
} mpi_links;

typedef struct mpi_tree {
    MPI_Comm comm;
    int rank, size;
    int leader;           /* lowest rank of my node */
    int index;            /* my place among its ranks */
    int node, node_count; /* nodes are numbered by their lowest ranks: rank 0's is 0. 0 of them:
                           * it is not known which ranks are one */
    mpi_links within;     /* my node: its leader has no parent */
    mpi_links among;      /* the leaders; empty on any other rank */
    /* All ranks, so that a walk from rank 0, own data first, is in rank order. Nodes
     * first where each has consecutive ranks; else by rank alone. */
    mpi_links ordered;
} mpi_tree;

/* One node of all ranks: no message. */
void mpi_tree_plain(MPI_Comm comm, mpi_tree *tree);

/* By the nodes that there are. An error is the same on every rank; the tree is plain then, and
 * the nodes are not known. */
scope_status mpi_tree_build(MPI_Comm comm, mpi_tree *tree);

/* By any key of 128 bits that the ranks of a node share. */
scope_status mpi_tree_build_of(MPI_Comm comm, const uint64_t key[2], mpi_tree *tree);

#endif
