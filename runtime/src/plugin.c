/* plugin.c - the plug-ins of lib/scope/: opened late, privately, never closed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Under a sanitizer DEEPBIND ends the program. */
static int deep_binding(void)
{
    static const char *const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"};
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (dlsym(RTLD_DEFAULT, sanitizers[i]))
            return 0;
    return RTLD_DEEPBIND;
}

static void *open_at(const char *path, int flags, char *why, size_t why_bytes)
{
    if (access(path, R_OK))
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
    if (!library) {
        const char *error = dlerror();
        snprintf(why, why_bytes, "%s", error ? error : path);
    }
    return library;
}

/* Beside libscope.so, else below SCOPE_ROOT. */
static void *open_plugin(const char *file, int flags, char *why, size_t why_bytes)
{
    char path[PATH_MAX];
    Dl_info self;
    void *library = NULL;
    snprintf(why, why_bytes, "%s is not installed", file);
    if (dladdr((void *)(size_t)&scope_plugin_sink, &self) && self.dli_fname) {
        const char *slash = strrchr(self.dli_fname, '/');
        const int length = slash ? (int)(slash - self.dli_fname) : 1;
        snprintf(path, sizeof path, "%.*s/scope/%s", length, slash ? self.dli_fname : ".", file);
        library = open_at(path, flags, why, why_bytes);
    }
    const char *root = secure_getenv("SCOPE_ROOT"); /* what is there runs: not in a setuid program */
    if (!library && root && *root) {
        snprintf(path, sizeof path, "%s/lib/scope/%s", root, file);
        library = open_at(path, flags, why, why_bytes);
    }
    return library;
}

static const char *closed_why;

void scope_plugin_close_sink(const char *why)
{
    closed_why = why;
}

scope_sink_write_fn *scope_plugin_sink(char *why, size_t why_bytes)
{
    static scope_sink_write_fn *sink;
    if (closed_why) {
        snprintf(why, why_bytes, "%s", closed_why);
        return NULL;
    }
    if (sink)
        return sink;
    void *library = open_plugin("libscope_hdf5_writer.so", deep_binding(), why, why_bytes);
    if (library) {
        sink = (scope_sink_write_fn *)dlsym(library, SCOPE_SINK_SYMBOL);
        if (!sink)
            snprintf(why, why_bytes, "libscope_hdf5_writer.so has no %s", SCOPE_SINK_SYMBOL);
    }
    return sink;
}

scope_topology_fn *scope_plugin_topology(void)
{
    static scope_topology_fn *topology;
    static int tried;
    char why[256];
    if (!tried) {
        tried = 1;
        void *library = open_plugin("libscope_hwloc.so", deep_binding(), why, sizeof why);
        if (library)
            topology = (scope_topology_fn *)dlsym(library, SCOPE_TOPOLOGY_SYMBOL);
    }
    return topology;
}
