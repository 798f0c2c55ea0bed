/* waits_collective.c - who waited in a collective call; see waits.h.
 *
 * Its calls are sorted as they came. One that returned before the last came did not need it
 * (an MPI_Alltoallv without data for it): it waited for the last that came before its end.
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

static scope_status wait_for(wait_hunt *hunt, const wait_op *waiter, const wait_op *late,
                             scope_wait_kind kind)
{
    if (!late || late == waiter)
        return SCOPE_OK;
    return wait_add(hunt, waiter, late, late->row, late->time_ns, kind);
}

static scope_status all_to_all(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i + 1 < count && status == SCOPE_OK; i++)
        status =
            wait_for(hunt, &ops[i], latest_for(hunt, &ops[i], ops, count), SCOPE_WAIT_ALL_TO_ALL);
    return status;
}

static scope_status one_to_all(wait_hunt *hunt, const wait_op *ops, size_t count,
                               const wait_op *root)
{
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        if (latest_for(hunt, &ops[i], root, 1))
            status = wait_for(hunt, &ops[i], root, SCOPE_WAIT_ONE_TO_ALL);
    return status;
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

static scope_status prefix(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    placed *order = malloc(count * sizeof *order);
    scope_status status = order ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t i = 0; order && i < count; i++)
        order[i] = (placed){hunt->calls->communicators[ops[i].detail].rank_in, &ops[i]};
    if (order)
        qsort(order, count, sizeof *order, by_place);
    const wait_op *last = NULL; /* of those before */
    for (size_t i = 0; i < count && status == SCOPE_OK; i++) {
        if (last && latest_for(hunt, order[i].op, last, 1))
            status = wait_for(hunt, order[i].op, last, SCOPE_WAIT_PREFIX);
        if (!last || order[i].op->time_ns > last->time_ns)
            last = order[i].op;
    }
    free(order);
    return status;
}

/* The same function, the same root, no rank twice. */
static int belong_together(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    hunt->seen_count++;
    for (size_t i = 0; i < count; i++) {
        const uint32_t block = wait_op_block(hunt, &ops[i]);
        if (hunt->seen[block] == hunt->seen_count ||
            wait_call(hunt, &ops[i]) != wait_call(hunt, ops) || ops[i].late_row != ops[0].late_row)
            return 0;
        hunt->seen[block] = hunt->seen_count;
    }
    return 1;
}

/* Nobody can leave before all have come. */
static int needs_all(const wait_hunt *hunt, const wait_op *op)
{
    const char *name = wait_call(hunt, op)->name;
    const int64_t *bytes = hunt->calls->mpi_bytes;
    if (strcmp(name, "MPI_Barrier") == 0)
        return 1;
    return bytes && bytes[op->row] > 0 &&
           (strcmp(name, "MPI_Allreduce") == 0 || strcmp(name, "MPI_Allgather") == 0 ||
            strcmp(name, "MPI_Alltoall") == 0);
}

/* Somebody had left before the last came. A rank numbers its calls from where its recording
 * begins: begun elsewhere than the others', it is at another number. */
static int is_impossible(const wait_hunt *hunt, const wait_op *ops, size_t count)
{
    const wait_op *last = &ops[count - 1];
    for (size_t i = 0; i < count && needs_all(hunt, &ops[i]); i++)
        if (wait_is_behind(last->time_ns, wait_end(hunt, ops[i].row),
                           wait_bound(hunt, wait_op_block(hunt, &ops[i]),
                                      wait_op_block(hunt, last))))
            return 1;
    return 0;
}

static const wait_op *root_of(const wait_hunt *hunt, const wait_op *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((uint64_t)hunt->blocks[wait_op_block(hunt, &ops[i])].rank == ops[i].late_row)
            return &ops[i];
    return NULL;
}

scope_status wait_match_collective(wait_hunt *hunt, const wait_op *ops, size_t count)
{
    const scope_mpi_call *call = wait_call(hunt, ops);
    const scope_joined_communicator *on = &hunt->joined.rows[hunt->joined.of_row[ops->detail]];
    const int32_t side = hunt->calls->communicators[ops->detail].size;
    int64_t *unmatched = hunt->to->unmatched_collective;
    const int is_rooted =
        call->class == SCOPE_MPI_ONE_TO_ALL || call->class == SCOPE_MPI_ALL_TO_ONE;
    const wait_op *root = root_of(hunt, ops, count);
    if (side >= 0 && on->count > (size_t)side) { /* there is another side */
        unmatched[SCOPE_UNMATCHED_GROUPS] += (int64_t)count;
        return SCOPE_OK;
    }
    if (!belong_together(hunt, ops, count) || (is_rooted && ops->late_row == UINT64_MAX)) {
        unmatched[SCOPE_UNMATCHED_OTHER] += (int64_t)count;
        return SCOPE_OK;
    }
    if ((is_rooted && !root) ||
        (call->class != SCOPE_MPI_ONE_TO_ALL && (int64_t)count != on->size)) {
        unmatched[SCOPE_UNMATCHED_MISSING] += (int64_t)count;
        return SCOPE_OK;
    }
    if (call->blocks && is_impossible(hunt, ops, count)) {
        unmatched[SCOPE_UNMATCHED_ORDER] += (int64_t)count;
        return SCOPE_OK;
    }
    if (!call->blocks) {
        hunt->to->nonblocking_count += (int64_t)count;
        return SCOPE_OK;
    }
    switch (call->class) {
    case SCOPE_MPI_ALL_TO_ALL:
        return all_to_all(hunt, ops, count);
    case SCOPE_MPI_ONE_TO_ALL:
        return one_to_all(hunt, ops, count, root);
    case SCOPE_MPI_ALL_TO_ONE:
        return wait_for(hunt, root, latest_for(hunt, root, ops, count), SCOPE_WAIT_ALL_TO_ONE);
    case SCOPE_MPI_PREFIX:
        return prefix(hunt, ops, count);
    default:
        return SCOPE_OK;
    }
}
