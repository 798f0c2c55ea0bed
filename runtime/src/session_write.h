/* session_write.h - hand a recording to the sink, say how it went.
 *
 * Threads    under the session lock (session_lock.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_WRITE_H
#define SCOPE_SESSION_WRITE_H

#include <stdbool.h>

#include <scope/sink.h>

#include "record.h"

bool scope_session_wants_file(const scope_session *session);

/* This process has a file of this name: what it writes later gets another. */
void scope_session_remember_written(const char *name);

/* This process alone, under a name of its own. `deferral` says why a rank writes by itself. OK
 * where no file is wanted. */
scope_status scope_session_write_own(scope_session *session, bool flush,
                                     scope_deferral deferral);

/* All ranks, one file, under rank 0's name; collective over the world. */
scope_status scope_session_write_one(scope_session *session, scope_world *world);

#endif
