/* pool.h - memory for cold paths that must not call malloc.
 *
 * A signal handler may interrupt malloc and then record; so whatever the slow
 * path needs comes from here: blocks cut from anonymous maps, never given back.
 *
 * Ownership  the process owns it for good; what is used again keeps free lists.
 * Threads    any; a lock inside, which a handler never meets because the caller
 *            has signals blocked (scope_enter).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_POOL_H
#define SCOPE_POOL_H

#include <stddef.h>

/* Zeroed, aligned to 16; NULL without memory. */
void *scope_pool_alloc(size_t size_bytes);

/* An anonymous map of at least this size, and its end. */
void *scope_map_alloc(size_t size_bytes);
void scope_map_free(void *bytes, size_t size_bytes);

/* fork: held across it. */
void scope_pool_lock(void);
void scope_pool_unlock(void);
void scope_pool_reset_lock(void);

#endif
