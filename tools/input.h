/* input.h - a profile from a file, whatever kind of file it is.
 *
 * HDF5 files, JSON of `scope export` and native traces (.spt) are read, spool files
 * replayed: the rest sees one call table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_INPUT_H
#define SCOPE_INPUT_H

#include <stdbool.h>

#include <scope/file.h>
#include <scope/replay.h>

typedef struct input {
    const char *path; /* the caller's */
    scope_calls *calls;
    scope_file *file;   /* one of these two owns the calls' */
    scope_spool *spool; /* memory, or what it was made from */
} input;

/* Open `path` and print why not; the status says what kind of failure it was. A profile
 * is read in a child first: a damaged one may crash the HDF5 library. */
scope_status input_open(const char *command, const char *path, input *input);
void input_close(input *input);

/* The first bytes are a spool file's. */
bool input_is_spool(const char *path);

/* How a rank ended, in words: "finished", "running", "killed", "_exit(3)", "MPI_Abort(1)";
 * "not ended": of a file that the program wrote while it went on. */
void input_end(const scope_rank_row *rank, char *text, unsigned size);

#endif
