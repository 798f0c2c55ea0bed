/* waits_collective.c - who waited in a collective call; see waits.h.
 *
 * Its calls are sorted as they came. One that returned before the last came did not need it
 * (an MPI_Alltoallv without data for it): it waited for the last that came before its end.
 * Where the calls only begin it, those wait that complete it; a rank's call says then when the
 * rank came, and for whom it waits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

#include <scope/event.h>

/* NULL: for none. `ops` are sorted by time. */
static const wait_op *latest_for(const wait_hunt *hunt, const wait_op *waiter, const wait_op *ops,
                                 size_t count)
{
    const int64_t end = wait_end(hunt, waiter->row);
    const wait_op *last = &ops[count - 1];
    const int64_t bound = wait_bound(hunt, wait_op_block(hunt, waiter), wait_op_block(hunt, last));
    if (!wait_is_behind(last->time_ns, end, bound))
        return last;
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ops[middle].time_ns <= end)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &ops[low - 1] : NULL;
}

typedef struct collective {
    const wait_op *ops; /* sorted by time */
    size_t count;
    const wait_op *completions; /* of calls that only begin it */
    size_t completion_count;
    scope_mpi_class class;
    const wait_op *root;    /* NULL: not here */
    const wait_op **lowers; /* of a prefix: for each the latest of the lower ranks; NULL: none */
} collective;

/* `waiter` is the rank's own call, or completes what that began. */
static scope_status wait_for(wait_hunt *hunt, const wait_op *waiter, const wait_op *own,
                             const wait_op *late, scope_wait_kind kind)
{
    if (!late || late == own)
        return SCOPE_OK;
    return wait_add(hunt, waiter, late, late->row, late->time_ns, kind);
}

static scope_status wait_in(wait_hunt *hunt, const collective *all, const wait_op *waiter,
                            const wait_op *own)
{
    const wait_op *one = all->root;
    switch (all->class) {
    case SCOPE_MPI_ALL_TO_ALL:
        return wait_for(hunt, waiter, own, latest_for(hunt, waiter, all->ops, all->count),
                        SCOPE_WAIT_ALL_TO_ALL);
    case SCOPE_MPI_ONE_TO_ALL:
        return wait_for(hunt, waiter, own, latest_for(hunt, waiter, one, 1), SCOPE_WAIT_ONE_TO_ALL);
    case SCOPE_MPI_ALL_TO_ONE:
        if (own != one)
            return SCOPE_OK;
        return wait_for(hunt, waiter, own, latest_for(hunt, waiter, all->ops, all->count),
                        SCOPE_WAIT_ALL_TO_ONE);
    case SCOPE_MPI_PREFIX:
        one = all->lowers[own - all->ops];
        return wait_for(hunt, waiter, own, one ? latest_for(hunt, waiter, one, 1) : NULL,
                        SCOPE_WAIT_PREFIX);
    default:
        return SCOPE_OK;
    }
}

