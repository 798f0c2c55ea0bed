/* call_list.c - a call table from a list of calls and their messages, made by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "call_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/event.h>

enum { NAMES = 64, GROUPS = 16 };

typedef struct listed {
    int32_t rank;
    uint32_t region;
    int64_t start_ns, end_ns, thread;
    size_t first, count; /* messages */
    size_t place;
} listed;

static listed *list;
static scope_message_row *messages;
static scope_communicator_row *rows;
static size_t list_count, list_room, message_count, message_room, row_count, row_room;
static const char *names[NAMES];
static uint32_t name_count;
static int32_t rank_count;
static int group, group_count;
static int64_t thread;

static void *room_for(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 64;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    return array;
}

int communicator(int64_t members, int32_t serial, int32_t size, const int32_t *ranks)
{
    for (int32_t i = 0; ranks[i] >= 0; i++) {
        rows = room_for(rows, row_count, &row_room, sizeof *rows);
        rows[row_count++] = (scope_communicator_row){.rank = ranks[i],
                                                     .id = group_count,
                                                     .parent = -1,
                                                     .size = size,
                                                     .rank_in = i,
                                                     .serial = serial,
                                                     .members = members};
    }
    return group_count++;
}

void calls_begin(int32_t ranks)
{
    int32_t *all = malloc(((size_t)ranks + 1) * sizeof *all);
    list_count = message_count = row_count = 0;
    name_count = 0;
    rank_count = ranks;
    group = group_count = 0;
    thread = 0;
    for (int32_t i = 0; i < ranks; i++)
        all[i] = i;
    all[ranks] = -1;
    communicator(1, 0, ranks, all);
    free(all);
}

void call(int32_t rank, const char *name, int64_t start_ns, int64_t end_ns)
{
    uint32_t region = 0;
    while (region < name_count && strcmp(names[region], name) != 0)
        region++;
    if (region == name_count)
        names[name_count++] = name;
    list = room_for(list, list_count, &list_room, sizeof *list);
    list[list_count] = (listed){.rank = rank,
                                .region = region,
                                .start_ns = start_ns,
                                .end_ns = end_ns,
                                .thread = thread,
                                .first = message_count,
                                .place = list_count};
    list_count++;
}

void on_thread(int64_t index)
{
    thread = index;
}

void on(int communicator)
{
    group = communicator;
}

static int32_t row_of(int32_t rank)
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].id == group && rows[i].rank == rank)
            return (int32_t)i;
    return -1;
}

void message(int32_t kind, int32_t peer, int32_t tag)
{
    messages = room_for(messages, message_count, &message_room, sizeof *messages);
    messages[message_count++] =
        (scope_message_row){.rank = list[list_count - 1].rank,
                            .peer = peer,
                            .tag = tag,
                            .kind = kind,
                            .communicator = row_of(list[list_count - 1].rank)};
    list[list_count - 1].count++;
}

void sent(int32_t to, int32_t tag)
{
    message(SCOPE_MESSAGE_SENT, to, tag);
}

void received(int32_t from, int32_t tag)
{
    message(SCOPE_MESSAGE_RECEIVED, from, tag);
}

void posted(int32_t from, int32_t tag)
{
    message(SCOPE_MESSAGE_POSTED, from, tag);
}

void collective(int32_t number, int32_t root)
{
    message(SCOPE_MESSAGE_COLLECTIVE, root, number);
}

void of_bytes(int64_t bytes)
{
    messages[message_count - 1].bytes = bytes;
}

void send_completed(int32_t to, int32_t tag, int64_t since)
{
    message(SCOPE_MESSAGE_SEND_COMPLETED, to, tag);
    of_bytes(since);
}

void collective_completed(int32_t number, int32_t root, int64_t waits_for)
{
    message(SCOPE_MESSAGE_COLLECTIVE_COMPLETED, root, number);
    of_bytes(waits_for);
}

static int by_pair(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void fill_row(scope_calls *calls, uint64_t row, const listed *from)
{
    const scope_message_row *first = NULL;
    size_t moved = 0;
    for (size_t i = from->count; i-- > 0;)
        if (!scope_message_is_completion((uint32_t)messages[from->first + i].kind)) {
            first = &messages[from->first + i];
            moved++;
        }
    calls->start_ns[row] = from->start_ns;
    calls->duration_ns[row] = from->end_ns - from->start_ns;
    calls->thread_ids[row] = from->thread;
    calls->mpi_bytes[row] = first && moved == 1 ? first->bytes : 0;
    calls->mpi_peers[row] = first && moved == 1 ? first->peer : -1;
    calls->mpi_tags[row] = first && moved == 1 ? first->tag : -1;
    calls->mpi_comms[row] = first ? first->communicator : -1;
    calls->mpi_kinds[row] = (uint8_t)(first ? first->kind : SCOPE_MESSAGE_OTHER);
    for (size_t i = 0; (from->count > 1 || moved != from->count) && i < from->count; i++) {
        calls->messages[calls->message_count] = messages[from->first + i];
        calls->messages[calls->message_count++].row = row;
    }
}

scope_calls *calls_end(void)
{
    scope_calls *calls;
    if (scope_calls_new(&calls) != SCOPE_OK)
        abort();
    qsort(list, list_count, sizeof *list, by_pair);
    calls->rank_count = rank_count;
    calls->count = list_count;
    calls->region_count = name_count;
    calls->regions = scope_calls_alloc(calls, name_count, sizeof *calls->regions);
    for (uint32_t i = 0; i < name_count; i++)
        calls->regions[i].name = scope_calls_string(calls, names[i], strlen(names[i]));
    calls->communicator_count = row_count;
    calls->communicators = scope_calls_alloc(calls, row_count, sizeof *rows);
    memcpy(calls->communicators, rows, row_count * sizeof *rows);
    calls->start_ns = scope_calls_alloc(calls, list_count, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, list_count, sizeof(int64_t));
    calls->thread_ids = scope_calls_alloc(calls, list_count, sizeof(int64_t));
    calls->mpi_bytes = scope_calls_alloc(calls, list_count, sizeof(int64_t));
    calls->mpi_peers = scope_calls_alloc(calls, list_count, sizeof(int32_t));
    calls->mpi_comms = scope_calls_alloc(calls, list_count, sizeof(int32_t));
    calls->mpi_tags = scope_calls_alloc(calls, list_count, sizeof(int32_t));
    calls->mpi_kinds = scope_calls_alloc(calls, list_count, 1);
    calls->messages = scope_calls_alloc(calls, message_count, sizeof *messages);
    calls->pairs = scope_calls_alloc(calls, list_count, sizeof *calls->pairs);
    for (uint64_t row = 0; row < list_count; row++) {
        if (!row || list[row].rank != list[row - 1].rank ||
            list[row].region != list[row - 1].region)
            calls->pairs[calls->pair_count++] =
                (scope_pair){.rank = list[row].rank, .region = list[row].region, .first = row};
        calls->pairs[calls->pair_count - 1].count++;
        fill_row(calls, row, &list[row]);
    }
    calls->rank_row_count = (size_t)rank_count;
    calls->ranks = scope_calls_alloc(calls, calls->rank_row_count, sizeof *calls->ranks);
    for (int32_t i = 0; i < rank_count; i++)
        calls->ranks[i] = (scope_rank_row){
            .rank = i, .end_kind = 1, .bound_ns = -1, .host = scope_calls_string(calls, "node", 4)};
    scope_calls_nest(calls, 5, NULL);
    free(list);
    free(messages);
    free(rows);
    list = NULL;
    messages = NULL;
    rows = NULL;
    list_room = message_room = row_room = 0;
    return calls;
}
