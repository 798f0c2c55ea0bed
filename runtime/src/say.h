/* say.h - lines on stderr, each once; scope_runtime_say (sink.h) prints them.
 *
 * Threads    under the session lock (session_lock.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SAY_H
#define SCOPE_SAY_H

#include "record.h"

/* Where ranks are known one of them speaks for all. */
bool scope_session_may_say(void);

/* What is wrong with an option. Once per text, however many sessions are started with it. */
void scope_say_complaint(const char *text);

/* The spool of this process from before it executed this program. */
void scope_say_left(const char *spool);

/* The session has started to record: where it can, and where its file cannot be. */
void scope_say_problems(const scope_session *session);

#endif
