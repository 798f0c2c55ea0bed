/* nest_sort.h - rows of one rank in the order of call ids.
 *
 * Start ascending, end descending, then as they lie: parents before children.
 * Rows are packed into one word each (start, coarse if need be, and place), sorted
 * by radix, and what is equal so far is put right: a few ns a row, however many
 * lanes there are.
 *
 * Ownership  the order owns its memory: nest_order_free.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_NEST_SORT_H
#define SCOPE_NEST_SORT_H

#include <scope/calls.h>

typedef struct nest_slice { /* rows [first, first + count) of a pair */
    uint64_t first, count;
} nest_slice;

typedef struct nest_order {
    uint64_t count;
    uint64_t *places;   /* in sorted order: place counted over the slices */
    uint64_t *rows;     /* row of each place; NULL: base + place */
    uint64_t base;
    uint64_t *scratch;
} nest_order;

scope_status nest_sort(const int64_t *start_ns, const int64_t *duration_ns,
                       const nest_slice *slices, size_t slice_count, nest_order *order);
void nest_order_free(nest_order *order);

static inline uint64_t nest_row(const nest_order *order, uint64_t place)
{
    return order->rows ? order->rows[place] : order->base + place;
}

/* start + duration; a damaged file may hold any values. */
static inline int64_t nest_end(int64_t start_ns, int64_t duration_ns)
{
    int64_t end;
    return __builtin_add_overflow(start_ns, duration_ns, &end) ? INT64_MAX : end;
}

#endif
