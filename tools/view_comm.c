/* view_comm.c - see view_comm.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view_comm.h"

#include <stdlib.h>
#include <string.h>

#include <scope/event.h>

#include "config.h"
#include "text.h"

static void add(int64_t *to, int64_t value)
{
    if (__builtin_add_overflow(*to, value, to))
        *to = INT64_MAX;
}

static void add_sum(view_comm_sum *to, const view_comm_sum *from)
{
    add(&to->call_count, from->call_count);
    add(&to->message_count, from->message_count);
    add(&to->bytes, from->bytes);
    add(&to->total_ns, from->total_ns);
}

/* ---- the selected regions ---- */

static bool is_shown(const scope_calls *calls, const scope_filter *filter, uint32_t region)
{
    const scope_string *name = &calls->regions[region].name;
    return scope_filter_accepts(filter, name->bytes, name->length_bytes);
}

/* Pairs and sums that are asked for; shares all else. */
static scope_status select_regions(const view *view, const char *regions, scope_calls *selected)
{
    const scope_calls *calls = &view->selected;
    scope_filter *filter = scope_filter_new(regions);
    *selected = *calls;
    selected->pairs = malloc((calls->pair_count + 1) * sizeof *selected->pairs);
    selected->sums = malloc((calls->sum_count + 1) * sizeof *selected->sums);
    selected->ranks = malloc((view->rank_count + 1) * sizeof *selected->ranks);
    selected->pair_count = selected->sum_count = selected->rank_row_count = 0;
    const bool good = selected->pairs && selected->sums && selected->ranks;
    for (size_t i = 0; good && i < calls->pair_count; i++)
        if (is_shown(calls, filter, calls->pairs[i].region))
            selected->pairs[selected->pair_count++] = calls->pairs[i];
    for (size_t i = 0; good && i < calls->sum_count; i++)
        if (is_shown(calls, filter, calls->sums[i].region))
            selected->sums[selected->sum_count++] = calls->sums[i];
    for (size_t i = 0; good && i < view->rank_count; i++)
        if (view->ranks[i].row)
            selected->ranks[selected->rank_row_count++] = *view->ranks[i].row;
    scope_filter_free(filter);
    return good ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

/* ---- by communicator ---- */

static int64_t moved_bytes(const view_comm_total *total)
{
    const view_comm_sum *const all[] = {&total->collective, &total->read, &total->written,
                                        &total->remote, &total->other};
    int64_t bytes = view_comm_moved(total).bytes;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add(&bytes, all[i]->bytes);
    return bytes;
}

static int by_bytes(const void *a, const void *b)
{
    const view_comm_total *x = a, *y = b;
    const int64_t p = moved_bytes(x), q = moved_bytes(y);
    if (p != q)
        return p < q ? 1 : -1;
    return x->communicator < y->communicator ? -1 : x->communicator > y->communicator;
}

static int by_key(const void *a, const void *b)
{
    const view_comm_function *x = a, *y = b;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_communicator_and_bytes(const void *a, const void *b)
{
    const view_comm_function *x = a, *y = b;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->sum.bytes != y->sum.bytes)
        return x->sum.bytes < y->sum.bytes ? 1 : -1;
    if (x->sum.total_ns != y->sum.total_ns)
        return x->sum.total_ns < y->sum.total_ns ? 1 : -1;
    return by_key(a, b);
}

static view_comm_sum *sum_of_kind(view_comm_total *total, int32_t kind)
{
    switch (kind) {
    case SCOPE_MESSAGE_SENT:
        return &total->sent;
    case SCOPE_MESSAGE_RECEIVED:
        return &total->received;
    case SCOPE_MESSAGE_COLLECTIVE:
        return &total->collective;
    case SCOPE_MESSAGE_READ:
        return &total->read;
    case SCOPE_MESSAGE_WRITTEN:
        return &total->written;
    case SCOPE_MESSAGE_REMOTE:
        return &total->remote;
    default:
        return &total->other;
    }
}

view_comm_sum view_comm_moved(const view_comm_total *total)
{
    return total->received.message_count > total->sent.message_count ? total->received
                                                                     : total->sent;
}

static scope_status collect_functions(view_comm *comm)
{
    const scope_communication *list = &comm->list;
    view_comm_function *rows = malloc((list->function_count + 1) * sizeof *rows);
    if (!rows)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < list->function_count; i++) {
        const scope_function_row *from = &list->functions[i];
        rows[i] = (view_comm_function){
            from->communicator,
            from->region,
            from->kind,
            {from->call_count, from->message_count, from->bytes, from->total_ns}};
    }
    if (list->function_count)
        qsort(rows, list->function_count, sizeof *rows, by_key);
    size_t kept = 0;
    for (size_t i = 0; i < list->function_count; i++)
        if (kept && by_key(&rows[kept - 1], &rows[i]) == 0)
            add_sum(&rows[kept - 1].sum, &rows[i].sum);
        else
            rows[kept++] = rows[i];
    if (kept)
        qsort(rows, kept, sizeof *rows, by_communicator_and_bytes);
    comm->functions = rows;
    comm->function_count = kept;
    return SCOPE_OK;
}

