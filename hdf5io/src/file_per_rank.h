/* file_per_rank.h - a file for each rank, or node, and an index that reads as one file.
 *
 *     run.h5           names, index and all small tables of the job; event columns are
 *                      virtual datasets over the others
 *     run.rank3.h5     a whole file of its own: rank 3's
 *     run.node128.h5   in jobs of many ranks: those of the node whose lowest rank is 128
 *
 * Only the index passes through rank 0. The ranks' folders may be different ones (disks of
 * the nodes); files that are brought together read as one.
 *
 * Threads    none.
 * Errors     as file_direct.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_FILE_PER_RANK_H
#define SCOPE_HDF5_FILE_PER_RANK_H

#include <scope/file.h>
#include <scope/sink.h>

#include "mode.h"

#define SCOPE_PER_RANK_MAX 256 /* ranks; of more those of a node share a file */

/* As scope_file_write_direct. No file is renamed before all are complete, the index last. */
scope_status scope_file_write_per_rank(const char *path, const scope_calls *calls,
                                       scope_world *world, const scope_file_options *options,
                                       const scope_mode *mode, int32_t most_files,
                                       scope_sink_report *report);

#endif
