/* session_lock.h - the lock of starts and ends.
 *
 * Who holds it is held (engine.h), but for the time that a file is written: this may be
 * minutes, and the program's handlers must come. One that ends the process then leaves
 * the spool; one that jumps away leaves the lock taken, and every later start or end of
 * another thread would wait: that, as any jump out of a library call, is misuse. A fork
 * waits for some seconds, then it goes on beside the writer, whose sink, as the child has
 * it, is in the middle of something (scope_plugin_close_sink).
 *
 * Who comes first has it first, a flush as well as the end. Who waits for it is not held: its
 * handlers come, and cancellation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_LOCK_H
#define SCOPE_SESSION_LOCK_H

#include "record.h"

/* false: this thread holds it already (a handler, or a call from inside a sink), or it
 * is shut. */
bool scope_session_enter(void);
void scope_session_exit(void);
bool scope_session_has_lock(void);

/* The process ends where nothing more may start or end. Takes no lock. */
void scope_session_shut(void);

/* Around what may take long. */
void scope_session_let_handlers(void);
void scope_session_keep_handlers(void);

/* Around a fork: nothing starts or ends meanwhile. false from enter: a file is being
 * written, by another thread or by this one. reset: in the child, last. */
bool scope_session_enter_fork(void);
void scope_session_exit_fork(void);
void scope_session_reset_fork(void);

#endif
