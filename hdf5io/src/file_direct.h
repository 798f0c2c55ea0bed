/* file_direct.h - one file of many ranks, written without MPI-IO.
 *
 * Rank 0 lays the file out and closes it; every rank writes its own slices with
 * pwrite; rank 0 renames. Collective over the world (world.h).
 *
 * Threads    none.
 * Errors     a scope_status with a message; on any there is no new file, and an old one is what
 *            it was.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_FILE_DIRECT_H
#define SCOPE_HDF5_FILE_DIRECT_H

#include <scope/file.h>
#include <scope/sink.h>

#include "mode.h"

/* `calls` is this rank's table, on rank 0's clock, nested; NULL joins with zero
 * rows. `mode` is what the file says of itself (NULL: nothing). The same status on every
 * rank but for ERR_RANK. */
scope_status scope_file_write_direct(const char *path, const scope_calls *calls, scope_world *world,
                                     const scope_file_options *options, const scope_mode *mode,
                                     scope_sink_report *report);

#endif
