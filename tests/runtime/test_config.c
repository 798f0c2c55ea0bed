/* test_config.c - options, file patterns, launchers and filters.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <CUnit/Basic.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char said[8][600];
static int said_count;

static void listen(const char *text)
{
    snprintf(said[said_count % 8], sizeof said[0], "%s", text);
    said_count++;
}

static bool heard(const char *part)
{
    for (int i = 0; i < said_count && i < 8; i++)
        if (strstr(said[i], part))
            return true;
    return false;
}

/* No variable of ours or of a launcher is set when a test starts. */
static void fresh(void)
{
    clearenv();
    said_count = 0;
}

static scope_status load(const scope_options *options, scope_config *config)
{
    return scope_config_load(options, config, listen);
}

/* ---- options ---- */

static void without_any_option_defaults_hold(void)
{
    scope_config config;
    char expected[PATH_MAX + 32], directory[PATH_MAX];
    fresh();
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    snprintf(expected, sizeof expected, "%s/profiling_data.h5", getcwd(directory, PATH_MAX));
    CU_ASSERT_STRING_EQUAL(config.output, expected);
    CU_ASSERT_STRING_EQUAL(config.label, "");
    CU_ASSERT_STRING_EQUAL(config.spool_dir, "");
    CU_ASSERT_STRING_EQUAL(config.output_mode, "auto");
    CU_ASSERT_STRING_EQUAL(config.compression, "none");
    CU_ASSERT_STRING_EQUAL(scope_config_value("SCOPE_CLOCK", NULL), "auto");
    CU_ASSERT_EQUAL(config.compression_level, 4);
    CU_ASSERT_EQUAL(config.max_bytes, 0);
    CU_ASSERT_EQUAL(config.max_lanes, 1 << 21);
    CU_ASSERT_EQUAL(config.max_names, 1 << 21);
    CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_FOLD);
    CU_ASSERT_TRUE(config.enabled && config.spool && !config.verbose);
    CU_ASSERT_TRUE(scope_config_flag("SCOPE_PARTIAL") && !scope_config_flag("SCOPE_NONE"));
    CU_ASSERT_EQUAL(scope_config_seconds("SCOPE_GATHER_TIMEOUT"), 300.0);
    CU_ASSERT_EQUAL(scope_config_seconds("SCOPE_NONE"), 0.0);
    CU_ASSERT_PTR_NULL(config.filter);
    CU_ASSERT_EQUAL(said_count, 0);
    scope_config_free(&config);
}

static void environment_beats_defaults(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_OUTPUT", "/tmp/%r.h5", 1);
    setenv("SCOPE_ENABLE", "off", 1);
    setenv("SCOPE_LABEL", "a label", 1);
    setenv("SCOPE_SPOOL", "No", 1);
    setenv("SCOPE_SPOOL_DIR", "/spool", 1);
    setenv("SCOPE_MAX_BYTES", "64M", 1);
    setenv("SCOPE_MAX_LANES", "1K", 1);
    setenv("SCOPE_MAX_NAMES", "0", 1);
    setenv("SCOPE_POLICY", "ring", 1);
    setenv("SCOPE_OUTPUT_MODE", "direct", 1);
    setenv("SCOPE_COMPRESSION", "gzip", 1);
    setenv("SCOPE_COMPRESSION_LEVEL", "9", 1);
    setenv("SCOPE_CLOCK", "monotonic", 1);
    setenv("SCOPE_GATHER_TIMEOUT", "2.5", 1);
    setenv("SCOPE_PARTIAL", "no", 1);
    setenv("SCOPE_VERBOSE", "TRUE", 1);
    setenv("SCOPE_FILTER", "solve*", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(config.output, "/tmp/%r.h5");
    CU_ASSERT_STRING_EQUAL(config.label, "a label");
    CU_ASSERT_STRING_EQUAL(config.spool_dir, "/spool");
    CU_ASSERT_STRING_EQUAL(config.output_mode, "direct");
    CU_ASSERT_STRING_EQUAL(config.compression, "gzip");
    CU_ASSERT_STRING_EQUAL(scope_config_value("SCOPE_CLOCK", NULL), "monotonic");
    CU_ASSERT_EQUAL(config.compression_level, 9);
    CU_ASSERT_EQUAL(config.max_bytes, 64 << 20);
    CU_ASSERT_EQUAL(config.max_lanes, 1024);
    CU_ASSERT_EQUAL(config.max_names, INT64_MAX);
    CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_RING);
    CU_ASSERT_TRUE(!config.enabled && !config.spool && config.verbose);
    CU_ASSERT_FALSE(scope_config_flag("SCOPE_PARTIAL"));
    CU_ASSERT_EQUAL(scope_config_seconds("SCOPE_GATHER_TIMEOUT"), 2.5);
    CU_ASSERT_TRUE(scope_filter_accepts(config.filter, "solver", 6));
    CU_ASSERT_FALSE(scope_filter_accepts(config.filter, "other", 5));
    CU_ASSERT_EQUAL(said_count, 0);
    scope_config_free(&config);
}

