/* test_file_per_rank.c - files of the ranks and their index read as the join of all tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "file_per_rank.h"

#include <CUnit/Basic.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"
#include "tables.h"
#include "world_pipes.h"

#define RANK(rank) ((rank) + 1)

typedef struct job { /* what the ranks of a test do */
    int ranks;
    uint64_t calls;
    int without;             /* RANK of one that has no table; 0 none */
    int empty;               /* ... whose table has no calls */
    int apart;               /* ... whose disk is another one */
    int failing;             /* ... that has no room */
    int damaged;             /* ... whose table is inconsistent */
    int sums;                /* sums of all calls instead of them */
    int32_t most_files;      /* 0: any number */
    const char *compression; /* NULL: none */
    const char *path;
} job;

static const scope_mode mode = {SCOPE_MODE_PER_RANK, "of a test"};

static scope_calls *table_of(const job *job, int rank)
{
    const unsigned with =
        rank % 2 ? TABLE_ALL & ~(unsigned)(TABLE_TASKS | TABLE_OPEN | TABLE_MPI) : TABLE_ALL;
    scope_calls *sums = NULL, *table = RANK(rank) == job->empty
                                           ? table_make(rank, job->ranks, 0, 0, 0)
                                           : table_make(rank, job->ranks, 2 + (uint32_t)rank,
                                                        job->calls + (uint64_t)rank, with);
    if (rank == 1 && table->region_count > 2) /* a region that only rank 1 has */
        table_rename(table, 2, "only\xff rank 1/x\n", 16);
    if (!job->sums)
        return table;
    scope_calls_aggregate(table, 1, &sums);
    scope_calls_free(table);
    return sums;
}

static int run_rank(scope_world *world, void *context)
{
    const job *job = context;
    const scope_file_options options = {.compression = job->compression, .no_sync = 1};
    scope_sink_report report = {0};
    scope_calls *table = RANK(world->rank) == job->without ? NULL : table_of(job, world->rank);
    const struct rlimit limit = {600, RLIM_INFINITY};
    if (RANK(world->rank) == job->apart && (chroot(folder_path("disk")) != 0 || chdir("/") != 0))
        return 77;
    if (RANK(world->rank) == job->failing)
        setrlimit(RLIMIT_FSIZE, &limit);
    if (RANK(world->rank) == job->damaged)
        table->pairs[0].count += 1000;
    const scope_status status =
        scope_file_write_per_rank(job->path, table, world, &options, &mode,
                                  job->most_files ? job->most_files : 1000, &report);
    scope_calls_free(table);
    if (world->rank == 0 && status != SCOPE_OK && !report.message[0])
        return 100;
    return -(int)status;
}

static scope_calls *expected_of(const job *job)
{
    scope_calls *parts[8] = {NULL}, *whole = NULL;
    size_t count = 0;
    for (int r = 0; r < job->ranks; r++)
        if (RANK(r) != job->without)
            parts[count++] = table_of(job, r);
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, count, &whole), SCOPE_OK);
    for (size_t i = 0; i < count; i++)
        scope_calls_free(parts[i]);
    return whole;
}

static void check_file(const char *path, const scope_calls *expected)
{
    scope_file *file = NULL;
    const scope_status status = scope_file_open(path, &file);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    const char *difference = table_difference(expected, scope_file_calls(file));
    if (difference)
        printf("\n%s: %s\n", path, difference);
    CU_ASSERT_PTR_NULL(difference);
    scope_file_close(file);
}

static void write_job(const job *job)
{
    int codes[8];
    const int failed = world_pipes_run(job->ranks, run_rank, (void *)(uintptr_t)job, codes);
    for (int r = 0; failed && r < job->ranks; r++)
        if (codes[r])
            printf("\nrank %d: exit %d\n", r, codes[r]);
    CU_ASSERT_EQUAL_FATAL(failed, 0);
}

