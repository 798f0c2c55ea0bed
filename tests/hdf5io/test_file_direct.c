/* test_file_direct.c - one file of many ranks is the join of their tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "file_direct.h"

#include <CUnit/Basic.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"
#include "tables.h"
#include "world_pipes.h"

enum { FAIL_NONE, FAIL_TABLE, FAIL_SPACE, FAIL_DIRECTORY };

#define RANK(rank) ((rank) + 1)

typedef struct job { /* what the ranks of a test do */
    int ranks;
    uint64_t calls;
    unsigned with;
    int without;             /* RANK of one that has no table; 0 none */
    int empty;               /* ... whose table has no calls */
    int blind;               /* ... that does not see the file */
    int failing, how;        /* ... that fails */
    bool unlisted;           /* the last region of each rank has no row in the index */
    rlim_t limit;            /* FAIL_SPACE: of the file's bytes */
    const char *compression; /* NULL: none */
    const char *path;
} job;

static scope_calls *table_of(const job *job, int rank)
{
    const unsigned own = rank % 2 && job->with == TABLE_ALL
                             ? TABLE_ALL & ~(unsigned)(TABLE_TASKS | TABLE_OPEN)
                             : job->with;
    scope_calls *table = RANK(rank) == job->empty ? table_make(rank, job->ranks, 0, 0, 0)
                                                  : table_make(rank, job->ranks, 2 + (uint32_t)rank,
                                                               job->calls + (uint64_t)rank, own);
    if (rank == 1 && table->region_count > 2) { /* a region that only rank 1 has, with odd bytes */
        table_rename(table, 2, "only\xff rank 1/x\n", 16);
        table_rename(table, 0, "region 1", 8);
        table_rename(table, 1, "region 0", 8);
    }
    if (job->unlisted) { /* on rank 3 the region that is the last of rank 2 still has one */
        table->pair_count--;
        table->count -= table->pairs[table->pair_count].count;
        table->misuse[0].region = table->sums[0].region = (uint32_t)table->region_count - 1;
    }
    return table;
}

static int run_rank(scope_world *world, void *context)
{
    const job *job = context;
    const scope_file_options options = {.compression = job->compression, .no_sync = 1};
    scope_sink_report report = {0};
    scope_calls *table = RANK(world->rank) == job->without ? NULL : table_of(job, world->rank);
    const char *path = job->path;
    if (RANK(world->rank) == job->blind && (chroot(folder) != 0 || chdir("/") != 0))
        return 77;
    if (RANK(world->rank) == job->failing && job->how == FAIL_TABLE)
        table->pairs[0].count += 1000;
    if (RANK(world->rank) == job->failing && job->how == FAIL_SPACE) {
        const struct rlimit limit = {job->limit, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    const scope_status status =
        scope_file_write_direct(path, table, world, &options, NULL, &report);
    scope_calls_free(table);
    if (world->rank == 0 && status != SCOPE_OK &&
        (!report.message[0] || strstr(report.message, path) ||
         strncmp(scope_file_message(), path, strlen(path)) != 0))
        return 100; /* says nothing, the name twice, or not about what */
    return -(int)status;
}

/* The ranks' tables joined as the file should have them. */
static scope_calls *expected_of(const job *job)
{
    scope_calls *parts[8], *whole = NULL;
    size_t count = 0;
    for (int r = 0; r < job->ranks; r++)
        if (RANK(r) != job->without)
            parts[count++] = table_of(job, r);
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, count, &whole), SCOPE_OK);
    for (size_t i = 0; i < count; i++)
        scope_calls_free(parts[i]);
    return whole;
}

static void check_job(job job)
{
    scope_file *file = NULL;
    int codes[8];
    job.path = folder_path("j.h5");
    unlink(job.path);
    const int failed = world_pipes_run(job.ranks, run_rank, &job, codes);
    for (int r = 0; failed && r < job.ranks; r++)
        if (codes[r])
            printf("\nrank %d: exit %d\n", r, codes[r]);
    CU_ASSERT_EQUAL_FATAL(failed, 0);
    const scope_status status = scope_file_open(job.path, &file);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    scope_calls *expected = expected_of(&job);
    const char *difference = table_difference(expected, scope_file_calls(file));
    if (difference)
        printf("\n%s\n", difference);
    CU_ASSERT_PTR_NULL(difference);
    CU_ASSERT_EQUAL(folder_count(), 1);
    scope_calls_free(expected);
    scope_file_close(file);
    unlink(job.path);
}

static void ranks_tables_lie_one_after_the_other(void)
{
    for (int ranks = 2; ranks <= 5; ranks++)
        check_job((job){.ranks = ranks, .calls = 7, .with = 0});
}

static void everything_of_all_ranks_is_there(void)
{
    check_job((job){.ranks = 4, .calls = 9, .with = TABLE_ALL});
}

static void a_rank_without_calls_takes_part(void)
{
    for (int rank = 0; rank < 3; rank++)
        check_job((job){.ranks = 3, .calls = 5, .with = TABLE_ALL, .empty = RANK(rank)});
}

static void a_rank_without_a_table_takes_part(void)
{
    for (int rank = 1; rank < 3; rank++)
        check_job((job){.ranks = 3, .calls = 5, .with = TABLE_ALL, .without = RANK(rank)});
}

static void regions_that_only_misuse_knows_are_named(void)
{
    check_job((job){.ranks = 4, .calls = 3, .with = TABLE_MISUSE | TABLE_FOLDED, .unlisted = true});
}

