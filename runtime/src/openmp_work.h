/* openmp_work.h - a thread's share of loops, sections, single and distribute, and making the tasks
 * of a taskloop.
 *
 * Private to openmp.c and openmp_work.c.
 *
 * Threads    each its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OPENMP_WORK_H
#define SCOPE_OPENMP_WORK_H

#include "openmp_thread.h"

/* The runtime tells that this thread begins or ends its share. */
void openmp_work_tell(openmp_thread *self, ompt_work_t what, ompt_scope_endpoint_t endpoint);

/* What is open of the innermost team: it ends, at a barrier or with the team; or it has ended,
 * nobody knows when. */
void openmp_end_works(openmp_thread *self);
void openmp_forget_works(openmp_thread *self);

#endif
