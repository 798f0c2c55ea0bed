/* waits.c - see waits.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

#include <scope/recording.h>

/* ---- names ---- */

const char *scope_wait_kind_name(int32_t kind)
{
    static const char *const names[] = {"late sender", "late receiver", "all to all",
                                        "one to all",  "all to one",    "prefix"};
    return kind >= 0 && kind < SCOPE_WAIT_KINDS ? names[kind] : "";
}

const char *scope_unmatched_name(int reason)
{
    static const char *const names[] = {"partner unknown",  "rank not recorded", "numbers differ",
                                        "order impossible", "ranks missing",     "calls differ",
                                        "between groups"};
    return reason >= 0 && reason < SCOPE_UNMATCHED_REASONS ? names[reason] : "";
}

int64_t scope_waits_unmatched(const scope_waits *waits)
{
    int64_t count = 0;
    for (int i = 0; i < SCOPE_UNMATCHED_REASONS; i++)
        count += waits->unmatched_sent[i] + waits->unmatched_received[i] +
                 waits->unmatched_collective[i];
    return count;
}

/* ---- ranks and calls ---- */

static int compare_blocks(const void *a, const void *b)
{
    const wait_block *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

uint32_t wait_block_of(const wait_hunt *hunt, int32_t rank)
{
    const wait_block wanted = {.rank = rank};
    const wait_block *found =
        bsearch(&wanted, hunt->blocks, hunt->block_count, sizeof wanted, compare_blocks);
    return found ? (uint32_t)(found - hunt->blocks) : WAIT_NONE;
}

int wait_is_any(const scope_mpi_call *call)
{
    return strcmp(call->name, "MPI_Waitany") == 0 || strcmp(call->name, "MPI_Waitsome") == 0;
}

static scope_status know_calls(wait_hunt *hunt)
{
    const scope_calls *calls = hunt->calls;
    hunt->mpi = calloc(calls->region_count + 1, sizeof *hunt->mpi);
    if (!hunt->mpi)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->region_count; i++) {
        const scope_string *name = &calls->regions[i].name;
        if (name->length_bytes > 4 && strlen(name->bytes) == name->length_bytes)
            hunt->mpi[i] = scope_mpi_call_of(name->bytes);
    }
    return SCOPE_OK;
}

typedef struct host {
    const scope_string *name;
    uint32_t block;
} host;

static int compare_hosts(const void *a, const void *b)
{
    const scope_string *x = ((const host *)a)->name, *y = ((const host *)b)->name;
    if (x->length_bytes != y->length_bytes)
        return x->length_bytes < y->length_bytes ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->length_bytes);
}

static void know_rank(wait_block *block, const scope_rank_row *row)
{
    block->bound_ns = row->bound_ns;
    block->is_lossy |=
        row->dropped > 0 || row->dropped_in_handlers > 0 || row->holes > 0 || row->filtered > 0;
    block->ended_early = row->end_kind != SCOPE_END_FINISHED;
}

/* Ranks that say nothing of themselves: each on a host of its own. */
static scope_status know_ranks(wait_hunt *hunt)
{
    const scope_calls *calls = hunt->calls;
    host *hosts = malloc((hunt->block_count + calls->rank_row_count + 1) * sizeof *hosts);
    size_t host_count = 0;
    if (!hosts)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const uint32_t block = wait_block_of(hunt, calls->ranks[i].rank);
        if (block == WAIT_NONE)
            continue;
        know_rank(&hunt->blocks[block], &calls->ranks[i]);
        if (calls->ranks[i].host.length_bytes)
            hosts[host_count++] = (host){&calls->ranks[i].host, block};
    }
    if (host_count)
        qsort(hosts, host_count, sizeof *hosts, compare_hosts);
    for (size_t i = 0, number = 0; i < host_count; i++) {
        number += i && compare_hosts(&hosts[i - 1], &hosts[i]) != 0;
        hunt->blocks[hosts[i].block].host = (uint32_t)number;
    }
    free(hosts);
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *sum = &calls->sums[i];
        const uint32_t block = wait_block_of(hunt, sum->rank);
        const scope_mpi_call *call = hunt->mpi[sum->region];
        if (block != WAIT_NONE && call && call->class != SCOPE_MPI_OTHER &&
            sum->last_ns > hunt->blocks[block].folded_until_ns)
            hunt->blocks[block].folded_until_ns = sum->last_ns;
    }
    return SCOPE_OK;
}

static scope_status know_blocks(wait_hunt *hunt)
{
    const scope_calls *calls = hunt->calls;
    hunt->blocks = malloc((calls->pair_count + 1) * sizeof *hunt->blocks);
    hunt->block_of_pair = malloc((calls->pair_count + 1) * sizeof *hunt->block_of_pair);
    if (!hunt->blocks || !hunt->block_of_pair || calls->pair_count >= WAIT_NONE)
        return SCOPE_ERR_MEMORY;
    for (size_t p = 0; p < calls->pair_count; p++) {
        if (!p || calls->pairs[p].rank != calls->pairs[p - 1].rank)
            hunt->blocks[hunt->block_count++] = (wait_block){.rank = calls->pairs[p].rank,
                                                             .host = WAIT_NONE,
                                                             .first_pair = p,
                                                             .bound_ns = -1,
                                                             .folded_until_ns = INT64_MIN,
                                                             .ended_early = 1};
        hunt->blocks[hunt->block_count - 1].end_pair = p + 1;
        hunt->block_of_pair[p] = (uint32_t)(hunt->block_count - 1);
    }
    hunt->seen = calloc(hunt->block_count + 1, sizeof *hunt->seen);
    hunt->seen_at = calloc(hunt->block_count + 1, sizeof *hunt->seen_at);
    return hunt->seen && hunt->seen_at ? know_ranks(hunt) : SCOPE_ERR_MEMORY;
}

