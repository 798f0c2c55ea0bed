/* spools.h - find spool files, and tell which belong to one run.
 *
 *     spools [ run A rank 0 | run A rank 1 | run B rank 0 ... ]   by run, then rank
 *
 * Ownership  spools_free frees all.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOLS_H
#define SCOPE_SPOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/replay.h>

typedef struct spool_found {
    char *path;
    scope_spool *spool;
    const scope_recording_header *header;
    bool alive;     /* its process ran when it was found */
    bool needed;    /* set by who reads it: something of it is in no file, so it stays */
    bool foreign;   /* another user's, and not root's: no name in it is used as a file's */
    bool unasked;   /* foreign, and found in a folder that is neither its user's nor named as it */
    uint32_t owner; /* uid */
    scope_sessions sessions;
    const scope_session_row *main; /* of them, the one that counts as the run's; NULL: none */
    int64_t size_bytes;
    struct spool_copy *copies; /* other files with the same recording */
} spool_found;

typedef struct spool_copy {
    struct spool_copy *next;
    char path[];
} spool_copy;

typedef struct spools {
    spool_found *items;
    size_t count, room;
    bool running_only; /* set by who adds: those whose process is gone are passed over */
} spools;

/* Add a spool file, or those in a folder and in its scope-* folders. Says on
 * stderr what cannot be read; false: nothing was taken from `path`. */
bool spools_add(spools *spools, const char *command, const char *path);

/* Add those in the places where recordings go by default. `command` NULL: what cannot be
 * read is not said. */
void spools_add_default(spools *spools, const char *command);

/* Drop those of other users that nobody asked for. How many they were. */
size_t spools_drop_unasked(spools *spools);

/* Drop those of other hosts; `host` with or without its domain. How many are left. */
size_t spools_keep_host(spools *spools, const char *host);

/* Whether the id of the run begins with these digits; drop those where it does not. */
bool spools_is_run(const spool_found *item, const char *digits);
size_t spools_keep_run(spools *spools, const char *digits);

/* Sort by run and rank, and note copies of one recording (MPI_Abort and --collect make
 * them) with the original. */
void spools_sort(spools *spools);

/* All of its main session is in a file, which exists. */
bool spools_is_written(const spool_found *found);

/* A session beside the main one that was to write a file, and did not: what it
 * recorded is nowhere else. Written ones may have left their chunks to others. */
bool spools_is_pending(const spool_found *found, const scope_session_row *session);
size_t spools_pending(const spool_found *found);

/* The run that starts at item `at` ends before the returned item. */
size_t spools_run_end(const spools *spools, size_t at);

void spools_free(spools *spools);

#endif
