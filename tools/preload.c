/* preload.c - which libraries a program gets, and why it may get none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "preload.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "elf_file.h"
#include "place.h"

/* ---- the program ---- */

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* As execvp(3): a name with a slash is a path, else the first in PATH that may be
 * run; one that may not is remembered for its error. */
static char *search(const char *program, bool *executable)
{
    char *refused = NULL;
    *executable = false;
    if (strchr(program, '/') || !*program) {
        *executable = is_file(program) && access(program, X_OK) == 0;
        return access(program, F_OK) == 0 ? strdup(program) : NULL;
    }
    const char *list = getenv("PATH");
    for (const char *at = list ? list : "/bin:/usr/bin";; at++) {
        const size_t length = strcspn(at, ":");
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%.*s%s%s", (int)length, at, length ? "/" : "./", program) <
                (int)sizeof path &&
            is_file(path)) {
            if (access(path, X_OK) == 0) {
                free(refused);
                *executable = true;
                return strdup(path);
            }
            if (!refused)
                refused = strdup(path);
        }
        at += length;
        if (!*at)
            return refused;
    }
}

static bool is_privileged(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
        return true;
    if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getgid())
        return true;
    return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The family whose libmpi this soname is; NULL: not a libmpi. MPICH's own kin
 * (Intel MPI, MVAPICH, Cray) keep soname 12 of its binary interface. */
static const char *family_of(const char *soname)
{
    if (starts(soname, "libmpi_abi.so"))
        return "abi";
    if (starts(soname, "libmpich") || starts(soname, "libmpi.so.12") ||
        starts(soname, "libmpifort.so.12") ||
        (starts(soname, "libmpi_") && strstr(soname, ".so.12")))
        return "mpich";
    if (starts(soname, "libmpi.so") || starts(soname, "libmpi_mpifh.so"))
        return "ompi";
    return NULL;
}

static bool look_at_library(void *context, const char *name, const char *found_path)
{
    preload_program *program = context;
    const char *family = family_of(name);
    if (family && !*program->family)
        program->family = family;
    if (!program->sanitizer && found_path &&
        (starts(name, "libasan.so") || starts(name, "libtsan.so") || starts(name, "libclang_rt.")))
        program->sanitizer = strdup(found_path);
    return true;
}

preload_program preload_look(const char *name)
{
    preload_program program = {.family = ""};
    program.path = search(name, &program.executable);
    elf_file file;
    if (!program.path || !program.executable)
        return program;
    program.is_privileged = is_privileged(program.path);
    if (elf_open(program.path, &file)) {
        const char *slash = strrchr(program.path, '/');
        const bool loader = starts(slash ? slash + 1 : program.path, "ld-"); /* ld.so PROGRAM */
        program.is_static = file.kind == ELF_STATIC && !loader;
        program.is_foreign = file.kind == ELF_FOREIGN;
        if (file.kind == ELF_DYNAMIC)
            elf_walk(program.path, look_at_library, &program);
        elf_close(&file);
    }
    return program;
}

void preload_free(preload_program *program)
{
    free(program->path);
    free(program->sanitizer);
    *program = (preload_program){0};
}

/* ---- the list ---- */

/* `path`, or a library of the same file name, is an item of the list. */
static bool contains(const char *list, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t name_length = strlen(name);
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ": ");
        if (length >= name_length && strncmp(at + length - name_length, name, name_length) == 0 &&
            (length == name_length || at[length - name_length - 1] == '/'))
            return true;
        at += length + (at[length] != '\0');
    }
    return false;
}

/* libscope itself is named too: as a mere dependency it would come after libc in
 * the search order, and its pthread_create would never be reached. */
char *preload_list(const preload_program *program, const char *family, const char *kept,
                   const char **missing)
{
    char *text = NULL, path[PATH_MAX];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    bool first = true;
    *missing = NULL;
    if (!out)
        return NULL;
    if (program->sanitizer && !contains(kept, program->sanitizer)) {
        fputs(program->sanitizer, out);
        first = false;
    }
    for (int i = 0; place_families[i]; i++) {
        char name[64];
        snprintf(name, sizeof name, "scope_mpi_%s", place_families[i]);
        if (*family && strcmp(family, place_families[i]) != 0)
            continue;
        if (!place_library(name, path)) {
            if (*family)
                *missing = place_families[i];
        } else if (!contains(kept, path)) {
            fprintf(out, "%s%s", first ? "" : ":", path);
            first = false;
        }
    }
    if (!place_library("scope", path))
        *missing = "scope";
    else if (!contains(kept, path)) {
        fprintf(out, "%s%s", first ? "" : ":", path);
        first = false;
    }
    if (kept && *kept)
        fprintf(out, "%s%s", first ? "" : ":", kept);
    if (fclose(out) != 0 || *missing) {
        free(text);
        return NULL;
    }
    return text;
}
