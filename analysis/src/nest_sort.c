/* nest_sort.c - rows of one rank in the order of call ids.
 *
 *     word   [ (start - earliest) >> shift | place ]
 *
 * SPDX-License-Identifier: MIT
 */
#include "nest_sort.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define KEY_BITS_MAX (3 * DIGIT_BITS) /* finer than that is left to put_right */
#define GROUP_SMALL 24

typedef struct sort_input {
    const int64_t *start_ns, *duration_ns;
    const nest_order *order;
    uint64_t place_mask;
} sort_input;

static unsigned bits_of(uint64_t value)
{
    return value ? 64u - (unsigned)__builtin_clzll(value) : 0;
}

/* 1: a comes before b. Places are distinct, so this is a total order. */
static int before(const sort_input *input, uint64_t a, uint64_t b)
{
    a &= input->place_mask;
    b &= input->place_mask;
    const uint64_t x = nest_row(input->order, a), y = nest_row(input->order, b);
    if (input->start_ns[x] != input->start_ns[y])
        return input->start_ns[x] < input->start_ns[y];
    const int64_t x_end = nest_end(input->start_ns[x], input->duration_ns[x]);
    const int64_t y_end = nest_end(input->start_ns[y], input->duration_ns[y]);
    if (x_end != y_end)
        return x_end > y_end;
    return a < b;
}

static int compare(const void *a, const void *b, void *context)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return before(context, x, y) ? -1 : x != y;
}

/* Sort runs of equal keys by all that the key does not say. */
static void put_right(const sort_input *input, uint64_t *words, uint64_t count)
{
    const uint64_t key_mask = ~input->place_mask;
    for (uint64_t first = 0; first + 1 < count;) {
        uint64_t end = first + 1;
        while (end < count && ((words[end] ^ words[first]) & key_mask) == 0)
            end++;
        if (end - first > GROUP_SMALL) {
            qsort_r(words + first, end - first, sizeof *words, compare, (void *)(uintptr_t)input);
        } else {
            for (uint64_t i = first + 1; i < end; i++) {
                const uint64_t word = words[i];
                uint64_t k = i;
                for (; k > first && before(input, word, words[k - 1]); k--)
                    words[k] = words[k - 1];
                words[k] = word;
            }
        }
        first = end;
    }
}

/* Least significant digit first; stable. The result lies in the returned array. */
static uint64_t *radix(uint64_t *words, uint64_t *scratch, uint64_t count, unsigned low_bit,
                       unsigned key_bits)
{
    for (unsigned done = 0; done < key_bits; done += DIGIT_BITS) {
        uint64_t starts[DIGITS] = {0};
        const unsigned shift = low_bit + done;
        for (uint64_t i = 0; i < count; i++)
            starts[words[i] >> shift & (DIGITS - 1)]++;
        uint64_t sum = 0;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            const uint64_t here = starts[digit];
            starts[digit] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < count; i++)
            scratch[starts[words[i] >> shift & (DIGITS - 1)]++] = words[i];
        uint64_t *swap = words;
        words = scratch;
        scratch = swap;
    }
    return words;
}

/* Places to rows: a table only where the slices do not follow each other. */
static scope_status map_places(const nest_slice *slices, size_t slice_count, nest_order *order)
{
    int adjoining = 1;
    for (size_t i = 0; i < slice_count; i++) {
        adjoining &= i == 0 || slices[i].first == slices[i - 1].first + slices[i - 1].count;
        order->count += slices[i].count;
    }
    order->base = slice_count ? slices[0].first : 0;
    if (adjoining)
        return SCOPE_OK;
    order->rows = malloc((order->count + 1) * sizeof *order->rows);
    if (!order->rows)
        return SCOPE_ERR_MEMORY;
    uint64_t place = 0;
    for (size_t i = 0; i < slice_count; i++)
        for (uint64_t row = 0; row < slices[i].count; row++)
            order->rows[place++] = slices[i].first + row;
    return SCOPE_OK;
}

scope_status nest_sort(const int64_t *start_ns, const int64_t *duration_ns,
                       const nest_slice *slices, size_t slice_count, nest_order *order)
{
    *order = (nest_order){0};
    if (map_places(slices, slice_count, order) != SCOPE_OK)
        return SCOPE_ERR_MEMORY;
    const uint64_t count = order->count;
    order->places = malloc((count + 1) * sizeof *order->places);
    order->scratch = malloc((count + 1) * sizeof *order->scratch);
    if (!order->places || !order->scratch) {
        nest_order_free(order);
        return SCOPE_ERR_MEMORY;
    }
    if (!count)
        return SCOPE_OK;
    int64_t earliest = INT64_MAX, latest = INT64_MIN;
    for (uint64_t place = 0; place < count; place++) {
        const int64_t start = start_ns[nest_row(order, place)];
        earliest = start < earliest ? start : earliest;
        latest = start > latest ? start : latest;
    }
    const unsigned place_bits = bits_of(count - 1) ? bits_of(count - 1) : 1;
    const unsigned range_bits = bits_of((uint64_t)latest - (uint64_t)earliest);
    unsigned key_bits = range_bits < 64 - place_bits ? range_bits : 64 - place_bits;
    if (key_bits > KEY_BITS_MAX)
        key_bits = KEY_BITS_MAX;
    const unsigned shift = range_bits - key_bits;
    uint64_t previous = 0;
    int sorted = 1;
    for (uint64_t place = 0; place < count; place++) {
        const uint64_t since = (uint64_t)start_ns[nest_row(order, place)] - (uint64_t)earliest;
        const uint64_t key = since >> shift;
        sorted &= key >= previous;
        previous = key;
        order->places[place] = key << place_bits | place;
    }
    const sort_input input = {start_ns, duration_ns, order, (UINT64_C(1) << place_bits) - 1};
    if (!sorted) {
        uint64_t *words = radix(order->places, order->scratch, count, place_bits, key_bits);
        if (words == order->scratch) {
            order->scratch = order->places;
            order->places = words;
        }
    }
    put_right(&input, order->places, count);
    for (uint64_t i = 0; i < count; i++)
        order->places[i] &= input.place_mask;
    return SCOPE_OK;
}

void nest_order_free(nest_order *order)
{
    free(order->places);
    free(order->rows);
    free(order->scratch);
    *order = (nest_order){0};
}
