/* fork.h - a forked child forgets its parent's recording; if it records, it gets its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FORK_H
#define SCOPE_FORK_H

void scope_fork_setup(void);

#endif
