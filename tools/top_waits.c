/* top_waits.c - who stands in MPI for long, and who is not there.
 *
 * An open call has said nothing of itself yet: its communicator is the one of the last call
 * of that region on that thread, or MPI_COMM_WORLD where the program has made no other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <stdlib.h>
#include <string.h>

#define LONG_NS INT64_C(1000000000) /* what is shorter is no wait worth a word */

const scope_watch_open *top_innermost(const top_rank *rank, size_t thread, int64_t *since_ns)
{
    const scope_watch_state *state = rank->state;
    *since_ns = 0;
    if (thread >= state->thread_count)
        return NULL;
    const scope_watch_thread *one = &state->threads[thread];
    if (!one->open_count) {
        *since_ns = wrap_subtract(state->now_ns, one->last_ns);
        return NULL;
    }
    const scope_watch_open *open = &state->opens[one->first_open + one->open_count - 1];
    *since_ns = wrap_subtract(state->now_ns, open->begin_ns);
    return open;
}

static bool is_name(const scope_string *name, const char *text)
{
    return name->length_bytes == strlen(text) && memcmp(name->bytes, text, strlen(text)) == 0;
}

/* The rank's communicator that the call is on; NULL: not known. */
static const scope_watch_communicator *communicator_of(const top_rank *rank,
                                                       const scope_watch_open *open)
{
    const scope_watch_state *state = rank->state;
    const scope_watch_communicator *world = NULL;
    if (open->communicator >= 0 && (size_t)open->communicator < state->communicator_count)
        return &state->communicators[open->communicator];
    for (size_t i = 0; i < state->communicator_count; i++) {
        if (is_name(&state->communicators[i].name, "MPI_COMM_WORLD"))
            world = &state->communicators[i];
        else if (!is_name(&state->communicators[i].name, "MPI_COMM_SELF"))
            return NULL; /* it may be this one */
    }
    return world;
}

static bool is_same(const scope_watch_communicator *a, const scope_watch_communicator *b)
{
    if (!a || !b)
        return a == b;
    if (a->members && b->members)
        return a->members == b->members && a->serial == b->serial;
    return a->size == b->size && a->name.length_bytes == b->name.length_bytes &&
           (!a->name.length_bytes ||
            memcmp(a->name.bytes, b->name.bytes, a->name.length_bytes) == 0);
}

/* The rank's communicator that is the same as this one of another rank. */
static const scope_watch_communicator *same_of(const top_rank *rank,
                                               const scope_watch_communicator *communicator)
{
    for (size_t i = 0; communicator && i < rank->state->communicator_count; i++)
        if (is_same(&rank->state->communicators[i], communicator))
            return &rank->state->communicators[i];
    return NULL;
}

typedef struct standing { /* what a rank stands in, however short */
    const scope_watch_open *open;
    const scope_watch_region *region;
    const scope_watch_communicator *communicator;
    int64_t since_ns;
} standing;

/* In a collective call, on any thread: the longest. */
static bool stands(const top_rank *rank, standing *in)
{
    bool found = false;
    for (size_t i = 0; i < rank->state->thread_count; i++) {
        int64_t since_ns;
        const scope_watch_open *open = top_innermost(rank, i, &since_ns);
        const scope_watch_region *region = open ? &rank->state->regions[open->region] : NULL;
        if (!region || !region->is_collective || (found && since_ns <= in->since_ns))
            continue;
        *in = (standing){open, region, communicator_of(rank, open), since_ns};
        found = true;
    }
    return found;
}

/* In any call that may wait for others. */
static bool stands_long(const top_rank *rank)
{
    for (size_t i = 0; i < rank->state->thread_count; i++) {
        int64_t since_ns;
        const scope_watch_open *open = top_innermost(rank, i, &since_ns);
        if (open && rank->state->regions[open->region].blocks && since_ns >= LONG_NS)
            return true;
    }
    return false;
}

static top_wait *wait_of(top_run *run, const standing *in)
{
    for (size_t i = 0; i < run->wait_count; i++)
        if (is_same(run->waits[i].communicator, in->communicator))
            return &run->waits[i];
    top_wait *waits = realloc(run->waits, (run->wait_count + 1) * sizeof *waits);
    if (!waits)
        return NULL;
    run->waits = waits;
    top_wait *wait = &waits[run->wait_count];
    *wait = (top_wait){.call = in->region,
                       .communicator = in->communicator,
                       .since_ns = in->since_ns,
                       .waiting = calloc(run->rank_count, sizeof *wait->waiting),
                       .absent = calloc(run->rank_count, sizeof *wait->absent),
                       .elsewhere = -1};
    if (!wait->waiting || !wait->absent) {
        free(wait->waiting);
        free(wait->absent);
        return NULL;
    }
    run->wait_count++;
    return wait;
}

/* Some rank has ended more collectives there than those that wait: it has been there. */
static bool has_passed(const scope_watch_communicator *own, const top_wait *wait)
{
    return wait->communicator->last_number >= 0 &&
           own->last_number > wait->communicator->last_number;
}

/* Those of the communicator that are not in a collective call on it. */
static void find_absent(top_run *run, top_wait *wait)
{
    int64_t members = 0;
    if (!wait->communicator)
        return;
    for (size_t i = 0; i < run->rank_count; i++) {
        top_rank *rank = &run->ranks[i];
        const scope_watch_communicator *own = same_of(rank, wait->communicator);
        standing in;
        if (!own)
            continue;
        members++;
        if (!rank->running || has_passed(own, wait) ||
            (stands(rank, &in) &&
             (!in.communicator || is_same(in.communicator, wait->communicator))))
            continue;
        top_absent *absent = &wait->absent[wait->absent_count++];
        absent->rank = rank;
        absent->open = top_innermost(rank, 0, &absent->since_ns);
        rank->awaited = true;
    }
    wait->elsewhere = wait->communicator->size - members;
}

bool top_find_waits(top_run *run, const top_options *options)
{
    top_free_waits(run);
    for (size_t i = 0; i < run->rank_count; i++) {
        top_rank *rank = &run->ranks[i];
        standing in;
        rank->awaited = false;
        rank->waits = rank->running && stands_long(rank);
        if (!rank->running || !top_shows(rank, options) || !stands(rank, &in) ||
            in.since_ns < LONG_NS)
            continue;
        top_wait *wait = wait_of(run, &in);
        if (!wait)
            return false;
        wait->waiting[wait->waiting_count++] = rank;
        if (in.since_ns < wait->since_ns)
            wait->since_ns = in.since_ns;
    }
    for (size_t i = 0; i < run->wait_count; i++)
        find_absent(run, &run->waits[i]);
    return true;
}

void top_free_waits(top_run *run)
{
    for (size_t i = 0; i < run->wait_count; i++) {
        free(run->waits[i].waiting);
        free(run->waits[i].absent);
    }
    free(run->waits);
    run->waits = NULL;
    run->wait_count = 0;
}
