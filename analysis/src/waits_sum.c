/* waits_sum.c - waits by call, by region and by rank; see waits.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

#include <scope/wrap.h>

static void add(scope_wait_sum *to, const scope_wait *wait)
{
    to->count++;
    to->total_ns = wrap_add(to->total_ns, wait->ns);
    to->maximum_ns = wait->ns > to->maximum_ns ? wait->ns : to->maximum_ns;
    if (wait->bound_ns < 0) {
        to->unknown_count++;
        to->unknown_ns = wrap_add(to->unknown_ns, wait->ns);
    } else {
        to->bound_ns = wrap_add(to->bound_ns, wait->bound_ns);
    }
    if (wait->bound_ns >= wait->ns) {
        to->short_count++;
        to->short_ns = wrap_add(to->short_ns, wait->ns);
    }
}

static int by_call(const void *a, const void *b)
{
    const scope_wait *x = *(scope_wait *const *)a, *y = *(scope_wait *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int by_region(const void *a, const void *b)
{
    const scope_wait *x = *(scope_wait *const *)a, *y = *(scope_wait *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* Sort, and say how many different ones there are. */
static size_t sorted(const scope_wait **order, size_t count,
                     int (*compare)(const void *, const void *))
{
    size_t different = count > 0;
    if (count)
        qsort(order, count, sizeof *order, compare);
    for (size_t i = 1; i < count; i++)
        different += compare(&order[i - 1], &order[i]) != 0;
    return different;
}

static scope_status sum_calls(wait_hunt *hunt, const scope_wait **order)
{
    scope_waits *to = hunt->to;
    to->calls = calloc(sorted(order, hunt->wait_count, by_call) + 1, sizeof *to->calls);
    if (!to->calls)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < hunt->wait_count; i++) {
        if (!i || by_call(&order[i - 1], &order[i]) != 0)
            to->calls[to->call_count++] = (scope_wait_call_row){
                .rank = order[i]->rank, .call = order[i]->call, .kind = order[i]->kind};
        add(&to->calls[to->call_count - 1].sum, order[i]);
    }
    return SCOPE_OK;
}

static scope_status sum_regions(wait_hunt *hunt, const scope_wait **order)
{
    scope_waits *to = hunt->to;
    to->regions = calloc(sorted(order, hunt->wait_count, by_region) + 1, sizeof *to->regions);
    if (!to->regions)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < hunt->wait_count; i++) {
        if (!i || by_region(&order[i - 1], &order[i]) != 0)
            to->regions[to->region_count++] =
                (scope_wait_region_row){.rank = order[i]->rank, .region = order[i]->region};
        add(&to->regions[to->region_count - 1].sum, order[i]);
    }
    return SCOPE_OK;
}

/* Starting and ending MPI is no part of what a program does with it. */
static int is_around(const scope_mpi_call *call)
{
    static const char *const names[] = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize",
                                        "MPI_Session_init", "MPI_Session_finalize"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(call->name, names[i]) == 0)
            return 1;
    return 0;
}

static void sum_rank(const wait_hunt *hunt, const wait_block *block, scope_wait_rank_row *to)
{
    const scope_calls *calls = hunt->calls;
    int64_t start = INT64_MAX, end = INT64_MIN, around = 0;
    to->rank = block->rank;
    for (size_t p = block->first_pair; p < block->end_pair; p++) {
        const scope_pair *pair = &calls->pairs[p];
        const scope_mpi_call *call = hunt->mpi[pair->region];
        int64_t *sum = !call ? NULL : is_around(call) ? &around : &to->mpi_ns;
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            const int64_t its_end = wait_end(hunt, row);
            start = calls->start_ns[row] < start ? calls->start_ns[row] : start;
            end = its_end > end ? its_end : end;
            if (sum)
                *sum = wrap_add(*sum, its_end - calls->start_ns[row]);
        }
    }
    to->span_ns = end > start ? (int64_t)((uint64_t)end - (uint64_t)start - (uint64_t)around) : 0;
}

scope_status wait_sum(wait_hunt *hunt)
{
    scope_waits *to = hunt->to;
    const scope_wait **order = malloc((hunt->wait_count + 1) * sizeof *order);
    to->ranks = calloc(hunt->block_count + 1, sizeof *to->ranks);
    scope_status status = order && to->ranks ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK) {
        to->rank_count = hunt->block_count;
        for (size_t b = 0; b < hunt->block_count; b++)
            sum_rank(hunt, &hunt->blocks[b], &to->ranks[b]);
        for (size_t i = 0; i < hunt->wait_count; i++) {
            scope_wait *wait = &hunt->waits[i];
            order[i] = wait;
            add(&to->total, wait);
            add(&to->by_kind[wait->kind], wait);
            add(&to->ranks[wait->rank].waited, wait);
            add(&to->ranks[wait->late_rank].caused, wait);
            wait->rank = hunt->blocks[wait->rank].rank;
            wait->late_rank = hunt->blocks[wait->late_rank].rank;
        }
        status = sum_calls(hunt, order);
    }
    if (status == SCOPE_OK)
        status = sum_regions(hunt, order);
    free(order);
    return status;
}
