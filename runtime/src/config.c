/* config.c - the table of SCOPE_ variables, and how options become a configuration.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_OUTPUT "profiling_data.h5"
#define PREFIX "SCOPE_"

enum {
    OPTION_OUTPUT,
    OPTION_ENABLE,
    OPTION_LABEL,
    OPTION_FILTER,
    OPTION_SPOOL,
    OPTION_SPOOL_DIR,
    OPTION_MAX_BYTES,
    OPTION_MAX_LANES,
    OPTION_MAX_NAMES,
    OPTION_POLICY,
    OPTION_THROTTLE,
    OPTION_OUTPUT_MODE,
    OPTION_COMPRESSION,
    OPTION_COMPRESSION_LEVEL,
    OPTION_CLOCK,
    OPTION_MPI_FAMILY,
    OPTION_GATHER_TIMEOUT,
    OPTION_PARTIAL,
    OPTION_OPENMP,
    OPTION_VERBOSE,
    OPTION_COUNT,
};

/* clang-format off */
static const scope_config_entry entries[OPTION_COUNT + 1] = {
    [OPTION_OUTPUT] = {"SCOPE_OUTPUT", DEFAULT_OUTPUT,
        "name of the file; %r rank, %n size, %p pid, %h host, %j job id, %x program are replaced; empty: no file",
        SCOPE_CONFIG_PATH, "a file name"},
    [OPTION_ENABLE] = {"SCOPE_ENABLE", "1", "0 records nothing at all",
        SCOPE_CONFIG_FLAG, "0 1"},
    [OPTION_LABEL] = {"SCOPE_LABEL", "", "what reports call this run",
        SCOPE_CONFIG_TEXT, "any text"},
    [OPTION_FILTER] = {"SCOPE_FILTER", "",
        "which regions to record: name patterns, the first that matches decides, - before one excludes; @0-3+8- behind one: for other ranks it is not in the list, so compute@2,-* is compute of rank 2 and nothing else",
        SCOPE_CONFIG_FILTER, "patterns: solve*,-solve_inner,-io_*@1-"},
    [OPTION_SPOOL] = {"SCOPE_SPOOL", "1",
        "0 records into memory only: what a killed process recorded is lost",
        SCOPE_CONFIG_FLAG, "0 1"},
    [OPTION_SPOOL_DIR] = {"SCOPE_SPOOL_DIR", "",
        "folder for spool files, from which `scope recover` reads after a crash; empty: $TMPDIR, else /tmp",
        SCOPE_CONFIG_PATH, "a folder"},
    [OPTION_MAX_BYTES] = {"SCOPE_MAX_BYTES", "",
        "memory budget of each process; 0: unlimited; empty: 1G, less where space is short",
        SCOPE_CONFIG_BYTES, "a size: 64M"},
    [OPTION_MAX_LANES] = {"SCOPE_MAX_LANES", "2097152",
        "threads, and tasks, kept one by one; later ones share lanes named (other); 0: unlimited",
        SCOPE_CONFIG_COUNT, "a number"},
    [OPTION_MAX_NAMES] = {"SCOPE_MAX_NAMES", "2097152",
        "names kept; later ones become (other); 0: unlimited",
        SCOPE_CONFIG_COUNT, "a number"},
    [OPTION_POLICY] = {"SCOPE_POLICY", "fold",
        "when the budget is used up: fold the oldest calls into exact sums, stop and count, or drop the oldest (ring)",
        SCOPE_CONFIG_CHOICE, "fold stop ring"},
    [OPTION_THROTTLE] = {"SCOPE_THROTTLE", "auto",
        "calls:ns; a region called more often than that by a thread, and shorter on average, is kept as exact sums; auto: once its calls took an eighth of the budget, below 500 ns; 0: each call is kept",
        SCOPE_CONFIG_THROTTLE, "auto, calls:ns, or 0"},
    [OPTION_OUTPUT_MODE] = {"SCOPE_OUTPUT_MODE", "auto", "how the ranks write; direct: one file, each rank its rows; parallel: the same by MPI-IO and a parallel HDF5; per_rank: a file each and an index that reads as one",
        SCOPE_CONFIG_CHOICE, "auto direct parallel per_rank"},
    [OPTION_COMPRESSION] = {"SCOPE_COMPRESSION", "none", "compression of the file; auto: gzip for large ones",
        SCOPE_CONFIG_CHOICE, "none gzip auto"},
    [OPTION_COMPRESSION_LEVEL] = {"SCOPE_COMPRESSION_LEVEL", "4", "gzip level",
        SCOPE_CONFIG_LEVEL, "1 to 9"},
    [OPTION_CLOCK] = {"SCOPE_CLOCK", "auto", "time source: the CPU's counter where it is sound, else CLOCK_MONOTONIC",
        SCOPE_CONFIG_CHOICE, "auto tsc monotonic"},
    [OPTION_MPI_FAMILY] = {"SCOPE_MPI_FAMILY", "auto", "which MPI `scope run` loads the wrappers for",
        SCOPE_CONFIG_CHOICE, "auto ompi mpich abi none"},
    [OPTION_GATHER_TIMEOUT] = {"SCOPE_GATHER_TIMEOUT", "300",
        "seconds that a rank waits for the others before it keeps its own recording; 0: for ever",
        SCOPE_CONFIG_SECONDS, "a number of seconds"},
    [OPTION_PARTIAL] = {"SCOPE_PARTIAL", "1",
        "0: every rank has the profiler, which you promise: the ranks' clocks are compared in MPI_Init too, not only in MPI_Finalize",
        SCOPE_CONFIG_FLAG, "0 1"},
    [OPTION_OPENMP] = {"SCOPE_OPENMP", "0",
        "1 records parallel regions, barriers, waiting and tasks of OpenMP, where its runtime tells them (OMPT: LLVM's, Intel's)",
        SCOPE_CONFIG_FLAG, "0 1"},
    [OPTION_VERBOSE] = {"SCOPE_VERBOSE", "0", "1 says on stderr what is done, and where the file is",
        SCOPE_CONFIG_FLAG, "0 1"},
    {NULL, NULL, NULL, SCOPE_CONFIG_TEXT, NULL},
};
/* clang-format on */

