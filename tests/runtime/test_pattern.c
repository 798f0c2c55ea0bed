/* test_pattern.c - file patterns: letters, job ids, names of other processes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

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
    clearenv();
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
    clearenv();
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
    clearenv();
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
    clearenv();
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(back, sizeof back));
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL_FATAL(chdir(folder), 0);
    setenv("SCOPE_OUTPUT", "sub/%r.h5", 1);
    CU_ASSERT_EQUAL(scope_config_load(NULL, &config, NULL), SCOPE_OK);
    snprintf(expected, sizeof expected, "%s/sub/2.h5", folder);
    CU_ASSERT_TRUE(expands(config.output, 2, 4, expected));
    scope_config_free(&config);

    setenv("SCOPE_OUTPUT", "sub/", 1);
    CU_ASSERT_EQUAL(scope_config_load(NULL, &config, NULL), SCOPE_OK);
    snprintf(expected, sizeof expected, "%s/sub/profiling_data.h5", folder);
    CU_ASSERT_TRUE(expands(config.output, 2, 4, expected));
    scope_config_free(&config);
    CU_ASSERT_EQUAL(chdir(back), 0);
    rmdir(folder);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(letters_are_replaced),
        UNIT(what_is_no_letter_stays),
        UNIT(job_ids_of_batch_systems_are_found),
        UNIT(a_pattern_is_fixed_for_other_processes),
        UNIT(something_is_inserted_before_the_suffix),
        UNIT(rank_and_pid_make_a_file_per_process),
        UNIT(a_relative_name_keeps_the_percent_of_its_folder),
        {0},
    };
    return unit_run("pattern", tests);
}