static void empty_folder(void)
{
    folder_remove();
    CU_ASSERT_EQUAL_FATAL(folder_make(), 0);
}

static char *part_of(const char *index, int rank)
{
    static char path[512];
    snprintf(path, sizeof path, "%.*s.rank%d.h5", (int)strlen(index) - 3, index, rank);
    return path;
}

static void check_job(job job)
{
    if (!job.path)
        job.path = folder_path("j.h5");
    write_job(&job);
    scope_calls *expected = expected_of(&job);
    check_file(job.path, expected);
    scope_calls_free(expected);
}

/* ---- what is written ---- */

static void the_index_reads_as_one_file(void)
{
    static const char *const ways[] = {NULL, "gzip"};
    for (size_t way = 0; way < 2; way++)
        for (int ranks = 2; ranks <= 5; ranks++) {
            check_job((job){.ranks = ranks, .calls = 9, .compression = ways[way]});
            CU_ASSERT_EQUAL(folder_count(), 1 + ranks);
            empty_folder();
        }
}

static void each_file_is_whole_in_itself(void)
{
    job job = {.ranks = 3, .calls = 7, .path = folder_path("w.h5")};
    write_job(&job);
    for (int rank = 0; rank < 3; rank += 2) { /* rank 1's has the others' columns too */
        scope_calls *own = table_of(&job, rank);
        check_file(part_of(job.path, rank), own);
        scope_calls_free(own);
    }
    empty_folder();
}

static void a_rank_without_calls_or_table_takes_part(void)
{
    for (int rank = 0; rank < 3; rank++) {
        check_job((job){.ranks = 3, .calls = 5, .empty = RANK(rank)});
        empty_folder();
        if (rank)
            check_job((job){.ranks = 3, .calls = 5, .without = RANK(rank)});
        empty_folder();
    }
}

static void of_many_ranks_those_of_a_node_share_a_file(void)
{
    check_job((job){.ranks = 5, .calls = 6, .most_files = 4, .path = folder_path("m.h5")});
    CU_ASSERT_EQUAL(folder_count(), 4);
    CU_ASSERT_EQUAL(access(folder_path("m.node0.h5"), R_OK), 0);
    CU_ASSERT_EQUAL(access(folder_path("m.node2.h5"), R_OK), 0);
    CU_ASSERT_EQUAL(access(folder_path("m.node4.h5"), R_OK), 0);
    empty_folder();
    check_job((job){.ranks = 4, .calls = 6, .most_files = 1, .compression = "gzip"});
    empty_folder();
}

static void names_may_look_like_patterns(void)
{
    static const char *const names[] = {"100%b.x.h5", ".hidden", "plain", "%%5b"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check_job((job){.ranks = 2, .calls = 3, .path = folder_path(names[i])});
        empty_folder();
    }
}

static void sums_need_no_other_file(void)
{
    job job = {.ranks = 3, .calls = 5, .sums = 1, .path = folder_path("s.h5")};
    write_job(&job);
    for (int rank = 0; rank < 3; rank++)
        unlink(part_of(job.path, rank));
    scope_calls *expected = expected_of(&job);
    check_file(job.path, expected);
    scope_calls_free(expected);
    empty_folder();
}