/* Set by `scope run`, or by who called MPI_Comm_spawn; read by the runtime: known without
 * being options. */
static const char *const known[] = {"SCOPE_ROOT", "SCOPE_RUN_ID", "SCOPE_RUN_PID",
                                    "SCOPE_PARENT", NULL};
static const char *const known_prefixes[] = {"SCOPE_PROFILER_", "SCOPE_TEST_", NULL};

typedef void complain_fn(const char *text);

/* The environment is not trusted in a setuid process. */
static const char *environment(const char *name)
{
    return secure_getenv(name);
}

/* Decimal digits with an optional fraction, whatever LC_NUMERIC says. */
static const char *parse_decimal(const char *text, double *value)
{
    double number = 0, scale = 1;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (*at - '0');
    if (at == text)
        return NULL;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            number += (*at - '0') * (scale /= 10);
    *value = number;
    return at;
}

bool scope_parse_bytes(const char *text, int64_t *bytes)
{
    static const char units[] = "KMGTPE";
    double number;
    const char *at = text ? parse_decimal(text, &number) : NULL;
    if (!at)
        return false;
    const char *unit = *at ? strchr(units, toupper((unsigned char)*at)) : NULL;
    if (unit) {
        number *= (double)(UINT64_C(1) << (10 * (unit - units + 1)));
        at++;
        if (*at == 'i')
            at++;
    }
    if (*at == 'B' || *at == 'b')
        at++;
    if (*at || number >= 0x1p62)
        return false;
    *bytes = (int64_t)number;
    return true;
}

static bool parse_flag(const char *text, bool *flag)
{
    static const char *const words[] = {"0", "1", "no", "yes", "off", "on", "false", "true", NULL};
    for (int i = 0; words[i]; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *flag = i & 1;
            return true;
        }
    return false;
}

/* `text` is one of the blank-separated words of `values`, in whatever case. */
static bool is_choice(const char *text, const char *values)
{
    const size_t length = strlen(text);
    for (const char *word = values; *word;) {
        const size_t word_length = strcspn(word, " ");
        if (length == word_length && strncasecmp(word, text, length) == 0)
            return true;
        word += word_length;
        word += *word == ' ';
    }
    return false;
}

