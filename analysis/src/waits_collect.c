/* waits_collect.c - what MPI calls sent, received and began together; see waits.h.
 *
 * Rank after rank: its receives that waits completed get their postings, its probes the
 * receives that came next, completed sends their waits, then all of them the keys of their
 * partners.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>

#include <scope/event.h>

typedef struct probe {
    int64_t time_ns; /* its end: what is received next is posted after it */
    uint64_t row;
    uint32_t pair, communicator;
    int32_t source, tag; /* -1: of a recording that does not say */
} probe;

typedef struct collecting { /* of one rank */
    wait_hunt *hunt;
    const wait_block *block;
    wait_event *events;
    probe *probes;
    wait_followed *sends;
    wait_completion *completions;
    size_t event_count, event_room, probe_count, probe_room;
    size_t send_count, send_room, completion_count, completion_room;
    size_t first_op;
    size_t op_room; /* of the hunt's operations */
} collecting;

void *wait_with_room(void *array, size_t count, size_t *room, size_t size_bytes)
{
    if (array && count < *room)
        return array;
    const size_t more = *room ? *room + *room / 2 : 256;
    if (more > SIZE_MAX / size_bytes)
        return NULL;
    void *larger = realloc(array, more * size_bytes);
    if (larger)
        *room = more;
    return larger;
}

static scope_status add_op(collecting *at, const wait_key *key, wait_op op)
{
    wait_hunt *hunt = at->hunt;
    op.key = wait_keys_add(&hunt->keys, key);
    wait_op *ops = wait_with_room(hunt->ops, hunt->op_count, &at->op_room, sizeof *ops);
    if (ops)
        hunt->ops = ops;
    if (!ops || op.key == WAIT_NONE)
        return SCOPE_ERR_MEMORY;
    ops[hunt->op_count++] = op;
    return SCOPE_OK;
}

static scope_status add_event(collecting *at, wait_event event)
{
    wait_event *events =
        wait_with_room(at->events, at->event_count, &at->event_room, sizeof *events);
    if (!events)
        return SCOPE_ERR_MEMORY;
    at->events = events;
    events[at->event_count++] = event;
    return SCOPE_OK;
}

static scope_status add_probe(collecting *at, probe one)
{
    probe *probes = wait_with_room(at->probes, at->probe_count, &at->probe_room, sizeof *probes);
    if (!probes)
        return SCOPE_ERR_MEMORY;
    at->probes = probes;
    probes[at->probe_count++] = one;
    return SCOPE_OK;
}

/* The send is the hunt's last operation, or none. */
static scope_status add_followed(collecting *at, uint64_t row, uint32_t detail, int is_op)
{
    wait_followed *sends = wait_with_room(at->sends, at->send_count, &at->send_room, sizeof *sends);
    if (!sends || at->hunt->op_count >= WAIT_NONE)
        return SCOPE_ERR_MEMORY;
    at->sends = sends;
    sends[at->send_count++] = (wait_followed){
        .time_ns = at->hunt->calls->start_ns[row],
        .row = row,
        .detail = detail,
        .op = is_op ? (uint32_t)(at->hunt->op_count - 1) : WAIT_NONE,
    };
    return SCOPE_OK;
}

static scope_status add_completion(collecting *at, wait_completion one)
{
    wait_completion *all =
        wait_with_room(at->completions, at->completion_count, &at->completion_room, sizeof *all);
    if (!all)
        return SCOPE_ERR_MEMORY;
    at->completions = all;
    all[at->completion_count++] = one;
    return SCOPE_OK;
}

/* ---- one message ---- */

/* As mpi/src/requests.c counts them. */
static int is_followed(const scope_mpi_call *call, int64_t bytes)
{
    return call->follows == SCOPE_FOLLOWS_ALL ||
           (call->follows == SCOPE_FOLLOWS_LARGE && bytes >= SCOPE_FOLLOWED_BYTES);
}

