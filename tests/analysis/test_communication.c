/* test_communication.c - messages summed up, on tables made by hand.
 *
 * Each row of a table is one call; what is expected was added by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <scope/communication.h>
#include <scope/event.h>

#include "unit.h"

enum { SEND, RECV, WAITALL, BCAST, REGIONS };
enum {
    OTHER = SCOPE_MESSAGE_OTHER,
    SENT = SCOPE_MESSAGE_SENT,
    RECEIVED = SCOPE_MESSAGE_RECEIVED,
    POSTED = SCOPE_MESSAGE_POSTED,
    COLLECTIVE = SCOPE_MESSAGE_COLLECTIVE,
    READ = SCOPE_MESSAGE_READ,
    WRITTEN = SCOPE_MESSAGE_WRITTEN,
    REMOTE = SCOPE_MESSAGE_REMOTE,
};

typedef struct call { /* a row; 10 ns long */
    uint32_t region;
    int32_t rank;
    int64_t bytes;
    int32_t peer, communicator, kind;
} call;

/* Calls of one rank and region follow each other. */
static scope_calls *table_of(const call *rows, size_t count)
{
    static const char *const names[] = {"MPI_Send", "MPI_Recv", "MPI_Waitall", "MPI_Bcast"};
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    calls->rank_count = 4;
    calls->region_count = REGIONS;
    calls->regions = scope_calls_alloc(calls, REGIONS, sizeof *calls->regions);
    for (size_t i = 0; i < REGIONS; i++)
        calls->regions[i].name = scope_calls_string(calls, names[i], strlen(names[i]));
    calls->communicator_count = 3;
    calls->communicators = scope_calls_alloc(calls, 3, sizeof *calls->communicators);
    calls->count = count;
    calls->start_ns = scope_calls_alloc(calls, count, sizeof *calls->start_ns);
    calls->duration_ns = scope_calls_alloc(calls, count, sizeof *calls->duration_ns);
    calls->mpi_bytes = scope_calls_alloc(calls, count, sizeof *calls->mpi_bytes);
    calls->mpi_peers = scope_calls_alloc(calls, count, sizeof *calls->mpi_peers);
    calls->mpi_comms = scope_calls_alloc(calls, count, sizeof *calls->mpi_comms);
    calls->mpi_kinds = scope_calls_alloc(calls, count, sizeof *calls->mpi_kinds);
    calls->pairs = scope_calls_alloc(calls, count, sizeof *calls->pairs);
    calls->messages = scope_calls_alloc(calls, 16, sizeof *calls->messages);
    calls->sums = scope_calls_alloc(calls, 16, sizeof *calls->sums);
    calls->ranks = scope_calls_alloc(calls, 16, sizeof *calls->ranks);
    for (size_t i = 0; i < count; i++) {
        calls->start_ns[i] = (int64_t)i * 100;
        calls->duration_ns[i] = 10;
        calls->mpi_bytes[i] = rows[i].bytes;
        calls->mpi_peers[i] = rows[i].peer;
        calls->mpi_comms[i] = rows[i].communicator;
        calls->mpi_kinds[i] = (uint8_t)rows[i].kind;
        scope_pair *pair = calls->pair_count ? &calls->pairs[calls->pair_count - 1] : NULL;
        if (!pair || pair->rank != rows[i].rank || pair->region != rows[i].region) {
            pair = &calls->pairs[calls->pair_count++];
            *pair = (scope_pair){.rank = rows[i].rank, .region = rows[i].region, .first = i};
        }
        pair->count++;
    }
    return calls;
}

static void message(scope_calls *calls, uint64_t row, int64_t bytes, int32_t peer,
                    int32_t communicator, int32_t kind)
{
    calls->messages[calls->message_count++] = (scope_message_row){.row = row,
                                                                  .bytes = bytes,
                                                                  .peer = peer,
                                                                  .communicator = communicator,
                                                                  .tag = 0,
                                                                  .kind = kind};
}

static scope_communication list_of(const scope_calls *calls)
{
    scope_communication list;
    CU_ASSERT_EQUAL_FATAL(scope_communication_list(calls, &list), SCOPE_OK);
    return list;
}

