/* draft.h - a file that is either the old one or the whole new one.
 *
 * A temporary file is made beside the target, written, fsynced and renamed over it; then the
 * directory is fsynced. With `keep` it takes no file's place, however late that one came.
 *
 * A target that is a symbolic link of this user's, or root's, is where it leads to; another
 * user's is replaced, never followed. Drafts that killed writers left disturb nobody; the
 * next file of that name removes those of this user and host.
 *
 * Ownership  a draft owns its descriptor and its file until publish or discard.
 * Threads    a draft is used by one thread.
 * Errors     0 or an errno.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_DRAFT_H
#define SCOPE_DRAFT_H

typedef struct scope_draft {
    char *target;    /* final name, own links followed */
    char *temporary; /* NULL: nothing to remove */
    int fd;
    int keep; /* to be set before the rename: EEXIST where the target exists */
    int is_synced;
} scope_draft;

/* Create the temporary file, for reading and writing. EISDIR: not the name of a regular file.
 * To be discarded also after an error; then `target` tells where it was to be. */
int scope_draft_open(const char *target, scope_draft *draft);

/* fsync what was written, if it was not yet: for drafts that are to be complete together before
 * the first is renamed. */
int scope_draft_sync(scope_draft *draft);

/* Sync (unless no_sync) and close the descriptor, rename, fsync the directory. */
int scope_draft_rename(scope_draft *draft, int no_sync);

/* Remove what is left of it; harmless after rename. */
void scope_draft_discard(scope_draft *draft);

#endif
