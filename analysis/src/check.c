/* check.c - see check.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/check.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/fields.h>
#include <scope/wrap.h>

static scope_status verdict(const char *wrong, char *why)
{
    if (wrong && wrong != why)
        snprintf(why, SCOPE_WHY_BYTES, "%s", wrong);
    return wrong ? SCOPE_ERR_CORRUPT : SCOPE_OK;
}

/* ---- what cannot be ---- */

typedef struct seen_ranks {
    int32_t least, most;
} seen_ranks;

static void see_rank(int32_t *rank, void *context)
{
    seen_ranks *seen = context;
    seen->least = *rank < seen->least ? *rank : seen->least;
    seen->most = *rank > seen->most ? *rank : seen->most;
}

static seen_ranks ranks_of(const scope_calls *calls)
{
    seen_ranks seen = {0, -1};
    scope_calls_each_rank((scope_calls *)calls, see_rank, &seen); /* which changes none */
    return seen;
}

/* A damaged file must not make anybody allocate two thousand million ranks. */
static const char *ranks_wrong(const scope_calls *calls)
{
    const seen_ranks seen = ranks_of(calls);
    const int good = seen.least >= 0 && seen.most < SCOPE_RANKS_MAX && calls->rank_count >= 0 &&
                     calls->rank_count <= SCOPE_RANKS_MAX;
    return good ? NULL : "a row is of an impossible rank";
}

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

static const char *twin(const scope_calls *calls, const scope_pair *pair, char *why)
{
    snprintf(why, SCOPE_WHY_BYTES, "region '%.80s' is there twice for rank %d",
             calls->regions[pair->region].name.bytes, (int)pair->rank);
    return why;
}

/* `order` has room for all pairs. */
static const char *pairs_wrong(const scope_calls *calls, const scope_pair **order, char *why)
{
    const size_t count = calls->pair_count;
    for (size_t i = 0; i < count; i++) {
        const scope_pair *pair = order[i] = &calls->pairs[i];
        if (pair->region >= calls->region_count)
            return "a row of the index is of a region that is not there";
        if (pair->first > (uint64_t)INT64_MAX || pair->count > (uint64_t)INT64_MAX)
            return "a row of the index is impossibly long";
        if (!calls->is_aggregate &&
            (pair->first > calls->count || pair->count > calls->count - pair->first))
            return "a row of the index reaches beyond the columns";
    }
    qsort(order, count, sizeof *order, by_region);
    for (size_t i = 1; i < count; i++)
        if (by_region(&order[i - 1], &order[i]) == 0)
            return twin(calls, order[i], why);
    if (calls->is_aggregate)
        return NULL;
    qsort(order, count, sizeof *order, by_place);
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (order[i]->count && order[i]->first < end)
            return "two rows of the index have calls in common";
        end = order[i]->count ? order[i]->first + order[i]->count : end;
    }
    return NULL;
}

static const char *columns_wrong(const scope_calls *calls)
{
    if (calls->count && (!calls->start_ns || !calls->duration_ns))
        return "start_ns and duration_ns are missing";
    if (!calls->call_ids != !calls->parent_ids)
        return "call_ids and parent_ids go together";
    for (uint64_t i = 0; calls->mpi_comms && i < calls->count; i++)
        if (calls->mpi_comms[i] >= 0 && (size_t)calls->mpi_comms[i] >= calls->communicator_count)
            return "a call is of a communicator that is not there";
    return NULL;
}

static const char *rows_wrong(const scope_calls *calls)
{
    for (size_t i = 0; i < calls->sum_count; i++)
        if (calls->sums[i].region >= calls->region_count)
            return "a sum is of a region that is not there";
    for (size_t i = 0; i < calls->misuse_count; i++)
        if (calls->misuse[i].region >= calls->region_count)
            return "a misuse is of a region that is not there";
    for (size_t i = 0; i < calls->message_count; i++) {
        const scope_message_row *message = &calls->messages[i];
        if (message->row >= calls->count)
            return "a message is of a call that is not there";
        if (i && message[-1].row > message->row)
            return "messages must be in the order of their rows";
        if (message->communicator >= 0 &&
            (size_t)message->communicator >= calls->communicator_count)
            return "a message is of a communicator that is not there";
    }
    return NULL;
}

