/* run_id.c - one number for all processes of one run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "run_id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <scope/proc.h>

/* What a launcher gives every rank of a job, and only them: all that are set count. */
static const char *const job_variables[] = {
    "OMPI_MCA_orte_precondition_transports", /* Open MPI 4: random per mpirun */
    "PMIX_NAMESPACE",                        /* also tells jobs of MPI_Comm_spawn apart */
    "PMI_JOBID",
    "PALS_APID",
    "FLUX_JOB_ID",
    NULL,
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

static void add(uint64_t hash[2], const void *bytes, size_t length)
{
    hash[0] = mix(hash[0], bytes, length);
    hash[1] = mix(hash[1] ^ hash[0], bytes, length);
}

static bool add_variable(uint64_t hash[2], const char *name)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return false;
    add(hash, name, strlen(name));
    add(hash, value, strlen(value));
    return true;
}

/* MPICH's launcher leaves no job id, but its proxy is an ancestor of all ranks of
 * a node: its pid and start time are the job's there. */
static bool add_proxy(uint64_t hash[2])
{
    pid_t pid = getppid();
    for (int level = 0; level < 8 && pid > 1; level++) {
        char path[64], start[32], boot[64];
        scope_proc_stat stat;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        if (!scope_proc_read(path, &stat))
            return false;
        if (strncmp(stat.name, "hydra_pmi_proxy", 15) == 0) {
            snprintf(start, sizeof start, "%lld", (long long)stat.start_ticks);
            scope_proc_boot_id(boot, sizeof boot);
            add(hash, boot, strlen(boot));
            add(hash, &pid, sizeof pid);
            add(hash, start, strlen(start));
            return true;
        }
        pid = (pid_t)stat.parent;
    }
    return false;
}

static bool from_launcher(uint64_t hash[2])
{
    bool found = false;
    for (int i = 0; job_variables[i]; i++)
        found = add_variable(hash, job_variables[i]) || found;
    if (!found && getenv("SLURM_JOB_ID") && add_variable(hash, "SLURM_STEP_ID")) {
        add_variable(hash, "SLURM_JOB_ID"); /* a batch script alone is in no step */
        add_variable(hash, "SLURM_CLUSTER_NAME");
        add_variable(hash, "SLURM_RESTART_COUNT");
        found = true;
    }
    return found || (getenv("PMI_RANK") && add_proxy(hash));
}

void scope_run_id(uint8_t id[SCOPE_RUN_ID_BYTES])
{
    uint64_t hash[2] = {UINT64_C(14695981039346656037), UINT64_C(1469598103934665603)};
    const char *text = getenv("SCOPE_RUN_ID");
    if (text && scope_run_id_parse(text, id))
        return;
    if (!from_launcher(hash) &&
        getrandom(hash, sizeof hash, GRND_NONBLOCK) != (ssize_t)sizeof hash) {
        struct timespec now;
        const pid_t pid = getpid();
        clock_gettime(CLOCK_REALTIME, &now);
        add(hash, &now, sizeof now);
        add(hash, &pid, sizeof pid);
    }
    memcpy(id, hash, SCOPE_RUN_ID_BYTES);
}

void scope_run_id_format(const uint8_t id[SCOPE_RUN_ID_BYTES], char text[SCOPE_RUN_ID_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < SCOPE_RUN_ID_BYTES; i++) {
        text[2 * i] = digits[id[i] >> 4];
        text[2 * i + 1] = digits[id[i] & 15];
    }
    text[2 * SCOPE_RUN_ID_BYTES] = '\0';
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool scope_run_id_parse(const char *text, uint8_t id[SCOPE_RUN_ID_BYTES])
{
    if (strlen(text) != 2 * SCOPE_RUN_ID_BYTES)
        return false;
    for (int i = 0; i < 2 * SCOPE_RUN_ID_BYTES; i++)
        if (digit(text[i]) < 0)
            return false;
    for (int i = 0; i < SCOPE_RUN_ID_BYTES; i++)
        id[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return true;
}
