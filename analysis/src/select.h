/* select.h - the n-th smallest of many values, without sorting them all.
 *
 * Threads    any, each with its own values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SELECT_H
#define SCOPE_SELECT_H

#include <stdint.h>

/* values[n] if they were sorted; they are moved around. n < count. */
int64_t select_nth(int64_t *values, uint64_t count, uint64_t n);

#endif
