/* file.h - call tables in HDF5 files (schema 3; hdf5io/FORMAT.md).
 *
 *     scope_file *file;
 *     if (scope_file_open("profiling_data.h5", &file) == SCOPE_OK) {
 *         const scope_calls *calls = scope_file_calls(file);
 *         ...
 *         scope_file_close(file);
 *     }
 *
 * Reads what this runtime and scope-profiler 0.7.5 write (schema 1, 2 and 3), with every
 * filter that HDF5 has here; groups, datasets and attributes that it does not know are
 * ignored.
 *
 * Units      as calls.h; times are absolute, lane times too.
 * Ownership  the file owns the table; it is valid until scope_file_close.
 * Threads    one thread at a time per process: HDF5 itself is not thread-safe.
 * Processes  open reads the file in a forked child first: HDF5 can crash on a
 *            damaged one.
 * Errors     a scope_status; scope_file_message() says in a sentence what is
 *            wrong with which file. Nothing is printed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FILE_H
#define SCOPE_FILE_H

#include <scope/calls.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scope_file scope_file;

/* ERR_MISSING no such file; ERR_CORRUPT not HDF5, truncated, or inconsistent;
 * ERR_VERSION a newer schema; ERR_IO, ERR_MEMORY. */
SCOPE_API scope_status scope_file_open(const char *path, scope_file **file);
SCOPE_API void scope_file_close(scope_file *file);
SCOPE_API const scope_calls *scope_file_calls(const scope_file *file);

/* What the last failing call of this thread had to say, with file name; never NULL. */
SCOPE_API const char *scope_file_message(void);

typedef struct scope_file_options {
    const char *compression;   /* NULL or "none", "gzip", "auto" (gzip for large files), "zstd",
                                  "lzf": ERR_ARGUMENT where this HDF5 has no such filter */
    int32_t compression_level; /* gzip 1..9, 0: 4; zstd 1..22, 0: 3 */
    int32_t no_sync;           /* 1: no fsync (tests) */
    int64_t chunk_size;        /* elements per chunk of the event columns; 0: contiguous, or what
                                  the filter needs */
    int32_t keep;              /* 1: ERR_STATE where `path` exists when all is written */
    const char *output_mode;   /* of a table of many ranks (sink.h); NULL or "auto", "direct",
                                  "parallel", "per_rank" */
} scope_file_options;

/* Write a whole table under a temporary name beside `path`, fsync, rename. On
 * any error `path` is what it was before and no temporary file stays. `options`
 * may be NULL. ERR_MISSING: no such directory; ERR_SPACE; ERR_IO. */
SCOPE_API scope_status scope_file_write(const char *path, const scope_calls *calls,
                                        const scope_file_options *options);

#ifdef __cplusplus
}
#endif
#endif