static scope_status take_sent(collecting *at, uint32_t pair, uint32_t number, uint32_t communicator,
                              const scope_message_row *message)
{
    scope_waits *to = at->hunt->to;
    const scope_mpi_call *call = at->hunt->mpi[at->hunt->calls->pairs[pair].region];
    const int is_known = communicator != WAIT_NONE && message->peer >= 0;
    scope_status status = SCOPE_OK;
    to->sent_count++;
    if (!is_known)
        to->unmatched_sent[SCOPE_UNMATCHED_UNTOLD]++;
    const wait_key key = {communicator, at->block->rank, message->peer, message->tag};
    if (is_known)
        status = add_op(at, &key,
                        (wait_op){.time_ns = at->hunt->calls->start_ns[message->row],
                                  .row = message->row,
                                  .pair = pair,
                                  .detail = number,
                                  .kind = OP_SENT});
    if (status == SCOPE_OK && is_followed(call, message->bytes))
        status = add_followed(at, message->row, number, is_known);
    return status;
}

static scope_status take_send_completed(collecting *at, uint32_t pair, uint32_t communicator,
                                        const scope_message_row *message)
{
    if (communicator == WAIT_NONE || message->peer < 0)
        return SCOPE_OK;
    return add_completion(at, (wait_completion){.since = message->bytes,
                                                .row = message->row,
                                                .pair = pair,
                                                .communicator = communicator,
                                                .dest = message->peer,
                                                .tag = message->tag});
}

static scope_status add_received(collecting *at, const wait_event *event, const wait_event *posting)
{
    const wait_key key = {event->communicator, event->source, at->block->rank, event->tag};
    const uint64_t posted = posting ? posting->row : event->row;
    at->hunt->to->unposted_count += !event->is_sure;
    return add_op(at, &key,
                  (wait_op){.time_ns = at->hunt->calls->start_ns[posted],
                            .row = event->row,
                            .late_row = posted,
                            .pair = event->pair,
                            .detail = event->detail,
                            .kind = OP_RECEIVED,
                            .is_unposted = !event->is_sure});
}

static scope_status take_received(collecting *at, uint32_t pair, uint32_t number,
                                  uint32_t communicator, const scope_message_row *message)
{
    wait_hunt *hunt = at->hunt;
    const scope_mpi_call *call = hunt->mpi[hunt->calls->pairs[pair].region];
    hunt->to->received_count++;
    if (communicator == WAIT_NONE || message->peer < 0) {
        hunt->to->unmatched_received[SCOPE_UNMATCHED_UNTOLD]++;
        return SCOPE_OK;
    }
    wait_event event = {.time_ns = wait_end(hunt, message->row),
                        .row = message->row,
                        .pair = pair,
                        .detail = number,
                        .communicator = communicator,
                        .source = message->peer,
                        .tag = message->tag};
    if (call->class == SCOPE_MPI_WAIT)
        return add_event(at, event);
    event.is_sure = 1; /* a call of its own posts it */
    return add_received(at, &event, NULL);
}

static scope_status take_posted(collecting *at, uint32_t pair, uint32_t number,
                                uint32_t communicator, const scope_message_row *message)
{
    if (communicator == WAIT_NONE)
        return SCOPE_OK;
    return add_event(at, (wait_event){.time_ns = at->hunt->calls->start_ns[message->row],
                                      .row = message->row,
                                      .pair = pair,
                                      .detail = number,
                                      .communicator = communicator,
                                      .source = message->peer < 0 ? -1 : message->peer,
                                      .tag = message->tag < 0 ? -1 : message->tag,
                                      .is_posting = 1});
}

static scope_status take_collective(collecting *at, uint32_t pair, uint32_t communicator,
                                    const scope_message_row *message)
{
    scope_waits *to = at->hunt->to;
    to->collective_count++;
    if (communicator == WAIT_NONE || message->tag < 0) {
        to->unmatched_collective[SCOPE_UNMATCHED_UNTOLD]++;
        return SCOPE_OK;
    }
    const wait_key key = {communicator, -1, -1, message->tag};
    return add_op(at, &key,
                  (wait_op){.time_ns = at->hunt->calls->start_ns[message->row],
                            .row = message->row,
                            .late_row = message->peer < 0 ? UINT64_MAX : (uint64_t)message->peer,
                            .pair = pair,
                            .detail = (uint32_t)message->communicator,
                            .kind = OP_COLLECTIVE});
}