/* A choice as the code compares it: "Ring" is "ring". */
static const char *small_letters(const char *text)
{
    static const char *const words[] = {"auto", "direct", "none",      "gzip", "fold",  "stop",
                                        "ring", "tsc",    "monotonic", "ompi", "mpich", "abi"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0)
            return words[i];
    return text;
}

/* No file can have this name: a folder has it. With a slash behind it, it is one for files. */
static bool is_folder(const char *path)
{
    struct stat status;
    const size_t length = strlen(path);
    return length && path[length - 1] != '/' && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* "auto", "1000000:500"; "0" is off. Neither number may be 0 otherwise. */
static bool parse_throttle(const char *text, uint64_t *calls, uint64_t *mean_ns)
{
    if (strcasecmp(text, "auto") == 0) {
        *calls = SCOPE_THROTTLE_AUTO;
        *mean_ns = 500;
        return true;
    }
    double number[2] = {0, 0};
    const char *at = parse_decimal(text, &number[0]);
    if (at && *at == ':')
        at = parse_decimal(at + 1, &number[1]);
    else if (number[0] != 0)
        return false;
    const bool off = number[0] == 0 && number[1] == 0;
    if (!at || *at || number[0] >= 0x1p62 || number[1] >= 0x1p30 ||
        (!off && (number[0] < 1 || number[1] < 1)))
        return false;
    *calls = (uint64_t)number[0];
    *mean_ns = (uint64_t)number[1];
    return true;
}

static bool is_usable(const scope_config_entry *entry, const char *text)
{
    bool flag;
    int64_t number;
    uint64_t calls, mean_ns;
    double seconds;
    const char *end;
    switch (entry->kind) {
    case SCOPE_CONFIG_FLAG:
        return parse_flag(text, &flag);
    case SCOPE_CONFIG_BYTES:
    case SCOPE_CONFIG_COUNT:
        return scope_parse_bytes(text, &number);
    case SCOPE_CONFIG_SECONDS:
        end = parse_decimal(text, &seconds);
        return end && *end == '\0';
    case SCOPE_CONFIG_LEVEL:
        return text[0] >= '1' && text[0] <= '9' && text[1] == '\0';
    case SCOPE_CONFIG_THROTTLE:
        return parse_throttle(text, &calls, &mean_ns);
    case SCOPE_CONFIG_CHOICE:
        return is_choice(text, entry->values);
    case SCOPE_CONFIG_FILTER:
        return scope_filter_is_usable(text);
    case SCOPE_CONFIG_PATH:
        return entry != &entries[OPTION_OUTPUT] || !is_folder(text);
    default:
        return true;
    }
}

const scope_config_entry *scope_config_entries(void)
{
    return entries;
}

/* The value in force; complains about one that is not usable. An empty one counts
 * as not set, but for the output, where it means "no file". */
static const char *option(int index, const char **source, complain_fn *complain, bool *refused)
{
    const scope_config_entry *entry = &entries[index];
    const char *text = environment(entry->name);
    *source = "environment";
    if (text && (*text ? is_usable(entry, text) : index == OPTION_OUTPUT))
        return entry->kind == SCOPE_CONFIG_CHOICE ? small_letters(text) : text;
    if (text && *text) {
        char line[320];
        snprintf(line, sizeof line, "%s=%.80s is not usable (expected: %s); taking %s", entry->name,
                 text, entry->values, *entry->default_value ? entry->default_value : "the default");
        if (refused)
            *refused = true;
        if (complain)
            complain(line);
    }
    *source = "default";
    return entry->default_value;
}

const char *scope_config_value(const char *name, const char **source)
{
    const char *ignored;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(entries[i].name, name) == 0)
            return option(i, source ? source : &ignored, NULL, NULL);
    return NULL;
}

bool scope_config_flag(const char *name)
{
    const char *text = scope_config_value(name, NULL);
    bool flag = false;
    return text && parse_flag(text, &flag) && flag;
}

double scope_config_seconds(const char *name)
{
    const char *text = scope_config_value(name, NULL);
    double seconds = 0;
    return text && parse_decimal(text, &seconds) ? seconds : 0;
}