static void choices_may_have_capitals(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_POLICY", "Ring", 1);
    setenv("SCOPE_COMPRESSION", "GZIP", 1);
    setenv("SCOPE_THROTTLE", "Auto", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_RING);
    CU_ASSERT_STRING_EQUAL(config.compression, "gzip");
    CU_ASSERT_EQUAL(config.throttle_calls, SCOPE_THROTTLE_AUTO);
    CU_ASSERT_EQUAL(said_count, 0);
    scope_config_free(&config);
}

static void an_output_that_is_a_folder_is_refused(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_OUTPUT", ".", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(config.output, "/profiling_data.h5"));
    CU_ASSERT_TRUE(heard("SCOPE_OUTPUT=. is not usable"));
    scope_config_free(&config);
}

static void filters_that_nobody_means_are_refused(void)
{
    static const char *const bad[] = {"-", "a,+ ", "@1", "-@0-2", "a@3-1", "a@1+", "a@1x,b"};
    static const char *const good[] = {"a", "a,", "a@b", "a@", "a\\@1x", "-a@1-,*", "a@0-3+8-,-*"};
    scope_config config;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fresh();
        setenv("SCOPE_FILTER", bad[i], 1);
        CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_ERR_ARGUMENT);
        CU_ASSERT_TRUE(heard("is not usable"));
        CU_ASSERT_PTR_NULL(config.filter);
        scope_config_free(&config);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CU_ASSERT_TRUE(scope_filter_is_usable(good[i]));
}

static void options_beat_the_environment(void)
{
    scope_config config;
    scope_options options = SCOPE_OPTIONS_INIT;
    fresh();
    setenv("SCOPE_OUTPUT", "/tmp/env.h5", 1);
    setenv("SCOPE_LABEL", "env", 1);
    setenv("SCOPE_MAX_BYTES", "64M", 1);
    setenv("SCOPE_POLICY", "ring", 1);
    options.output = "/tmp/option.h5";
    options.label = "option";
    options.max_bytes = -1;
    options.policy = SCOPE_POLICY_STOP;
    options.disable = options.no_spool = 1;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(config.output, "/tmp/option.h5");
    CU_ASSERT_STRING_EQUAL(config.label, "option");
    CU_ASSERT_EQUAL(config.max_bytes, -1);
    CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_STOP);
    CU_ASSERT_TRUE(!config.enabled && !config.spool);
    scope_config_free(&config);

    options.no_output = 1;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(config.output, "");
    scope_config_free(&config);
}

