/* session_lock.h - the lock of starts and ends, and what both halves share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_LOCK_H
#define SCOPE_SESSION_LOCK_H

#include "record.h"

/* false: this thread holds it already (a handler, or a call from inside a sink). */
bool scope_session_enter(void);
void scope_session_exit(void);
void scope_session_reset_lock(void);

/* A session that was stopped, but kept for MPI_Finalize, records again. */
void scope_session_go_on(scope_session *session);

/* false: this recording has had as many sessions as their numbers allow. */
bool scope_session_numbers_left(void);

/* Append a calibration point. Under the engine lock. */
void scope_session_calibrate(const scope_session *session);

void scope_names_take_environment(void);

/* Under the session lock: an idle session waits for its first event. `host`: as in
 * scope_session, 0 none; then nothing is said about options. */
scope_status scope_session_arm(scope_session *session, const scope_options *options,
                               uint32_t host);

#endif