static void files_that_are_moved_together_still_read(void)
{
    job job = {.ranks = 3, .calls = 5, .path = folder_path("j.h5")};
    char from[512], to[512], here[256];
    write_job(&job);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder_path("other"), 0700), 0);
    snprintf(to, sizeof to, "%s/other/j.h5", folder);
    CU_ASSERT_EQUAL(rename(job.path, to), 0);
    for (int rank = 0; rank < 3; rank++) {
        snprintf(from, sizeof from, "%s", part_of(job.path, rank));
        CU_ASSERT_EQUAL(rename(from, part_of(to, rank)), 0);
    }
    scope_calls *expected = expected_of(&job);
    check_file(to, expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    CU_ASSERT_EQUAL(chdir(folder_path("other")), 0);
    check_file("j.h5", expected);
    CU_ASSERT_EQUAL(chdir(here), 0);
    scope_calls_free(expected);
    char command[600];
    snprintf(command, sizeof command, "rm -r %s/other", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    empty_folder();
}

/* A node's disk: the same path, another folder. What the index lists is brought together. */
static void ranks_may_have_disks_of_their_own(void)
{
    char command[1200], elsewhere[512];
    job job = {.ranks = 3, .calls = 5, .apart = RANK(1), .path = folder_path("j.h5")};
    if (geteuid() != 0)
        return; /* chroot needs it */
    snprintf(command, sizeof command, "mkdir -p %s/disk%s", folder, folder);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    write_job(&job);
    snprintf(elsewhere, sizeof elsewhere, "%s/disk%s/j.rank1.h5", folder, folder);
    scope_file *file = NULL;
    CU_ASSERT_EQUAL(scope_file_open(job.path, &file), SCOPE_ERR_MISSING);
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "j.rank1.h5 (rank 1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "scope merge"));
    CU_ASSERT_EQUAL(rename(elsewhere, part_of(job.path, 1)), 0);
    scope_calls *expected = expected_of(&job);
    check_file(job.path, expected);
    scope_calls_free(expected);
    snprintf(command, sizeof command, "rm -r %s/disk", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    empty_folder();
}

/* ---- what is read ---- */

static void expect_refusal(const char *path, scope_status status, const char *text)
{
    scope_file *file = NULL;
    CU_ASSERT_EQUAL(scope_file_open(path, &file), status);
    if (!strstr(scope_file_message(), text))
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), text));
}

static void a_file_of_another_run_is_named(void)
{
    job job = {.ranks = 3, .calls = 5, .path = folder_path("j.h5")};
    char old[512];
    write_job(&job);
    snprintf(old, sizeof old, "%s", folder_path("old.h5"));
    CU_ASSERT_EQUAL(rename(part_of(job.path, 2), old), 0);
    write_job(&job);
    CU_ASSERT_EQUAL(rename(old, part_of(job.path, 2)), 0);
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "j.rank2.h5 (rank 2");
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "is of another run than this index");
    write_job(&job); /* files in each other's place are of this run, and still not right */
    snprintf(old, sizeof old, "%s", part_of(job.path, 1));
    CU_ASSERT_EQUAL(rename(old, folder_path("t.h5")), 0);
    CU_ASSERT_EQUAL(rename(part_of(job.path, 2), old), 0);
    CU_ASSERT_EQUAL(rename(folder_path("t.h5"), part_of(job.path, 2)), 0);
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "j.rank1.h5 (rank 1");
    empty_folder();
}

/* Every byte of the calls counts: one is changed in each quarter of the file. */
static void a_damaged_file_is_named(void)
{
    job job = {.ranks = 2, .calls = 3000, .path = folder_path("j.h5")};
    struct stat status;
    int refused = 0;
    write_job(&job);
    const int fd = open(part_of(job.path, 1), O_RDWR);
    CU_ASSERT_FATAL(fd >= 0 && fstat(fd, &status) == 0);
    for (int i = 1; i < 8; i++) {
        const off_t at = status.st_size / 8 * i;
        unsigned char byte, other;
        scope_file *file = NULL;
        CU_ASSERT_EQUAL_FATAL(pread(fd, &byte, 1, at), 1);
        other = byte ^ 0x10;
        CU_ASSERT_EQUAL_FATAL(pwrite(fd, &other, 1, at), 1);
        if (scope_file_open(job.path, &file) == SCOPE_OK)
            scope_file_close(file);
        else if (strstr(scope_file_message(), "j.rank1.h5"))
            refused++;
        CU_ASSERT_EQUAL_FATAL(pwrite(fd, &byte, 1, at), 1);
    }
    CU_ASSERT(refused >= 5); /* the rest of the file is not read through the index */
    CU_ASSERT_EQUAL(ftruncate(fd, status.st_size / 2), 0);
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "j.rank1.h5 (rank 1");
    close(fd);
    unlink(part_of(job.path, 1));
    expect_refusal(job.path, SCOPE_ERR_MISSING, "j.rank1.h5 (rank 1");
    empty_folder();
}