static void fields_an_older_caller_does_not_have_are_not_read(void)
{
    scope_config config;
    scope_options options = SCOPE_OPTIONS_INIT;
    fresh();
    options.size_bytes = offsetof(scope_options, label);
    options.output = "/tmp/old.h5";
    options.label = (const char *)1;
    options.disable = 1;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(config.output, "/tmp/old.h5");
    CU_ASSERT_TRUE(config.enabled);
    scope_config_free(&config);

    options.size_bytes = 0;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_TRUE(heard("SCOPE_OPTIONS_INIT"));
    scope_config_free(&config);
}

static void zero_bytes_is_unlimited_and_empty_is_the_default(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_MAX_BYTES", "0", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_EQUAL(config.max_bytes, -1);
    scope_config_free(&config);
    setenv("SCOPE_MAX_BYTES", "", 1);
    setenv("SCOPE_ENABLE", "", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_EQUAL(config.max_bytes, 0);
    CU_ASSERT_TRUE(config.enabled);
    scope_config_free(&config);
}

static void an_empty_output_means_no_file(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_OUTPUT", "", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(config.output, "");
    scope_config_free(&config);
}

static void a_bad_value_is_named_and_its_default_taken(void)
{
    static const char *const bad[][2] = {
        {"SCOPE_MAX_BYTES", "many"},    {"SCOPE_MAX_BYTES", "-5"},
        {"SCOPE_MAX_LANES", "1x"},      {"SCOPE_POLICY", "rings"},
        {"SCOPE_ENABLE", "2"},          {"SCOPE_COMPRESSION_LEVEL", "10"},
        {"SCOPE_CLOCK", "sundial"},     {"SCOPE_OUTPUT_MODE", "dir"},
        {"SCOPE_GATHER_TIMEOUT", "1m"}, {"SCOPE_MPI_FAMILY", "intel"},
        {"SCOPE_POLICY", "fold stop"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scope_config config;
        fresh();
        setenv(bad[i][0], bad[i][1], 1);
        CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(said_count, 1);
        CU_ASSERT_TRUE(heard(bad[i][0]) && heard(bad[i][1]));
        CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_FOLD);
        CU_ASSERT_EQUAL(config.max_bytes, 0);
        CU_ASSERT_STRING_EQUAL(scope_config_value("SCOPE_CLOCK", NULL), "auto");
        CU_ASSERT_EQUAL(scope_config_seconds("SCOPE_GATHER_TIMEOUT"), 300.0);
        const char *source;
        scope_config_value(bad[i][0], &source);
        CU_ASSERT_STRING_EQUAL(source, "default");
        scope_config_free(&config);
    }
}

static void options_that_cannot_be_used_are_refused(void)
{
    scope_config config;
    scope_options options = SCOPE_OPTIONS_INIT;
    fresh();
    options.policy = (scope_policy)77;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(config.policy, SCOPE_POLICY_FOLD);
    scope_config_free(&config);
    options.policy = SCOPE_POLICY_DEFAULT;
    options.max_bytes = -2;
    CU_ASSERT_EQUAL(load(&options, &config), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(config.max_bytes, 0);
    scope_config_free(&config);
    CU_ASSERT_EQUAL(scope_config_load(&options, &config, NULL), SCOPE_ERR_ARGUMENT);
    scope_config_free(&config);
}

static void unknown_variables_give_one_line_once(void)
{
    scope_config config;
    fresh();
    setenv("SCOPE_OUTPTU", "x", 1);
    setenv("SCOPE_BANANA", "x", 1);
    setenv("SCOPE_ROOT", "/", 1);
    setenv("SCOPE_RUN_ID", "1", 1);
    setenv("SCOPE_RUN_PID", "1", 1);
    setenv("SCOPE_PROFILER_SAMPLE_HZ", "1", 1);
    setenv("SCOPE_TEST_ANYTHING", "1", 1);
    setenv("MY_SCOPE_X", "1", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    scope_config_free(&config);
    CU_ASSERT_EQUAL(said_count, 1);
    CU_ASSERT_TRUE(heard("SCOPE_OUTPTU (did you mean SCOPE_OUTPUT?)"));
    CU_ASSERT_TRUE(heard("SCOPE_BANANA") && !heard("SCOPE_BANANA ("));
    CU_ASSERT_FALSE(heard("ROOT") || heard("RUN_ID") || heard("PROFILER") || heard("TEST"));
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    scope_config_free(&config);
    CU_ASSERT_EQUAL(said_count, 1);
}

static void a_hint_is_the_nearest_name(void)
{
    static const char *const hints[][2] = {
        {"SCOPE_OUT", "SCOPE_OUTPUT"},
        {"SCOPE_LABLE", "SCOPE_LABEL"},
        {"SCOPE_MAXBYTES", "SCOPE_MAX_BYTES"},
        {"SCOPE_SPOOLDIR", "SCOPE_SPOOL_DIR"},
        {"SCOPE_FILTERS", "SCOPE_FILTER"},
        {"SCOPE_TIMEOUT_GATHER", NULL},
        {"SCOPE_X", NULL},
        {"SCOPE_", NULL},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        scope_config config;
        fresh();
        setenv(hints[i][0], "", 1);
        load(NULL, &config);
        scope_config_free(&config);
        CU_ASSERT_TRUE(heard(hints[i][0]));
        if (hints[i][1])
            CU_ASSERT_TRUE(heard(hints[i][1]))
        else
            CU_ASSERT_FALSE(heard("did you mean"));
    }
}

static void many_unknown_variables_fit_into_the_line(void)
{
    scope_config config;
    char name[64];
    fresh();
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "SCOPE_NOBODY_KNOWS_THIS_NAME_%d", i);
        setenv(name, "", 1);
    }
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    CU_ASSERT_EQUAL(said_count, 1);
    scope_config_free(&config);
}

static void the_table_is_whole(void)
{
    int count = 0;
    fresh();
    for (const scope_config_entry *entry = scope_config_entries(); entry->name; entry++, count++) {
        const char *source;
        const char *value = scope_config_value(entry->name, &source);
        CU_ASSERT_STRING_EQUAL(value, entry->default_value);
        CU_ASSERT_STRING_EQUAL(source, "default");
        CU_ASSERT_NOT_EQUAL(entry->help[strlen(entry->help) - 1], '.');
        CU_ASSERT_PTR_NOT_NULL(entry->values);
        setenv(entry->name,
               entry->kind == SCOPE_CONFIG_CHOICE || entry->kind == SCOPE_CONFIG_THROTTLE
                   ? entry->default_value
                   : "1",
               1);
        CU_ASSERT_STRING_EQUAL(scope_config_value(entry->name, &source), getenv(entry->name));
        CU_ASSERT_STRING_EQUAL(source, "environment");
    }
    CU_ASSERT_EQUAL(count, 20);
    CU_ASSERT_PTR_NULL(scope_config_value("SCOPE_NOTHING", NULL));
    CU_ASSERT_PTR_NOT_NULL(scope_config_value("SCOPE_OUTPUT", NULL));
}

static void sizes_have_units(void)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: not a size */
    } sizes[] = {
        {"0", 0},
        {"1024", 1024},
        {"64K", 65536},
        {"64k", 65536},
        {"1.5M", 1536 << 10},
        {"2G", 2LL << 30},
        {"3T", 3LL << 40},
        {"1KiB", 1024},
        {"1KB", 1024},
        {"7B", 7},
        {"", -1},
        {"K", -1},
        {"-1", -1},
        {"1 M", -1},
        {"1X", -1},
        {"1KK", -1},
        {"0x10", -1},
        {"99999999999999999999", -1},
        {"9E", -1},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t bytes = -1;
        CU_ASSERT_EQUAL(scope_parse_bytes(sizes[i].text, &bytes), sizes[i].bytes >= 0);
        CU_ASSERT_EQUAL(bytes, sizes[i].bytes);
    }
    int64_t bytes;
    CU_ASSERT_FALSE(scope_parse_bytes(NULL, &bytes));
}

