/* test_proc.c - what the kernel says of processes, whatever their names are.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/proc.h>

#include <CUnit/Basic.h>
#include <sys/prctl.h>

#include "folder.h"

static bool read_text(const char *text, scope_proc_stat *stat)
{
    const char *path = folder_path("stat");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return scope_proc_read(path, stat);
}

static void this_process_is_read(void)
{
    scope_proc_stat stat, thread;
    char path[64];
    prctl(PR_SET_NAME, "a) R 1 (b");
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    CU_ASSERT(scope_proc_read("/proc/self/stat", &stat));
    CU_ASSERT_STRING_EQUAL(stat.name, "a) R 1 (b");
    CU_ASSERT_EQUAL(stat.state, 'R');
    CU_ASSERT_EQUAL(stat.parent, getppid());
    CU_ASSERT(stat.start_ticks > 0 && stat.last_cpu >= 0);
    CU_ASSERT(scope_proc_read(path, &thread));
    CU_ASSERT_EQUAL(thread.start_ticks, stat.start_ticks);
    CU_ASSERT(scope_proc_pid_namespace() > 0);
}

static void fields_are_counted_from_behind_the_name(void)
{
    scope_proc_stat stat;
    CU_ASSERT(read_text(
        "77 (x (y) z) S 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 -22 2200 23 24\n", &stat));
    CU_ASSERT_STRING_EQUAL(stat.name, "x (y) z");
    CU_ASSERT_EQUAL(stat.state, 'S');
    CU_ASSERT_EQUAL(stat.parent, 5);
    CU_ASSERT_EQUAL(stat.start_ticks, 2200);
    CU_ASSERT_EQUAL(stat.last_cpu, -1);
}

static void what_is_no_stat_is_refused(void)
{
    scope_proc_stat stat;
    const char *texts[] = {"",      "\n",     "1 name R 1", "1 )a( R 1",
                           "1 (a)", "1 (a) ", "1 (a) R",    "1 (a) R 1 2 3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT_FALSE(read_text(texts[i], &stat));
    CU_ASSERT_FALSE(scope_proc_read("/proc/no/such/stat", &stat));
}

static void a_line_is_cut_to_fit(void)
{
    char text[8], boot_id[40];
    scope_proc_stat stat;
    read_text("0123456789\nabc", &stat);
    scope_proc_line(folder_path("stat"), text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "0123456");
    read_text("01\nabc", &stat);
    scope_proc_line(folder_path("stat"), text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "01");
    scope_proc_line(folder_path("none"), text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "");
    scope_proc_boot_id(boot_id, sizeof boot_id);
    CU_ASSERT_EQUAL(strlen(boot_id), 36);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("proc", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(this_process_is_read);
    TEST(fields_are_counted_from_behind_the_name);
    TEST(what_is_no_stat_is_refused);
    TEST(a_line_is_cut_to_fit);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