static void large_tables_of_ranks_meet_in_the_right_place(void)
{
    check_job((job){.ranks = 3, .calls = 400000, .with = TABLE_THREADS});
}

static void compressed_chunks_across_ranks_are_whole(void)
{
    check_job((job){.ranks = 4, .calls = 9, .with = TABLE_ALL, .compression = "gzip"});
    check_job((job){.ranks = 3, .calls = 60000, .with = TABLE_THREADS, .compression = "gzip"});
    check_job(
        (job){.ranks = 3, .calls = 5, .with = TABLE_ALL, .empty = RANK(1), .compression = "gzip"});
}

static void a_rank_that_does_not_see_the_file_sends_its_slices(void)
{
    if (geteuid() != 0) {
        printf("skipped: needs root for chroot ... ");
        return;
    }
    check_job((job){.ranks = 3, .calls = 3000, .with = TABLE_ALL, .blind = RANK(1)});
    check_job(
        (job){.ranks = 3, .calls = 5, .with = TABLE_ALL, .blind = RANK(2), .compression = "gzip"});
}

static void write_old(const char *path)
{
    FILE *file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
}

/* Every rank fails, nothing hangs, the old file is what it was, no other is there. */
static void check_failure(job job, int own)
{
    char old[8] = "";
    int codes[8];
    job.path = folder_path("f.h5");
    write_old(job.path);
    const int failed = world_pipes_run(job.ranks, run_rank, &job, codes);
    CU_ASSERT_EQUAL(failed, job.ranks);
    for (int r = 0; r < job.ranks; r++)
        CU_ASSERT_EQUAL(codes[r], RANK(r) == job.failing ? own : -(int)SCOPE_ERR_RANK);
    FILE *file = fopen(job.path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(old, sizeof old, file));
    fclose(file);
    CU_ASSERT_STRING_EQUAL(old, "old");
    CU_ASSERT_EQUAL(folder_count(), 1);
    unlink(job.path);
}

static void one_failing_rank_is_an_error_on_every_rank(void)
{
    for (int rank = 0; rank < 3; rank++)
        check_failure((job){.ranks = 3,
                            .calls = 5,
                            .with = TABLE_ALL,
                            .failing = RANK(rank),
                            .how = FAIL_TABLE},
                      -(int)SCOPE_ERR_ARGUMENT);
}

static void a_rank_that_cannot_write_is_an_error_on_every_rank(void)
{
    for (int rank = 0; rank < 3; rank++)
        check_failure((job){.ranks = 3,
                            .calls = 20000,
                            .with = 0,
                            .failing = RANK(rank),
                            .how = FAIL_SPACE,
                            .limit = 100000},
                      -(int)SCOPE_ERR_SPACE);
    check_failure((job){.ranks = 3,
                        .calls = 60000,
                        .with = 0,
                        .failing = RANK(0),
                        .how = FAIL_SPACE,
                        .limit = 8000,
                        .compression = "gzip"},
                  -(int)SCOPE_ERR_SPACE);
}

static void a_missing_directory_is_an_error_on_every_rank(void)
{
    int codes[8];
    job job = {.ranks = 3, .calls = 5, .with = TABLE_ALL, .path = "/tmp/no/such/folder/a.h5"};
    CU_ASSERT_EQUAL(world_pipes_run(3, run_rank, &job, codes), 3);
    CU_ASSERT_EQUAL(codes[0], -(int)SCOPE_ERR_MISSING);
    CU_ASSERT_EQUAL(codes[1], -(int)SCOPE_ERR_RANK);
    CU_ASSERT_EQUAL(codes[2], -(int)SCOPE_ERR_RANK);
}

static int report_rank(scope_world *world, void *context)
{
    const job *job = context;
    const scope_file_options options = {.compression = "none", .no_sync = 1};
    scope_sink_report report = {0};
    scope_calls *table = table_of(job, world->rank);
    const scope_status status =
        scope_file_write_direct(job->path, table, world, &options, NULL, &report);
    const int good = status == SCOPE_OK && report.calls == 2 * 5 + 3 * 6 && report.implied == 2 &&
                     report.crossed == 4 && report.orphans == 6 && report.open_calls == 1;
    scope_calls_free(table);
    return world->rank == 0 && !good;
}

static void the_report_sums_over_all_ranks(void)
{
    job job = {.ranks = 2, .calls = 5, .with = TABLE_ALL, .path = folder_path("r.h5")};
    CU_ASSERT_EQUAL(world_pipes_run(2, report_rank, &job, NULL), 0);
    unlink(job.path);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("file_direct", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(ranks_tables_lie_one_after_the_other);
    TEST(everything_of_all_ranks_is_there);
    TEST(a_rank_without_calls_takes_part);
    TEST(a_rank_without_a_table_takes_part);
    TEST(regions_that_only_misuse_knows_are_named);
    TEST(large_tables_of_ranks_meet_in_the_right_place);
    TEST(compressed_chunks_across_ranks_are_whole);
    TEST(a_rank_that_does_not_see_the_file_sends_its_slices);
    TEST(one_failing_rank_is_an_error_on_every_rank);
    TEST(a_rank_that_cannot_write_is_an_error_on_every_rank);
    TEST(a_missing_directory_is_an_error_on_every_rank);
    TEST(the_report_sums_over_all_ranks);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
