/* publish.h - writing what appears whole or not at all: a draft (scope/draft.h), with messages.
 *
 * Writing beyond `ulimit -f` is an error code here, not a SIGXFSZ that ends the program.
 *
 * Threads    a draft is used by one thread.
 * Errors     a scope_status with a message (message.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_PUBLISH_H
#define SCOPE_HDF5_PUBLISH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/draft.h>
#include <scope/status.h>

/* scope_draft_open. ERR_MISSING: no such directory. */
scope_status scope_publish_open(const char *target, scope_draft *draft);

/* scope_draft_rename. ERR_STATE: draft->keep is set, and the target exists. */
scope_status scope_publish_rename(scope_draft *draft, int no_sync);

/* pwrite everything, in pieces under 2^30. Returns 0 or an errno. */
int scope_write_all(int fd, const void *bytes, size_t length_bytes, uint64_t offset);

typedef struct scope_size_guard { /* SIGXFSZ, blocked in this thread */
    sigset_t before;
    int was_pending;
} scope_size_guard;

void scope_size_guard_enter(scope_size_guard *guard);
void scope_size_guard_leave(const scope_size_guard *guard);

#endif
