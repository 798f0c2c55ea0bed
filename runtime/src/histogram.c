/* histogram.c - which bucket of a histogram a duration belongs to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "histogram.h"

#include <stdbool.h>

static struct bucket_table {
    bool is_filled;
    uint64_t ticks_per_second;
    uint8_t of[SCOPE_HISTOGRAM_SHORT];
} buckets;

static unsigned bucket_of(uint64_t ticks, uint64_t ticks_per_second)
{
    const uint64_t rate = ticks_per_second ? ticks_per_second : 1;
    const uint64_t ns = (uint64_t)((unsigned __int128)ticks * 1000000000u / rate);
    return ns ? 63u - (unsigned)__builtin_clzll(ns) : 0;
}

const uint8_t *scope_histogram_short(uint64_t ticks_per_second)
{
    if (!buckets.is_filled || buckets.ticks_per_second != ticks_per_second) {
        for (uint32_t i = 0; i < SCOPE_HISTOGRAM_SHORT; i++)
            buckets.of[i] = (uint8_t)bucket_of(i, ticks_per_second);
        buckets.ticks_per_second = ticks_per_second;
        buckets.is_filled = true;
    }
    return buckets.of;
}

unsigned scope_histogram_bucket(uint64_t ticks, uint64_t ticks_per_second)
{
    return ticks < SCOPE_HISTOGRAM_SHORT ? scope_histogram_short(ticks_per_second)[ticks]
                                         : bucket_of(ticks, ticks_per_second);
}
