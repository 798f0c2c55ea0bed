/* table_messages.c - the messages of calls that have several.
 *
 * The cursor's list is in order of events; that of the table is in order of rows,
 * whose places are only known once the columns are filled.
 *
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <stdlib.h>

typedef struct placed_messages {
    uint64_t row, place; /* in the cursor, in the table; UINT64_MAX: not in the table */
    size_t first, count; /* of `order` */
} placed_messages;

static int by_row(const void *a, const void *b)
{
    const placed_messages *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* One entry for each run of messages of one row: where threads' events alternate, a row has several. */
scope_status table_messages_start(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    if (!cursor->message_count)
        return SCOPE_OK;
    maker->placed = malloc(cursor->message_count * sizeof *maker->placed);
    if (!maker->placed)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->message_count; i++) {
        placed_messages *last = maker->placed_count ? &maker->placed[maker->placed_count - 1] : NULL;
        if (last && last->row == cursor->messages[i].row)
            last->count++;
        else
            maker->placed[maker->placed_count++] =
                (placed_messages){cursor->messages[i].row, UINT64_MAX, i, 1};
    }
    qsort(maker->placed, maker->placed_count, sizeof *maker->placed, by_row);
    return SCOPE_OK;
}

void table_messages_place(table_maker *maker, uint64_t row, uint64_t place)
{
    size_t low = 0, high = maker->placed_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (maker->placed[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < maker->placed_count && maker->placed[low].row == row; low++)
        maker->placed[low].place = place;
}

static int by_place(const void *a, const void *b)
{
    const placed_messages *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

scope_status table_messages(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    scope_calls *calls = maker->calls;
    if (!maker->placed_count)
        return SCOPE_OK;
    calls->messages = scope_calls_alloc(calls, cursor->message_count, sizeof *calls->messages);
    if (!calls->messages)
        return SCOPE_ERR_MEMORY;
    qsort(maker->placed, maker->placed_count, sizeof *maker->placed, by_place);
    for (size_t i = 0; i < maker->placed_count && maker->placed[i].place != UINT64_MAX; i++) {
        const placed_messages *run = &maker->placed[i];
        for (size_t k = run->first; k < run->first + run->count; k++) {
            const scope_message *message = &cursor->messages[k].message;
            calls->messages[calls->message_count++] = (scope_message_row){
                .row = run->place,
                .bytes = message->bytes,
                .rank = maker->rank,
                .peer = message->peer,
                .communicator = message->communicator < 0
                                    ? -1
                                    : table_communicator_row(maker, message->communicator),
                .tag = message->tag,
                .kind = (int32_t)message->kind};
        }
    }
    return SCOPE_OK;
}
