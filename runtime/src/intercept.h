/* intercept.h - pthread_create and thrd_create: see threads start.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_INTERCEPT_H
#define SCOPE_INTERCEPT_H

/* ThreadSanitizer must be the first to run on a new thread and the last on one that
 * ends: under it starts are not seen, and ends one round of destructors early. */
#if defined(__SANITIZE_THREAD__)
#define SCOPE_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SCOPE_UNDER_TSAN 1
#endif
#endif
#ifndef SCOPE_UNDER_TSAN
#define SCOPE_UNDER_TSAN 0
#endif

/* Look the real ones up; they are looked up at first use otherwise. */
void scope_intercept_setup(void);

#endif
