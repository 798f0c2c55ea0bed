/* unify.c - one numbering for all ranks' names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "unify.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gather.h"
#include "names.h"

/* 1: all ranks have the same names in the same order; 0: not; negative: failed. *known_count: of
 * names that have a number already, from rank 0. */
static int all_agree(MPI_Comm comm, const mpi_names *names, scope_status mine, int64_t *known_count)
{
    uint64_t hash[2] = {0, 0};
    if (mine == SCOPE_OK)
        mpi_names_hash(names, hash);
    const int64_t values[3] = {(int64_t)hash[0], (int64_t)hash[1],
                               mine == SCOPE_OK ? (int64_t)mpi_names_count(names) : -1};
    int64_t both[7], most[7];
    for (int i = 0; i < 3; i++) {
        both[i] = values[i];
        both[3 + i] = ~values[i]; /* the greatest of these is the least value, inverted */
    }
    both[6] = *known_count;
    if (PMPI(Allreduce)(both, most, 7, MPI_INT64_T, MPI_MAX, comm) != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    *known_count = most[6];
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

/* places[i]: where string i of the table is now. */
static scope_status add_all(mpi_names *names, const scope_strings *table, uint32_t *places)
{
    uint64_t start = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (!mpi_names_add(names, table->bytes + start, table->ends[i] - start, &places[i]))
            return SCOPE_ERR_MEMORY;
        start = table->ends[i];
    }
    return SCOPE_OK;
}

static scope_status merge_child(mpi_names *names, const scope_strings *table, child_map *child)
{
    child->count = table->count;
    child->places = malloc((table->count + 1) * sizeof *child->places);
    return child->places ? add_all(names, table, child->places) : SCOPE_ERR_MEMORY;
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
        status = mpi_worse(status, got);
        mpi_table_free(&table);
    }
    if (links->parent < 0)
        return status;
    const scope_strings table = mpi_names_strings(names);
    return mpi_worse(status, mpi_table_send(tree->comm, &table, status, links->parent));
}

/* Rank 0: the names that came up behind those that have a number. */
static scope_status number_all(const scope_strings *known, const mpi_names *came, mpi_names *all,
                               uint32_t *numbers)
{
    const scope_strings table = mpi_names_strings(came);
    uint32_t *places = malloc((known->count + 1) * sizeof *places);
    scope_status status = places ? add_all(all, known, places) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK)
        status = add_all(all, &table, numbers);
    free(places);
    return status;
}

/* Numbers down the tree: numbers[place] of the names here, from the parent. */
static scope_status numbers_down(const mpi_tree *tree, uint32_t *numbers, size_t count,
                                 child_map *children)
{
    const mpi_links *links = &tree->ordered;
    scope_status status = SCOPE_OK;
    if (links->parent >= 0)
        status = mpi_receive_pieces(tree->comm, numbers, count * sizeof *numbers, links->parent);
    for (int c = links->child_count - 1; c >= 0; c--) { /* the largest subtree first */
        child_map *child = &children[c];
        for (size_t i = 0; i < child->count; i++)
            child->places[i] = numbers[child->places[i]];
        status = mpi_worse(status, mpi_send_pieces(tree->comm, child->places,
                                                   child->count * sizeof *child->places,
                                                   links->children[c]));
    }
    return status;
}

/* numbers[place]: what the names here are for all. `agreed`: they are the same on every rank. */
static scope_status number_names(const mpi_tree *tree, bool agreed, int64_t known_count,
                                 mpi_names *names, mpi_names *numbered, const scope_strings *known,
                                 uint32_t **numbers)
{
    child_map children[MPI_LINKS_MAX] = {{0}};
    scope_status status = SCOPE_OK;
    if (!agreed)
        status = names_up(tree, names, SCOPE_OK, children);
    const size_t count = mpi_names_count(names);
    *numbers = malloc((count + 1) * sizeof **numbers);
    if (!*numbers)
        status = mpi_worse(status, SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK && tree->rank == 0)
        status = number_all(known, names, numbered, *numbers);
    status = mpi_agree(tree->comm, status);
    if (status == SCOPE_OK && !agreed)
        status = numbers_down(tree, *numbers, count, children);
    else if (status == SCOPE_OK && known_count) /* the same for all, but only rank 0 knows them */
        status = mpi_broadcast(tree->comm, *numbers, count * sizeof **numbers);
    else if (status == SCOPE_OK)
        for (size_t i = 0; i < count; i++)
            (*numbers)[i] = (uint32_t)i;
    for (int i = 0; i < MPI_LINKS_MAX; i++)
        free(children[i].places);
    return status;
}

scope_status mpi_unify(const mpi_tree *tree, const scope_strings *mine, scope_strings *all,
                       uint32_t *ids)
{
    const bool is_root = tree->rank == 0;
    uint32_t *numbers = NULL;
    mpi_names *names = mpi_names_new(), *numbered = is_root ? mpi_names_new() : NULL;
    /* ids[i] is first the place of my string i among my own names */
    scope_status status = names && (numbered || !is_root) ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK)
        status = add_all(names, mine, ids);
    int64_t known_count = is_root ? (int64_t)all->count : 0;
    const int agreed = all_agree(tree->comm, names, status, &known_count);
    status = mpi_agree(tree->comm, agreed < 0 ? mpi_worse(status, (scope_status)agreed) : status);
    if (status == SCOPE_OK)
        status = number_names(tree, agreed, known_count, names, numbered, all, &numbers);
    for (size_t i = 0; i < mine->count && status == SCOPE_OK; i++)
        ids[i] = numbers[ids[i]];

    uint64_t total = status == SCOPE_OK && is_root ? mpi_names_count(numbered) : 0;
    if (PMPI(Bcast)(&total, 1, MPI_UINT64_T, 0, tree->comm) != MPI_SUCCESS)
        status = mpi_worse(status, SCOPE_ERR_RANK);
    status = mpi_agree(tree->comm, status);
    if (status == SCOPE_OK && is_root) {
        mpi_table_free(all);
        *all = mpi_names_take(numbered);
    } else if (status == SCOPE_OK) {
        all->count = total;
    }
    free(numbers);
    mpi_names_free(numbered);
    mpi_names_free(names);
    return status;
}
