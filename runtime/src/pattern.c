/* pattern.c - file patterns (%r %n %p %h %j %x), and what the launcher says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDEST = 20 }; /* digits that a pad may ask for */

/* A number before the letter, as %5r; *at is moved to the letter. */
static int pad_width(const char **at)
{
    int width = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        width = width < WIDEST ? width * 10 + (**at - '0') : WIDEST;
    return width < WIDEST ? width : WIDEST;
}

static const char *job_id(void)
{
    static const char *const names[] = {"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "LSB_JOBID",
                                        "FLUX_JOB_ID",  "JOB_ID",      NULL};
    for (int i = 0; names[i]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "0";
}

/* Text of a letter into `text`; false: not a letter we know. */
static bool letter(char which, int width, int rank, int size, long pid, char *text,
                   size_t size_bytes)
{
    switch (which) {
    case 'r':
    case 't':
        snprintf(text, size_bytes, "%0*d", width, rank < 0 ? 0 : rank);
        return true;
    case 'n':
        snprintf(text, size_bytes, "%0*d", width, size < 1 ? 1 : size);
        return true;
    case 'p':
        snprintf(text, size_bytes, "%0*ld", width, pid);
        return true;
    case 'h':
    case 'N':
        if (gethostname(text, size_bytes) != 0 || !*text)
            snprintf(text, size_bytes, "localhost");
        text[size_bytes - 1] = '\0';
        text[strcspn(text, ".")] = '\0';
        break;
    case 'j':
        snprintf(text, size_bytes, "%s", job_id());
        break;
    case 'x':
        snprintf(text, size_bytes, "%s",
                 program_invocation_short_name && *program_invocation_short_name
                     ? program_invocation_short_name
                     : "program");
        break;
    case '%':
        snprintf(text, size_bytes, "%%");
        return true;
    default:
        return false;
    }
    for (char *at = text; *at; at++) /* part of a name, never a folder */
        if (*at == '/')
            *at = '_';
    return true;
}

/* The letters of a pattern replaced; `kept`: those that stay as they are, so that the
 * result is a pattern again, in which the others' values are no letters. */
static char *replace(const char *pattern, int rank, int size, long pid, const char *kept)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    for (const char *at = pattern; *at; at++) {
        char value[256];
        const char *which = at + 1;
        const int width = *at == '%' ? pad_width(&which) : 0;
        if (*at != '%' || !letter(*which, width, rank, size, pid, value, sizeof value)) {
            fputc(*at, out);
        } else if (strchr(kept, *which)) {
            fprintf(out, "%.*s", (int)(which - at + 1), at);
            at = which;
        } else {
            for (const char *from = value; *from; from++)
                fprintf(out, *kept && *from == '%' ? "%%%%" : "%c", *from);
            at = which;
        }
    }
    const bool failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

char *scope_config_expand(const char *pattern, int rank, int size)
{
    return replace(pattern, rank, size, (long)getpid(), "");
}

char *scope_config_expand_for(const char *pattern, int rank, int size, long pid)
{
    return replace(pattern, rank, size, pid, "");
}

char *scope_config_fix(const char *pattern)
{
    return replace(pattern, 0, 1, 0, "rtnp%");
}

char *scope_config_insert(const char *name, const char *insert)
{
    char *text = NULL;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    const int stem = dot && dot != base ? (int)(dot - name) : (int)strlen(name);
    return asprintf(&text, "%.*s%s%s", stem, name, insert, name + stem) < 0 ? NULL : text;
}

bool scope_config_is_per_process(const char *pattern)
{
    for (const char *at = pattern; *at; at++)
        if (*at == '%') {
            at++;
            pad_width(&at);
            if (!*at)
                return false;
            if (strchr("rtp", *at))
                return true;
        }
    return false;
}

/* A whole number >= 0 in a variable; -1: not set, or something else. */
static int number(const char *name)
{
    const char *text = name ? getenv(name) : NULL;
    if (!text || !*text)
        return -1;
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    return errno || *end || value < 0 || value > INT32_MAX ? -1 : (int)value;
}

bool scope_config_launcher(int *rank, int *size)
{
    static const struct {
        const char *rank, *size;
    } launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"PMI_RANK", "PMI_SIZE"},
        {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
        {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
        {"PALS_RANKID", NULL},
        {"PMIX_RANK", NULL},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    };
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const int mine = number(launchers[i].rank);
        int all = number(launchers[i].size);
        if (mine < 0)
            continue;
        /* A batch script is "rank 0" of all the job's tasks, but no step of it. */
        if (all < 0 && (mine > 0 || getenv("SLURM_STEP_ID") || getenv("SLURM_STEPID")))
            all = number("SLURM_NTASKS");
        *rank = mine;
        *size = all > mine ? all : mine + 1;
        return true;
    }
    return false;
}