static scope_status collect_totals(view_comm *comm)
{
    const size_t count = comm->joined.count + 1; /* the last: of no known one */
    view_comm_total *totals = calloc(count, sizeof *totals);
    int64_t(*received)[SCOPE_SIZE_CLASSES] = calloc(count, sizeof *received);
    if (!totals || !received) {
        free(totals);
        free(received);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < comm->function_count; i++) {
        const view_comm_function *from = &comm->functions[i];
        view_comm_total *to =
            &totals[from->communicator < 0 ? (int32_t)count - 1 : from->communicator];
        add_sum(sum_of_kind(to, from->kind), &from->sum);
    }
    for (size_t i = 0; i < comm->list.peer_count; i++) {
        const scope_peer_row *row = &comm->list.peers[i];
        const size_t at = row->communicator < 0 ? count - 1 : (size_t)row->communicator;
        if (row->kind == SCOPE_MESSAGE_SENT)
            add(&totals[at].classes[row->size_class], row->message_count);
        else if (row->kind == SCOPE_MESSAGE_RECEIVED)
            add(&received[at][row->size_class], row->message_count);
    }
    for (size_t i = 0; i < count; i++) {
        totals[i].communicator = i < count - 1 ? (int32_t)i : -1;
        if (totals[i].received.message_count > totals[i].sent.message_count)
            memcpy(totals[i].classes, received[i], sizeof totals[i].classes);
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const view_comm_total *total = &totals[i];
        const view_comm_sum *const all[] = {&total->collective, &total->sent,    &total->received,
                                            &total->read,       &total->written, &total->remote,
                                            &total->other};
        int64_t messages = 0;
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            add(&messages, all[k]->message_count);
        if (messages)
            totals[kept++] = *total;
    }
    if (kept)
        qsort(totals, kept, sizeof *totals, by_bytes);
    free(received);
    comm->totals = totals;
    comm->total_count = kept;
    return SCOPE_OK;
}

/* ---- by pairs of ranks ---- */

static int by_ranks(const void *a, const void *b)
{
    const view_comm_pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static view_comm_pair pair_of(const scope_peer_row *row)
{
    view_comm_pair pair = {.from = row->rank, .to = row->peer};
    if (row->kind == SCOPE_MESSAGE_RECEIVED) {
        pair = (view_comm_pair){.from = row->peer,
                                .to = row->rank,
                                .received_count = row->message_count,
                                .received_bytes = row->bytes};
    } else if (row->kind == SCOPE_MESSAGE_SENT) {
        pair.sent_count = row->message_count;
        pair.sent_bytes = row->bytes;
    } else {
        pair.remote_count = row->message_count;
        pair.remote_bytes = row->bytes;
    }
    return pair;
}

static scope_status collect_pairs(view_comm *comm, int32_t rank_count)
{
    const scope_communication *list = &comm->list;
    view_comm_pair *pairs = malloc((list->peer_count + 1) * sizeof *pairs);
    size_t count = 0, kept = 0;
    if (!pairs)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < list->peer_count; i++) {
        const scope_peer_row *row = &list->peers[i];
        if (row->kind == SCOPE_MESSAGE_READ || row->kind == SCOPE_MESSAGE_WRITTEN)
            continue;
        if (row->peer < 0 || row->peer >= rank_count || row->rank >= rank_count)
            add(&comm->peerless_count, row->message_count);
        else
            pairs[count++] = pair_of(row);
    }
    if (count)
        qsort(pairs, count, sizeof *pairs, by_ranks);
    for (size_t i = 0; i < count; i++) {
        view_comm_pair *last = kept ? &pairs[kept - 1] : NULL;
        if (!last || by_ranks(last, &pairs[i]) != 0) {
            pairs[kept++] = pairs[i];
            continue;
        }
        add(&last->sent_count, pairs[i].sent_count);
        add(&last->sent_bytes, pairs[i].sent_bytes);
        add(&last->received_count, pairs[i].received_count);
        add(&last->received_bytes, pairs[i].received_bytes);
        add(&last->remote_count, pairs[i].remote_count);
        add(&last->remote_bytes, pairs[i].remote_bytes);
    }
    comm->pairs = pairs;
    comm->pair_count = kept;
    return SCOPE_OK;
}