static void expect_function(const scope_communication *list, size_t row, scope_function_row wanted)
{
    CU_ASSERT_TRUE_FATAL(row < list->function_count);
    const scope_function_row *is = &list->functions[row];
    CU_ASSERT_TRUE(is->rank == wanted.rank && is->communicator == wanted.communicator &&
                   is->region == wanted.region && is->kind == wanted.kind);
    CU_ASSERT_EQUAL(is->call_count, wanted.call_count);
    CU_ASSERT_EQUAL(is->message_count, wanted.message_count);
    CU_ASSERT_EQUAL(is->bytes, wanted.bytes);
    CU_ASSERT_EQUAL(is->total_ns, wanted.total_ns);
}

static void expect_peer(const scope_communication *list, size_t row, scope_peer_row wanted)
{
    CU_ASSERT_TRUE_FATAL(row < list->peer_count);
    const scope_peer_row *is = &list->peers[row];
    CU_ASSERT_TRUE(is->rank == wanted.rank && is->communicator == wanted.communicator &&
                   is->kind == wanted.kind && is->peer == wanted.peer &&
                   is->size_class == wanted.size_class);
    CU_ASSERT_EQUAL(is->message_count, wanted.message_count);
    CU_ASSERT_EQUAL(is->bytes, wanted.bytes);
}

static void sizes_have_classes(void)
{
    static const int64_t limits[] = {0, 64, 1024, 16384, 262144, 4194304, 67108864};
    for (int c = 0; c < SCOPE_SIZE_CLASSES - 1; c++) {
        CU_ASSERT_EQUAL(scope_size_limit(c), limits[c]);
        CU_ASSERT_EQUAL(scope_size_class(limits[c]), c);
        CU_ASSERT_EQUAL(scope_size_class(limits[c] + 1), c + 1);
    }
    CU_ASSERT_EQUAL(scope_size_class(INT64_MAX), SCOPE_SIZE_CLASSES - 1);
    CU_ASSERT_EQUAL(scope_size_class(INT64_MIN), 0);
    CU_ASSERT_EQUAL(scope_size_limit(99), INT64_MAX);
}

static void kinds_have_words(void)
{
    CU_ASSERT_STRING_EQUAL(scope_message_word(SENT), "sent");
    CU_ASSERT_STRING_EQUAL(scope_message_word(REMOTE), "remote");
    CU_ASSERT_STRING_EQUAL(scope_message_word(SCOPE_MESSAGE_SEND_COMPLETED), "send completed");
    CU_ASSERT_STRING_EQUAL(scope_message_word(SCOPE_MESSAGE_KINDS - 1), "collective completed");
    CU_ASSERT_STRING_EQUAL(scope_message_word(SCOPE_MESSAGE_KINDS), "other");
    CU_ASSERT_STRING_EQUAL(scope_message_word(INT32_MIN), "other");
}

