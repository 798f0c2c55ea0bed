/* world.c - the ranks of MPI_COMM_WORLD as a scope_world.
 *
 * SPDX-License-Identifier: MIT
 */
#include "world.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "node.h"
#include "relay.h"
#include "unify.h"

#if defined(SCOPE_MPI_FAMILY_OMPI)
#define FAMILY "ompi"
#elif defined(SCOPE_MPI_FAMILY_ABI)
#define FAMILY "abi"
#else
#define FAMILY "mpich"
#endif

enum { TAG_SUM_UP = 31, TAG_SUM_DOWN };

static const mpi_tree *tree_of(const scope_world *world)
{
    return world->state;
}

static MPI_Comm comm_of(const scope_world *world)
{
    return tree_of(world)->comm;
}

static scope_status worst(scope_world *world, scope_status mine)
{
    return mpi_agree(comm_of(world), mine);
}

/* ---- sums: up and down a binomial tree of the ranks, in rank order ---- */

#define SUMS_AT_ONCE 64
#define CHILDREN_MAX 32 /* a rank is an int: no tree is deeper */

typedef struct sum_message {
    int64_t failed; /* ranks that could not */
    int64_t before[SUMS_AT_ONCE], total[SUMS_AT_ONCE];
} sum_message;

static void add(int64_t *to, const int64_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++) /* wraps: a damaged spool may have any counts */
        to[i] = (int64_t)((uint64_t)to[i] + (uint64_t)more[i]);
}

static scope_status some_sums(const mpi_tree *tree, const int64_t *mine, int64_t *before,
                              int64_t *total, size_t count)
{
    int64_t lower[CHILDREN_MAX][SUMS_AT_ONCE]; /* of me and my children below this one */
    sum_message sum = {0}, theirs = {0};
    int64_t step = 1;
    int child_count = 0, failed = 0;
    memcpy(sum.total, mine, count * sizeof *mine);
    for (; step < tree->size && !(tree->rank & step); step <<= 1) {
        if (tree->rank + step >= tree->size)
            continue;
        memcpy(lower[child_count++], sum.total, count * sizeof *mine);
        failed |= PMPI(Recv)(&theirs, sizeof theirs, MPI_BYTE, (int)(tree->rank + step), TAG_SUM_UP,
                             tree->comm, MPI_STATUS_IGNORE) != MPI_SUCCESS;
        add(sum.total, theirs.total, count);
        sum.failed += theirs.failed;
    }
    sum.failed += failed;
    if (tree->rank) {
        const int parent = (int)(tree->rank - step);
        failed |= PMPI(Send)(&sum, sizeof sum, MPI_BYTE, parent, TAG_SUM_UP, tree->comm) ||
                  PMPI(Recv)(&sum, sizeof sum, MPI_BYTE, parent, TAG_SUM_DOWN, tree->comm,
                             MPI_STATUS_IGNORE);
    }
    memcpy(before, sum.before, count * sizeof *before);
    memcpy(total, sum.total, count * sizeof *total);
    while ((step >>= 1) > 0) {
        if (tree->rank + step >= tree->size)
            continue;
        memcpy(sum.before, before, count * sizeof *before);
        add(sum.before, lower[--child_count], count);
        sum.failed += failed;
        PMPI(Send)(&sum, sizeof sum, MPI_BYTE, (int)(tree->rank + step), TAG_SUM_DOWN, tree->comm);
    }
    return failed || sum.failed ? SCOPE_ERR_RANK : SCOPE_OK;
}

static scope_status sums(scope_world *world, const int64_t *mine, int64_t *before, int64_t *total,
                         size_t count)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < count; at += SUMS_AT_ONCE) {
        const size_t left = count - at, now = left < SUMS_AT_ONCE ? left : SUMS_AT_ONCE;
        const scope_status got = some_sums(tree_of(world), mine + at, before + at, total + at, now);
        status = got != SCOPE_OK ? got : status;
    }
    return mpi_agree(comm_of(world), status);
}

static scope_status most(scope_world *world, const int64_t *mine, int64_t *all, size_t count)
{
    scope_status status = SCOPE_OK;
    if (count > INT_MAX || (count && PMPI(Allreduce)(mine, all, (int)count, MPI_INT64_T, MPI_MAX,
                                                     comm_of(world)) != MPI_SUCCESS))
        status = SCOPE_ERR_RANK;
    return mpi_agree(comm_of(world), status);
}

static scope_status broadcast(scope_world *world, void *bytes, size_t length_bytes)
{
    return mpi_broadcast(comm_of(world), bytes, length_bytes);
}

static scope_status gather(scope_world *world, const void *mine, size_t length_bytes, void **all,
                           uint64_t *ends)
{
    return mpi_gather(tree_of(world), mine, length_bytes, all, ends);
}

static scope_status unify(scope_world *world, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids)
{
    return mpi_unify(tree_of(world), mine, all, ids);
}

static scope_status relay(scope_world *world, const void *mine, size_t length_bytes,
                          scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                               size_t length_bytes),
                          void *context)
{
    return mpi_relay(tree_of(world), mine, length_bytes, take, context);
}

/* ---- the ranks of a node ---- */

typedef struct node_world {
    scope_world world; /* first: what the caller sees */
    mpi_tree tree;
} node_world;

static scope_status open_node(scope_world *world, scope_world **node)
{
    const mpi_tree *all = tree_of(world);
    node_world *made = calloc(1, sizeof *made);
    MPI_Comm comm;
    scope_status status = mpi_agree(all->comm, made ? SCOPE_OK : SCOPE_ERR_MEMORY);
    if (status == SCOPE_OK)
        status = mpi_node_comm(all, &comm);
    if (status != SCOPE_OK) {
        free(made);
        return status;
    }
    PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    mpi_tree_plain(comm, &made->tree);
    made->world = *world;
    made->world.state = &made->tree;
    made->world.mpi_comm = &made->tree.comm;
    made->world.rank = made->world.node_rank = made->tree.rank;
    made->world.size = made->tree.size;
    made->world.node = 0;
    made->world.node_count = 1;
    *node = &made->world;
    return SCOPE_OK;
}

static void close_node(scope_world *world, scope_world *node)
{
    node_world *made = (node_world *)node;
    (void)world;
    PMPI(Comm_free)(&made->tree.comm);
    free(made);
}

void mpi_world_open(scope_world *world, mpi_tree *tree, const mpi_clock *start,
                    const mpi_clock *end)
{
    mpi_clock_line line;
    mpi_clock_combine(tree, start, end, &line);
    *world = (scope_world){
        .size_bytes = sizeof *world,
        .rank = tree->rank,
        .size = tree->size,
        .state = tree,
        .clock_offset_ns = line.offset_ns,
        .clock_bound_ns = line.bound_ns,
        .clock_at_ns = line.at_ns,
        .clock_drift = line.drift,
        .worst = worst,
        .sums = sums,
        .broadcast = broadcast,
        .gather = gather,
        .unify = unify,
        .relay = relay,
        .most = most,
        .clock_since_ns = line.since_ns,
        .clock_drift_bound = line.drift_bound,
        .node = tree->node,
        .node_count = tree->node_count,
        .node_rank = tree->index,
        .open_node = open_node,
        .close_node = close_node,
        .mpi_family = FAMILY,
        .mpi_comm = &tree->comm,
    };
}
