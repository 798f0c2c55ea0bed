/* intercept.h - pthread_create and thrd_create: see threads start.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_INTERCEPT_H
#define SCOPE_INTERCEPT_H

/* Look the real ones up; they are looked up at first use otherwise. */
void scope_intercept_setup(void);

#endif
