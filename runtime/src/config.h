/* config.h - options: one table of SCOPE_ variables, file names, filters.
 *
 * Ownership  a scope_config owns its strings until scope_config_free.
 * Threads    load: under the session lock. The rest reads only.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CONFIG_H
#define SCOPE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/session.h>

typedef enum scope_config_kind {
    SCOPE_CONFIG_TEXT,
    SCOPE_CONFIG_PATH,    /* a file pattern */
    SCOPE_CONFIG_FLAG,    /* 0 1 no yes off on false true */
    SCOPE_CONFIG_BYTES,
    SCOPE_CONFIG_COUNT,
    SCOPE_CONFIG_SECONDS,
    SCOPE_CONFIG_LEVEL,   /* 1 to 9 */
    SCOPE_CONFIG_THROTTLE, /* auto, calls:ns, or 0 */
    SCOPE_CONFIG_CHOICE,  /* one of the words of `values`, in capitals too */
    SCOPE_CONFIG_FILTER,  /* patterns of names */
} scope_config_kind;

/* One row per variable; `scope info` and the README's table come from it. */
typedef struct scope_config_entry {
    const char *name;          /* "SCOPE_OUTPUT" */
    const char *default_value; /* as text; "" none */
    const char *help;          /* one sentence, no full stop */
    scope_config_kind kind;
    const char *values;        /* what may be said: words between blanks, or a description */
} scope_config_entry;

/* The whole table, ended by a NULL name. */
const scope_config_entry *scope_config_entries(void);

typedef struct scope_filter scope_filter;

#define SCOPE_THROTTLE_AUTO UINT64_MAX /* throttle_calls: as many as the budget tells */

typedef struct scope_config {
    char *output;      /* absolute pattern, letters not replaced; "" no file */
    char *label;
    char *spool_dir;   /* "" default places */
    char *output_mode; /* auto direct parallel per_rank */
    char *compression; /* none gzip auto */
    int32_t compression_level;
    int64_t max_bytes; /* -1 unlimited (SCOPE_MAX_BYTES=0), 0 default (from free space) */
    int64_t max_lanes, max_names;
    scope_policy policy;
    uint64_t throttle_calls, throttle_ns; /* more calls than that, shorter on average: tiny; 0: off */
    bool enabled, spool, verbose;
    scope_filter *filter; /* NULL: everything */
} scope_config;

/* Take `options` (may be NULL), then the environment, then defaults. A value that
 * cannot be used (an output that is a folder is one) is reported through `complain`
 * (may be NULL) and its default taken; the result is usable unless ERR_MEMORY comes
 * back, and ERR_ARGUMENT says that something was refused. Unknown SCOPE_ variables are no error; they are
 * reported once per process, all in one line (SCOPE_ROOT, SCOPE_RUN_*,
 * SCOPE_PROFILER_* and SCOPE_TEST_* are known). */
scope_status scope_config_load(const scope_options *options, scope_config *config,
                               void (*complain)(const char *text));
void scope_config_free(scope_config *config);

/* The effective text of a table entry and where it is from ("environment",
 * "default"; `source` may be NULL); NULL: not in the table. A value that cannot be
 * used counts as not set. The text is static or from getenv. */
const char *scope_config_value(const char *name, const char **source);

/* The value of a flag, and of a number of seconds; false and 0: not in the table. */
bool scope_config_flag(const char *name);
double scope_config_seconds(const char *name);

/* Replace the letters in a file pattern: %r %t rank, %n size, %p pid, %h %N host,
 * %j job id, %x program, %% percent; a number before the letter pads with zeros.
 * rank -1: unknown, written as 0. Returns malloc'd text, NULL without memory. */
char *scope_config_expand(const char *pattern, int rank, int size);

/* The same for another process, of whose pattern scope_config_fix left the rest. */
char *scope_config_expand_for(const char *pattern, int rank, int size, long pid);

/* A pattern whose %h, %N, %j and %x are replaced: what another process cannot know
 * later. The other letters and %% stay. malloc'd; NULL without memory. */
char *scope_config_fix(const char *pattern);

/* `name` with `insert` before its suffix, else at its end; a leading dot begins no
 * suffix. malloc'd; NULL without memory. */
char *scope_config_insert(const char *name, const char *insert);

/* 1 if the pattern names one file per process (%r %t %p). */
bool scope_config_is_per_process(const char *pattern);

/* Rank and size that the launcher put into the environment (OMPI_COMM_WORLD_RANK,
 * PMI_RANK, PMIX_RANK, SLURM_PROCID ...); false: no launcher. A launcher that does
 * not tell its size gives rank + 1. */
bool scope_config_launcher(int *rank, int *size);

/* Filters: "solve*,-solve_inner,+MPI_*": glob patterns, first match decides; a
 * leading - excludes; a list whose first pattern includes excludes the rest. A pattern may
 * be of some ranks only: "solve*@0-3+8-". rank -1, or none given: not known, what may depend
 * on it is accepted. */
scope_filter *scope_filter_new(const char *text);

/* false: a sign or ranks without a pattern, a digit behind @ that begins no list of ranks, or
 * a range that goes backwards: nobody means these. */
bool scope_filter_is_usable(const char *text);

/* What it was made of; it is the filter's. */
const char *scope_filter_text(const scope_filter *filter);
void scope_filter_free(scope_filter *filter);
bool scope_filter_accepts_on(const scope_filter *filter, int rank, const char *name,
                             size_t length_bytes);
bool scope_filter_accepts(const scope_filter *filter, const char *name, size_t length_bytes);
bool scope_filter_has_ranks(const scope_filter *filter);

/* Bytes with K, M, G, T (powers of 1024): "64M", "1.5GiB". false: not a size. */
bool scope_parse_bytes(const char *text, int64_t *bytes);

#endif
