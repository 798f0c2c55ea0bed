/* test_publish.c - a file is the old one or the whole new one, whatever happens.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <CUnit/Basic.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "folder.h"
#include "publish.h"
#include "tables.h"

/* What happens where the new file takes the old one's place: our own rename comes
 * before libc's. */
static enum { RENAME, DIE, FAIL, WAIT } at_rename;

int rename(const char *from, const char *to)
{
    if (at_rename == DIE)
        kill(getpid(), SIGKILL);
    if (at_rename == WAIT)
        raise(SIGSTOP);
    if (at_rename == FAIL) {
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static scope_status write_with(const char *path, uint64_t calls, const scope_file_options *options)
{
    scope_calls *table = table_make(0, 1, 2, calls, TABLE_ALL);
    const scope_status status = scope_file_write(path, table, options);
    scope_calls_free(table);
    return status;
}

static scope_status write_calls(const char *path, uint64_t calls)
{
    return write_with(path, calls, NULL);
}

/* The number of calls in a good file; -1: it is not one. */
static int64_t calls_in(const char *path)
{
    scope_file *file;
    if (scope_file_open(path, &file) != SCOPE_OK)
        return -1;
    const int64_t count = (int64_t)scope_file_calls(file)->count;
    scope_file_close(file);
    return count;
}

static void a_new_file_replaces_an_old_one(void)
{
    const char *path = folder_path("p.h5");
    CU_ASSERT_EQUAL(write_calls(path, 5), SCOPE_OK);
    CU_ASSERT_EQUAL(write_calls(path, 6), SCOPE_OK);
    CU_ASSERT_EQUAL(calls_in(path), 12);
    CU_ASSERT_EQUAL(folder_count(), 1);
    unlink(path);
}

/* As on NFS, and with old kernels: what is then done is up to hard links. */
static int take_renameat2_away(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* How many expectations failed. */
static int write_beside_an_old_file(void)
{
    const scope_file_options keep = {.keep = 1};
    const char *path = folder_path("k.h5");
    int wrong = write_with(path, 5, &keep) != SCOPE_OK;
    wrong += write_with(path, 6, &keep) != SCOPE_ERR_STATE;
    wrong += !strstr(scope_file_message(), "exists already");
    wrong += calls_in(path) != 10;
    wrong += folder_count() != 1;
    unlink(path);
    return wrong;
}

static void an_old_file_is_kept_if_asked(void)
{
    int status = -1;
    CU_ASSERT_EQUAL(write_beside_an_old_file(), 0);
    const pid_t child = fork();
    if (child == 0)
        _exit(take_renameat2_away() ? 77 : write_beside_an_old_file());
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77));
}

static void a_kill_before_the_rename_leaves_the_old_file_whole(void)
{
    const char *path = folder_path("k.h5");
    int status = 0;
    CU_ASSERT_EQUAL_FATAL(write_calls(path, 5), SCOPE_OK);
    const pid_t child = fork();
    if (child == 0) {
        at_rename = DIE;
        write_calls(path, 6);
        _exit(0);
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFSIGNALED(status));
    CU_ASSERT_EQUAL(calls_in(path), 10);
    CU_ASSERT_EQUAL(folder_count(), 2); /* the temporary file is complete, too, but nobody's */
    folder_remove();
    mkdir(folder, 0700);
}

/* A child writes path up to the rename, and dies there or waits. Its draft gets a time long
 * past. *temporary: the draft, to be freed. */
static pid_t start_writer(const char *path, int what, char **temporary)
{
    const struct timespec past[2] = {{1000, 0}, {1000, 0}};
    const pid_t child = fork();
    if (child == 0) {
        at_rename = what;
        write_calls(path, 6);
        _exit(0);
    }
    *temporary = NULL;
    waitpid(child, NULL, WUNTRACED);
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (strstr(entry->d_name, ".tmp") && !*temporary)
            *temporary = strdup(folder_path(entry->d_name));
    if (directory)
        closedir(directory);
    utimensat(AT_FDCWD, *temporary ? *temporary : "", past, 0);
    return child;
}

static void drafts_of_dead_writers_go_with_the_next_file(void)
{
    char *temporary;
    char path[128];
    snprintf(path, sizeof path, "%s/a.h5", folder);
    start_writer(path, DIE, &temporary);
    CU_ASSERT_EQUAL(write_calls(folder_path("other.h5"), 1), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 2); /* another name: not its business */
    CU_ASSERT_EQUAL(write_calls(path, 5), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 2);
    CU_ASSERT(temporary && access(temporary, F_OK) != 0);
    free(temporary);
    folder_remove();
    mkdir(folder, 0700);
}

static void the_draft_of_a_living_writer_stays(void)
{
    char *temporary;
    char path[128];
    snprintf(path, sizeof path, "%s/a.h5", folder);
    const pid_t child = start_writer(path, WAIT, &temporary);
    CU_ASSERT_EQUAL(write_calls(path, 5), SCOPE_OK);
    CU_ASSERT(temporary && access(temporary, F_OK) == 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    free(temporary);
    folder_remove();
    mkdir(folder, 0700);
}

static void drafts_that_may_be_anothers_stay(void)
{
    const struct timespec past[2] = {{1000, 0}, {1000, 0}};
    const char *path = folder_path("a.h5");
    char *temporary;
    start_writer(path, DIE, &temporary);
    CU_ASSERT_PTR_NOT_NULL_FATAL(temporary);
    char *digits = strstr(temporary, ".tmp") - 16;
    char names[4][128];
    unsigned host;
    sscanf(digits, "%8x", &host);
    snprintf(names[0], sizeof names[0], "%.*s%08x00000000.tmp", (int)(digits - temporary),
             temporary, host ^ 1u); /* another host's */
    snprintf(names[1], sizeof names[1], "%.*szzzzzzzz.tmp", (int)(digits + 8 - temporary),
             temporary);
    snprintf(names[2], sizeof names[2], "%.*s11111111.tmp", (int)(digits + 8 - temporary),
             temporary); /* a link */
    snprintf(names[3], sizeof names[3], "%.*s22222222.tmp", (int)(digits + 8 - temporary),
             temporary); /* young: perhaps not locked yet */
    for (int i = 0; i < 4; i++) {
        if (i == 2)
            CU_ASSERT_EQUAL(symlink("/dev/null", names[i]), 0);
        if (i != 2)
            close(open(names[i], O_CREAT | O_WRONLY, 0600));
        if (i != 3)
            utimensat(AT_FDCWD, names[i], past, AT_SYMLINK_NOFOLLOW);
    }
    struct stat status;
    CU_ASSERT_EQUAL(write_calls(folder_path("a.h5"), 5), SCOPE_OK);
    CU_ASSERT(access(temporary, F_OK) != 0);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(lstat(names[i], &status), 0);
    free(temporary);
    for (int i = 0; i < 4; i++)
        unlink(names[i]);
    unlink(folder_path("a.h5"));
}

static void a_link_of_ones_own_leads_to_the_file(void)
{
    struct stat status;
    mkdir(folder_path("disk"), 0700);
    CU_ASSERT_EQUAL(symlink("disk/real.h5", folder_path("l.h5")), 0);
    CU_ASSERT_EQUAL(symlink("l.h5", folder_path("twice.h5")), 0);
    for (int calls = 5; calls < 7; calls++) { /* a link to nothing yet, then to a file */
        CU_ASSERT_EQUAL(write_calls(folder_path("twice.h5"), (uint64_t)calls), SCOPE_OK);
        CU_ASSERT_EQUAL(calls_in(folder_path("disk/real.h5")), 2 * calls);
        CU_ASSERT(lstat(folder_path("l.h5"), &status) == 0 && S_ISLNK(status.st_mode));
    }
    CU_ASSERT_EQUAL(symlink("round.h5", folder_path("round.h5")), 0);
    CU_ASSERT_EQUAL(write_calls(folder_path("round.h5"), 5), SCOPE_OK);
    CU_ASSERT(lstat(folder_path("round.h5"), &status) == 0 && S_ISREG(status.st_mode));
    CU_ASSERT_EQUAL(symlink("nowhere/real.h5", folder_path("n.h5")), 0);
    CU_ASSERT_EQUAL(write_calls(folder_path("n.h5"), 5), SCOPE_ERR_MISSING);
    unlink(folder_path("disk/real.h5"));
    rmdir(folder_path("disk"));
    folder_remove();
    mkdir(folder, 0700);
}

static void a_planted_link_is_replaced(void)
{
    struct stat status;
    const char *path = folder_path("p.h5"), *victim = folder_path("victim");
    close(open(victim, O_CREAT | O_WRONLY, 0600));
    CU_ASSERT_EQUAL(symlink("victim", path), 0);
    if (lchown(path, 65534, 65534) != 0) {
        printf("skipped: needs root to make another user's link ... ");
    } else {
        CU_ASSERT_EQUAL(write_calls(path, 5), SCOPE_OK);
        CU_ASSERT(lstat(path, &status) == 0 && S_ISREG(status.st_mode));
        CU_ASSERT(stat(victim, &status) == 0 && status.st_size == 0);
    }
    unlink(path);
    unlink(victim);
}

static void a_failed_rename_leaves_the_old_file_and_no_other(void)
{
    const char *path = folder_path("r.h5");
    CU_ASSERT_EQUAL_FATAL(write_calls(path, 5), SCOPE_OK);
    at_rename = FAIL;
    CU_ASSERT_EQUAL(write_calls(path, 6), SCOPE_ERR_IO);
    at_rename = RENAME;
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), path));
    CU_ASSERT_EQUAL(calls_in(path), 10);
    CU_ASSERT_EQUAL(folder_count(), 1);
    unlink(path);
}