typedef struct placed {
    int32_t place; /* rank in the communicator */
    const wait_op *op;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static scope_status find_lowers(const wait_hunt *hunt, collective *all)
{
    placed *order = malloc(all->count * sizeof *order);
    all->lowers = malloc(all->count * sizeof *all->lowers);
    if (!order || !all->lowers) {
        free(order);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < all->count; i++)
        order[i] = (placed){hunt->calls->communicators[all->ops[i].detail].rank_in, &all->ops[i]};
    qsort(order, all->count, sizeof *order, by_place);
    const wait_op *last = NULL; /* of those before */
    for (size_t i = 0; i < all->count; i++) {
        all->lowers[order[i].op - all->ops] = last;
        if (!last || order[i].op->time_ns > last->time_ns)
            last = order[i].op;
    }
    free(order);
    return SCOPE_OK;
}

static int are_alike(const scope_mpi_call *a, const scope_mpi_call *b)
{
    return a == b || (a->class == SCOPE_MPI_START && b->class == SCOPE_MPI_START);
}

/* The same function, the same root, no rank twice. */
static int belong_together(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    hunt->seen_count++;
    for (size_t i = 0; i < count; i++) {
        const uint32_t block = wait_op_block(hunt, &ops[i]);
        if (hunt->seen[block] == hunt->seen_count ||
            !are_alike(wait_call(hunt, &ops[i]), wait_call(hunt, ops)) ||
            ops[i].late_row != ops[0].late_row)
            return 0;
        hunt->seen[block] = hunt->seen_count;
        hunt->seen_at[block] = (uint32_t)i;
    }
    return 1;
}

/* The call with which this one's rank came; NULL: it is not here. */
static const wait_op *own_of(const wait_hunt *hunt, const collective *all, const wait_op *op)
{
    const uint32_t block = wait_op_block(hunt, op);
    return hunt->seen[block] == hunt->seen_count ? &all->ops[hunt->seen_at[block]] : NULL;
}

/* Nobody can leave before all have come. */
static int needs_all(const wait_hunt *hunt, const wait_op *op)
{
    static const char *const names[] = {"MPI_Allreduce",  "MPI_Allgather",  "MPI_Alltoall",
                                        "MPI_Iallreduce", "MPI_Iallgather", "MPI_Ialltoall"};
    const char *name = wait_call(hunt, op)->name;
    const int64_t *bytes = hunt->calls->mpi_bytes;
    int is_named = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_named |= strcmp(name, names[i]) == 0;
    return strcmp(name, "MPI_Barrier") == 0 || strcmp(name, "MPI_Ibarrier") == 0 ||
           (is_named && bytes && bytes[op->row] > 0);
}

/* Somebody had left before the last came. A rank numbers its calls from where its recording
 * begins: begun elsewhere than the others', it is at another number. */
static int is_impossible(const wait_hunt *hunt, const collective *all)
{
    const int blocks = wait_call(hunt, all->ops)->blocks;
    const wait_op *left = blocks ? all->ops : all->completions;
    const size_t count = blocks ? all->count : all->completion_count;
    const wait_op *last = &all->ops[all->count - 1];
    for (size_t i = 0; i < count; i++) {
        const wait_op *own = blocks ? &left[i] : own_of(hunt, all, &left[i]);
        if (own && needs_all(hunt, own) &&
            wait_is_behind(
                last->time_ns, wait_end(hunt, left[i].row),
                wait_bound(hunt, wait_op_block(hunt, &left[i]), wait_op_block(hunt, last))))
            return 1;
    }
    return 0;
}

static const wait_op *root_of(const wait_hunt *hunt, const wait_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((uint64_t)hunt->blocks[wait_op_block(hunt, &ops[i])].rank == ops[i].late_row)
            return &ops[i];
    return NULL;
}

/* Of persistent ones only the completions say it: that of the call is START where they do not. */
static scope_mpi_class class_of(const wait_hunt *hunt, const collective *all)
{
    const scope_mpi_class class = wait_call(hunt, all->ops)->class;
    if (class != SCOPE_MPI_START || !all->completion_count)
        return class;
    for (size_t i = 1; i < all->completion_count; i++)
        if (all->completions[i].late_row != all->completions[0].late_row)
            return class;
    switch (all->completions[0].late_row) {
    case SCOPE_COLLECTIVE_ALL_TO_ALL:
        return SCOPE_MPI_ALL_TO_ALL;
    case SCOPE_COLLECTIVE_ONE_TO_ALL:
        return SCOPE_MPI_ONE_TO_ALL;
    case SCOPE_COLLECTIVE_ALL_TO_ONE:
        return SCOPE_MPI_ALL_TO_ONE;
    case SCOPE_COLLECTIVE_PREFIX:
        return SCOPE_MPI_PREFIX;
    default:
        return class;
    }
}

static scope_status add_waits(wait_hunt *hunt, const collective *all)
{
    scope_status status = SCOPE_OK;
    if (wait_call(hunt, all->ops)->blocks) {
        for (size_t i = 0; i < all->count && status == SCOPE_OK; i++)
            status = wait_in(hunt, all, &all->ops[i], &all->ops[i]);
        return status;
    }
    int64_t completed = 0;
    for (size_t i = 0; i < all->completion_count && status == SCOPE_OK; i++) {
        const wait_op *waiter = &all->completions[i], *own = own_of(hunt, all, waiter);
        completed += own != NULL;
        if (own && wait_call(hunt, waiter)->blocks)
            status = wait_in(hunt, all, waiter, own);
    }
    if (completed < (int64_t)all->count)
        hunt->to->nonblocking_count += (int64_t)all->count - completed;
    return status;
}

scope_status wait_match_collective(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    collective all = {.ops = ops};
    while (all.count < count && ops[all.count].kind == OP_COLLECTIVE)
        all.count++;
    all.completions = ops + all.count;
    all.completion_count = count - all.count;
    if (!all.count)
        return SCOPE_OK;
    const scope_joined_communicator *on = &hunt->joined.rows[hunt->joined.of_row[ops->detail]];
    const int32_t side = hunt->calls->communicators[ops->detail].size;
    int64_t *unmatched = hunt->to->unmatched_collective;
    all.class = class_of(hunt, &all);
    const int is_rooted = all.class == SCOPE_MPI_ONE_TO_ALL || all.class == SCOPE_MPI_ALL_TO_ONE;
    all.root = root_of(hunt, ops, all.count);
    if (side >= 0 && on->count > (size_t)side) { /* there is another side */
        unmatched[SCOPE_UNMATCHED_GROUPS] += (int64_t)all.count;
        return SCOPE_OK;
    }
    if (!belong_together(hunt, ops, all.count) || (is_rooted && ops->late_row == UINT64_MAX)) {
        unmatched[SCOPE_UNMATCHED_OTHER] += (int64_t)all.count;
        return SCOPE_OK;
    }
    if ((is_rooted && !all.root) ||
        (all.class != SCOPE_MPI_ONE_TO_ALL && (int64_t)all.count != on->size)) {
        unmatched[SCOPE_UNMATCHED_MISSING] += (int64_t)all.count;
        return SCOPE_OK;
    }
    if (is_impossible(hunt, &all)) {
        unmatched[SCOPE_UNMATCHED_ORDER] += (int64_t)all.count;
        return SCOPE_OK;
    }
    scope_status status = SCOPE_OK;
    if (all.class == SCOPE_MPI_PREFIX)
        status = find_lowers(hunt, &all);
    if (status == SCOPE_OK)
        status = add_waits(hunt, &all);
    free(all.lowers);
    return status;
}
