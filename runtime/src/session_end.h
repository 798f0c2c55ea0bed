/* session_end.h - the ends of sessions: where the file goes, write, tell, clean up.
 *
 * Threads    under the session lock (session_lock.h) unless said.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_END_H
#define SCOPE_SESSION_END_H

#include <scope/sink.h>

#include "record.h"

/* exit: close this process's recording and write its file. Takes the lock. false: this
 * thread has it already, nothing was done. */
bool scope_end_process(void);

/* It has: threads that go on start nothing any more. */
bool scope_process_has_ended(void);

/* Stop a session: no event is recorded any more. Harmless twice. */
void scope_session_stop(scope_session *session);

/* Write a stopped session by itself, under this process's own name, or what there
 * is of a running one (flush). */
scope_status scope_session_write_local(scope_session *session, bool flush);

/* A stopped session is over; `keep`: its recording stays as a file. */
void scope_session_leave(scope_session *session, bool keep);

#endif
