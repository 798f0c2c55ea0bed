/* waits_messages.c - late senders and late receivers; see waits.h.
 *
 * All messages of one communicator, source, destination and tag: the first that was sent
 * belongs to the receive that was posted first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct matching { /* of one key */
    const wait_op *sends, *receives, *probes, *completions;
    size_t send_count, receive_count, probe_count, completion_count;
} matching;

static scope_status late_sender(wait_hunt *hunt, const wait_op *waiter, const wait_op *send)
{
    const scope_mpi_call *call = wait_call(hunt, waiter);
    if (!call->blocks || wait_op_block(hunt, waiter) == wait_op_block(hunt, send))
        return SCOPE_OK;
    return wait_add(hunt, waiter, send, send->row, send->time_ns, SCOPE_WAIT_LATE_SENDER);
}

/* `waiter` sent it, or completed the send. One that returned before that did not need it. */
static scope_status late_receiver(wait_hunt *hunt, const wait_op *waiter, const wait_op *receive)
{
    const scope_mpi_call *call = wait_call(hunt, waiter);
    const int waits = call->class == SCOPE_MPI_SEND || call->class == SCOPE_MPI_SENDRECV ||
                      waiter->kind == OP_SEND_COMPLETED;
    if (!waits || !call->blocks || receive->is_unposted ||
        wait_op_block(hunt, waiter) == wait_op_block(hunt, receive) ||
        strcmp(call->name, "MPI_Bsend") == 0 || wait_end(hunt, waiter->row) < receive->time_ns)
        return SCOPE_OK;
    return wait_add(hunt, waiter, receive, receive->late_row, receive->time_ns,
                    SCOPE_WAIT_LATE_RECEIVER);
}

static void leave_out(wait_hunt *hunt, size_t sends, size_t receives, scope_unmatched reason)
{
    hunt->to->unmatched_sent[reason] += (int64_t)sends;
    hunt->to->unmatched_received[reason] += (int64_t)receives;
}

/* The first calls of a rank may be folded: then the last ones belong together, if nothing is
 * missing behind them. */
static int may_lack_the_first(const wait_hunt *hunt, const matching *of)
{
    const wait_block *from = &hunt->blocks[wait_op_block(hunt, of->sends)];
    const wait_block *to = &hunt->blocks[wait_op_block(hunt, of->receives)];
    const int folded = from->folded_until_ns != INT64_MIN || to->folded_until_ns != INT64_MIN;
    return folded && !from->is_lossy && !to->is_lossy && !from->ended_early && !to->ended_early &&
           from->folded_until_ns <= of->sends[0].time_ns &&
           to->folded_until_ns <= of->receives[0].time_ns;
}

/* What was sent last may not have arrived when a rank ended. */
static int may_lack_the_last(const wait_hunt *hunt, const matching *of)
{
    const wait_block *from = &hunt->blocks[wait_op_block(hunt, of->sends)];
    const wait_block *to = &hunt->blocks[wait_op_block(hunt, of->receives)];
    return (from->ended_early || to->ended_early) && !from->is_lossy && !to->is_lossy &&
           from->folded_until_ns == INT64_MIN && to->folded_until_ns == INT64_MIN;
}

static int arrives_too_early(const wait_hunt *hunt, const matching *of, size_t count)
{
    const int64_t bound =
        wait_bound(hunt, wait_op_block(hunt, of->sends), wait_op_block(hunt, of->receives));
    for (size_t i = 0; i < count; i++)
        if (wait_is_behind(of->sends[i].time_ns, wait_end(hunt, of->receives[i].row), bound))
            return 1;
    return 0;
}

static scope_status match_probes(wait_hunt *hunt, const matching *of, size_t count)
{
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i < of->probe_count && status == SCOPE_OK; i++) {
        const wait_op *probe = &of->probes[i];
        wait_op wanted = *probe;
        wanted.kind = OP_RECEIVED;
        wanted.row = probe->late_row;
        const wait_op *found =
            bsearch(&wanted, of->receives, of->receive_count, sizeof wanted, wait_by_order);
        const size_t place = found ? (size_t)(found - of->receives) : count;
        if (place >= count)
            continue;
        const wait_op *send = &of->sends[place];
        const int64_t bound =
            wait_bound(hunt, wait_op_block(hunt, probe), wait_op_block(hunt, send));
        if (!wait_is_behind(send->time_ns, wait_end(hunt, probe->row), bound))
            status = late_sender(hunt, probe, send);
    }
    return status;
}

