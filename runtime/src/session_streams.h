/* session_streams.h - all streams of a session: stop, give back, forget, copy in a child.
 *
 * Threads    under the engine lock (engine.h), but for pass_cut, which takes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_STREAMS_H
#define SCOPE_SESSION_STREAMS_H

#include "stream.h"

/* Once the session is stopped: no thread stores any more, but for words that were claimed
 * before. */
void scope_streams_stop(scope_session *session);

/* Give a stopped session's chunks back, but for those a thread may be inside. */
void scope_streams_free(scope_session *session);

/* Forget all, without touching them (forked child, recording closed). */
void scope_streams_forget(scope_session *session);

/* In a forked child that goes on in a copy of the recording: each stream ends its chunk
 * where it was at the fork. Before the other threads are forgotten. */
void scope_streams_inherit(scope_session *session);

/* May a live thread store into [start, end)? The caller, too: a handler may have come. */
bool scope_streams_inside(const void *start, const void *end);

/* Yes: a handler ends the session. What it interrupted on its own thread may be about to
 * store anywhere, for the handler may have gone on in other chunks. */
bool scope_streams_all_inside(const void *start, const void *end);

#endif
