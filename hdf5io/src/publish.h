/* publish.h - a file that is either the old one or the whole new one.
 *
 * A temporary file is made beside the target, written, fsynced and renamed over
 * it; then the directory is fsynced. Writing beyond `ulimit -f` is an error
 * code here, not a SIGXFSZ that ends the program.
 *
 * A target that is a symbolic link of this user's, or root's, is where it leads to; another
 * user's is replaced, never followed. Temporary files that killed writers left disturb
 * nobody; the next file of that name removes those of this user and host.
 *
 * Ownership  a draft owns its descriptor and its file until publish or discard.
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

#include <scope/status.h>

typedef struct scope_draft {
    char *target;    /* final name, own links followed */
    char *temporary; /* NULL: nothing to remove */
    int fd;
} scope_draft;

/* Create the temporary file. ERR_MISSING: no such directory. */
scope_status scope_draft_create(const char *target, scope_draft *draft);

/* fsync (unless no_sync) and close the descriptor, rename, fsync the directory. */
scope_status scope_draft_publish(scope_draft *draft, int no_sync);

/* Remove what is left of it; harmless after publish. */
void scope_draft_discard(scope_draft *draft);

/* pwrite everything, in pieces under 2^30. Returns 0 or an errno. */
int scope_write_all(int fd, const void *bytes, size_t length_bytes, uint64_t offset);

typedef struct scope_size_guard { /* SIGXFSZ, blocked in this thread */
    sigset_t before;
    int was_pending;
} scope_size_guard;

void scope_size_guard_enter(scope_size_guard *guard);
void scope_size_guard_leave(const scope_size_guard *guard);

#endif
