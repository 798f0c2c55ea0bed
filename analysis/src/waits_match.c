/* waits_match.c - partners, and how long who came first waited; see waits.h.
 *
 * Operations are put together by key, in place, and each group is sorted: sends in the order in
 * which they were begun, receives as they were posted, a collective's calls as they came.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

/* starts: where each key's operations begin, `keys + 1` long. */
static scope_status group(wait_hunt *hunt, uint64_t *starts)
{
    const size_t keys = hunt->keys.count;
    uint64_t *next = malloc((keys + 1) * sizeof *next);
    if (!next)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < hunt->op_count; i++)
        starts[hunt->ops[i].key + 1]++;
    for (size_t k = 0; k < keys; k++)
        starts[k + 1] += starts[k];
    memcpy(next, starts, keys * sizeof *next);
    for (size_t k = 0; k < keys; k++)
        while (next[k] < starts[k + 1]) {
            wait_op *here = &hunt->ops[next[k]];
            if (here->key == k) {
                next[k]++;
                continue;
            }
            wait_op *there = &hunt->ops[next[here->key]++];
            const wait_op moved = *here;
            *here = *there;
            *there = moved;
        }
    free(next);
    return SCOPE_OK;
}

int wait_by_order(const void *a, const void *b)
{
    const wait_op *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->detail < y->detail ? -1 : x->detail > y->detail;
}

static void sort_group(wait_op *ops, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (wait_by_order(&ops[i - 1], &ops[i]) > 0) {
            qsort(ops, count, sizeof *ops, wait_by_order);
            return;
        }
}

/* ---- waits ---- */

int64_t wait_bound(const wait_hunt *hunt, uint32_t one, uint32_t other)
{
    const wait_block *x = &hunt->blocks[one], *y = &hunt->blocks[other];
    int64_t sum;
    if (one == other || (x->host != WAIT_NONE && x->host == y->host))
        return 0;
    if (x->bound_ns < 0 || y->bound_ns < 0 ||
        __builtin_add_overflow(x->bound_ns, y->bound_ns, &sum))
        return -1;
    return sum;
}

int wait_is_behind(int64_t time_ns, int64_t end_ns, int64_t bound_ns)
{
    int64_t latest;
    return bound_ns >= 0 && !__builtin_add_overflow(end_ns, bound_ns, &latest) && time_ns > latest;
}

scope_status wait_add(wait_hunt *hunt, const wait_op *op, const wait_op *late, uint64_t late_row,
                      int64_t until_ns, scope_wait_kind kind)
{
    const scope_calls *calls = hunt->calls;
    const int64_t start = calls->start_ns[op->row], end = wait_end(hunt, op->row);
    const int64_t until = until_ns < end ? until_ns : end;
    if (until <= start && !wait_is_any(wait_call(hunt, op)))
        return SCOPE_OK;
    scope_wait *waits =
        wait_with_room(hunt->waits, hunt->wait_count, &hunt->wait_room, sizeof *waits);
    if (!waits)
        return SCOPE_ERR_MEMORY;
    hunt->waits = waits;
    const uint32_t rank = wait_op_block(hunt, op), late_rank = wait_op_block(hunt, late);
    hunt->waits[hunt->wait_count++] =
        (scope_wait){.row = op->row,
                     .late_row = late_row,
                     .ns = until > start ? (int64_t)((uint64_t)until - (uint64_t)start) : 0,
                     .bound_ns = wait_bound(hunt, rank, late_rank),
                     .rank = (int32_t)rank,
                     .late_rank = (int32_t)late_rank,
                     .call = calls->pairs[op->pair].region,
                     .region = SCOPE_WAIT_NO_REGION,
                     .kind = kind};
    return SCOPE_OK;
}

scope_status wait_match(wait_hunt *hunt)
{
    const size_t keys = hunt->keys.count;
    uint64_t *starts = calloc(keys + 2, sizeof *starts);
    scope_status status = starts ? group(hunt, starts) : SCOPE_ERR_MEMORY;
    for (size_t k = 0; k < keys && status == SCOPE_OK; k++) {
        wait_op *ops = hunt->ops + starts[k];
        const size_t count = (size_t)(starts[k + 1] - starts[k]);
        sort_group(ops, count);
        status = ops[0].kind >= OP_COLLECTIVE
                     ? wait_match_collective(hunt, ops, count)
                     : wait_match_messages(hunt, &hunt->keys.keys[k], ops, count);
    }
    free(starts);
    return status;
}