/* ---- names nobody knows ---- */

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap neighbours) from a to b. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 40 }; /* longer names are far from all of ours */
    const size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length >= LONGEST || b_length >= LONGEST)
        return LONGEST;
    int edits[LONGEST][LONGEST];
    for (size_t i = 0; i <= a_length; i++)
        edits[i][0] = (int)i;
    for (size_t j = 0; j <= b_length; j++)
        edits[0][j] = (int)j;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t j = 1; j <= b_length; j++) {
            int best = edits[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = lesser(best, edits[i - 1][j] + 1);
            best = lesser(best, edits[i][j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = lesser(best, edits[i - 2][j - 2] + 1);
            edits[i][j] = best;
        }
    return edits[a_length][b_length];
}

/* The option that `name` may have meant; NULL: none is near. */
static const char *nearest(const char *name)
{
    const size_t skip = sizeof PREFIX - 1, length = strlen(name);
    const char *best = NULL;
    int best_distance = length - skip >= 6 ? 4 : 3; /* at most 3, or 2, edits */
    for (int i = 0; i < OPTION_COUNT; i++) {
        const int edits = distance(name + skip, entries[i].name + skip);
        if (edits < best_distance) {
            best = entries[i].name;
            best_distance = edits;
        }
    }
    for (int i = 0; !best && i < OPTION_COUNT; i++)
        if (length > skip + 2 && strncmp(entries[i].name, name, length) == 0)
            best = entries[i].name; /* the beginning of one: SCOPE_OUT */
    return best;
}

static bool is_known(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(name, entries[i].name) == 0)
            return true;
    for (int i = 0; known[i]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    for (int i = 0; known_prefixes[i]; i++)
        if (strncmp(name, known_prefixes[i], strlen(known_prefixes[i])) == 0)
            return true;
    return false;
}

/* One line for all of them, again only when they are others than last time. */
static void report_unknown(complain_fn *complain)
{
    static uint64_t reported;
    char line[512];
    size_t used = 0;
    for (char **at = environ; at && *at && used < sizeof line; at++) {
        char name[80];
        const size_t length = strcspn(*at, "=");
        if (strncmp(*at, PREFIX, sizeof PREFIX - 1) != 0 || length >= sizeof name)
            continue;
        memcpy(name, *at, length);
        name[length] = '\0';
        if (is_known(name))
            continue;
        const char *hint = nearest(name);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s%s%s",
                                 used ? ", " : "unknown variable ", name,
                                 hint ? " (did you mean " : "", hint ? hint : "", hint ? "?)" : "");
    }
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; used && line[i]; i++)
        hash = (hash ^ (unsigned char)line[i]) * UINT64_C(1099511628211);
    if (used && complain && hash != reported) {
        reported = hash;
        complain(line);
    }
}

/* ---- the configuration ---- */

/* The working directory as part of a pattern: its own % stay what they are. */
static char *escaped_directory(void)
{
    char *directory = getcwd(NULL, 0);
    char *text = directory ? malloc(2 * strlen(directory) + 1) : NULL;
    if (text) {
        char *to = text;
        for (const char *from = directory; *from; from++) {
            *to++ = *from;
            if (*from == '%')
                *to++ = '%';
        }
        *to = '\0';
    }
    free(directory);
    return text;
}

/* A pattern made absolute; a folder (trailing slash) gets `file` as name. */
static char *absolute(const char *pattern, const char *file)
{
    if (!*pattern)
        return strdup("");
    const size_t length = strlen(pattern);
    const char *name = file && pattern[length - 1] == '/' ? file : "";
    char *directory = pattern[0] == '/' ? NULL : escaped_directory();
    char *text = NULL;
    if (asprintf(&text, "%s%s%s%s", directory ? directory : "", directory ? "/" : "", pattern,
                 name) < 0)
        text = NULL;
    free(directory);
    return text;
}

/* What a caller of an older or newer version passed, as this version's struct. */
static bool take_options(const scope_options *options, scope_options *taken)
{
    *taken = (scope_options)SCOPE_OPTIONS_INIT;
    if (!options)
        return true;
    if (options->size_bytes < offsetof(scope_options, output) + sizeof taken->output)
        return false;
    const size_t size = options->size_bytes < sizeof *taken ? options->size_bytes : sizeof *taken;
    memcpy(taken, options, size);
    return true;
}