static void messages_are_summed_by_communicator_kind_peer_and_size(void)
{
    const call rows[] = {
        {SEND, 0, 8, 1, 0, SENT},         {SEND, 0, 64, 1, 0, SENT},
        {SEND, 0, 65, 1, 0, SENT},        {SEND, 0, 8, 3, 0, SENT},
        {SEND, 0, 0, 1, 2, SENT},         {RECV, 1, 8, 0, 0, RECEIVED},
        {BCAST, 1, 40, 0, 0, COLLECTIVE}, {BCAST, 1, 2, 0, 0, COLLECTIVE},
    };
    scope_calls *calls = table_of(rows, 8);
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 4);
    expect_function(&list, 0, (scope_function_row){0, 0, SEND, SENT, 4, 4, 145, 40});
    expect_function(&list, 1, (scope_function_row){0, 2, SEND, SENT, 1, 1, 0, 10});
    expect_function(&list, 2, (scope_function_row){1, 0, RECV, RECEIVED, 1, 1, 8, 10});
    expect_function(&list, 3, (scope_function_row){1, 0, BCAST, COLLECTIVE, 2, 2, 42, 20});
    CU_ASSERT_EQUAL_FATAL(list.peer_count, 5);
    expect_peer(&list, 0, (scope_peer_row){0, 0, SENT, 1, 1, 2, 72});
    expect_peer(&list, 1, (scope_peer_row){0, 0, SENT, 1, 2, 1, 65});
    expect_peer(&list, 2, (scope_peer_row){0, 0, SENT, 3, 1, 1, 8});
    expect_peer(&list, 3, (scope_peer_row){0, 2, SENT, 1, 0, 1, 0});
    expect_peer(&list, 4, (scope_peer_row){1, 0, RECEIVED, 0, 1, 1, 8});
    CU_ASSERT_EQUAL(list.untold_count, 0);
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void a_call_counts_once_for_all_its_messages_of_a_kind(void)
{
    const call rows[] = {{WAITALL, 2, 12, -1, -1, RECEIVED}, {WAITALL, 2, 30, 0, 1, RECEIVED}};
    scope_calls *calls = table_of(rows, 2);
    message(calls, 0, 4, 0, 1, RECEIVED);
    message(calls, 0, 4, 1, 1, RECEIVED);
    message(calls, 0, 4, 1, 0, RECEIVED);
    message(calls, 0, 7, 3, 1, SENT);
    message(calls, 0, 4, 1, 1, RECEIVED);
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 3);
    expect_function(&list, 0, (scope_function_row){2, 0, WAITALL, RECEIVED, 1, 1, 4, 10});
    expect_function(&list, 1, (scope_function_row){2, 1, WAITALL, SENT, 1, 1, 7, 10});
    expect_function(&list, 2, (scope_function_row){2, 1, WAITALL, RECEIVED, 2, 4, 42, 20});
    CU_ASSERT_EQUAL_FATAL(list.peer_count, 4);
    expect_peer(&list, 3, (scope_peer_row){2, 1, RECEIVED, 1, 1, 2, 8});
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void what_is_only_completed_moves_nothing(void)
{
    const call rows[] = {{WAITALL, 0, 4, 1, 0, RECEIVED}, {WAITALL, 0, 0, -1, -1, OTHER}};
    scope_calls *calls = table_of(rows, 2);
    message(calls, 0, 9, 1, 0, SCOPE_MESSAGE_SEND_COMPLETED);
    message(calls, 0, 4, 1, 0, RECEIVED);
    message(calls, 1, 2, -1, 0, SCOPE_MESSAGE_COLLECTIVE_COMPLETED);
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 1);
    expect_function(&list, 0, (scope_function_row){0, 0, WAITALL, RECEIVED, 1, 1, 4, 10});
    CU_ASSERT_EQUAL_FATAL(list.peer_count, 1);
    expect_peer(&list, 0, (scope_peer_row){0, 0, RECEIVED, 1, 1, 1, 4});
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void files_windows_and_posted_receives_have_their_own(void)
{
    const call rows[] = {
        {RECV, 0, 0, -1, 0, POSTED},  {RECV, 0, 100, 5, 0, READ},  {RECV, 0, 200, -1, 0, WRITTEN},
        {RECV, 0, 300, 2, 0, REMOTE}, {RECV, 0, 0, -1, -1, OTHER}, {RECV, 0, 16, 3, 0, OTHER},
    };
    scope_calls *calls = table_of(rows, 6);
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 5); /* a call that moved nothing has no row */
    expect_function(&list, 0, (scope_function_row){0, 0, RECV, OTHER, 1, 1, 16, 10});
    expect_function(&list, 1, (scope_function_row){0, 0, RECV, POSTED, 1, 1, 0, 10});
    CU_ASSERT_EQUAL_FATAL(list.peer_count, 3);
    expect_peer(&list, 0, (scope_peer_row){0, 0, READ, -1, 2, 1, 100});
    expect_peer(&list, 1, (scope_peer_row){0, 0, WRITTEN, -1, 2, 1, 200});
    expect_peer(&list, 2, (scope_peer_row){0, 0, REMOTE, 2, 2, 1, 300});
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void what_only_a_damaged_file_says_is_harmless(void)
{
    const call rows[] = {
        {SEND, 0, INT64_MAX, INT32_MAX, 7, SENT},
        {SEND, 0, INT64_MAX, INT32_MAX, -5, SENT},
        {SEND, 0, INT64_MIN, INT32_MIN, 0, SENT},
        {SEND, 0, -1, -1, -1, 200},
        {SEND, 0, 5, -1, 3, RECEIVED},
    };
    scope_calls *calls = table_of(rows, 5);
    calls->duration_ns[0] = calls->duration_ns[1] = INT64_MAX;
    calls->duration_ns[2] = -1;
    message(calls, 4, 5, -1, INT32_MAX, INT32_MIN);
    message(calls, 999, 5, 0, 0, SENT); /* of no row */
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 3);
    expect_function(&list, 0, (scope_function_row){0, -1, SEND, OTHER, 2, 2, 5, 20});
    expect_function(&list, 1, (scope_function_row){0, -1, SEND, SENT, 2, 2, INT64_MAX, INT64_MAX});
    expect_function(&list, 2, (scope_function_row){0, 0, SEND, SENT, 1, 1, 0, 0});
    CU_ASSERT_EQUAL_FATAL(list.peer_count, 2);
    expect_peer(&list, 0, (scope_peer_row){0, -1, SENT, INT32_MAX, 7, 2, INT64_MAX});
    expect_peer(&list, 1, (scope_peer_row){0, 0, SENT, -1, 0, 1, 0});
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void columns_may_be_missing(void)
{
    const call rows[] = {{SEND, 0, 8, 1, 0, SENT}, {SEND, 0, 0, -1, -1, SENT}};
    scope_calls *calls = table_of(rows, 2);
    calls->mpi_kinds = NULL; /* of an older recording: nothing says what the message was */
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.function_count, 1);
    expect_function(&list, 0, (scope_function_row){0, 0, SEND, OTHER, 1, 1, 8, 10});
    CU_ASSERT_EQUAL(list.peer_count, 0);
    scope_communication_free(&list);
    calls->mpi_bytes = NULL;
    calls->mpi_peers = calls->mpi_comms = NULL;
    list = list_of(calls);
    CU_ASSERT_EQUAL(list.function_count, 0);
    scope_communication_free(&list);
    scope_calls_free(calls);
}

