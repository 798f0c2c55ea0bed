/* session_start.h - the start of sessions: options, rank and filter, a recording opened.
 *
 * What was armed opens its recording with the first event: a process that records nothing
 * leaves nothing.
 *
 * Threads    arm, go_on and take_rank: under the session lock (session_lock.h). open,
 *            calibrate and define_of: under the engine lock (engine.h).
 * Errors     false: no recording, or no memory; nothing was changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_START_H
#define SCOPE_SESSION_START_H

#include "definitions.h"
#include "record.h"

/* An idle session waits for its first event. `host`: as in scope_session, 0 none; then
 * nothing is said about options. ERR_STATE: the process has ended. */
scope_status scope_session_arm(scope_session *session, const scope_options *options,
                               uint32_t host);

/* Has this process ever armed one, also one that records nothing? */
bool scope_session_was_started(void);

/* A session that was stopped, but kept for MPI_Finalize, records again. */
void scope_session_go_on(scope_session *session);

/* Nothing is left of what it recorded before; its start is now. Under the engine lock. */
void scope_session_renew(scope_session *session);

/* Open the recording, if it is not, and enter this session in it. */
bool scope_session_open(scope_session *session);

/* false: this recording has had as many sessions as their numbers allow. */
bool scope_session_numbers_left(void);

/* Append a calibration point. */
void scope_session_calibrate(const scope_session *session);

/* An entry of a session: now, or kept until the session's recording opens. */
bool scope_define_of(scope_session *session, scope_definition_kind kind, void *entry,
                     size_t fixed_bytes, const scope_part *parts, size_t part_count);

/* The rank is known, or known to be another: names are judged again. */
void scope_session_take_rank(void);

/* Before the first name is registered: the filter of the environment decides. Any thread,
 * no lock. */
void scope_names_prepare(void);

#endif
