/* wrap.h - sums of times that a damaged file may say: they wrap, which is defined.
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

#endif