static void many_keys_stay_apart(void)
{
    enum { COUNT = 5000 };
    call *rows = calloc(COUNT, sizeof *rows);
    for (int i = 0; i < COUNT; i++)
        rows[i] = (call){SEND, 0, 1, i * 7 % COUNT, i % 3, SENT};
    scope_calls *calls = table_of(rows, COUNT);
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL(list.function_count, 3);
    CU_ASSERT_EQUAL(list.peer_count, COUNT);
    for (size_t i = 0; i < list.peer_count; i++)
        CU_ASSERT_TRUE(list.peers[i].message_count == 1 && list.peers[i].bytes == 1);
    scope_communication_free(&list);
    scope_calls_free(calls);
    free(rows);
}

static void what_is_not_in_the_lists_is_told_per_rank(void)
{
    const call rows[] = {{SEND, 0, 8, 1, 0, SENT}};
    scope_calls *calls = table_of(rows, 1);
    calls->region_count = REGIONS - 1; /* sums of what is no region are nobody's */
    calls->sums[0] =
        (scope_sum_row){.rank = 3, .region = SEND, .lane = -2, .count = 10, .bytes = 80};
    calls->sums[1] = (scope_sum_row){.rank = 3, .region = RECV, .lane = -2, .count = 1, .bytes = 5};
    calls->sums[2] =
        (scope_sum_row){.rank = 1, .region = BCAST, .lane = -2, .count = 1, .bytes = 5};
    calls->sum_count = 3;
    calls->ranks[0] = (scope_rank_row){.rank = 0};
    calls->ranks[1] =
        (scope_rank_row){.rank = 2, .dropped = 4, .holes = 2, .dropped_in_handlers = 1};
    calls->rank_row_count = 2;
    scope_communication list = list_of(calls);
    CU_ASSERT_EQUAL_FATAL(list.untold_count, 2);
    CU_ASSERT_EQUAL(list.untold[0].rank, 2);
    CU_ASSERT_TRUE(list.untold[0].lost_count == 7 && list.untold[0].call_count == 0);
    CU_ASSERT_EQUAL(list.untold[1].rank, 3);
    CU_ASSERT_TRUE(list.untold[1].call_count == 11 && list.untold[1].bytes == 85);
    scope_communication_free(&list);
    calls->is_aggregate = 1; /* then its row is none */
    list = list_of(calls);
    CU_ASSERT_TRUE(list.function_count == 0 && list.untold_count == 2);
    scope_communication_free(&list);
    scope_calls_free(calls);
}