static scope_policy policy_of(const char *word)
{
    return *word == 's' ? SCOPE_POLICY_STOP : *word == 'r' ? SCOPE_POLICY_RING : SCOPE_POLICY_FOLD;
}

static int64_t count_of(const char *text)
{
    int64_t count = 0;
    scope_parse_bytes(text, &count);
    return count ? count : INT64_MAX;
}

/* Values that need no memory. */
static void load_numbers(const char *const *value, const scope_options *taken, scope_config *config)
{
    int64_t bytes = 0;
    parse_flag(value[OPTION_ENABLE], &config->enabled);
    parse_flag(value[OPTION_SPOOL], &config->spool);
    parse_flag(value[OPTION_VERBOSE], &config->verbose);
    config->enabled = config->enabled && !taken->disable;
    config->spool = config->spool && !taken->no_spool;
    if (taken->max_bytes)
        config->max_bytes = taken->max_bytes;
    else if (scope_parse_bytes(value[OPTION_MAX_BYTES], &bytes))
        config->max_bytes = bytes ? bytes : -1;
    config->max_lanes = count_of(value[OPTION_MAX_LANES]);
    config->max_names = count_of(value[OPTION_MAX_NAMES]);
    parse_throttle(value[OPTION_THROTTLE], &config->throttle_calls, &config->throttle_ns);
    config->policy = taken->policy ? taken->policy : policy_of(value[OPTION_POLICY]);
    config->compression_level = value[OPTION_COMPRESSION_LEVEL][0] - '0';
}

scope_status scope_config_load(const scope_options *options, scope_config *config,
                               complain_fn *complain)
{
    const char *value[OPTION_COUNT], *source;
    bool refused = false;
    scope_options taken;
    if (!take_options(options, &taken)) {
        refused = true;
        if (complain)
            complain("scope_options.size_bytes is not set; start from SCOPE_OPTIONS_INIT");
    }
    if (taken.max_bytes < -1 || (int)taken.policy < 0 || taken.policy > SCOPE_POLICY_RING) {
        refused = true;
        if (complain)
            complain(taken.max_bytes < -1
                         ? "scope_options.max_bytes is negative; taking the default"
                         : "scope_options.policy is not a policy; taking fold");
        if (taken.max_bytes < -1)
            taken.max_bytes = 0;
        if ((int)taken.policy < 0 || taken.policy > SCOPE_POLICY_RING)
            taken.policy = SCOPE_POLICY_DEFAULT;
    }
    for (int i = 0; i < OPTION_COUNT; i++)
        value[i] = option(i, &source, complain, &refused);
    report_unknown(complain);

    *config = (scope_config){0};
    load_numbers(value, &taken, config);
    const char *output = taken.no_output ? "" : taken.output ? taken.output : value[OPTION_OUTPUT];
    const char *filter = taken.filter ? taken.filter : value[OPTION_FILTER];
    config->output = absolute(output, DEFAULT_OUTPUT);
    config->label = strdup(taken.label ? taken.label : value[OPTION_LABEL]);
    config->spool_dir = absolute(taken.spool_dir ? taken.spool_dir : value[OPTION_SPOOL_DIR], NULL);
    config->output_mode = strdup(value[OPTION_OUTPUT_MODE]);
    config->compression = strdup(value[OPTION_COMPRESSION]);
    config->filter = scope_filter_new(filter);
    if (!config->output || !config->label || !config->spool_dir || !config->output_mode ||
        !config->compression || (*filter && !config->filter)) {
        scope_config_free(config);
        return SCOPE_ERR_MEMORY;
    }
    return refused ? SCOPE_ERR_ARGUMENT : SCOPE_OK;
}

void scope_config_free(scope_config *config)
{
    if (!config)
        return;
    free(config->output);
    free(config->label);
    free(config->spool_dir);
    free(config->output_mode);
    free(config->compression);
    scope_filter_free(config->filter);
    *config = (scope_config){0};
}
