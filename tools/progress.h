/* progress.h - what is being done, on a terminal, while it takes long.
 *
 * Nothing is shown where stderr is no terminal, and nothing in the first half
 * second. One line, which goes away again.
 *
 * Threads    a thread of its own shows it: the work needs not call in.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PROGRESS_H
#define SCOPE_PROGRESS_H

void progress_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
