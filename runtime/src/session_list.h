/* session_list.h - all sessions of the process: 0 the process session, then explicit ones.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_LIST_H
#define SCOPE_SESSION_LIST_H

#include "record.h"

/* Session `index`, 0 .. SCOPE_SESSIONS_MAX; NULL: not in use. */
scope_session *scope_session_at(unsigned index);

/* Is any other session than this one recording, or waiting to be written? */
bool scope_session_is_last(const scope_session *session);

/* Has this process ever started one, also one that records nothing? */
bool scope_session_was_started(void);

#endif
