/* exit.h - the ends of a process: exit writes; _exit and its like, and exit in a signal
 * handler, only leave a mark.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXIT_H
#define SCOPE_EXIT_H

void scope_exit_setup(void);

#endif
