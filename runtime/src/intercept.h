/* intercept.h - pthread_create and thrd_create: see threads start.
 *
 * Threads    setup: once, in the constructor. The functions themselves: any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_INTERCEPT_H
#define SCOPE_INTERCEPT_H

/* ThreadSanitizer must be the first to run on a new thread and the last on one that
 * ends: under it starts are not seen, and ends one round of destructors early. 1 in a
 * program that was built for it, whether we were or not. */
extern int scope_under_tsan __attribute__((visibility("hidden")));

/* Look the real ones up; they are looked up at first use otherwise. */
void scope_intercept_setup(void);

#endif
