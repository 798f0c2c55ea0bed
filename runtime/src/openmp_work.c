/* openmp_work.c - a thread's share of loops, sections, single and distribute.
 *
 * Runtimes do not tell every end: not of a cancelled loop, nor of a `single` that GNU's entry
 * points began. None of these constructs may have a barrier, or another one of them, in it: so what
 * is open ends there. LLVM 14 calls the end of some loops that of a distribute: an end is of what
 * was begun last.
 *
 * SPDX-License-Identifier: MIT
 */
#include "openmp_work.h"

static openmp_kind kind_of_work(ompt_work_t work)
{
    switch (work) {
    case ompt_work_loop:
    case ompt_work_workshare:
    case ompt_work_loop_static:
    case ompt_work_loop_dynamic:
    case ompt_work_loop_guided:
    case ompt_work_loop_other:
        return OPENMP_LOOP;
    case ompt_work_sections:
        return OPENMP_SECTIONS;
    case ompt_work_single_executor:
        return OPENMP_SINGLE;
    case ompt_work_distribute:
        return OPENMP_DISTRIBUTE;
    case ompt_work_taskloop:
        return OPENMP_TASKLOOP;
    default: /* the others of a single do nothing in it */
        return OPENMP_NOTHING;
    }
}

static openmp_work *innermost(openmp_thread *self)
{
    openmp_work *work = self->work_count ? &self->works[self->work_count - 1] : NULL;
    return work && work->team == self->team ? work : NULL;
}

static void end_innermost(openmp_thread *self)
{
    openmp_end(self, self->works[--self->work_count].region);
}

static bool may_hold(openmp_kind outer, openmp_kind inner)
{
    return (inner == OPENMP_TASKLOOP && outer != OPENMP_TASKLOOP) ||
           (outer == OPENMP_DISTRIBUTE && inner == OPENMP_LOOP);
}

void openmp_end_works(openmp_thread *self)
{
    while (innermost(self))
        end_innermost(self);
}

void openmp_forget_works(openmp_thread *self)
{
    while (innermost(self))
        self->work_count--;
}

void openmp_work_tell(openmp_thread *self, ompt_work_t what, ompt_scope_endpoint_t endpoint)
{
    const openmp_kind kind = kind_of_work(what);
    openmp_team *team = self->team;
    if (kind == OPENMP_NOTHING || !team)
        return;
    if (endpoint == ompt_scope_end && innermost(self))
        end_innermost(self);
    if (endpoint != ompt_scope_begin)
        return;
    for (openmp_work *outer; (outer = innermost(self)) && !may_hold(outer->kind, kind);)
        end_innermost(self);
    if (self->work_count == OPENMP_WORKS_MAX)
        return;
    const scope_region region = scope_openmp_region(team->place, kind, openmp_recording());
    self->works[self->work_count++] = (openmp_work){team, region, kind};
    openmp_begin(self, region);
}
