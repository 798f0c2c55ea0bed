/* test_config.c - options, and what launchers say.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

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

int main(void)
{
    const unit_test tests[] = {
        UNIT(without_any_option_defaults_hold),
        UNIT(environment_beats_defaults),
        UNIT(options_beat_the_environment),
        UNIT(choices_may_have_capitals),
        UNIT(an_output_that_is_a_folder_is_refused),
        UNIT(filters_that_nobody_means_are_refused),
        UNIT(fields_an_older_caller_does_not_have_are_not_read),
        UNIT(zero_bytes_is_unlimited_and_empty_is_the_default),
        UNIT(an_empty_output_means_no_file),
        UNIT(a_bad_value_is_named_and_its_default_taken),
        UNIT(options_that_cannot_be_used_are_refused),
        UNIT(unknown_variables_give_one_line_once),
        UNIT(a_hint_is_the_nearest_name),
        UNIT(many_unknown_variables_fit_into_the_line),
        UNIT(the_table_is_whole),
        UNIT(sizes_have_units),
        UNIT(launchers_tell_rank_and_size),
        {0},
    };
    return unit_run("config", tests);
}