/* ---- one wait of each call ---- */

static int by_row(const void *a, const void *b)
{
    const scope_wait *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->late_rank != y->late_rank)
        return x->late_rank < y->late_rank ? -1 : 1;
    return x->late_row < y->late_row ? -1 : x->late_row > y->late_row;
}

/* The longest, and of a call that returns as soon as one is there the shortest. */
static void decide(wait_hunt *hunt)
{
    size_t kept = 0;
    if (hunt->wait_count)
        qsort(hunt->waits, hunt->wait_count, sizeof *hunt->waits, by_row);
    for (size_t first = 0, end; first < hunt->wait_count; first = end) {
        const scope_wait *one = &hunt->waits[first];
        end = first + 1;
        while (end < hunt->wait_count && hunt->waits[end].rank == one->rank &&
               hunt->waits[end].row == one->row)
            end++;
        if (wait_is_any(hunt->mpi[one->call]))
            one = &hunt->waits[end - 1];
        if (one->ns > 0)
            hunt->waits[kept++] = *one;
    }
    hunt->wait_count = kept;
}

/* ---- all of it ---- */

static void hunt_free(wait_hunt *hunt)
{
    free(hunt->blocks);
    free(hunt->block_of_pair);
    free(hunt->mpi);
    free(hunt->ops);
    free(hunt->seen);
    free(hunt->seen_at);
    wait_keys_free(&hunt->keys);
    scope_communicators_free(&hunt->joined);
}

static scope_status find_partners(wait_hunt *hunt)
{
    scope_status status = scope_communicators_join(hunt->calls, &hunt->joined);
    if (status == SCOPE_OK)
        status = know_calls(hunt);
    if (status == SCOPE_OK)
        status = know_blocks(hunt);
    if (status == SCOPE_OK)
        status = wait_collect(hunt);
    if (status == SCOPE_OK)
        status = wait_match(hunt);
    free(hunt->ops); /* much, and not needed any more */
    hunt->ops = NULL;
    return status;
}

static int has_messages(const scope_calls *calls)
{
    return !calls->is_aggregate && (calls->mpi_kinds || calls->message_count);
}

static void choose(wait_hunt *hunt, const scope_wait_choice *choice)
{
    size_t kept = 0;
    for (size_t i = 0; i < hunt->wait_count; i++) {
        const scope_wait wait = hunt->waits[i];
        if (choice->takes(choice->context, wait.call, wait.region))
            hunt->waits[kept++] = wait;
    }
    hunt->wait_count = kept;
}

scope_status scope_waits_find(const scope_calls *calls, scope_waits *waits)
{
    return scope_waits_find_some(calls, NULL, waits);
}

scope_status scope_waits_find_some(const scope_calls *calls, const scope_wait_choice *choice,
                                   scope_waits *waits)
{
    wait_hunt hunt = {.calls = calls, .to = waits};
    *waits = (scope_waits){0};
    if (!has_messages(calls))
        return SCOPE_OK;
    scope_status status = find_partners(&hunt);
    if (status == SCOPE_OK) {
        decide(&hunt);
        status = wait_place(&hunt, !choice);
    }
    if (status == SCOPE_OK && choice) {
        choose(&hunt, choice);
        status = wait_place(&hunt, 1);
    }
    if (status == SCOPE_OK)
        status = wait_sum(&hunt);
    waits->rows = hunt.waits;
    waits->count = hunt.wait_count;
    hunt_free(&hunt);
    if (status != SCOPE_OK)
        scope_waits_free(waits);
    return status;
}

scope_status message_pairs_find(const scope_calls *calls, message_pairs *pairs)
{
    scope_waits counts = {0};
    wait_hunt hunt = {.calls = calls, .to = &counts, .pairs = pairs};
    *pairs = (message_pairs){0};
    if (!has_messages(calls))
        return SCOPE_OK;
    const scope_status status = find_partners(&hunt);
    pairs->backward = counts.unmatched_sent[SCOPE_UNMATCHED_ORDER];
    free(hunt.waits);
    hunt_free(&hunt);
    if (status != SCOPE_OK)
        message_pairs_free(pairs);
    return status;
}

void message_pairs_free(message_pairs *pairs)
{
    free(pairs->rows);
    *pairs = (message_pairs){0};
}

void scope_waits_free(scope_waits *waits)
{
    free(waits->rows);
    free(waits->calls);
    free(waits->regions);
    free(waits->causes);
    free(waits->ranks);
    *waits = (scope_waits){0};
}