int64_t view_comm_count(const view_comm_pair *pair)
{
    return pair->received_count > pair->sent_count ? pair->received_count : pair->sent_count;
}

int64_t view_comm_bytes(const view_comm_pair *pair)
{
    return pair->received_bytes > pair->sent_bytes ? pair->received_bytes : pair->sent_bytes;
}

/* ---- members ---- */

const char *view_comm_ranks(const view_comm *comm, const scope_joined_communicator *of, char *text,
                            size_t size)
{
    const int32_t *ranks = comm->joined.ranks + of->first;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0, end; i < of->count; i = end) {
        char part[64];
        int64_t step = 1;
        end = i + 1;
        if (end < of->count && ranks[end] != ranks[i]) {
            step = (int64_t)ranks[end] - ranks[i];
            while (end < of->count && (int64_t)ranks[end] - ranks[end - 1] == step)
                end++;
            if (end - i < 3) /* two in a row are no pattern */
                end = i + 1;
        }
        if (end - i == 1)
            snprintf(part, sizeof part, "%s%d", i ? "," : "", (int)ranks[i]);
        else if (step == 1 || step == -1)
            snprintf(part, sizeof part, "%s%d-%d", i ? "," : "", (int)ranks[i],
                     (int)ranks[end - 1]);
        else
            snprintf(part, sizeof part, "%s%d-%d:%d", i ? "," : "", (int)ranks[i],
                     (int)ranks[end - 1], (int)step);
        const size_t more = strlen(part);
        if (length + more + 4 >= size) {
            memcpy(text + length, "...", 4);
            break;
        }
        memcpy(text + length, part, more + 1);
        length += more;
    }
    return text;
}

/* ---- all of it ---- */

/* Rows of the table's communicators become those of the joined ones. */
static void renumber(view_comm *comm)
{
    scope_communication *list = &comm->list;
    for (size_t i = 0; i < list->function_count; i++)
        if (list->functions[i].communicator >= 0)
            list->functions[i].communicator = comm->joined.of_row[list->functions[i].communicator];
    for (size_t i = 0; i < list->peer_count; i++)
        if (list->peers[i].communicator >= 0)
            list->peers[i].communicator = comm->joined.of_row[list->peers[i].communicator];
    for (size_t i = 0; i < list->untold_count; i++) {
        add(&comm->untold.call_count, list->untold[i].call_count);
        add(&comm->untold.bytes, list->untold[i].bytes);
        add(&comm->untold.lost_count, list->untold[i].lost_count);
        comm->untold_ranks += list->untold[i].call_count > 0;
    }
}

static scope_status collect(const view *view, const scope_calls *selected, view_comm *comm)
{
    scope_status status = scope_communication_list(selected, &comm->list);
    if (status == SCOPE_OK)
        status = scope_communicators_join(view->calls, &comm->joined);
    if (status == SCOPE_OK) {
        renumber(comm);
        status = collect_functions(comm);
    }
    if (status == SCOPE_OK)
        status = collect_totals(comm);
    if (status == SCOPE_OK)
        status = collect_pairs(comm, view->calls->rank_count);
    return status;
}

scope_status view_comm_new(const view *view, const char *regions, view_comm **comm)
{
    scope_calls selected;
    view_comm *made = calloc(1, sizeof *made);
    scope_status status = select_regions(view, regions, &selected);
    if (status == SCOPE_OK)
        status = made ? collect(view, &selected, made) : SCOPE_ERR_MEMORY;
    free(selected.pairs);
    free(selected.sums);
    free(selected.ranks);
    if (status != SCOPE_OK)
        view_comm_free(made);
    else
        *comm = made;
    return status;
}

void view_comm_free(view_comm *comm)
{
    if (!comm)
        return;
    scope_communication_free(&comm->list);
    scope_communicators_free(&comm->joined);
    free(comm->functions);
    free(comm->totals);
    free(comm->pairs);
    free(comm);
}