static scope_status take_collective_completed(collecting *at, uint32_t pair,
                                              uint32_t communicator,
                                              const scope_message_row *message)
{
    if (communicator == WAIT_NONE || message->tag < 0)
        return SCOPE_OK;
    const wait_key key = {communicator, -1, -1, message->tag};
    return add_op(at, &key,
                  (wait_op){.time_ns = at->hunt->calls->start_ns[message->row],
                            .row = message->row,
                            .late_row = (uint64_t)message->bytes,
                            .pair = pair,
                            .detail = (uint32_t)message->communicator,
                            .kind = OP_COLLECTIVE_COMPLETED});
}

static scope_status take_message(collecting *at, uint32_t pair, uint32_t number,
                                 const scope_message_row *message)
{
    const wait_hunt *hunt = at->hunt;
    const scope_mpi_call *call = hunt->mpi[hunt->calls->pairs[pair].region];
    const int32_t row = message->communicator;
    uint32_t communicator = WAIT_NONE;
    if (row >= 0 && (size_t)row < hunt->calls->communicator_count &&
        hunt->joined.rows[hunt->joined.of_row[row]].members)
        communicator = (uint32_t)hunt->joined.of_row[row];
    switch (message->kind) {
    case SCOPE_MESSAGE_SENT:
        return take_sent(at, pair, number, communicator, message);
    case SCOPE_MESSAGE_RECEIVED:
        return take_received(at, pair, number, communicator, message);
    case SCOPE_MESSAGE_POSTED:
        return take_posted(at, pair, number, communicator, message);
    case SCOPE_MESSAGE_COLLECTIVE:
        return take_collective(at, pair, communicator, message);
    case SCOPE_MESSAGE_SEND_COMPLETED:
        return take_send_completed(at, pair, communicator, message);
    case SCOPE_MESSAGE_COLLECTIVE_COMPLETED:
        return take_collective_completed(at, pair, communicator, message);
    case SCOPE_MESSAGE_OTHER:
        if (call->class == SCOPE_MPI_PROBE && call->blocks && communicator != WAIT_NONE &&
            message->peer >= 0)
            return add_probe(at, (probe){wait_end(hunt, message->row), message->row, pair,
                                         communicator, message->peer, message->tag});
        return SCOPE_OK;
    default:
        return SCOPE_OK;
    }
}

/* ---- one rank ---- */

static scope_status take_pair(collecting *at, uint32_t number)
{
    const scope_calls *calls = at->hunt->calls;
    const scope_pair *pair = &calls->pairs[number];
    scope_status status = SCOPE_OK;
    size_t next = scope_calls_first_message(calls, pair->first);
    for (uint64_t row = pair->first; row < pair->first + pair->count && status == SCOPE_OK; row++) {
        const size_t before = next;
        for (; next < calls->message_count && calls->messages[next].row == row; next++)
            if (status == SCOPE_OK)
                status =
                    take_message(at, number, (uint32_t)(next - before), &calls->messages[next]);
        if (next == before && calls->mpi_kinds)
            status = take_message(
                at, number, 0,
                &(scope_message_row){.row = row,
                                     .bytes = calls->mpi_bytes ? calls->mpi_bytes[row] : 0,
                                     .peer = calls->mpi_peers ? calls->mpi_peers[row] : -1,
                                     .communicator = calls->mpi_comms ? calls->mpi_comms[row] : -1,
                                     .tag = calls->mpi_tags ? calls->mpi_tags[row] : -1,
                                     .kind = calls->mpi_kinds[row]});
    }
    return status;
}

typedef struct received { /* to find what came next from a source */
    int64_t time_ns;
    size_t op;
    uint32_t communicator;
    int32_t source, tag; /* -1: of any; each is there with both */
} received;

