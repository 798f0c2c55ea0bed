/* slots.h - where a thread writes, per session: pages that ended threads leave to others.
 *
 * Threads    each asks for its own; but scope_slots_from: under the engine lock (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SLOTS_H
#define SCOPE_SLOTS_H

#include "record.h"

/* Where this thread writes for a session; NULL without memory. */
scope_slot *scope_slot_of(scope_session *session);

/* The thread's first slot whose session has this index or a higher one, which *index
 * becomes; NULL: no more. Only slots that were used: a loop costs what is in use. */
scope_slot *scope_slots_from(scope_thread *thread, unsigned *index);

/* A thread that ended: its slots of explicit sessions, all released, go to another. */
void scope_slots_release(void);

#endif
