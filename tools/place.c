/* place.c - where this install is, and what it holds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SCOPE_LIBDIR
#define SCOPE_LIBDIR "lib"
#endif

const char *const place_families[] = {"ompi", "mpich", "abi", NULL};

/* The soname first: in a wheel the file without version is the only one. */
static bool find(const char *prefix, const char *name, char *path)
{
    static const char *const endings[] = {".so.0", ".so"};
    for (int i = 0; i < 2; i++)
        if (snprintf(path, PATH_MAX, "%s/" SCOPE_LIBDIR "/lib%s%s", prefix, name, endings[i]) <
                PATH_MAX &&
            access(path, R_OK) == 0)
            return true;
    return false;
}

const char *place_prefix(void)
{
    static char prefix[PATH_MAX];
    char path[PATH_MAX];
    if (*prefix)
        return prefix;
    const ssize_t length = readlink("/proc/self/exe", prefix, sizeof prefix - 1);
    prefix[length > 0 ? length : 0] = '\0';
    for (int up = 0; up < 2; up++) { /* bin/scope */
        char *slash = strrchr(prefix, '/');
        if (slash)
            *slash = '\0';
    }
    if (*prefix && find(prefix, "scope", path))
        return prefix;
    const char *root = getenv("SCOPE_ROOT");
    if (root && *root && find(root, "scope", path) && realpath(root, prefix))
        return prefix;
    *prefix = '\0';
    return NULL;
}

bool place_library(const char *name, char *path)
{
    return place_prefix() && find(place_prefix(), name, path);
}

bool place_plugin(const char *name, char *path)
{
    return place_prefix() &&
           snprintf(path, PATH_MAX, "%s/" SCOPE_LIBDIR "/scope/%s", place_prefix(), name) <
               PATH_MAX &&
           access(path, R_OK) == 0;
}