scope_status scope_calls_check(const scope_calls *calls, char why[SCOPE_WHY_BYTES])
{
    const scope_pair **order = malloc((calls->pair_count + 1) * sizeof *order);
    if (!order)
        return SCOPE_ERR_MEMORY;
    const char *wrong = ranks_wrong(calls);
    if (!wrong)
        wrong = pairs_wrong(calls, order, why);
    if (!wrong)
        wrong = columns_wrong(calls);
    if (!wrong)
        wrong = rows_wrong(calls);
    free(order);
    return verdict(wrong, why);
}

static int is_time(int64_t ns)
{
    return ns >= -SCOPE_TIME_MAX_NS && ns <= SCOPE_TIME_MAX_NS;
}

scope_status scope_calls_check_times(const scope_calls *calls, char why[SCOPE_WHY_BYTES])
{
    for (uint64_t i = 0; i < calls->count; i++)
        if (!is_time(calls->start_ns[i]) || !is_time(calls->duration_ns[i]))
            return verdict("a call has an impossible time", why);
    return SCOPE_OK;
}

/* ---- order ---- */

typedef struct placed { /* a pair to be sorted */
    int32_t rank;
    size_t index;
} placed;

static int by_rank(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return a->rank != b->rank ? (a->rank > b->rank ? 1 : -1)
                              : (a->index > b->index) - (a->index < b->index);
}

/* NULL: no memory. */
static placed *sorted_pairs(const scope_calls *calls)
{
    placed *order = malloc((calls->pair_count + 1) * sizeof *order);
    for (size_t i = 0; order && i < calls->pair_count; i++)
        order[i] = (placed){calls->pairs[i].rank, i};
    if (order)
        qsort(order, calls->pair_count, sizeof *order, by_rank);
    return order;
}

static scope_status gather_column(scope_calls *calls, const scope_field *column,
                                  const placed *order, uint64_t total)
{
    const size_t cell_bytes = scope_cell_memory_bytes(column->cell);
    const char *from = *scope_column_of(calls, column);
    if (!from)
        return SCOPE_OK;
    char *to = scope_calls_alloc(calls, (size_t)total, cell_bytes), *at = to;
    if (!to)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[order[i].index];
        const uint64_t rows = scope_calls_pair_rows(calls, pair);
        if (rows)
            memcpy(at, from + pair->first * cell_bytes, rows * cell_bytes);
        at += rows * cell_bytes;
    }
    *scope_column_of(calls, column) = to;
    return SCOPE_OK;
}

static scope_status gather_messages(scope_calls *calls, const placed *order)
{
    scope_message_row *to = scope_calls_alloc(calls, calls->message_count, sizeof *to);
    size_t count = 0;
    uint64_t at = 0;
    if (!to)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[order[i].index];
        const uint64_t rows = scope_calls_pair_rows(calls, pair);
        for (size_t k = scope_calls_first_message(calls, pair->first);
             k < calls->message_count && calls->messages[k].row - pair->first < rows; k++) {
            to[count] = calls->messages[k];
            to[count++].row += at - pair->first;
        }
        at += rows;
    }
    calls->messages = to;
    calls->message_count = count;
    return SCOPE_OK;
}

/* `rows`: one per pair, or NULL. */
static scope_status gather_pairs(scope_calls *calls, void **rows, size_t row_bytes,
                                 const placed *order)
{
    char *sorted = *rows ? scope_calls_alloc(calls, calls->pair_count, row_bytes) : NULL;
    if (!sorted)
        return *rows ? SCOPE_ERR_MEMORY : SCOPE_OK;
    for (size_t i = 0; i < calls->pair_count; i++)
        memcpy(sorted + i * row_bytes, (const char *)*rows + order[i].index * row_bytes, row_bytes);
    *rows = sorted;
    return SCOPE_OK;
}

