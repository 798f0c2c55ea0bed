/* select.c - the n-th smallest of many values: three-way quickselect.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select.h"

static void swap(int64_t *a, int64_t *b)
{
    const int64_t value = *a;
    *a = *b;
    *b = value;
}

int64_t select_nth(int64_t *values, uint64_t count, uint64_t n)
{
    uint64_t low = 0, high = count;      /* the place is in [low, high) */
    uint64_t seed = UINT64_C(88172645463325252); /* no order of the input is a bad one for long */
    while (high - low > 1) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        const int64_t pivot = values[low + seed % (high - low)];
        uint64_t less = low, at = low, more = high; /* [low, less) < pivot, [more, high) > pivot */
        while (at < more) {
            if (values[at] < pivot)
                swap(&values[at++], &values[less++]);
            else if (values[at] > pivot)
                swap(&values[at], &values[--more]);
            else
                at++;
        }
        if (n < less)
            high = less;
        else if (n >= more)
            low = more;
        else
            return pivot;
    }
    return values[low];
}
