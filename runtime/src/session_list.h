/* session_list.h - all sessions of the process: 0 the process session, then explicit ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_LIST_H
#define SCOPE_SESSION_LIST_H

#include "record.h"

/* Session `index`, 0 .. scope_session_last_index(); NULL: not in use. */
scope_session *scope_session_at(unsigned index);

/* No explicit session has an index above this. */
unsigned scope_session_last_index(void);

/* A place for one more explicit session, under the session lock: it is in use once its
 * in_use is set. NULL: no memory, or SCOPE_SESSIONS_MAX are in use. */
scope_session *scope_session_take(void);
void scope_session_put(scope_session *session);

/* Is any other session than this one recording, or waiting to be written? */
bool scope_session_is_last(const scope_session *session);

#endif
