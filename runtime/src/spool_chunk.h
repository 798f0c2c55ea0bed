/* spool_chunk.h - segments of a recording, cut into chunks.
 *
 * Segments double in size, chunks of any size are cut from the last one; what is given back
 * is used again first. A segment that finds no space in the file may be made in memory
 * beside it, for what must be kept: a kill loses that.
 *
 * Units      bytes. Chunks are multiples of SCOPE_CHUNK_UNIT_BYTES.
 * Ownership  chunks belong to the recording; freed ones are used again.
 * Errors     NULL: beyond the budget, or no space.
 * Threads    under the engine lock (engine.h), but for may_retry.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOL_CHUNK_H
#define SCOPE_SPOOL_CHUNK_H

#include "spool.h"

/* A zeroed chunk of this kind and some size_bytes; `must`: beyond the budget too, and what
 * is no chunk of events even beside a file that cannot grow. Without it a chunk of
 * events may be smaller. NULL: beyond the budget or no space. Not yet valid. */
scope_chunk_header *scope_spool_take(scope_chunk_kind kind, uint32_t size_bytes, bool must);

/* The same for events when nothing can be folded to make place for them: what is kept back
 * for that, else memory beside the file, which a kill loses. */
scope_chunk_header *scope_spool_take_last(uint32_t size_bytes);

/* The chunk lies beside the file: a kill loses it. */
bool scope_spool_is_beside(const scope_chunk_header *chunk);

/* So many events more, or less, would be lost by a kill. */
void scope_spool_count_beside(int64_t events);

/* After a refusal: is it time to ask again? Any thread, no lock. */
bool scope_spool_may_retry(void);

/* A chunk that was just taken begins now, as said: its header is filled in and published.
 * Returns the instant. */
scope_clock_point scope_spool_begin(scope_chunk_header *chunk, uint16_t session, uint32_t stream,
                                    uint32_t sequence, int64_t thread, int64_t task);

/* Publish a chunk whose header is filled in but for magic, kind and generation. */
void scope_spool_publish(scope_chunk_header *chunk);

/* Make a chunk invalid and free for others; reuse zeroes it. */
void scope_spool_give(scope_chunk_header *chunk);

/* Make a chunk invalid and zero it, for its owner to publish again. */
void scope_spool_clear(scope_chunk_header *chunk);

/* A new recording waits for no retry of the one before. */
void scope_spool_try_at_once(void);

#endif
