/* parallel.h - the port to the writers with a parallel HDF5, one per MPI family.
 *
 * lib/scope/libscope_hdf5_writer_<family>.so links the parallel HDF5 and the MPI of its
 * family; the serial writer opens it late and privately. Never with RTLD_DEEPBIND: a program
 * has copies of Open MPI's objects, and the plug-in must meet those.
 *
 * Threads    none.
 * Errors     a scope_status with a message, the same on every rank.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_PARALLEL_H
#define SCOPE_HDF5_PARALLEL_H

#include <stdbool.h>

#include <scope/file.h>
#include <scope/sink.h>

#include "mode.h"

typedef struct scope_parallel_request {
    size_t size_bytes; /* sizeof of the caller */
    uint64_t build;    /* scope_parallel_build() of the caller */
    const char *path;
    const scope_calls *calls;
    scope_world *world; /* with mpi_comm */
    const scope_file_options *options;
    const scope_mode *mode;
} scope_parallel_request;

/* The one symbol of such a plug-in. Collective; as scope_file_write_direct, but that it may
 * decline, on every rank alike, before anything was written: `declined` then says why, else
 * it is "". */
typedef scope_status scope_parallel_write_fn(const scope_parallel_request *request,
                                             scope_sink_report *report, char declined[256]);
#define SCOPE_PARALLEL_SYMBOL "scope_hdf5_write_parallel"

/* The same in every object of one build. */
static inline uint64_t scope_parallel_build(void)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = SCOPE_VERSION; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash ^ sizeof(scope_calls) << 16 ^ sizeof(scope_world);
}

/* The serial writer's side: open the plug-in and let it write, where every rank can. */
scope_status scope_parallel_write(const char *path, const scope_calls *calls, scope_world *world,
                                  const scope_file_options *options, const scope_mode *mode,
                                  scope_sink_report *report, char declined[256]);

#endif
