/* identity.c - who this process is: run, rank, child of a run, name of its file.
 *
 * SPDX-License-Identifier: MIT
 */
#include "identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "config.h"

static int mpi_rank = -1, mpi_size = -1;
static bool forked, has_run_id;
static uint8_t run[16];

static uint64_t hash_text(uint64_t hash, const char *text)
{
    while (*text)
        hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

static bool take_hex(const char *text)
{
    if (!text || strlen(text) != 32)
        return false;
    for (int i = 0; i < 16; i++) {
        unsigned value;
        if (sscanf(text + 2 * i, "%2x", &value) != 1)
            return false;
        run[i] = (uint8_t)value;
    }
    return true;
}

/* What one launch of a job has in common on all its ranks. */
static bool take_launcher(void)
{
    static const char *const names[] = {
        "OMPI_MCA_orte_hnp_uri", "OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE", "PMI_JOBID",
        "SLURM_JOB_ID", "SLURM_STEP_ID"};
    int rank, size, found = 0;
    uint64_t first = UINT64_C(0xcbf29ce484222325), second = UINT64_C(0x84222325cbf29ce4);
    if (!scope_config_launcher(&rank, &size) || size < 2)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        if (text && *text) {
            first = hash_text(first, text);
            second = hash_text(second * 31, text);
            found++;
        }
    }
    if (!found) { /* one node: the launcher's proxy is the parent of all */
        char path[64], text[1024] = "";
        snprintf(path, sizeof path, "/proc/%ld/stat", (long)getppid());
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return false;
        const ssize_t length = read(fd, text, sizeof text - 1);
        close(fd);
        text[length > 0 ? length : 0] = 0;
        const char *field = strrchr(text, ')');
        for (int i = 2; field && i < 22; i++)
            field = strchr(field + 1, ' ');
        snprintf(path, sizeof path, "%ld %lld", (long)getppid(),
                 field ? strtoll(field, NULL, 10) : 0LL);
        first = hash_text(first, path);
        second = hash_text(second, path);
    }
    memcpy(run, &first, sizeof first);
    memcpy(run + 8, &second, sizeof second);
    return true;
}

void scope_identity_run(uint8_t run_id[16])
{
    if (!has_run_id) {
        has_run_id = true;
        if (!take_launcher() && !take_hex(getenv("SCOPE_RUN_ID")) &&
            getrandom(run, sizeof run, GRND_NONBLOCK) != sizeof run) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            snprintf((char *)run, sizeof run, "%lx%lx", (long)getpid(), (long)now.tv_nsec);
        }
    }
    memcpy(run_id, run, sizeof run);
}

void scope_identity_set_rank(int rank, int size)
{
    mpi_rank = rank;
    mpi_size = size;
}

void scope_identity_rank(int *rank, int *size)
{
    *rank = mpi_rank;
    *size = mpi_size;
    if (mpi_rank < 0 && !scope_config_launcher(rank, size))
        *rank = *size = -1;
}

bool scope_identity_has_mpi(void)
{
    return mpi_rank >= 0;
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
    return forked || (run_pid() > 0 && run_pid() != (long)getpid());
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

/* `base` with `insert` before its suffix. */
static char *with(const char *base, const char *insert)
{
    const char *slash = strrchr(base, '/');
    const char *dot = strrchr(slash ? slash : base, '.');
    const size_t stem = dot && dot != (slash ? slash + 1 : base) ? (size_t)(dot - base)
                                                                 : strlen(base);
    char *text = malloc(strlen(base) + strlen(insert) + 1);
    if (text)
        sprintf(text, "%.*s%s%s", (int)stem, base, insert, base + stem);
    return text;
}

char *scope_identity_output(const char *pattern, bool *split)
{
    int rank, size;
    char insert[64];
    *split = false;
    scope_identity_rank(&rank, &size);
    char *output = scope_config_expand(pattern, rank, size);
    if (!output)
        return NULL;
    char *named = NULL;
    if (scope_identity_is_child()) {
        named = malloc(strlen(output) + 32);
        if (named)
            sprintf(named, "%s.child-%ld", output, (long)getpid());
    } else if (size > 1 && !scope_config_is_per_process(pattern)) {
        snprintf(insert, sizeof insert, ".rank%d", rank);
        named = with(output, insert);
        *split = true;
    } else {
        return output;
    }
    free(output);
    return named;
}