static scope_status match_completions(wait_hunt *hunt, const matching *of, size_t count)
{
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i < of->completion_count && status == SCOPE_OK; i++) {
        wait_op wanted = of->completions[i];
        wanted.kind = OP_SENT;
        wanted.row = wanted.late_row;
        const wait_op *found = bsearch(&wanted, of->sends, count, sizeof wanted, wait_by_order);
        if (found)
            status = late_receiver(hunt, &of->completions[i], &of->receives[found - of->sends]);
    }
    return status;
}

static scope_status keep_pairs(message_pairs *to, const matching *of, size_t count)
{
    if (to->room - to->count < count) {
        const size_t room =
            to->room / 2 * 3 > to->count + count ? to->room / 2 * 3 : to->count + count;
        message_pair *more =
            room <= SIZE_MAX / sizeof *more ? realloc(to->rows, room * sizeof *more) : NULL;
        if (!more)
            return SCOPE_ERR_MEMORY;
        to->rows = more;
        to->room = room;
    }
    for (size_t i = 0; i < count; i++)
        to->rows[to->count++] = (message_pair){of->sends[i].row, of->receives[i].row};
    return SCOPE_OK;
}

scope_status wait_match_messages(wait_hunt *hunt, const wait_key *key, const wait_op *ops,
                                 size_t count)
{
    matching of = {.sends = ops};
    while (of.send_count < count && ops[of.send_count].kind == OP_SENT)
        of.send_count++;
    of.receives = ops + of.send_count;
    while (of.send_count + of.receive_count < count &&
           of.receives[of.receive_count].kind == OP_RECEIVED)
        of.receive_count++;
    of.probes = of.receives + of.receive_count;
    while (of.send_count + of.receive_count + of.probe_count < count &&
           of.probes[of.probe_count].kind == OP_PROBE)
        of.probe_count++;
    of.completions = of.probes + of.probe_count;
    of.completion_count = count - of.send_count - of.receive_count - of.probe_count;
    size_t sends = of.send_count, receives = of.receive_count;
    if (!sends || !receives) {
        const int32_t other = sends ? key->dest : key->source;
        leave_out(hunt, sends, receives,
                  wait_block_of(hunt, other) == WAIT_NONE ? SCOPE_UNMATCHED_RANK
                                                          : SCOPE_UNMATCHED_COUNT);
        return SCOPE_OK;
    }
    if (sends != receives) {
        const size_t both = sends < receives ? sends : receives;
        if (may_lack_the_first(hunt, &of)) {
            of.sends += sends - both;
            of.receives += receives - both;
        } else if (!may_lack_the_last(hunt, &of)) {
            leave_out(hunt, sends, receives, SCOPE_UNMATCHED_COUNT);
            return SCOPE_OK;
        }
        leave_out(hunt, sends - both, receives - both, SCOPE_UNMATCHED_COUNT);
        sends = receives = of.receive_count = both;
    }
    if (arrives_too_early(hunt, &of, sends)) {
        leave_out(hunt, sends, receives, SCOPE_UNMATCHED_ORDER);
        return SCOPE_OK;
    }
    if (hunt->pairs)
        return keep_pairs(hunt->pairs, &of, sends);
    scope_status status = SCOPE_OK;
    for (size_t i = 0; i < sends && status == SCOPE_OK; i++) {
        status = late_sender(hunt, &of.receives[i], &of.sends[i]);
        if (status == SCOPE_OK)
            status = late_receiver(hunt, &of.sends[i], &of.receives[i]);
    }
    if (status == SCOPE_OK)
        status = match_probes(hunt, &of, sends);
    return status == SCOPE_OK ? match_completions(hunt, &of, sends) : status;
}
