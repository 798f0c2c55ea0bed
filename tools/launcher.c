/* launcher.c - `scope run mpirun ...`: the variables must reach the other nodes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launcher.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES_MAX = 64 };

static bool is_open_mpi(const char *path)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun", NULL};
    char whole[PATH_MAX];
    if (!realpath(path, whole))
        return false;
    const char *slash = strrchr(whole, '/'), *name = slash ? slash + 1 : whole;
    for (int i = 0; names[i]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return i >= 2 || strstr(whole, "openmpi") || strstr(whole, "ompi");
    return false;
}

/* What a process of the job must find: all of ours but who `scope run` became. */
static int names_to_forward(const char *names[NAMES_MAX])
{
    int count = 0;
    for (char **at = environ; at && *at && count < NAMES_MAX; at++) {
        const bool ours = strncmp(*at, "SCOPE_", 6) == 0 && strncmp(*at, "SCOPE_RUN_PID=", 14) != 0;
        const size_t length = strcspn(*at, "=");
        if (ours || strncmp(*at, "LD_PRELOAD=", 11) == 0)
            names[count++] = strndup(*at, length);
    }
    return count;
}

static bool has_word(char **words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* mpirun -x NAME -x NAME ... the rest */
static char **with_options(char **words, const char **names, int name_count)
{
    static char option[] = "-x";
    int count = 0, used = 0;
    while (words[count])
        count++;
    char **longer = calloc((size_t)(count + 2 * name_count + 1), sizeof *longer);
    if (!longer)
        return words;
    longer[used++] = words[0];
    for (int i = 0; i < name_count; i++) {
        longer[used++] = option;
        longer[used++] = (char *)names[i];
    }
    for (int i = 1; i < count; i++)
        longer[used++] = words[i];
    return longer;
}

/* A parameter that means the same as -x, which must not be mixed with it. */
static void set_list(const char **names, int name_count)
{
    const char *kept = getenv("OMPI_MCA_mca_base_env_list");
    char list[4096];
    size_t used = (size_t)snprintf(list, sizeof list, "%s", kept ? kept : "");
    for (int i = 0; i < name_count && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ";" : "", names[i]);
    if (used < sizeof list)
        setenv("OMPI_MCA_mca_base_env_list", list, 1);
}

char **launcher_forward(const char *path, char **words)
{
    const char *names[NAMES_MAX];
    if (!is_open_mpi(path))
        return words;
    const int count = names_to_forward(names);
    if (has_word(words, "-x") || has_word(words, "--x"))
        return with_options(words, names, count);
    if (!has_word(words, "mca_base_env_list"))
        set_list(names, count);
    return words;
}