/* Everything of the pairs goes where `order` has it. */
static scope_status gather(scope_calls *calls, const placed *order, uint64_t total, int rows_move)
{
    void *pairs = calls->pairs, *metadata = calls->event_metadata, *texts = calls->source_texts;
    scope_status status = SCOPE_OK;
    for (size_t c = 0; rows_move && status == SCOPE_OK && c < SCOPE_CALL_COLUMNS; c++)
        status = gather_column(calls, &scope_call_columns[c], order, total);
    if (rows_move && status == SCOPE_OK && calls->message_count)
        status = gather_messages(calls, order);
    if (status == SCOPE_OK)
        status = gather_pairs(calls, &metadata, sizeof(scope_string), order);
    if (status == SCOPE_OK)
        status = gather_pairs(calls, &texts, sizeof(scope_string), order);
    if (status == SCOPE_OK)
        status = gather_pairs(calls, &pairs, sizeof(scope_pair), order);
    if (status != SCOPE_OK)
        return status;
    calls->event_metadata = metadata;
    calls->source_texts = texts;
    calls->pairs = pairs;
    calls->count = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        calls->pairs[i].first = calls->count;
        calls->count += scope_calls_pair_rows(calls, &calls->pairs[i]);
    }
    return SCOPE_OK;
}

static scope_status order_pairs(scope_calls *calls)
{
    uint64_t total = 0;
    int rows_move = 0, pairs_move = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        const uint64_t rows = scope_calls_pair_rows(calls, pair);
        pairs_move |= pair->first != total || (i && pair->rank < pair[-1].rank);
        rows_move |= (rows && pair->first != total) || (i && pair->rank < pair[-1].rank);
        total += rows;
    }
    rows_move |= total != calls->count;
    if (!rows_move && !pairs_move)
        return SCOPE_OK;
    placed *order = sorted_pairs(calls);
    if (!order)
        return SCOPE_ERR_MEMORY;
    const scope_status status = gather(calls, order, total, rows_move);
    free(order);
    return status;
}

#define BY_RANK_AND_INDEX(name, type)                                                              \
    static int name(const void *left, const void *right)                                           \
    {                                                                                              \
        const type *a = left, *b = right;                                                          \
        return a->rank != b->rank ? (a->rank > b->rank ? 1 : -1)                                   \
                                  : (a->index > b->index) - (a->index < b->index);                 \
    }
BY_RANK_AND_INDEX(thread_order, scope_thread_row)
BY_RANK_AND_INDEX(task_order, scope_task_row)

static int in_order(const char *rows, size_t count, size_t row_bytes,
                    int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++)
        if (compare(rows + (i - 1) * row_bytes, rows + i * row_bytes) > 0)
            return 0;
    return 1;
}

/* What is not in order is sorted in a copy: the rows may be another table's. */
static scope_status order_rows(scope_calls *calls, const scope_row_table *table,
                               int (*compare)(const void *, const void *))
{
    void **rows = scope_rows_of(calls, table);
    const size_t count = *scope_row_count_of(calls, table), row_bytes = table->kind.row_bytes;
    if (in_order(*rows, count, row_bytes, compare))
        return SCOPE_OK;
    void *sorted = scope_calls_alloc(calls, count, row_bytes);
    if (!sorted)
        return SCOPE_ERR_MEMORY;
    memcpy(sorted, *rows, count * row_bytes);
    qsort(sorted, count, row_bytes, compare);
    *rows = sorted;
    return SCOPE_OK;
}

scope_status scope_calls_order(scope_calls *calls)
{
    const int32_t most = ranks_of(calls).most;
    if (calls->rank_count <= most)
        calls->rank_count = most + 1;
    scope_status status = order_pairs(calls);
    if (status == SCOPE_OK)
        status = order_rows(calls, &scope_row_tables[SCOPE_ROWS_THREADS], thread_order);
    if (status == SCOPE_OK)
        status = order_rows(calls, &scope_row_tables[SCOPE_ROWS_TASKS], task_order);
    return status;
}

void scope_calls_span(const scope_calls *calls, int64_t *first_ns, int64_t *last_ns)
{
    *first_ns = calls->count ? INT64_MAX : 0;
    *last_ns = calls->count ? INT64_MIN : 0;
    for (uint64_t i = 0; i < calls->count; i++) {
        const int64_t end = wrap_add(calls->start_ns[i], calls->duration_ns[i]);
        *first_ns = calls->start_ns[i] < *first_ns ? calls->start_ns[i] : *first_ns;
        *last_ns = end > *last_ns ? end : *last_ns;
    }
}