/* ---- patterns ---- */

static bool expands(const char *pattern, int rank, int size, const char *expected)
{
    char *text = scope_config_expand(pattern, rank, size);
    const bool same = text && strcmp(text, expected) == 0;
    if (!same)
        printf("\n  %s -> %s, expected %s\n", pattern, text ? text : "NULL", expected);
    free(text);
    return same;
}

static void letters_are_replaced(void)
{
    char pid[64], host[128] = "", named[256];
    fresh();
    snprintf(pid, sizeof pid, "p%ld", (long)getpid());
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0';
    snprintf(named, sizeof named, "%s-%s", host, host);
    CU_ASSERT_TRUE(expands("/a/%r-%t-%n.h5", 3, 8, "/a/3-3-8.h5"));
    CU_ASSERT_TRUE(expands("p%p", 0, 1, pid));
    CU_ASSERT_TRUE(expands("%h-%N", 0, 1, named));
    CU_ASSERT_TRUE(expands("%x", 0, 1, program_invocation_short_name));
    CU_ASSERT_TRUE(expands("100%%", 0, 1, "100%"));
    CU_ASSERT_TRUE(expands("%5r|%05r|%2n", 42, 128, "00042|00042|128"));
    CU_ASSERT_TRUE(expands("%r of %n", -1, -1, "0 of 1"));
    CU_ASSERT_TRUE(expands("", 0, 1, ""));
}

