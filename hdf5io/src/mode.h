/* mode.h - which way the ranks write the file, and why that one.
 *
 *     direct     rank 0 lays one file out, every rank writes its rows into it
 *     parallel   the same file, rows by the MPI-IO of a parallel HDF5
 *     per_rank   a file per rank, and an index that reads as one file
 *
 * Threads    none.
 * Errors     ERR_ARGUMENT with a message; what is collective fails on every rank alike.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_MODE_H
#define SCOPE_HDF5_MODE_H

#include <stdint.h>

#include <scope/world.h>

typedef enum scope_mode_kind {
    SCOPE_MODE_UNSAID, /* a table that is written by itself: the file says nothing */
    SCOPE_MODE_DIRECT,
    SCOPE_MODE_PARALLEL,
    SCOPE_MODE_PER_RANK,
} scope_mode_kind;

typedef struct scope_mode {
    int32_t kind;     /* scope_mode_kind */
    char reason[252]; /* text for the metadata */
} scope_mode;

const char *scope_mode_name(int32_t kind); /* "direct" ... */

/* ERR_ARGUMENT: no such mode. NULL is "auto". Not collective. */
scope_status scope_mode_check(const char *wanted);

/* Collective: rank 0's wish, or what "auto" makes of it, on every rank. `wanted` was
 * checked. */
scope_status scope_mode_agree(scope_world *world, const char *wanted, scope_mode *mode);

/* Collective: does any rank object? Every rank's `why` (`size_bytes` long) becomes the
 * first objection, "" if there is none: "rank 3: ..." where it is not rank 0's. */
scope_status scope_mode_object(scope_world *world, char *why, size_t size_bytes);

#endif
