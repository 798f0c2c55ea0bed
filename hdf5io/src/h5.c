/* h5.c - see h5.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "h5.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "message.h"

/* The HDF5 that our own shared object asks for in DT_NEEDED; NULL: none, as in a
 * program that is linked with it itself. */
static const char *needed_library(void)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1((void *)scope_h5_check, &info, (void **)&map, RTLD_DL_LINKMAP) || !map ||
        !map->l_name || !map->l_name[0])
        return NULL;
    const char *strings = NULL;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_STRTAB) /* relocated by glibc, not by others */
            strings =
                (const char *)(entry->d_un.d_ptr < map->l_addr ? entry->d_un.d_ptr + map->l_addr
                                                               : entry->d_un.d_ptr);
    for (const ElfW(Dyn) *entry = map->l_ld; strings && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && strstr(strings + entry->d_un.d_val, "hdf5"))
            return strings + entry->d_un.d_val;
    return NULL;
}

scope_status scope_h5_check(void)
{
    static int good;
    if (good)
        return SCOPE_OK;
    const char *needed = needed_library();
    void *library = needed ? dlopen(needed, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library) {
        void *theirs = dlsym(library, "H5open");
        dlclose(library);
        if (theirs != (void *)H5open) {
            Dl_info info = {0};
            dladdr((void *)H5open, &info);
            return scope_fail(SCOPE_ERR_LIBRARY,
                              "another HDF5 (%s) is in the way of %s in this process",
                              info.dli_fname ? info.dli_fname : "unknown", needed);
        }
    }
    unsigned major = 0, minor = 0, release = 0;
    if (H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR ||
        minor != H5_VERS_MINOR)
        return scope_fail(SCOPE_ERR_LIBRARY,
                          "built for HDF5 %d.%d, but this process has HDF5 %u.%u.%u", H5_VERS_MAJOR,
                          H5_VERS_MINOR, major, minor, release);
    good = 1;
    return SCOPE_OK;
}

void scope_h5_quiet(scope_h5_errors *errors)
{
    *errors = (scope_h5_errors){NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &errors->function, &errors->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void scope_h5_restore(const scope_h5_errors *errors)
{
    H5Eset_auto2(H5E_DEFAULT, errors->function, errors->data);
}

static herr_t keep_first(unsigned index, const H5E_error2_t *error, void *text)
{
    if (index == 0 && error->desc)
        snprintf(text, 256, "%s", error->desc);
    return 0;
}

const char *scope_h5_reason(void)
{
    static _Thread_local char text[256];
    text[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, text);
    return text;
}