static void what_is_no_letter_stays(void)
{
    CU_ASSERT_TRUE(expands("%z %", 0, 1, "%z %"));
    CU_ASSERT_TRUE(expands("%5z%7", 0, 1, "%5z%7"));
    CU_ASSERT_TRUE(expands("%99999999999r", 1, 2, "00000000000000000001"));
}

static void job_ids_of_batch_systems_are_found(void)
{
    fresh();
    CU_ASSERT_TRUE(expands("%j", 0, 1, "0"));
    setenv("LSB_JOBID", "3", 1);
    CU_ASSERT_TRUE(expands("%j", 0, 1, "3"));
    setenv("PBS_JOBID", "12[4].host/x", 1);
    CU_ASSERT_TRUE(expands("%j", 0, 1, "12[4].host_x"));
    setenv("SLURM_JOB_ID", "77", 1);
    CU_ASSERT_TRUE(expands("%j", 0, 1, "77"));
}

static void a_pattern_is_fixed_for_other_processes(void)
{
    char expected[256], host[128] = "";
    fresh();
    setenv("SLURM_JOB_ID", "5%r", 1);
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0';
    char *fixed = scope_config_fix("/a/%4r-%n-%p-%%x-%j-%h-%z.h5");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixed);
    snprintf(expected, sizeof expected, "/a/%%4r-%%n-%%p-%%%%x-5%%%%r-%s-%%z.h5", host);
    CU_ASSERT_STRING_EQUAL(fixed, expected);
    setenv("SLURM_JOB_ID", "6", 1);
    char *name = scope_config_expand_for(fixed, 3, 8, 77);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    snprintf(expected, sizeof expected, "/a/0003-8-77-%%x-5%%r-%s-%%z.h5", host);
    CU_ASSERT_STRING_EQUAL(name, expected);
    free(name);
    free(fixed);
}

