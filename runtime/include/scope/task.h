/* task.h - cooperative lanes: coroutines, fibers, user-level threads.
 *
 * A task is what can only nest, like a thread, but shares a thread with others.
 * Its calls are on its own lane, and each of them knows how long its task was
 * suspended meanwhile (await time).
 *
 *     scope_task task = scope_task_new("request", "handle");
 *     scope_task_resume(task);     the code that runs now is the task's
 *     ... begin/end ...
 *     scope_task_suspend(task);    back to what ran before
 *     scope_task_done(task);
 *
 * Threads    any thread; a task runs on one thread at a time and may move.
 *            resume/suspend nest: a task may resume another inside its step.
 * Errors     none: what does not fit is counted. A task id is not reused in
 *            one session, but beyond SCOPE_MAX_LANES, where tasks share lanes;
 *            a suspend that does not match the running task is ignored and
 *            counted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TASK_H
#define SCOPE_TASK_H

#include <scope/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A task of the current session; negative: none (nothing is recorded). */
typedef int64_t scope_task;

#ifndef SCOPE_DISABLE

/* `name` is what this task is called, `code_name` what it runs; either may be
 * NULL. The strings are copied. */
SCOPE_API scope_task scope_task_new(const char *name, const char *code_name);
SCOPE_API void scope_task_resume(scope_task task);
SCOPE_API void scope_task_suspend(scope_task task);
SCOPE_API void scope_task_done(scope_task task);

#else

/* clang-format off */
static inline scope_task scope_task_new(const char *name, const char *code_name) { (void)name; (void)code_name; return -1; }
static inline void scope_task_resume(scope_task task) { (void)task; }
static inline void scope_task_suspend(scope_task task) { (void)task; }
static inline void scope_task_done(scope_task task) { (void)task; }
/* clang-format on */

#endif

#ifdef __cplusplus
}
#endif
#endif
