/* alone.h - the world of one process, for programs without libscope.
 *
 * Threads    constants only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ALONE_H
#define SCOPE_ALONE_H

#include <scope/world.h>

scope_world scope_world_alone(void);

#endif
