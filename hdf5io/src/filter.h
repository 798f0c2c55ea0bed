/* filter.h - how event columns are compressed: names of options, HDF5's filters.
 *
 * gzip is ours: ranks deflate their own chunks. The others are used through HDF5: LZF we
 * bring (lzf.h), Zstandard where it has it (a plug-in in HDF5_PLUGIN_PATH, or registered by
 * the program).
 *
 * Threads    as HDF5.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_FILTER_H
#define SCOPE_HDF5_FILTER_H

#include <stdbool.h>

#include <scope/file.h>

#include "h5.h"

#define SCOPE_FILTER_ID_LZF 32000 /* as registered with The HDF Group */
#define SCOPE_FILTER_ID_ZSTD 32015

typedef enum scope_filter {
    SCOPE_FILTER_NONE,
    SCOPE_FILTER_GZIP,
    SCOPE_FILTER_ZSTD,
    SCOPE_FILTER_LZF,
} scope_filter;

/* What `options` (may be NULL) ask for in a file of so many calls; *level is in the
 * filter's range. ERR_ARGUMENT, with a message: no such name. */
scope_status scope_filter_choose(const scope_file_options *options, uint64_t calls,
                                 scope_filter *filter, int32_t *level);

/* Why a dataset cannot be read: the name of a filter that HDF5 does not have here; NULL:
 * that is not why. */
const char *scope_filter_missing(hid_t dataset);

/* Add it, after shuffle, to a dataset's creation list. ERR_ARGUMENT: HDF5 has no such
 * filter here. */
scope_status scope_filter_set(hid_t list, scope_filter filter, int32_t level);

#endif
