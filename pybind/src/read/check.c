/* check.c - check a table that came in parts, and give it the order that all rely on:
 * pairs by rank, rows pair after pair, lanes by rank and index.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <scope/fields.h>

#include "table.h"

static int refuse(const char *why)
{
    PyErr_SetString(PyExc_ValueError, why);
    return -1;
}

/* ---- ranks ---- */

typedef struct seen_ranks {
    int32_t least, most;
} seen_ranks;

static void see_rank(int32_t *rank, void *context)
{
    seen_ranks *seen = context;
    seen->least = *rank < seen->least ? *rank : seen->least;
    seen->most = *rank > seen->most ? *rank : seen->most;
}

static int check_ranks(scope_calls *calls)
{
    seen_ranks seen = {0, -1};
    scope_calls_each_rank(calls, see_rank, &seen);
    if (seen.least < 0 || seen.most >= SCOPE_RANKS_MAX || calls->rank_count > SCOPE_RANKS_MAX)
        return refuse("a row is of an impossible rank");
    if (calls->rank_count <= seen.most)
        calls->rank_count = seen.most + 1;
    return 0;
}

/* ---- pairs and rows ---- */

static int by_region(const void *left, const void *right)
{
    const scope_pair *a = *(const scope_pair *const *)left, *b = *(const scope_pair *const *)right;
    return a->rank != b->rank ? (a->rank > b->rank ? 1 : -1)
                              : (a->region > b->region) - (a->region < b->region);
}

static int by_place(const void *left, const void *right)
{
    const scope_pair *a = *(const scope_pair *const *)left, *b = *(const scope_pair *const *)right;
    return (a->first > b->first) - (a->first < b->first);
}

static const char *pairs_wrong(const scope_calls *calls, const scope_pair **order)
{
    const size_t count = calls->pair_count;
    for (size_t i = 0; i < count; i++) {
        const scope_pair *pair = order[i] = &calls->pairs[i];
        if (pair->region >= calls->region_count)
            return "a pair is of a region that is not there";
        if (pair->first > (uint64_t)INT64_MAX || pair->count > (uint64_t)INT64_MAX)
            return "a pair is impossibly long";
        if (!calls->is_aggregate &&
            (pair->first > calls->count || pair->count > calls->count - pair->first))
            return "a pair reaches beyond the columns";
    }
    qsort(order, count, sizeof *order, by_region);
    for (size_t i = 1; i < count; i++)
        if (by_region(&order[i - 1], &order[i]) == 0)
            return "two pairs are of one region on one rank";
    if (calls->is_aggregate)
        return NULL;
    qsort(order, count, sizeof *order, by_place);
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (order[i]->count && order[i]->first < end)
            return "two pairs have rows in common";
        end = order[i]->count ? order[i]->first + order[i]->count : end;
    }
    return NULL;
}

static int check_pairs(const scope_calls *calls)
{
    const scope_pair **order = PyMem_Malloc((calls->pair_count + 1) * sizeof *order);
    if (!order) {
        PyErr_NoMemory();
        return -1;
    }
    const char *wrong = pairs_wrong(calls, order);
    PyMem_Free(order);
    return wrong ? refuse(wrong) : 0;
}

/* One column in the order of the pairs. */
static int gather_column(scope_calls *calls, const scope_field *column, uint64_t total)
{
    const size_t cell_bytes = scope_cell_memory_bytes(column->cell);
    const char *from = *scope_column_of(calls, column);
    if (!from)
        return 0;
    char *to = scope_calls_alloc(calls, total, cell_bytes), *at = to;
    if (!to) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        if (pair->count)
            memcpy(at, from + pair->first * cell_bytes, pair->count * cell_bytes);
        at += pair->count * cell_bytes;
    }
    *scope_column_of(calls, column) = to;
    return 0;
}

/* Messages go where their rows go, and those of rows of no pair with them. */
static int gather_messages(scope_calls *calls)
{
    scope_message_row *to = scope_calls_alloc(calls, calls->message_count, sizeof *to);
    size_t count = 0;
    uint64_t at = 0;
    if (!to) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        for (size_t k = scope_calls_first_message(calls, pair->first);
             k < calls->message_count && calls->messages[k].row - pair->first < pair->count; k++) {
            to[count] = calls->messages[k];
            to[count++].row += at - pair->first;
        }
        at += pair->count;
    }
    calls->messages = to;
    calls->message_count = count;
    return 0;
}