/* A pipe would be waited for, for ever. */
static void what_is_no_file_is_not_opened(void)
{
    job job = {.ranks = 2, .calls = 5, .path = folder_path("j.h5")};
    write_job(&job);
    CU_ASSERT_EQUAL(unlink(part_of(job.path, 1)), 0);
    CU_ASSERT_EQUAL_FATAL(mkfifo(part_of(job.path, 1), 0600), 0);
    alarm(300);
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "j.rank1.h5 (rank 1");
    expect_refusal(job.path, SCOPE_ERR_CORRUPT, "which is no file");
    alarm(0);
    empty_folder();
}

static void few_descriptors_are_enough_or_an_error(void)
{
    job job = {.ranks = 5, .calls = 5, .path = folder_path("j.h5")};
    struct rlimit before;
    scope_file *file = NULL;
    write_job(&job);
    scope_calls *expected = expected_of(&job);
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_NOFILE, &before), 0);
    int left = dup(0);
    close(left);
    for (int most = left + 1; most < left + 8; most++) {
        const struct rlimit few = {(rlim_t)most, before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        const scope_status status = scope_file_open(job.path, &file);
        setrlimit(RLIMIT_NOFILE, &before);
        if (status == SCOPE_OK) {
            CU_ASSERT_PTR_NULL(table_difference(expected, scope_file_calls(file)));
            scope_file_close(file);
        }
        CU_ASSERT(status == SCOPE_OK || most < left + 6);
    }
    scope_calls_free(expected);
    empty_folder();
}

/* ---- what fails ---- */

static void expect_failure(job job)
{
    int codes[8];
    scope_calls *old = table_make(0, 1, 1, 2, 0);
    job.path = folder_path("j.h5");
    const scope_file_options options = {.no_sync = 1};
    CU_ASSERT_EQUAL_FATAL(scope_file_write(job.path, old, &options), SCOPE_OK);
    CU_ASSERT_EQUAL(world_pipes_run(job.ranks, run_rank, &job, codes), job.ranks);
    for (int r = 0; r < job.ranks; r++) /* an error everywhere, and nobody hung */
        CU_ASSERT(codes[r] > 0 && codes[r] < 100);
    CU_ASSERT_EQUAL(folder_count(), 1); /* no draft, no part */
    check_file(job.path, old);
    scope_calls_free(old);
    empty_folder();
}

static void one_failing_rank_fails_all_and_the_old_file_stays(void)
{
    for (int rank = 0; rank < 3; rank++) {
        expect_failure((job){.ranks = 3, .calls = 500, .failing = RANK(rank)});
        expect_failure((job){.ranks = 3, .calls = 5, .damaged = RANK(rank)});
        expect_failure((job){.ranks = 3, .calls = 500, .most_files = 1, .failing = RANK(rank)});
    }
}

int main(void)
{
    if (folder_make() || CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("file_per_rank", NULL, NULL);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(the_index_reads_as_one_file);
    TEST(each_file_is_whole_in_itself);
    TEST(a_rank_without_calls_or_table_takes_part);
    TEST(of_many_ranks_those_of_a_node_share_a_file);
    TEST(names_may_look_like_patterns);
    TEST(sums_need_no_other_file);
    TEST(files_that_are_moved_together_still_read);
    TEST(ranks_may_have_disks_of_their_own);
    TEST(a_file_of_another_run_is_named);
    TEST(a_damaged_file_is_named);
    TEST(what_is_no_file_is_not_opened);
    TEST(few_descriptors_are_enough_or_an_error);
    TEST(one_failing_rank_fails_all_and_the_old_file_stays);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    folder_remove();
    return failures != 0;
}
