/* unify.c - one numbering for all ranks' names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "unify.h"

#include <stdlib.h>

#include "gather.h"
#include "names.h"

static scope_status worse(scope_status a, scope_status b)
{
    return a < b ? a : b;
}

/* 1: all ranks have the same names in the same order; 0: not; negative: failed. */
static int all_agree(MPI_Comm comm, const mpi_names *names, scope_status mine)
{
    uint64_t hash[2] = {0, 0};
    if (mine == SCOPE_OK)
        mpi_names_hash(names, hash);
    const int64_t values[3] = {(int64_t)hash[0], (int64_t)hash[1],
                               mine == SCOPE_OK ? (int64_t)mpi_names_count(names) : -1};
    int64_t both[6], most[6];
    for (int i = 0; i < 3; i++) {
        both[i] = values[i];
        both[3 + i] = ~values[i]; /* the greatest of these is the least value, inverted */
    }
    if (PMPI(Allreduce)(both, most, 6, MPI_INT64_T, MPI_MAX, comm) != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    for (int i = 0; i < 3; i++)
        if (most[i] != ~most[3 + i])
            return 0;
    return values[2] >= 0 ? 1 : SCOPE_ERR_RANK;
}

/* What a rank took in from a child: the place here of each of its names. */
typedef struct child_map {
    size_t count;
    uint32_t *places;
} child_map;

static scope_status merge_child(mpi_names *names, const scope_strings *table, child_map *child)
{
    child->count = table->count;
    child->places = malloc((table->count + 1) * sizeof *child->places);
    if (!child->places)
        return SCOPE_ERR_MEMORY;
    uint64_t start = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (!mpi_names_add(names, table->bytes + start, table->ends[i] - start, &child->places[i]))
            return SCOPE_ERR_MEMORY;
        start = table->ends[i];
    }
    return SCOPE_OK;
}

/* Names up the tree; each rank keeps what its children's names became here. */
static scope_status names_up(const mpi_tree *tree, mpi_names *names, scope_status status,
                             child_map *children)
{
    const mpi_links *links = &tree->ordered;
    for (int i = 0; i < links->child_count; i++) {
        scope_strings table;
        scope_status got = mpi_table_receive(tree->comm, &table, links->children[i]);
        if (got == SCOPE_OK && status == SCOPE_OK)
            got = merge_child(names, &table, &children[i]);
        status = worse(status, got);
        mpi_table_free(&table);
    }
    if (links->parent < 0)
        return status;
    const scope_strings table = mpi_names_strings(names);
    return worse(status, mpi_table_send(tree->comm, &table, status, links->parent));
}

/* Numbers down the tree: numbers[place] of the names here, from the parent. */
static scope_status numbers_down(const mpi_tree *tree, uint32_t *numbers, size_t count,
                                 child_map *children)
{
    const mpi_links *links = &tree->ordered;
    scope_status status = SCOPE_OK;
    if (links->parent < 0)
        for (size_t i = 0; i < count; i++)
            numbers[i] = (uint32_t)i;
    else
        status = mpi_receive_pieces(tree->comm, numbers, count * sizeof *numbers, links->parent);
    for (int c = links->child_count - 1; c >= 0; c--) { /* the largest subtree first */
        child_map *child = &children[c];
        for (size_t i = 0; i < child->count; i++)
            child->places[i] = numbers[child->places[i]];
        status = worse(status,
                       mpi_send_pieces(tree->comm, child->places,
                                       child->count * sizeof *child->places, links->children[c]));
    }
    return status;
}

scope_status mpi_unify(const mpi_tree *tree, const scope_strings *mine, scope_strings *all,
                       uint32_t *ids)
{
    const MPI_Comm comm = tree->comm;
    child_map children[MPI_LINKS_MAX] = {{0}};
    *all = (scope_strings){0};
    uint32_t *numbers = NULL;

    /* ids[i] is first the place of my string i among my own names */
    mpi_names *names = mpi_names_new();
    scope_status status = names ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < mine->count && status == SCOPE_OK; i++) {
        const uint64_t start = i ? mine->ends[i - 1] : 0;
        if (!mpi_names_add(names, mine->bytes + start, mine->ends[i] - start, &ids[i]))
            status = SCOPE_ERR_MEMORY;
    }

    const int agreed = all_agree(comm, names, status);
    if (agreed < 0)
        status = worse(status, (scope_status)agreed);
    else if (!agreed) {
        status = names_up(tree, names, status, children);
        if (status == SCOPE_OK) {
            numbers = malloc((mpi_names_count(names) + 1) * sizeof *numbers);
            if (!numbers)
                status = SCOPE_ERR_MEMORY;
        }
        status = mpi_agree(comm, status);
        if (status == SCOPE_OK)
            status = numbers_down(tree, numbers, mpi_names_count(names), children);
        for (size_t i = 0; i < mine->count && status == SCOPE_OK; i++)
            ids[i] = numbers[ids[i]];
    }

    uint64_t total = status == SCOPE_OK && tree->rank == 0 ? mpi_names_count(names) : 0;
    if (PMPI(Bcast)(&total, 1, MPI_UINT64_T, 0, comm) != MPI_SUCCESS)
        status = worse(status, SCOPE_ERR_RANK);
    status = mpi_agree(comm, status);
    if (status == SCOPE_OK) {
        all->count = total;
        if (tree->rank == 0)
            *all = mpi_names_take(names);
    }
    for (int i = 0; i < MPI_LINKS_MAX; i++)
        free(children[i].places);
    free(numbers);
    mpi_names_free(names);
    return status;
}
