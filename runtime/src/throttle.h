/* throttle.h - a region called without end for next to nothing must not drown the rest.
 *
 *     finished chunk --sampled--> which regions are tiny
 *     [ outer  r r r r r r r r r  outer' ... ]      r: tiny, nothing inside
 *         -> [ outer  r  SPENT  outer' ...  SUM r ]  joined with the chunk before it
 *
 * When a stream finishes a chunk, the one finished before that is looked at (a signal
 * handler may still store into the newest). Regions that the samples saw more than
 * SCOPE_THROTTLE calls of, short on average, are tiny; under auto, those whose calls on all
 * threads have taken an eighth of the budget in force. A chunk that consists of their calls
 * for the most part is written anew: those calls become exact sums, everything else is
 * copied word by word. A call that takes long for its region stays. The hot path knows
 * nothing of it.
 *
 * Exact under SIGKILL: the new chunk is published, then the old ones are made invalid;
 * of chunks for one place the one with the greater generation counts (RECORDING.md).
 *
 * Only under policy fold, and not what a host reads: its cursors hold positions.
 *
 * Units      ticks, but for the option's ns.
 * Ownership  pool memory; of one stream, used again by another.
 * Threads    under the engine lock, by the thread that owns the stream.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_THROTTLE_H
#define SCOPE_THROTTLE_H

#include "stream.h"

/* The stream has just finished a chunk (`newest`): look at the one before. */
void scope_throttle_look(scope_stream *stream);

/* Forget what was learned of the stream. */
void scope_throttle_free(scope_stream *stream);

/* The region with the most calls that became sums, and how many did; 0: none. Takes the
 * engine lock. */
uint64_t scope_throttle_most(const scope_session *session, uint32_t *region);

#endif
