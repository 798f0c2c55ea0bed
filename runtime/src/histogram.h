/* histogram.h - which bucket of a histogram a duration belongs to.
 *
 * Bucket b: durations of [2^b, 2^(b+1)) ns, taken with a nominal rate; 0 also holds 0.
 *
 * Units      ticks in, ns in the buckets.
 * Threads    under the engine lock: short durations are looked up in a table of one rate.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HISTOGRAM_H
#define SCOPE_HISTOGRAM_H

#include <stdint.h>

#define SCOPE_HISTOGRAM_SHORT 4096u /* ticks; below, the table says it */

/* Buckets of durations below SCOPE_HISTOGRAM_SHORT; good until another rate is asked for. */
const uint8_t *scope_histogram_short(uint64_t ticks_per_second);

unsigned scope_histogram_bucket(uint64_t ticks, uint64_t ticks_per_second);

#endif
