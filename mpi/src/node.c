/* node.c - the ranks of a node as a communicator.
 *
 * SPDX-License-Identifier: MIT
 */
#include "node.h"

#include <stdlib.h>

#include "gather.h"

enum { TAG_RANKS = 51, TAG_COMM };

typedef struct ranks {
    int *list;
    int count; /* -1: somebody below failed */
} ranks;

static bool send_ranks(const mpi_tree *tree, const ranks *from, int to)
{
    return PMPI(Send)(&from->count, 1, MPI_INT, to, TAG_RANKS, tree->comm) == MPI_SUCCESS &&
           (from->count < 0 ||
            PMPI(Send)(from->list, from->count, MPI_INT, to, TAG_RANKS, tree->comm) == MPI_SUCCESS);
}

/* Behind those that are there. */
static void receive_ranks(const mpi_tree *tree, ranks *to, int from)
{
    int more = 0;
    if (PMPI(Recv)(&more, 1, MPI_INT, from, TAG_RANKS, tree->comm, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS ||
        more < 0) {
        to->count = -1;
        return;
    }
    const int have = to->count < 0 ? 0 : to->count;
    int *grown = realloc(to->list, (size_t)(have + more + 1) * sizeof *grown);
    int unwanted;
    if (grown)
        to->list = grown;
    const bool came =
        PMPI(Recv)(grown ? grown + have : &unwanted, grown ? more : 1, MPI_INT, from, TAG_RANKS,
                   tree->comm, MPI_STATUS_IGNORE) == MPI_SUCCESS; /* else cut off */
    to->count = !came || !grown || to->count < 0 ? -1 : have + more;
}

/* All of my node, to its leader and back. */
static ranks ranks_of_node(const mpi_tree *tree)
{
    const mpi_links *links = &tree->within;
    ranks all = {malloc(sizeof *all.list), 1};
    bool sent = true;
    if (all.list)
        all.list[0] = tree->rank;
    else
        all.count = -1;
    for (int i = 0; i < links->child_count; i++)
        receive_ranks(tree, &all, links->children[i]);
    if (links->parent >= 0) {
        sent = send_ranks(tree, &all, links->parent);
        all.count = 0;
        receive_ranks(tree, &all, links->parent);
    }
    for (int i = links->child_count - 1; i >= 0; i--)
        sent = send_ranks(tree, &all, links->children[i]) && sent;
    if (!sent)
        all.count = -1;
    return all;
}

scope_status mpi_node_comm(const mpi_tree *tree, MPI_Comm *node)
{
    MPI_Group world, group;
    ranks all = {NULL, 0};
    int mine = tree->rank;
    if (tree->node_count)
        all = ranks_of_node(tree);
    else
        all = (ranks){&mine, 1};
    const scope_status status = mpi_agree(tree->comm, all.count > 0 ? SCOPE_OK : SCOPE_ERR_MEMORY);
    bool made = false;
    if (status == SCOPE_OK && PMPI(Comm_group)(tree->comm, &world) == MPI_SUCCESS) {
        if (PMPI(Group_incl)(world, all.count, all.list, &group) == MPI_SUCCESS) {
            made = PMPI(Comm_create_group)(tree->comm, group, TAG_COMM, node) == MPI_SUCCESS;
            PMPI(Group_free)(&group);
        }
        PMPI(Group_free)(&world);
    }
    if (all.list != &mine)
        free(all.list);
    return status == SCOPE_OK ? mpi_agree(tree->comm, made ? SCOPE_OK : SCOPE_ERR_RANK) : status;
}
