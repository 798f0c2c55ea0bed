/* test_spool.c - the spool file: folder, name, lock, limits, memory in its place.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "budget.h"

static char folder[] = "/tmp/scope-spool-XXXXXX";

static void fresh_folder(void)
{
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

static void start_in_folder(int64_t max_bytes)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.spool_dir = folder;
    options.max_bytes = max_bytes;
    recorded_start(&options);
}

static void the_file_is_private_locked_and_removed(void)
{
    struct stat info;
    char path[sizeof scope_store.path];
    fresh_folder();
    start_in_folder(0);
    CU_ASSERT_EQUAL(scope_store.is_open, false);
    scope_region_begin(1);
    CU_ASSERT_TRUE(scope_store.is_open);
    strcpy(path, scope_store.path);
    CU_ASSERT_EQUAL(strncmp(path, folder, strlen(folder)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(path, ".spool"));
    CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
    CU_ASSERT_EQUAL(info.st_mode & 0777, 0600);
    *strrchr(path, '/') = 0;
    CU_ASSERT_EQUAL(stat(path, &info), 0);
    CU_ASSERT_EQUAL(info.st_mode & 0777, 0700);
    strcpy(path, scope_store.path);
    const pid_t child = fork(); /* another process sees the lock */
    if (!child) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int fd = open(path, O_RDWR);
        _exit(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    const scope_recording view = recorded_stop();
    CU_ASSERT_EQUAL(view.header->magic, SCOPE_RECORDING_MAGIC);
    CU_ASSERT_EQUAL(view.header->end_kind, SCOPE_END_FINISHED);
    CU_ASSERT_EQUAL(view.header->pid, (uint64_t)getpid());
    CU_ASSERT_TRUE(strlen(view.header->host) > 0 && strlen(view.header->program) > 0);
    recorded_end(NULL);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    remove_folder();
}

static void a_folder_of_others_is_not_used(void)
{
    char path[128];
    fresh_folder();
    snprintf(path, sizeof path, "%s/scope-%u", folder, (unsigned)geteuid());
    mkdir(path, 0755);
    chmod(path, 0777);
    start_in_folder(0);
    scope_region_begin(1);
    scope_region_end(1);
    CU_ASSERT_TRUE(scope_store.in_memory);
    CU_ASSERT_TRUE(strlen(scope_store.problem) > 0);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3); /* recorded all the same */
    recorded_end(&events);
    remove_folder();
    fresh_folder();
    snprintf(path, sizeof path, "%s/scope-%u", folder, (unsigned)geteuid());
    CU_ASSERT_EQUAL(symlink("/tmp", path), 0);
    start_in_folder(0);
    scope_region_begin(1);
    CU_ASSERT_TRUE(scope_store.in_memory);
    recorded_end(NULL);
    remove_folder();
}

static void without_a_spool_all_is_in_memory(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_spool = 1;
    recorded_start(&options);
    for (int i = 0; i < 100000; i++) {
        scope_region_begin(1);
        scope_region_end(1);
    }
    CU_ASSERT_TRUE(scope_store.in_memory);
    CU_ASSERT_EQUAL(strlen(scope_store.problem), 0);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 200001);
    recorded_end(&events);
}

/* In a child: the limit is for good. */
static void a_file_size_limit_is_a_full_disk_and_no_signal(void)
{
    fresh_folder();
    const pid_t child = fork();
    if (!child) {
        const struct rlimit limit = {3 << 20, 3 << 20};
        setrlimit(RLIMIT_FSIZE, &limit);
        scope_options options = SCOPE_OPTIONS_INIT;
        options.spool_dir = folder;
        options.no_output = 1;
        options.policy = SCOPE_POLICY_STOP;
        scope_init(&options);
        for (int i = 0; i < 1000000; i++) {
            scope_region_begin(1);
            scope_region_end(1);
        }
        scope_runtime_stop();
        scope_recording view;
        scope_spool_view(&view);
        const read_events events = read_all_events(&view, 1);
        const bool good = !scope_store.in_memory && scope_store.full && events.count > 100000 &&
                          events.count - 1 + scope_store.header->dropped_events == 2000000;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    remove_folder();
}

static void on_a_full_disk_the_oldest_are_folded(void)
{
    fresh_folder();
    const pid_t child = fork();
    if (!child) {
        const struct rlimit limit = {3 << 20, 3 << 20};
        setrlimit(RLIMIT_FSIZE, &limit);
        scope_options options = SCOPE_OPTIONS_INIT;
        options.spool_dir = folder;
        options.no_output = 1;
        scope_init(&options);
        for (int i = 0; i < 1000000; i++) {
            scope_region_begin(1);
            scope_region_end(1);
        }
        scope_runtime_stop();
        scope_recording view;
        scope_spool_view(&view);
        const read_events events = read_all_events(&view, 1);
        const scope_sums_header *sums = read_sums(&view, 1, 0);
        const bool good =
            sums && !events.missing && scope_store.header->dropped_events == 0 &&
            sums->folded_calls + count_events(&events, SCOPE_EVENT_END, 1) == 1000000;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    remove_folder();
}

static void a_program_that_closes_all_descriptors_keeps_its_files(void)
{
    fresh_folder();
    const pid_t child = fork();
    if (!child) {
        start_in_folder(0);
        scope_region_begin(1);
        const int ours = scope_store.fd;
        close(ours);
        char path[128];
        snprintf(path, sizeof path, "%s/own", folder);
        const int own = open(path, O_RDWR | O_CREAT, 0600);
        if (own != ours)
            dup2(own, ours);
        for (int i = 0; i < 500000; i++) {
            scope_region_begin(2);
            scope_region_end(2);
        }
        struct stat info;
        scope_runtime_stop();
        scope_runtime_write(NULL);
        const bool good = stat(path, &info) == 0 && info.st_size == 0 &&
                          fcntl(ours, F_GETFD) >= 0;
        _exit(good ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
    remove_folder();
}

static void the_default_budget_is_bounded_and_unlimited_must_be_said(void)
{
    CU_ASSERT_EQUAL(scope_budget_bytes(-1, -1), UINT64_MAX);
    CU_ASSERT_EQUAL(scope_budget_bytes(12345, -1), 12345);
    CU_ASSERT_TRUE(scope_budget_bytes(0, -1) <= UINT64_C(1) << 30);
    CU_ASSERT_TRUE(scope_budget_bytes(0, -1) >= UINT64_C(1) << 20);
    CU_ASSERT_TRUE(scope_budget_is_local("/tmp"));
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(the_file_is_private_locked_and_removed),
        UNIT(a_folder_of_others_is_not_used),
        UNIT(without_a_spool_all_is_in_memory),
        UNIT(a_file_size_limit_is_a_full_disk_and_no_signal),
        UNIT(on_a_full_disk_the_oldest_are_folded),
        UNIT(a_program_that_closes_all_descriptors_keeps_its_files),
        UNIT(the_default_budget_is_bounded_and_unlimited_must_be_said),
        {0},
    };
    return unit_run("spool", tests);
}
