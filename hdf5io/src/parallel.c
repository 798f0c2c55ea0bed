/* parallel.c - see parallel.h: the side of the serial writer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "parallel.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apart.h"
#include "message.h"

/* In scope/ beside the library that the world is of. */
static bool find_beside_world(const scope_world *world, const char *file, char path[PATH_MAX])
{
    Dl_info info;
    if (!dladdr((void *)(size_t)world->worst, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const int length = slash ? (int)(slash - info.dli_fname) : 1;
    snprintf(path, PATH_MAX, "%.*s/scope/%s", length, slash ? info.dli_fname : ".", file);
    return access(path, R_OK) == 0;
}

static scope_parallel_write_fn *open_writer(const scope_world *world, char declined[256])
{
    char file[64], path[PATH_MAX];
    if (!world->mpi_family || !world->mpi_comm) {
        snprintf(declined, 256, "there is no MPI to write with");
        return NULL;
    }
    if (world->no_mpi_io) {
        snprintf(declined, 256, "%s", world->no_mpi_io);
        return NULL;
    }
    snprintf(file, sizeof file, "libscope_hdf5_writer_%s.so", world->mpi_family);
    if (!scope_apart_beside(file, R_OK, path) && !find_beside_world(world, file, path)) {
        snprintf(declined, 256, "%s is not installed", file);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    scope_parallel_write_fn *write =
        library ? (scope_parallel_write_fn *)dlsym(library, SCOPE_PARALLEL_SYMBOL) : NULL;
    const char *error = write ? NULL : dlerror();
    if (!write)
        snprintf(declined, 256, "%.250s", error ? error : path);
    return write;
}

scope_status scope_parallel_write(const char *path, const scope_calls *calls, scope_world *world,
                                  const scope_file_options *options, const scope_mode *mode,
                                  scope_sink_report *report, char declined[256])
{
    declined[0] = '\0';
    scope_parallel_write_fn *write = open_writer(world, declined);
    const scope_status status = scope_mode_object(world, declined, 256);
    if (status != SCOPE_OK || declined[0])
        return status;
    const scope_parallel_request request = {.size_bytes = sizeof request,
                                            .build = scope_parallel_build(),
                                            .path = path,
                                            .calls = calls,
                                            .world = world,
                                            .options = options,
                                            .mode = mode};
    return write(&request, report, declined);
}