/* ---- communicators ---- */

static scope_calls *communicators_of(const scope_communicator_row *rows, size_t count)
{
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    calls->communicators = scope_calls_alloc(calls, count, sizeof *rows);
    calls->communicator_count = count;
    if (count)
        memcpy(calls->communicators, rows, count * sizeof *rows);
    return calls;
}

#define NAME(text)                                                                                 \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

static void views_of_one_communicator_are_joined(void)
{
    const scope_communicator_row rows[] = {
        /* rank, id, parent, size, rank_in, serial, members, name */
        {0, 0, -1, 3, 0, 0, 77, NAME("MPI_COMM_WORLD")},
        {0, 5, 0, 2, 1, 0, 88, NAME("")}, /* ranks 2 and 0, in that order */
        {1, 0, -1, 3, 1, 0, 77, NAME("MPI_COMM_WORLD")},
        {2, 0, -1, 3, 2, 0, 77, NAME("MPI_COMM_WORLD")},
        {2, 9, 0, 2, 0, 0, 88, NAME("row")},
        {2, 4, 9, 2, 0, 1, 88, NAME("later")}, /* the same ranks again: another */
    };
    scope_calls *calls = communicators_of(rows, 6);
    scope_joined_communicators joined;
    CU_ASSERT_EQUAL_FATAL(scope_communicators_join(calls, &joined), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(joined.count, 3);
    const scope_joined_communicator *world = &joined.rows[0], *row = &joined.rows[1],
                                    *later = &joined.rows[2];
    CU_ASSERT_TRUE(world->count == 3 && world->size == 3 && world->parent == -1);
    for (int32_t i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(joined.ranks[world->first + (size_t)i], i);
    CU_ASSERT_TRUE(row->count == 2 && row->parent == 0 && row->name.length_bytes == 3);
    CU_ASSERT_TRUE(joined.ranks[row->first] == 2 && joined.ranks[row->first + 1] == 0);
    CU_ASSERT_TRUE(later->count == 1 && later->size == 2 && later->parent == 1 &&
                   later->serial == 1);
    static const int32_t of_row[] = {0, 1, 0, 0, 1, 2};
    for (size_t i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(joined.of_row[i], of_row[i]);
    scope_communicators_free(&joined);
    scope_calls_free(calls);
}

/* Two threads made one each of two that have the same members: who came first differs. */
static void what_ranks_made_of_different_ones_is_taken_apart(void)
{
    const scope_communicator_row rows[] = {
        {0, 0, -1, 2, 0, 0, 77, NAME("MPI_COMM_WORLD")},
        {0, 1, 0, 2, 0, 0, 88, NAME("a")},
        {0, 2, 0, 2, 0, 1, 88, NAME("b")},
        {0, 3, 1, 2, 0, 2, 88, NAME("of a")},
        {0, 4, 2, 2, 0, 3, 88, NAME("of b")},
        {0, 5, 3, 2, 0, 4, 88, NAME("of that of a")},
        {1, 0, -1, 2, 1, 0, 77, NAME("MPI_COMM_WORLD")},
        {1, 1, 0, 2, 1, 0, 88, NAME("a")},
        {1, 2, 0, 2, 1, 1, 88, NAME("b")},
        {1, 3, 2, 2, 1, 2, 88, NAME("of b")},
        {1, 4, 1, 2, 1, 3, 88, NAME("of a")},
        {1, 5, 4, 2, 1, 4, 88, NAME("of that of a")},
    };
    scope_calls *calls = communicators_of(rows, 12);
    scope_joined_communicators joined;
    CU_ASSERT_EQUAL_FATAL(scope_communicators_join(calls, &joined), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(joined.count, 3 + 6); /* the world, a, b; the others by themselves */
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(joined.rows[i].count, 2);
        CU_ASSERT_EQUAL(joined.of_row[i], joined.of_row[6 + i]);
    }
    for (size_t i = 3; i < 6; i++) {
        CU_ASSERT_EQUAL(joined.rows[joined.of_row[i]].count, 1);
        CU_ASSERT_EQUAL(joined.rows[joined.of_row[6 + i]].count, 1);
        CU_ASSERT_EQUAL(joined.rows[joined.of_row[i]].members, 0);
    }
    scope_communicators_free(&joined);
    scope_calls_free(calls);
}

static void without_members_each_view_is_by_itself(void)
{
    const scope_communicator_row rows[] = {
        {0, 0, -1, 2, 0, 0, 0, NAME("MPI_COMM_WORLD")},
        {1, 0, -1, 2, 1, 0, 0, NAME("MPI_COMM_WORLD")},
        {1, 2, 77, 2, 1, 0, INT64_MIN, NAME("of nobody")},
        {INT32_MAX, INT32_MIN, INT32_MAX, -1, -1, -1, -1, NAME("")},
    };
    scope_calls *calls = communicators_of(rows, 4);
    scope_joined_communicators joined;
    CU_ASSERT_EQUAL_FATAL(scope_communicators_join(calls, &joined), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(joined.count, 4);
    for (int32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(joined.of_row[i], i);
        CU_ASSERT_TRUE(joined.rows[i].count == 1 && joined.rows[i].parent == -1);
    }
    scope_communicators_free(&joined);
    scope_calls_free(calls);
}

static void both_sides_of_an_intercommunicator_are_one(void)
{
    const scope_communicator_row rows[] = {
        {0, 7, -1, 1, 0, 0, 5, NAME("")},
        {1, 3, -1, 2, 0, 0, 5, NAME("")},
        {2, 4, -1, 2, 1, 0, 5, NAME("")},
    };
    scope_calls *calls = communicators_of(rows, 3);
    scope_joined_communicators joined;
    CU_ASSERT_EQUAL_FATAL(scope_communicators_join(calls, &joined), SCOPE_OK);
    CU_ASSERT_TRUE_FATAL(joined.count == 1 && joined.rows[0].count == 3);
    CU_ASSERT_EQUAL(joined.rows[0].size, 3);
    scope_communicators_free(&joined);
    scope_calls_free(calls);
}

static void no_communicators_are_none(void)
{
    scope_calls *calls = communicators_of(NULL, 0);
    scope_joined_communicators joined;
    CU_ASSERT_EQUAL_FATAL(scope_communicators_join(calls, &joined), SCOPE_OK);
    CU_ASSERT_EQUAL(joined.count, 0);
    scope_communicators_free(&joined);
    scope_calls_free(calls);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(sizes_have_classes),
        UNIT(kinds_have_words),
        UNIT(messages_are_summed_by_communicator_kind_peer_and_size),
        UNIT(a_call_counts_once_for_all_its_messages_of_a_kind),
        UNIT(what_is_only_completed_moves_nothing),
        UNIT(files_windows_and_posted_receives_have_their_own),
        UNIT(what_only_a_damaged_file_says_is_harmless),
        UNIT(columns_may_be_missing),
        UNIT(many_keys_stay_apart),
        UNIT(what_is_not_in_the_lists_is_told_per_rank),
        UNIT(views_of_one_communicator_are_joined),
        UNIT(what_ranks_made_of_different_ones_is_taken_apart),
        UNIT(without_members_each_view_is_by_itself),
        UNIT(both_sides_of_an_intercommunicator_are_one),
        UNIT(no_communicators_are_none),
        {0},
    };
    return unit_run("communication", tests);
}
