/* budget.h - how much a recording may take, and which places suit a spool.
 *
 * Units      bytes.
 * Threads    any; allocates nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_BUDGET_H
#define SCOPE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* false: a network or user-space file system, never the default spool. */
bool scope_budget_is_local(const char *folder);

/* The budget in force: `wanted` if > 0, UINT64_MAX if -1, else the default for a
 * spool file (fd >= 0) or for memory. */
uint64_t scope_budget_bytes(int64_t wanted, int spool_fd);

/* The memory limit of this process's control groups, version 1 or 2, and of those above
 * them; UINT64_MAX: none. `root` is put before every path: "", but for tests. */
uint64_t scope_budget_group_limit(const char *root);

#endif