static int by_source(const void *a, const void *b)
{
    const received *x = a, *y = b;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static scope_status place_probes(collecting *at)
{
    wait_hunt *hunt = at->hunt;
    size_t count = 0;
    received *all = malloc((2 * (hunt->op_count - at->first_op) + 1) * sizeof *all);
    if (!all)
        return SCOPE_ERR_MEMORY;
    for (size_t i = at->first_op; i < hunt->op_count; i++) {
        const wait_op *op = &hunt->ops[i];
        const wait_key *key = &hunt->keys.keys[op->key];
        if (op->kind != OP_RECEIVED)
            continue;
        all[count++] = (received){op->time_ns, i, key->communicator, key->source, key->tag};
        all[count++] = (received){op->time_ns, i, key->communicator, key->source, -1};
    }
    qsort(all, count, sizeof *all, by_source);
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i < at->probe_count && status == SCOPE_OK; i++) {
        const probe *one = &at->probes[i];
        const received wanted = {one->time_ns, 0, one->communicator, one->source,
                                 one->tag < 0 ? -1 : one->tag};
        size_t low = 0, high = count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (by_source(&all[middle], &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == count || all[low].communicator != one->communicator ||
            all[low].source != one->source || all[low].tag != wanted.tag)
            continue;
        const wait_op op = hunt->ops[all[low].op];
        const wait_key key = hunt->keys.keys[op.key];
        status = add_op(at, &key,
                        (wait_op){.time_ns = op.time_ns,
                                  .row = one->row,
                                  .late_row = op.row,
                                  .pair = one->pair,
                                  .detail = op.detail,
                                  .kind = OP_PROBE});
    }
    free(all);
    return status;
}

static scope_status place_completions(collecting *at)
{
    wait_hunt *hunt = at->hunt;
    scope_status status = SCOPE_OK;
    wait_settle_sends(hunt, at->sends, at->send_count, at->completions, at->completion_count);
    for (size_t i = 0; i < at->completion_count && status == SCOPE_OK; i++) {
        const wait_completion *one = &at->completions[i];
        if (one->op == WAIT_NONE) {
            hunt->to->unposted_count++;
            continue;
        }
        const wait_op send = hunt->ops[one->op];
        const wait_key key = hunt->keys.keys[send.key];
        status = add_op(at, &key,
                        (wait_op){.time_ns = send.time_ns,
                                  .row = one->row,
                                  .late_row = send.row,
                                  .pair = one->pair,
                                  .detail = send.detail,
                                  .kind = OP_SEND_COMPLETED});
    }
    return status;
}

static scope_status collect_rank(collecting *at)
{
    const scope_calls *calls = at->hunt->calls;
    scope_status status = SCOPE_OK;
    at->event_count = at->probe_count = at->send_count = at->completion_count = 0;
    at->first_op = at->hunt->op_count;
    for (size_t p = at->block->first_pair; p < at->block->end_pair && status == SCOPE_OK; p++)
        if (at->hunt->mpi[calls->pairs[p].region])
            status = take_pair(at, (uint32_t)p);
    if (status == SCOPE_OK && at->event_count)
        status = wait_settle(at->events, at->event_count);
    for (size_t i = 0; i < at->event_count && status == SCOPE_OK; i++) {
        const wait_event *event = &at->events[i];
        if (!event->is_posting)
            status =
                add_received(at, event, event->next == WAIT_NONE ? NULL : &at->events[event->next]);
    }
    if (status == SCOPE_OK && at->probe_count)
        status = place_probes(at);
    if (status == SCOPE_OK && at->completion_count)
        status = place_completions(at);
    return status;
}

scope_status wait_collect(wait_hunt *hunt)
{
    collecting at = {.hunt = hunt};
    scope_status status = SCOPE_OK;
    for (size_t b = 0; b < hunt->block_count && status == SCOPE_OK; b++) {
        at.block = &hunt->blocks[b];
        status = collect_rank(&at);
    }
    free(at.events);
    free(at.probes);
    free(at.sends);
    free(at.completions);
    return status;
}