/* Pairs are ours here (table_overlay), so that their places may change. */
static int gather_rows(scope_calls *calls)
{
    uint64_t total = 0;
    int adjoining = 1;
    for (size_t i = 0; i < calls->pair_count; i++) {
        adjoining &= calls->pairs[i].first == total || !calls->pairs[i].count;
        total += calls->pairs[i].count;
    }
    const int moves = !adjoining || total != calls->count;
    for (size_t i = 0; moves && i < SCOPE_CALL_COLUMNS; i++)
        if (gather_column(calls, &scope_call_columns[i], total) < 0)
            return -1;
    if (moves && calls->message_count && gather_messages(calls) < 0)
        return -1;
    calls->count = total;
    total = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        calls->pairs[i].first = total;
        total += calls->pairs[i].count;
    }
    return 0;
}

static int check_columns(const scope_calls *calls)
{
    if (calls->count && (!calls->start_ns || !calls->duration_ns))
        return refuse("start_ns and duration_ns are missing");
    if (!calls->call_ids != !calls->parent_ids)
        return refuse("call_ids and parent_ids go together");
    for (uint64_t i = 0; i < calls->count; i++)
        if (calls->start_ns[i] < -SCOPE_TIME_MAX_NS || calls->start_ns[i] > SCOPE_TIME_MAX_NS ||
            calls->duration_ns[i] < -SCOPE_TIME_MAX_NS || calls->duration_ns[i] > SCOPE_TIME_MAX_NS)
            return refuse("a call has an impossible time");
    for (uint64_t i = 0; calls->mpi_comms && i < calls->count; i++)
        if (calls->mpi_comms[i] >= 0 && (size_t)calls->mpi_comms[i] >= calls->communicator_count)
            return refuse("a call is of a communicator that is not there");
    for (size_t i = 0; i < calls->message_count; i++) {
        const scope_message_row *message = &calls->messages[i];
        if (!calls->is_aggregate && message->row >= calls->count)
            return refuse("a message is of a call that is not there");
        if (i && message[-1].row > message->row)
            return refuse("messages must be in the order of their rows");
        if (message->communicator >= 0 &&
            (size_t)message->communicator >= calls->communicator_count)
            return refuse("a message is of a communicator that is not there");
    }
    return 0;
}

static int check_rows(const scope_calls *calls)
{
    for (size_t i = 0; i < calls->sum_count; i++)
        if (calls->sums[i].region >= calls->region_count)
            return refuse("a sum is of a region that is not there");
    for (size_t i = 0; i < calls->misuse_count; i++)
        if (calls->misuse[i].region >= calls->region_count)
            return refuse("a misuse is of a region that is not there");
    return 0;
}

/* ---- lanes ---- */

#define BY_RANK_AND_INDEX(name, type)                                                            \
    static int name(const void *left, const void *right)                                         \
    {                                                                                             \
        const type *a = left, *b = right;                                                         \
        return a->rank != b->rank ? (a->rank > b->rank ? 1 : -1)                                  \
                                  : (a->index > b->index) - (a->index < b->index);                \
    }
BY_RANK_AND_INDEX(thread_order, scope_thread_row)
BY_RANK_AND_INDEX(task_order, scope_task_row)

static int in_order(const char *rows, size_t count, size_t size_bytes,
                    int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++)
        if (compare(rows + (i - 1) * size_bytes, rows + i * size_bytes) > 0)
            return 0;
    return 1;
}

/* What is not in order is sorted in a copy: the rows may be another table's. */
static int sort_lanes(scope_calls *calls, void **rows, size_t count, size_t size_bytes,
                      int (*compare)(const void *, const void *))
{
    if (in_order(*rows, count, size_bytes, compare))
        return 0;
    void *copy = scope_calls_alloc(calls, count, size_bytes);
    if (!copy) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, *rows, count * size_bytes);
    qsort(copy, count, size_bytes, compare);
    *rows = copy;
    return 0;
}

int parts_check_and_sort(scope_calls *calls)
{
    if (check_ranks(calls) < 0 || check_pairs(calls) < 0 || check_columns(calls) < 0 ||
        check_rows(calls) < 0)
        return -1;
    if (sort_lanes(calls, (void **)(void *)&calls->threads, calls->thread_count,
                   sizeof *calls->threads, thread_order) < 0 ||
        sort_lanes(calls, (void **)(void *)&calls->tasks, calls->task_count, sizeof *calls->tasks,
                   task_order) < 0)
        return -1;
    return calls->is_aggregate ? 0 : gather_rows(calls);
}
