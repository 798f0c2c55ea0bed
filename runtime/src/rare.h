/* rare.h - what an event meets that does not take the hot path, and small helpers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RARE_H
#define SCOPE_RARE_H

#include "definitions.h"
#include "record.h"

/* Ask the watch (sink.h), if one is set. */
void scope_watch_now(void);

/* Before the first name is registered: the filter of the environment decides. */
void scope_names_prepare(void);

/* An entry of a session: now, or kept until the session's recording opens. Under
 * the engine lock. */
bool scope_define_of(scope_session *session, scope_definition_kind kind, void *entry,
                     size_t fixed_bytes, const scope_part *parts, size_t part_count);

/* Open the recording, if it is not, and enter this session in it. */
bool scope_session_open(scope_session *session);

/* Set id_limit and attention from phase, pauses and watch. */
void scope_session_refresh(scope_session *session);

#endif
