/* next.c - the MPI below us: functions and data found at first use.
 *
 * SPDX-License-Identifier: MIT
 */
#include "next.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <scope/sink.h>

#include "launcher.h"

/* The process's MPI libraries (libmpi, its Fortran parts), wherever and however
 * they were loaded. Looked for anew each time, without a lock: a lookup may come
 * from a constructor inside dlopen, and its result is cached by who asks. */
#define LIBRARIES_MAX 16

struct scan {
    char *paths[LIBRARIES_MAX];
    int count;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int scan_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct scan *scan = context;
    if (info->dlpi_name && !strncmp(base_name(info->dlpi_name), "libmpi", 6) &&
        scan->count < LIBRARIES_MAX) {
        scan->paths[scan->count] = strdup(info->dlpi_name);
        scan->count += scan->paths[scan->count] != NULL;
    }
    return 0;
}

static void *in_libraries(const char *name)
{
    struct scan scan = {0};
    void *found = NULL;
    dl_iterate_phdr(scan_object, &scan); /* no dlopen inside: it holds the loader's lock */
    for (int i = 0; i < scan.count; i++) {
        void *handle = found ? NULL : dlopen(scan.paths[i], RTLD_NOW | RTLD_NOLOAD);
        if (handle)
            found = dlsym(handle, name);
        if (handle && !found)
            dlclose(handle); /* the one we took from stays open, so that it stays mapped */
        free(scan.paths[i]);
    }
    return found;
}

/* A linker that keeps only what is needed (--as-needed) leaves libmpi out of a
 * program all of whose calls are found in our wrappers. We bring it then. */
static void *bring(const char *name)
{
    static const char *const sonames[] = {
#if defined(SCOPE_MPI_FAMILY_OMPI)
        "libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_mpifh-gfortran.so.40",
        "libmpi_usempif08.so.40", "libmpi_usempif08-gfortran.so.40",
#elif defined(SCOPE_MPI_FAMILY_MPICH)
        "libmpich.so.12", "libmpi.so.12", "libmpichfort.so.12", "libmpifort.so.12",
#else
        "libmpi_abi.so.1", "libmpi_abi.so.0",
#endif
    };
    void *found = NULL;
    for (size_t i = 0; !found && i < sizeof sonames / sizeof *sonames; i++) {
        void *handle = dlopen(sonames[i], RTLD_NOW | RTLD_GLOBAL);
        if (handle)
            found = dlsym(handle, name);
        if (handle && !found)
            dlclose(handle);
    }
    return found;
}

void *mpi_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        found = in_libraries(name);
    if (!found && mpi_symbol("PMPI_Init") && !mpi_fits())
        return NULL; /* another family's process, which has no such call: ours must stay out */
    return found ? found : bring(name);
}

void *mpi_symbol(const char *name)
{
    /* The default scope first: with a COPY relocation it is the program's copy of
     * ompi_mpi_comm_world that counts, not the one in libmpi. */
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : in_libraries(name);
}

/* ---- which MPI is it ---- */

typedef enum mpi_family {
    FAMILY_NONE,
    FAMILY_OMPI,
    FAMILY_MPICH,
    FAMILY_ABI,
    FAMILY_OTHER,
} mpi_family;

#if defined(SCOPE_MPI_FAMILY_OMPI)
#define OUR_FAMILY FAMILY_OMPI
#elif defined(SCOPE_MPI_FAMILY_MPICH)
#define OUR_FAMILY FAMILY_MPICH
#else
#define OUR_FAMILY FAMILY_ABI
#endif

static const struct {
    const char *name, *library;
} families[] = {
    [FAMILY_OMPI] = {"Open MPI", "libscope_mpi_ompi.so.0"},
    [FAMILY_MPICH] = {"MPICH", "libscope_mpi_mpich.so.0"},
    [FAMILY_ABI] = {"the standard MPI ABI", "libscope_mpi_abi.so.0"},
    [FAMILY_OTHER] = {"an MPI of an unknown kind", NULL},
};

/* MPICH and all that keep to its binary interface say so, or have its soname. */
static mpi_family family_by_version(const char *library)
{
    static const char *const kin[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation"};
    if (strstr(library, ".so.12"))
        return FAMILY_MPICH;
    int (*version)(char *, int *) = mpi_symbol("PMPI_Get_library_version");
    static char text[8192 + 1]; /* MPI_MAX_LIBRARY_VERSION_STRING of MPICH and of the ABI */
    int length = 0;
    if (version && version(text, &length) == 0)
        for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
            if (strstr(text, kin[i]))
                return FAMILY_MPICH;
    return FAMILY_OTHER;
}

static mpi_family family_of_process(void)
{
    void *init = mpi_symbol("PMPI_Init");
    if (!init)
        return FAMILY_NONE;
    Dl_info info;
    const char *library = dladdr(init, &info) && info.dli_fname ? base_name(info.dli_fname) : "";
    if (!strncmp(library, "libmpi_abi", 10))
        return FAMILY_ABI;
    if (mpi_symbol("ompi_mpi_comm_world"))
        return FAMILY_OMPI;
    return family_by_version(library);
}

/* The library for the process's MPI is here as well (a script was preloaded with
 * all of them): it acts, and nothing needs saying. */
static bool another_acts(mpi_family family)
{
    void *handle = families[family].library
                       ? dlopen(families[family].library, RTLD_NOW | RTLD_NOLOAD)
                       : NULL;
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

bool mpi_fits(void)
{
    return family_of_process() == OUR_FAMILY;
}

bool mpi_is_ours(void)
{
    static _Atomic int known; /* 0: not yet; else 1 + (it is ours) */
    int answer = atomic_load_explicit(&known, memory_order_acquire);
    if (answer)
        return answer - 1;
    const mpi_family family = family_of_process();
    if (family == FAMILY_NONE)
        return false; /* one may still be loaded */
    answer = 1 + (family == OUR_FAMILY);
    if (!atomic_exchange(&known, answer) && answer == 1 && !another_acts(family) &&
        scope_runtime_rank() <= 0 && scope_runtime_wanted())
        scope_runtime_say("mpi-family",
                          "this program runs on %s, but %.*s is for %s: MPI is not recorded%s%s%.*s",
                          families[family].name, (int)strcspn(families[OUR_FAMILY].library, "."),
                          families[OUR_FAMILY].library, families[OUR_FAMILY].name,
                          __atomic_load_n(&scope_runtime_recording, __ATOMIC_RELAXED)
                              ? ""
                              : ", and no recording is started",
                          families[family].library ? "; use " : "",
                          families[family].library
                              ? (int)strcspn(families[family].library, ".")
                              : 0,
                          families[family].library ? families[family].library : "");
    return answer - 1;
}