static void something_is_inserted_before_the_suffix(void)
{
    static const char *const cases[][2] = {
        {"/a.b/out.h5", "/a.b/out.rank1.h5"}, {"/a.b/out", "/a.b/out.rank1"},
        {"/a/.hidden", "/a/.hidden.rank1"},   {".hidden.h5", ".hidden.rank1.h5"},
        {"out.tar.gz", "out.tar.rank1.gz"},   {"", ".rank1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = scope_config_insert(cases[i][0], ".rank1");
        CU_ASSERT_PTR_NOT_NULL_FATAL(name);
        CU_ASSERT_STRING_EQUAL(name, cases[i][1]);
        free(name);
    }
}

static void rank_and_pid_make_a_file_per_process(void)
{
    CU_ASSERT_TRUE(scope_config_is_per_process("a%r"));
    CU_ASSERT_TRUE(scope_config_is_per_process("a%5t"));
    CU_ASSERT_TRUE(scope_config_is_per_process("a%%%p"));
    CU_ASSERT_FALSE(scope_config_is_per_process("a%%r"));
    CU_ASSERT_FALSE(scope_config_is_per_process("a%n%h%"));
    CU_ASSERT_FALSE(scope_config_is_per_process("a%5"));
}

static void a_relative_name_keeps_the_percent_of_its_folder(void)
{
    char folder[] = "/tmp/scope_100%r_XXXXXX", back[PATH_MAX], expected[PATH_MAX];
    scope_config config;
    fresh();
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(back, sizeof back));
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL_FATAL(chdir(folder), 0);
    setenv("SCOPE_OUTPUT", "sub/%r.h5", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    snprintf(expected, sizeof expected, "%s/sub/2.h5", folder);
    CU_ASSERT_TRUE(expands(config.output, 2, 4, expected));
    scope_config_free(&config);

    setenv("SCOPE_OUTPUT", "sub/", 1);
    CU_ASSERT_EQUAL(load(NULL, &config), SCOPE_OK);
    snprintf(expected, sizeof expected, "%s/sub/profiling_data.h5", folder);
    CU_ASSERT_TRUE(expands(config.output, 2, 4, expected));
    scope_config_free(&config);
    CU_ASSERT_EQUAL(chdir(back), 0);
    rmdir(folder);
}

/* ---- launchers ---- */

static void launchers_tell_rank_and_size(void)
{
    static const struct {
        const char *set[6];
        int rank, size; /* rank -1: no launcher */
    } cases[] = {
        {{NULL}, -1, 0},
        {{"OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4"}, 2, 4},
        {{"PMI_RANK", "0", "PMI_SIZE", "3"}, 0, 3},
        {{"PMIX_RANK", "5"}, 5, 6},
        {{"PMIX_RANK", "5", "SLURM_NTASKS", "9"}, 5, 9},
        {{"SLURM_PROCID", "1", "SLURM_NTASKS", "4"}, 1, 4},
        {{"SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "2", "SLURM_NTASKS", "8"}, 0, 2},
        {{"SLURM_PROCID", "0", "SLURM_NTASKS", "8"}, 0, 1}, /* the batch script itself */
        {{"SLURM_PROCID", "0", "SLURM_STEP_ID", "0", "SLURM_NTASKS", "8"}, 0, 8},
        {{"PMI_RANK", "x", "PMI_SIZE", "3"}, -1, 0},
        {{"PMI_RANK", "-1", "PMI_SIZE", "3"}, -1, 0},
        {{"PMI_RANK", "", "PMI_SIZE", "3"}, -1, 0},
        {{"PMI_RANK", "7", "PMI_SIZE", "3"}, 7, 8},
        {{"PMI_RANK", "99999999999999999999"}, -1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rank = -1, size = 0;
        fresh();
        for (int j = 0; j < 6 && cases[i].set[j]; j += 2)
            setenv(cases[i].set[j], cases[i].set[j + 1], 1);
        CU_ASSERT_EQUAL(scope_config_launcher(&rank, &size), cases[i].rank >= 0);
        CU_ASSERT_EQUAL(rank, cases[i].rank);
        CU_ASSERT_EQUAL(size, cases[i].size);
    }
}

/* ---- filters ---- */

static bool accepts(const char *text, const char *name)
{
    scope_filter *filter = scope_filter_new(text);
    const bool accepted = scope_filter_accepts(filter, name, strlen(name));
    scope_filter_free(filter);
    return accepted;
}

static void the_first_match_decides(void)
{
    CU_ASSERT_FALSE(accepts("-solve_inner,solve*", "solve_inner"));
    CU_ASSERT_TRUE(accepts("-solve_inner,solve*", "solve_outer"));
    CU_ASSERT_TRUE(accepts("solve*,-solve_inner", "solve_inner"));
    CU_ASSERT_TRUE(accepts("solve*,-solve_inner,+MPI_*", "MPI_Bcast"));
}

static void what_matches_nothing_follows_the_first_pattern(void)
{
    CU_ASSERT_FALSE(accepts("solve*", "other"));
    CU_ASSERT_FALSE(accepts("+solve*,-x", "other"));
    CU_ASSERT_TRUE(accepts("-solve*", "other"));
    CU_ASSERT_TRUE(accepts("-solve*,MPI_*", "other"));
    CU_ASSERT_TRUE(accepts("", "other"));
    CU_ASSERT_TRUE(accepts(",, ,-", "other"));
    CU_ASSERT_TRUE(accepts(NULL, "other"));
}

static void wildcards_match_as_in_a_shell(void)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"*", "", true},
        {"a*", "a", true},
        {"*a", "bba", true},
        {"a*b*c", "axxbyyc", true},
        {"a*b*c", "axxbyy", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a?c",
         "a\xc3\xa4"
         "c",
         true},
        {"a?c",
         "a\xff"
         "c",
         true},
        {"[a-c]x", "bx", true},
        {"[!a-c]x", "bx", false},
        {"[!a-c]x", "dx", true},
        {"[]]", "]", true},
        {"[a-]", "-", true},
        {"[ab", "[ab", true},
        {"[ab", "a", false},
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"a\\,b", "a,b", true},
        {" a b ", "a b", true},
        {"\\-a", "-a", true},
        {"a/*", "a/b/c", true},
        {"*.*", ".x", true},
        {"A", "a", false},
        {"a\\", "a\\", true},
        {"**x**", "axb", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (accepts(cases[i].pattern, cases[i].name) != cases[i].matches)
            printf("\n  %s against %s\n", cases[i].pattern, cases[i].name);
        CU_ASSERT_EQUAL(accepts(cases[i].pattern, cases[i].name), cases[i].matches);
    }
}

static void names_are_bytes_not_strings(void)
{
    scope_filter *filter = scope_filter_new("a*z");
    CU_ASSERT_TRUE(scope_filter_accepts(filter, "a\0z", 3));
    CU_ASSERT_FALSE(scope_filter_accepts(filter, "a\0zz", 2));
    scope_filter_free(filter);
    scope_filter_free(NULL);
}

static bool accepts_on(int rank, const char *text, const char *name)
{
    scope_filter *filter = scope_filter_new(text);
    const bool accepted = scope_filter_accepts_on(filter, rank, name, strlen(name));
    scope_filter_free(filter);
    return accepted;
}

static void a_pattern_may_be_of_some_ranks(void)
{
    static const char text[] = "solve*@0-3+7,-io_*@4-";
    for (int rank = 0; rank < 10; rank++) {
        const bool solves = rank <= 3 || rank == 7;
        CU_ASSERT_TRUE(accepts_on(rank, text, "solver"));
        CU_ASSERT_EQUAL(accepts_on(rank, text, "other"), !solves);
        CU_ASSERT_FALSE(accepts_on(rank, text, "io_read"));
        CU_ASSERT_EQUAL(accepts_on(rank, "*@2,-*", "any"), rank == 2);
        CU_ASSERT_EQUAL(accepts_on(rank, "-a@1-", "a"), rank == 0);
        CU_ASSERT_TRUE(accepts_on(rank, "-a@1-", "b"));
    }
    CU_ASSERT_TRUE(accepts_on(-1, text, "other")); /* it depends */
    CU_ASSERT_TRUE(accepts_on(-1, "-MPI_*,solve*@0", "other"));
    CU_ASSERT_FALSE(accepts_on(-1, "-MPI_*,solve*@0", "MPI_Send"));
    CU_ASSERT_FALSE(accepts_on(-1, "-a", "a"));
    CU_ASSERT_FALSE(accepts_on(-1, "solve*,-io@1", "other"));
}

static void an_at_sign_without_ranks_is_an_ordinary_one(void)
{
    static const char *const names[] = {"a@b",  "a@",     "a@1x", "a@-1",
                                        "a@1+", "a@1-2-3", "a@+1", "a@99999999999"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CU_ASSERT_TRUE(accepts_on(5, names[i], names[i]));
        CU_ASSERT_FALSE(accepts_on(5, names[i], "a"));
    }
    CU_ASSERT_TRUE(accepts_on(5, "a\\@1", "a@1"));
    CU_ASSERT_TRUE(accepts_on(1, "a\\@1@1", "a@1"));
    CU_ASSERT_FALSE(accepts_on(2, "a\\@1@1,-*", "b"));
    CU_ASSERT_TRUE(accepts_on(1, "@1", "b")); /* no name: no pattern */
}

static void a_hard_pattern_on_a_long_name_is_quick(void)
{
    enum { LENGTH = 100000 };
    char *name = malloc(LENGTH);
    memset(name, 'a', LENGTH);
    scope_filter *filter = scope_filter_new("*a*a*a*a*a*a*a*a*b");
    CU_ASSERT_FALSE(scope_filter_accepts(filter, name, LENGTH));
    scope_filter_free(filter);
    free(name);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("config", NULL, NULL);
    CU_ADD_TEST(suite, without_any_option_defaults_hold);
    CU_ADD_TEST(suite, environment_beats_defaults);
    CU_ADD_TEST(suite, options_beat_the_environment);
    CU_ADD_TEST(suite, choices_may_have_capitals);
    CU_ADD_TEST(suite, an_output_that_is_a_folder_is_refused);
    CU_ADD_TEST(suite, filters_that_nobody_means_are_refused);
    CU_ADD_TEST(suite, fields_an_older_caller_does_not_have_are_not_read);
    CU_ADD_TEST(suite, zero_bytes_is_unlimited_and_empty_is_the_default);
    CU_ADD_TEST(suite, an_empty_output_means_no_file);
    CU_ADD_TEST(suite, a_bad_value_is_named_and_its_default_taken);
    CU_ADD_TEST(suite, options_that_cannot_be_used_are_refused);
    CU_ADD_TEST(suite, unknown_variables_give_one_line_once);
    CU_ADD_TEST(suite, a_hint_is_the_nearest_name);
    CU_ADD_TEST(suite, many_unknown_variables_fit_into_the_line);
    CU_ADD_TEST(suite, the_table_is_whole);
    CU_ADD_TEST(suite, sizes_have_units);
    CU_ADD_TEST(suite, letters_are_replaced);
    CU_ADD_TEST(suite, what_is_no_letter_stays);
    CU_ADD_TEST(suite, job_ids_of_batch_systems_are_found);
    CU_ADD_TEST(suite, a_pattern_is_fixed_for_other_processes);
    CU_ADD_TEST(suite, something_is_inserted_before_the_suffix);
    CU_ADD_TEST(suite, rank_and_pid_make_a_file_per_process);
    CU_ADD_TEST(suite, a_relative_name_keeps_the_percent_of_its_folder);
    CU_ADD_TEST(suite, launchers_tell_rank_and_size);
    CU_ADD_TEST(suite, the_first_match_decides);
    CU_ADD_TEST(suite, what_matches_nothing_follows_the_first_pattern);
    CU_ADD_TEST(suite, wildcards_match_as_in_a_shell);
    CU_ADD_TEST(suite, names_are_bytes_not_strings);
    CU_ADD_TEST(suite, a_pattern_may_be_of_some_ranks);
    CU_ADD_TEST(suite, an_at_sign_without_ranks_is_an_ordinary_one);
    CU_ADD_TEST(suite, a_hard_pattern_on_a_long_name_is_quick);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
