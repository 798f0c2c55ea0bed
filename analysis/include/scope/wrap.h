/* wrap.h - sums of what a damaged file may say: they wrap, which is defined; what is no int64_t
 * at all becomes the nearest one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_WRAP_H
#define SCOPE_WRAP_H

#include <stdint.h>

static inline int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrap_subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t wrap_nearest(double value)
{
    if (!(value > -9.2e18)) /* nor a number */
        return INT64_MIN;
    return value < 9.2e18 ? (int64_t)value : INT64_MAX;
}

#endif
