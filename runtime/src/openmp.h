/* openmp.h - parallel regions, tasks and waiting of OpenMP, as the runtime tells them (OMPT).
 *
 *     runtime --ompt_start_tool--> openmp_tool.c --callbacks--> openmp.c --> begin, end
 *
 * Off unless SCOPE_OPENMP=1. Only runtimes with OMPT ask (LLVM's, Intel's); GNU's libgomp does not.
 *
 * A team's threads end their last barrier when the runtime tells them the next thing to do, which
 * may be a second later or never: a thread that sleeps in it cannot record. So a thread that was
 * told late ends its wait at the time at which its team ended, and before a recording is read
 * (settle) the ends of those that still sleep are written for them.
 *
 * Threads    as each function says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OPENMP_H
#define SCOPE_OPENMP_H

#include "code_name.h"
#include "ompt.h"
#include "thread.h"

/* libscope is loaded: which OpenMP runtime is there? */
void scope_openmp_setup(void);

/* The process ends: say so if SCOPE_OPENMP=1 had no effect. Under the session lock. */
void scope_openmp_say_end(void);

/* Before the session is stopped or read: threads that sleep at the end of a parallel region that
 * is over get their ends. Under the engine lock. */
void scope_openmp_settle(scope_session *session);

/* This thread ends; in a forked child: no parallel region is left. Under the engine lock. */
void scope_openmp_thread_end(scope_thread_entry *entry);
void scope_openmp_forget(scope_thread_entry *entry);

/* openmp.c to openmp_tool.c, and back: set all callbacks; __cxa_demangle, if the process has one.
 */
void scope_openmp_set_callbacks(ompt_set_callback_t set);
scope_demangle_fn *scope_openmp_demangle(void);

#endif
