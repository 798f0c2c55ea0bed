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

/* Give the sums' chunks back to the recording; forget the private state. */
void scope_fold_give(scope_stream *stream);
void scope_fold_free(scope_stream *stream);

#endif
