/* identity.c - who this process is: run, rank, child of a run, name of its file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "identity.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scope/sink.h>

#include "config.h"
#include "marks.h"
#include "relatives.h"
#include "run_id.h"

static int mpi_rank = -1, mpi_size = -1;
static bool forked, has_run_id, spawned, has_mpi;
static uint8_t run[16];

void scope_identity_run(uint8_t run_id[16])
{
    if (!has_run_id) {
        has_run_id = true;
        scope_run_id(run);
    }
    memcpy(run_id, run, sizeof run);
}

void scope_runtime_run_id(char text[33])
{
    uint8_t run_id[16];
    scope_identity_run(run_id);
    scope_run_id_format(run_id, text);
}

void scope_identity_set_rank(int rank, int size)
{
    mpi_rank = rank;
    mpi_size = size;
}

void scope_identity_set_spawned(void)
{
    spawned = true;
}

const char *scope_identity_parent(void)
{
    return spawned ? secure_getenv("SCOPE_PARENT") : NULL;
}

void scope_identity_rank(int *rank, int *size)
{
    *rank = mpi_rank;
    *size = mpi_size;
    if (mpi_rank < 0 && !scope_config_launcher(rank, size))
        *rank = *size = -1;
}

/* Asked here only: later it would wait for who is inside dlopen, in a constructor that may
 * wait for us. */
void scope_identity_setup(void)
{
    has_mpi = dlsym(RTLD_DEFAULT, "MPI_Init") != NULL; /* or our wrapper, which opens MPI itself */
}

bool scope_identity_has_mpi(void)
{
    return has_mpi;
}

static long run_pid(void)
{
    const char *text = getenv("SCOPE_RUN_PID");
    return text ? strtol(text, NULL, 10) : 0;
}

bool scope_identity_is_run(void)
{
    return run_pid() == (long)getpid();
}

bool scope_identity_is_preloaded(void)
{
    return run_pid() > 0;
}

bool scope_identity_is_child(void)
{
    if (mpi_rank >= 0 && !forked)
        return false;
    return forked || scope_relatives_have_output() || (run_pid() > 0 && run_pid() != (long)getpid());
}

void scope_identity_forked(void)
{
    forked = true;
}

bool scope_identity_has_folder(const char *path)
{
    char folder[4096];
    struct stat info;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (!length || length >= sizeof folder)
        return true;
    memcpy(folder, path, length);
    folder[length] = 0;
    return stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Processes of a run that know their run but not each other: ranks of a launcher and
 * what they start. Below `scope run` names differ anyway. */
static bool may_clash(void)
{
    int rank, size;
    const char *run_id = getenv("SCOPE_RUN_ID");
    return run_pid() == 0 && (scope_config_launcher(&rank, &size) || (run_id && *run_id));
}

char *scope_identity_expand(const char *pattern, int rank, int size)
{
    char insert[32];
    char *output = scope_config_expand(pattern, rank, size);
    if (!output || !*output || !spawned)
        return output;
    snprintf(insert, sizeof insert, ".spawn-%ld", (long)getpid());
    char *named = scope_config_insert(output, insert);
    free(output);
    return named;
}

char *scope_identity_output(const char *pattern, bool *split)
{
    int rank, size;
    char insert[64];
    *split = false;
    scope_identity_rank(&rank, &size);
    char *output = scope_identity_expand(pattern, rank, size);
    char *named = output;
    if (output && scope_identity_is_child()) {
        named = malloc(strlen(output) + 32);
        if (named)
            sprintf(named, "%s.child-%ld", output, (long)getpid());
    } else if (output && size > 1 && !scope_config_is_per_process(pattern)) {
        snprintf(insert, sizeof insert, ".rank%d", rank);
        named = scope_config_insert(output, insert);
        *split = true;
    }
    if (named != output)
        free(output);
    if (named && may_clash() && !scope_mark_claim(named)) {
        snprintf(insert, sizeof insert, ".%ld", (long)getpid());
        char *other = scope_config_insert(named, insert);
        free(named);
        named = other;
    }
    return named;
}
