/* collect.h - copy this node's spool files to where all nodes' meet.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_COLLECT_H
#define SCOPE_COLLECT_H

#include "spools.h"

/* Copy them into `folder`, which is made if it is not there, each under a temporary
 * name first; one that is there already and as large is left. Those of programs that
 * still run stay away. The status of the worst; `*copied` counts. */
scope_status collect_spools(const char *command, const spools *spools, const char *folder,
                            size_t *copied);

#endif
