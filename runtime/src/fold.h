/* fold.h - what happens to the oldest chunks when the budget is used up.
 *
 * Threads    under the engine lock, by the thread that owns the stream.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FOLD_H
#define SCOPE_FOLD_H

#include "stream.h"

/* Policy fold or ring: a stream without any chunk gets one beyond the budget. */
bool scope_fold_is_allowed(const scope_session *session);

/* Sum up (fold) or drop (ring) this stream's oldest finished chunk and return it,
 * cleared, for the stream to go on in; NULL: policy stop, or nothing to fold. */
scope_chunk_header *scope_fold_oldest(scope_stream *stream);

/* The oldest finished chunk of the session that lies wholly before its stream's cut is
 * free again; its open calls are in the sums. Returns its bytes; 0: none. */
uint64_t scope_fold_written(scope_stream *stream);

/* Does a call, a message or a point of the stream lie behind its cut? */
bool scope_fold_passes_cut(const scope_stream *stream);

/* Sum up the stream's oldest finished chunks, a few at a time, until `left` are there. */
void scope_fold_down(scope_stream *stream, uint32_t left);

/* Give the sums' chunks back to the recording; forget the private state. */
void scope_fold_own(scope_stream *stream); /* in a forked child: they are its own */
void scope_fold_give(scope_stream *stream);
void scope_fold_free(scope_stream *stream);

#endif
