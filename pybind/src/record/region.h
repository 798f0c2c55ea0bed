/* region.h - the Region type: entered, left, counted.
 *
 * Counts     calls: entered while the session was live and not paused; exits: of these.
 *            skipped: entered while paused and not left yet. An exit is that of a counted
 *            call while there is one: which call it closes, on which lane, is libscope's.
 * Threads    the GIL.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_REGION_H
#define SCOPE_PYBIND_REGION_H

#include "lane.h"
#include "session.h"

typedef struct RegionObject {
    PyObject_HEAD
    PyObject *enter, *leave; /* bound builtins (method.h) */
    SessionObject *session;  /* never NULL */
    scope_region id;         /* -1: not recorded */
    int enabled;             /* and recorded */
    int is_plain;            /* its class overrides neither __enter__ nor __exit__ */
    int line;                /* -1 unknown */
    int64_t calls, exits, skipped, ptr_base;
    PyObject *name, *tags, *source_file, *source_text; /* sources: a str, "" unknown */
    PyObject *weakrefs;
} RegionObject;

static inline void region_begin(RegionObject *self)
{
    const SessionObject *session = self->session;
    if (!self->enabled || !session_is_live(session))
        return;
    lane_check(session->state);
    if (session->paused)
        self->skipped++;
    else
        self->calls++;
    if (session->is_process)
        scope_region_begin(self->id);
    else
        scope_session_begin(session->session, self->id);
}

static inline void region_end(RegionObject *self)
{
    const SessionObject *session = self->session;
    if (!self->enabled)
        return;
    if (self->exits < self->calls)
        self->exits++;
    else if (self->skipped)
        self->skipped--;
    if (!session_is_live(session))
        return;
    if (session->is_process)
        scope_region_end(self->id);
    else
        scope_session_end(session->session, self->id);
}

/* `with` on any region, overridden methods included. enter: what `as` gets, a new
 * reference, or NULL. exit: a new reference, or NULL. */
PyObject *region_enter(RegionObject *self);
PyObject *region_exit(RegionObject *self, PyObject *const *three);

/* A region of a session, or the one of that name that it has. New reference. */
PyObject *region_new(SessionObject *session, PyTypeObject *type, PyObject *name, PyObject *tags,
                     PyObject *source_file, int line, PyObject *source_text, int enabled);

#endif