static void a_missing_directory_is_named(void)
{
    CU_ASSERT_EQUAL(write_calls("/tmp/no/such/place/a.h5", 1), SCOPE_ERR_MISSING);
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "/tmp/no/such/place"));
}

static void what_is_not_a_regular_file_is_left_alone(void)
{
    struct stat status;
    CU_ASSERT_EQUAL(write_calls("/dev/null", 1), SCOPE_ERR_ARGUMENT);
    CU_ASSERT(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    CU_ASSERT_EQUAL(write_calls(folder, 1), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(write_calls(folder_path(""), 1), SCOPE_ERR_ARGUMENT);
}

static void the_file_obeys_the_umask(void)
{
    const char *path = folder_path("u.h5");
    struct stat status;
    const mode_t old = umask(027);
    CU_ASSERT_EQUAL(write_calls(path, 1), SCOPE_OK);
    umask(old);
    CU_ASSERT(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
    unlink(path);
}

static void a_name_of_255_bytes_works(void)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    CU_ASSERT_EQUAL(write_calls(folder_path(name), 1), SCOPE_OK);
    unlink(folder_path(name));
}

/* Every size of disk, from too small for the header to nearly enough. */
static void a_full_disk_is_an_error_and_leaves_the_old_file(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/s.h5", folder);
    if (mount("none", folder, "tmpfs", 0, "size=4096k") != 0) {
        printf("skipped: needs root to mount a tmpfs ... ");
        return;
    }
    CU_ASSERT_EQUAL(write_calls(path, 100), SCOPE_OK);
    int refused = 0;
    for (int free_pages = 0; free_pages < 60; free_pages += 1 + free_pages / 6) {
        const int fd = open(folder_path("filler"), O_CREAT | O_WRONLY, 0600);
        static const char block[4096] = "x";
        while (write(fd, block, sizeof block) > 0)
            ;
        struct stat status;
        fstat(fd, &status);
        if (ftruncate(fd, status.st_size - free_pages * 4096) != 0)
            CU_FAIL("ftruncate");
        close(fd);
        const scope_status got = write_calls(path, 2000);
        refused += got == SCOPE_ERR_SPACE;
        CU_ASSERT(got == SCOPE_ERR_SPACE || got == SCOPE_OK);
        CU_ASSERT_EQUAL(calls_in(path), got == SCOPE_OK ? 4000 : 200);
        unlink(folder_path("filler"));
        CU_ASSERT_EQUAL(folder_count(), 1);
        if (got == SCOPE_OK)
            CU_ASSERT_EQUAL(write_calls(path, 100), SCOPE_OK);
    }
    CU_ASSERT(refused > 5);
    umount2(folder, MNT_DETACH);
}

static void a_file_size_limit_is_an_error_and_not_a_signal(void)
{
    const char *path = folder_path("l.h5");
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    for (rlim_t bytes = 0; bytes < 120000; bytes += 17000) {
        limit = (struct rlimit){bytes, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        CU_ASSERT_EQUAL(write_calls(path, 3000), SCOPE_ERR_SPACE);
        setrlimit(RLIMIT_FSIZE, &old);
        CU_ASSERT_EQUAL(folder_count(), 0);
    }
    CU_ASSERT_EQUAL(write_calls(path, 3000), SCOPE_OK);
    unlink(path);
}

static void the_signal_mask_is_what_it_was(void)
{
    sigset_t before, after;
    scope_size_guard guard;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    scope_size_guard_enter(&guard);
    raise(SIGXFSZ);
    scope_size_guard_leave(&guard);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    CU_ASSERT_EQUAL(sigismember(&before, SIGXFSZ), sigismember(&after, SIGXFSZ));
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("publish", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(a_new_file_replaces_an_old_one);
    TEST(an_old_file_is_kept_if_asked);
    TEST(a_kill_before_the_rename_leaves_the_old_file_whole);
    TEST(drafts_of_dead_writers_go_with_the_next_file);
    TEST(the_draft_of_a_living_writer_stays);
    TEST(drafts_that_may_be_anothers_stay);
    TEST(a_link_of_ones_own_leads_to_the_file);
    TEST(a_planted_link_is_replaced);
    TEST(a_failed_rename_leaves_the_old_file_and_no_other);
    TEST(a_missing_directory_is_named);
    TEST(what_is_not_a_regular_file_is_left_alone);
    TEST(the_file_obeys_the_umask);
    TEST(a_name_of_255_bytes_works);
    TEST(a_full_disk_is_an_error_and_leaves_the_old_file);
    TEST(a_file_size_limit_is_an_error_and_not_a_signal);
    TEST(the_signal_mask_is_what_it_was);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
