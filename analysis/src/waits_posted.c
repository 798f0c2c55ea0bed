/* waits_posted.c - which posting a completed receive completes, and which send a completed one is;
 * see waits.h.
 *
 *     pattern (communicator, source or any, tag or any) -> its postings, first come first served
 *
 * MPI's rule: a message goes to the first posting that fits. So of the four patterns that a
 * message fits, the one whose first posting is the earliest. A send that is followed is found by
 * how many were begun since (SCOPE_MESSAGE_SEND_COMPLETED).
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of keys ---- */

static uint64_t hash(const wait_key *key)
{
    uint64_t value = ((uint64_t)key->communicator << 32 | (uint32_t)key->tag) + 1;
    value = (value ^ value >> 29) * UINT64_C(0x9E3779B97F4A7C15);
    value ^= (uint64_t)(uint32_t)key->source << 32 | (uint32_t)key->dest;
    value = (value ^ value >> 32) * UINT64_C(0xBF58476D1CE4E5B9);
    return value ^ value >> 31;
}

static size_t slot_of(const wait_keys *keys, const wait_key *key)
{
    size_t slot = (size_t)hash(key) & (2 * keys->room - 1);
    while (keys->slots[slot] && memcmp(&keys->keys[keys->slots[slot] - 1], key, sizeof *key) != 0)
        slot = (slot + 1) & (2 * keys->room - 1);
    return slot;
}

uint32_t wait_keys_find(const wait_keys *keys, const wait_key *key)
{
    const uint32_t number = keys->count ? keys->slots[slot_of(keys, key)] : 0;
    return number ? number - 1 : WAIT_NONE;
}

static int grow(wait_keys *keys)
{
    const size_t room = keys->room ? 2 * keys->room : 64;
    wait_key *more = room < WAIT_NONE / 2 ? realloc(keys->keys, room * sizeof *more) : NULL;
    if (!more)
        return 0;
    keys->keys = more;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots)
        return 0;
    free(keys->slots);
    keys->slots = slots;
    keys->room = room;
    for (size_t i = 0; i < keys->count; i++)
        slots[slot_of(keys, &keys->keys[i])] = (uint32_t)i + 1;
    return 1;
}

uint32_t wait_keys_add(wait_keys *keys, const wait_key *key)
{
    const uint32_t known = wait_keys_find(keys, key);
    if (known != WAIT_NONE)
        return known;
    if (keys->count == keys->room && !grow(keys))
        return WAIT_NONE;
    keys->slots[slot_of(keys, key)] = (uint32_t)keys->count + 1;
    keys->keys[keys->count] = *key;
    return (uint32_t)keys->count++;
}

void wait_keys_free(wait_keys *keys)
{
    free(keys->keys);
    free(keys->slots);
    *keys = (wait_keys){0};
}

/* ---- postings ---- */

static int by_time(const void *a, const void *b)
{
    const wait_event *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->is_posting != y->is_posting)
        return x->is_posting ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->detail < y->detail ? -1 : x->detail > y->detail;
}

typedef struct queue { /* of one pattern: places of events */
    uint32_t first, last;
} queue;

typedef struct settling {
    wait_event *events;
    wait_keys patterns;
    queue *queues; /* by number of pattern */
} settling;

/* The patterns that a message fits and that were asked for. */
static int patterns_of(const settling *of, const wait_event *event, uint32_t fits[4])
{
    int count = 0;
    for (int any = 0; any < 4; any++) {
        const wait_key pattern = {event->communicator, any & 1 ? -1 : event->source, 0,
                                  any & 2 ? -1 : event->tag};
        const uint32_t number = wait_keys_find(&of->patterns, &pattern);
        if (number != WAIT_NONE)
            fits[count++] = number;
    }
    return count;
}

static scope_status post(settling *of, uint32_t place)
{
    wait_event *event = &of->events[place];
    const wait_key pattern = {event->communicator, event->source, 0, event->tag};
    const size_t before = of->patterns.count;
    const uint32_t number = wait_keys_add(&of->patterns, &pattern);
    if (number == WAIT_NONE)
        return SCOPE_ERR_MEMORY;
    queue *to = &of->queues[number];
    if (number == before)
        *to = (queue){WAIT_NONE, WAIT_NONE};
    event->next = WAIT_NONE;
    if (to->first == WAIT_NONE)
        to->first = place;
    else
        of->events[to->last].next = place;
    to->last = place;
    return SCOPE_OK;
}

static void complete(settling *of, wait_event *event)
{
    uint32_t fits[4];
    queue *from = NULL;
    const int count = patterns_of(of, event, fits);
    for (int i = 0; i < count; i++) {
        queue *one = &of->queues[fits[i]];
        if (one->first != WAIT_NONE && (!from || one->first < from->first))
            from = one;
    }
    event->next = from ? from->first : WAIT_NONE;
    if (from)
        from->first = of->events[from->first].next;
}

/* A posting that nothing completed (it was cancelled, or its wait was not recorded) may be the
 * one that this message took: then all later ones are one off. */
static int is_sure(const settling *of, const wait_event *event)
{
    uint32_t fits[4];
    const int count = patterns_of(of, event, fits);
    for (int i = 0; i < count; i++) {
        const uint32_t left = of->queues[fits[i]].first;
        if (left != WAIT_NONE && of->events[left].time_ns < event->time_ns)
            return 0;
    }
    return event->next != WAIT_NONE;
}

scope_status wait_settle(wait_event *events, size_t count)
{
    settling of = {.events = events, .queues = malloc((count + 1) * sizeof *of.queues)};
    scope_status status = of.queues && count < WAIT_NONE ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (count)
        qsort(events, count, sizeof *events, by_time);
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        if (events[i].is_posting)
            status = post(&of, (uint32_t)i);
        else
            complete(&of, &events[i]);
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        if (!events[i].is_posting)
            events[i].is_sure = (uint8_t)is_sure(&of, &events[i]);
    wait_keys_free(&of.patterns);
    free(of.queues);
    return status;
}

/* ---- sends ---- */

enum { APART = 8 }; /* threads begin sends at once, and a call that failed sent nothing */

static int by_begin(const void *a, const void *b)
{
    const wait_followed *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->detail < y->detail ? -1 : x->detail > y->detail;
}

/* How many were begun before. */
static size_t begun_before(const wait_followed *sends, size_t count, int64_t time_ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sends[middle].time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_same(const wait_hunt *hunt, const wait_followed *send, const wait_completion *one)
{
    if (send->op == WAIT_NONE)
        return 0;
    const wait_key *key = &hunt->keys.keys[hunt->ops[send->op].key];
    return key->communicator == one->communicator && key->dest == one->dest &&
           key->tag == one->tag;
}

void wait_settle_sends(const wait_hunt *hunt, wait_followed *sends, size_t send_count,
                       wait_completion *completions, size_t count)
{
    if (send_count)
        qsort(sends, send_count, sizeof *sends, by_begin);
    for (size_t i = 0; i < count; i++) {
        wait_completion *one = &completions[i];
        const size_t before = begun_before(sends, send_count, wait_end(hunt, one->row));
        one->op = WAIT_NONE;
        if (one->since < 0 || (uint64_t)one->since >= before)
            continue;
        const int64_t place = (int64_t)before - 1 - one->since;
        for (int64_t k = 0; k <= 2 * APART && one->op == WAIT_NONE; k++) { /* 0, 1, -1, 2, -2 ... */
            const int64_t at = place + (k % 2 ? (k + 1) / 2 : -k / 2);
            if (at >= 0 && (uint64_t)at < before && is_same(hunt, &sends[at], one))
                one->op = sends[at].op;
        }
    }
}
