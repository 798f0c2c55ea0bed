/* compact.h - the words of chunks with tiny calls as fewer words.
 *
 *     words in ---> held BEGINs ---> words out
 *                     |  END of the innermost one: a whole call, and the region is tiny
 *                     '---> its sum
 *
 * A call is summed up if its region is tiny, nothing but such calls lies inside it, and it
 * is not long. Of each region the first call on a lane stays, and the first after an END that
 * may have closed others by implication: it settles what is pending of it, as lane.h says.
 * The time of summed calls goes to the call around them as SPENT; the sums follow as SUM
 * before the lane changes, and at the end. SPENT and SUM that are read are added up again.
 *
 * Units      ticks.
 * Threads    under the engine lock, for histogram.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_COMPACT_H
#define SCOPE_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include <scope/decode.h>
#include <scope/recording.h>

#define SCOPE_COMPACT_HELD 8 /* BEGINs inside each other that may become sums */
#define SCOPE_COMPACT_SUMS 64
#define SCOPE_COMPACT_OPEN 64 /* BEGINs inside each other that stay */

typedef struct scope_compact_sum { /* of one region on the lane at hand */
    scope_sum sum;
    bool kept; /* a call of it stayed: nothing of it is pending */
} scope_compact_sum;

typedef struct scope_compact_held { /* a BEGIN that is not written yet */
    uint64_t words[2];
    uint64_t ticks;
    uint32_t word_count;
    uint32_t region;
} scope_compact_held;

typedef struct scope_compact {
    /* for the caller to set */
    uint64_t *out;
    size_t capacity;
    uint64_t longest;            /* a longer call stays */
    uint64_t ticks_per_second;
    bool (*is_tiny)(const void *context, uint32_t region);
    void (*summed)(void *context, uint32_t region, uint64_t calls);
    void *context;
    /* results */
    size_t count;                /* words in `out` */
    bool full;                   /* they did not fit */
    /* private */
    const uint8_t *buckets; /* of short durations */
    decoder decoder;
    bool started;
    uint32_t depth;
    scope_compact_held held[SCOPE_COMPACT_HELD];
    uint64_t spent[SCOPE_COMPACT_HELD + 1], spent_at[SCOPE_COMPACT_HELD + 1]; /* before held[i] */
    uint32_t open_count, open[SCOPE_COMPACT_OPEN];
    uint32_t sum_count;
    scope_compact_sum sums[SCOPE_COMPACT_SUMS];
} scope_compact;

/* Begin anew: what the caller sets is set. */
void scope_compact_start(scope_compact *compact);

/* Take in the next chunk of the stream, which is complete. */
void scope_compact_chunk(scope_compact *compact, const scope_chunk_header *chunk);

/* The last sums; false: `out` is too small, or there was a hole. */
bool scope_compact_finish(scope_compact *compact);

#endif
