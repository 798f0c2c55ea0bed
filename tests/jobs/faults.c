/* faults.c - one system call of one rank fails while all ranks write a file: each in turn.
 *
 *     faults FOLDER WRITER MODE COMPRESSION RANK write|read|reads|limit|full ERROR FIRST STEP
 *
 * Counted are the calls of RANK on files in FOLDER. The one with number FIRST fails, in the next
 * try that with FIRST + STEP, and so on until a file is written before its turn comes. Each time
 * either all ranks have an error, and the old file is what it was; or none has, where the fault
 * did no harm, and the file is whole. reads: those after it fail, too. STEP 0: one try.
 *
 * limit: RANK may write files of that many pages, more each time, until it is enough. full: the
 * disk has so many pages left; FOLDER is a folder on it, beside which the filler lies.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <scope/file.h>
#include <scope/sink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "host.h" /* of mpi */
#include "tables.h"

static int rank, size, failures;

/* ---- the fault: these stand before libc's for every library ---- */

static struct {
    const char *folder;
    long number, calls; /* the one that fails, 0: none does; so many there were */
    int error, of_reads, stays;
    char what[32], file[256];
} fault;

static int fails(const char *name, int fd, int is_read)
{
    char link[64], path[4096];
    const int before = errno;
    if (!fault.number || fault.of_reads != is_read)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    path[length > 0 ? length : 0] = 0;
    if (strncmp(path, fault.folder, strlen(fault.folder)) != 0)
        return 0;
    const long call = ++fault.calls;
    if (call < fault.number || (call > fault.number && !fault.stays))
        return 0;
    snprintf(fault.what, sizeof fault.what, "%s", name);
    snprintf(fault.file, sizeof fault.file, "%.255s", strrchr(path, '/'));
    errno = fault.error;
    return 1;
}

/* Under both names that libc has for it. */
#define FAULTY(name, twin, is_read, arguments, ...)                                                \
    ssize_t faulty_##name arguments __asm__(#name);                                                \
    ssize_t faulty_##name arguments                                                                \
    {                                                                                              \
        return fails(#name, fd, is_read) ? -1 : (ssize_t)syscall(__VA_ARGS__);                     \
    }                                                                                              \
    ssize_t faulty_##twin arguments __asm__(#twin);                                                \
    ssize_t faulty_##twin arguments                                                                \
    {                                                                                              \
        return fails(#name, fd, is_read) ? -1 : (ssize_t)syscall(__VA_ARGS__);                     \
    }
#define BYTES (int fd, void *bytes, size_t length)
#define BYTES_AT (int fd, void *bytes, size_t length, off_t at)
#define PIECES (int fd, const struct iovec *pieces, int count)
#define PIECES_AT (int fd, const struct iovec *pieces, int count, off_t at)

FAULTY(read, __read, 1, BYTES, SYS_read, fd, bytes, length)
FAULTY(readv, __readv, 1, PIECES, SYS_readv, fd, pieces, count)
FAULTY(pread, pread64, 1, BYTES_AT, SYS_pread64, fd, bytes, length, at)
FAULTY(preadv, preadv64, 1, PIECES_AT, SYS_preadv, fd, pieces, count, at, 0)
FAULTY(write, __write, 0, BYTES, SYS_write, fd, bytes, length)
FAULTY(writev, __writev, 0, PIECES, SYS_writev, fd, pieces, count)
FAULTY(pwrite, pwrite64, 0, BYTES_AT, SYS_pwrite64, fd, bytes, length, at)
FAULTY(pwritev, pwritev64, 0, PIECES_AT, SYS_pwritev, fd, pieces, count, at, 0)
FAULTY(ftruncate, ftruncate64, 0, (int fd, off_t bytes), SYS_ftruncate, fd, bytes)
FAULTY(fallocate, fallocate64, 0, (int fd, int mode, off_t at, off_t bytes), SYS_fallocate, fd,
       mode, at, bytes)
FAULTY(fsync, __fsync, 0, (int fd), SYS_fsync, fd)
FAULTY(fdatasync, __fdatasync, 0, (int fd), SYS_fdatasync, fd)

/* ---- one try ---- */

static char path[512], try[400];

static void hung(int number)
{
    (void)number;
    if (write(1, try, strlen(try)) < 0)
        _exit(4);
    _exit(3);
}

static void complain(const char *what)
{
    failures++;
    printf("rank %d, %s%s\n", rank, try, what);
}

static void put_old_files(const char *folder)
{
    for (int r = -1; r < size; r++) {
        char name[600];
        if (r < 0)
            snprintf(name, sizeof name, "%s/run.h5", folder);
        else
            snprintf(name, sizeof name, "%s/run.rank%d.h5", folder, r);
        FILE *file = fopen(name, "w");
        fputs("old", file);
        fclose(file);
    }
}

static int is_old(const char *name)
{
    char text[8] = "";
    FILE *file = fopen(name, "r");
    const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    return length == 3 && memcmp(text, "old", 3) == 0;
}

/* Every file of the folder is what it was; nothing else is there. */
static void look_at_old(const char *folder)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char name[1024];
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !is_old(name))
            complain("the old file is not what it was\n");
        if (strncmp(entry->d_name, ".run", 4) == 0)
            complain("a draft was left\n");
    }
    closedir(directory);
}

static void look_at_new(long long expected)
{
    scope_file *file = NULL;
    if (scope_file_open(path, &file) != SCOPE_OK)
        complain(scope_file_message());
    else if (scope_file_calls(file)->count != (size_t)expected)
        complain("calls are missing\n");
    scope_file_close(file);
}

static void set_limit(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* All of the disk but `bytes`. */
static void fill(const char *folder, uint64_t bytes)
{
    char name[600];
    struct statvfs disk;
    snprintf(name, sizeof name, "%s/../filler", folder);
    unlink(name);
    const int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 || fstatvfs(fd, &disk) != 0)
        exit(2);
    const uint64_t left = disk.f_bavail * disk.f_frsize;
    if (left > bytes && fallocate(fd, 0, 0, (off_t)(left - bytes)) != 0)
        exit(2);
    close(fd);
}

/* false: nothing failed, all numbers were tried. */
static int try_one(scope_sink_write_calls_fn *write_calls, scope_world *world, char **argv, long n)
{
    const char *folder = argv[1];
    const scope_file_options options = {
        .compression = argv[4],
        .output_mode = argv[3],
        .chunk_size = strcmp(argv[4], "none") == 0 ? 0 : 1000}; /* chunks that ranks share */
    scope_calls *calls = table_make(rank, size, 3, 2000 + 300 * (uint64_t)rank, TABLE_ALL);
    long long count = (long long)calls->count, total = 0;
    scope_sink_report report;
    if (rank == 0)
        put_old_files(folder);
    PMPI_Barrier(MPI_COMM_WORLD);
    snprintf(try, sizeof try, "number %ld: ", n);
    fault.what[0] = '\0';
    const int limits = strcmp(argv[6], "limit") == 0, fills = strcmp(argv[6], "full") == 0;
    fault.calls = 0;
    fault.number = rank == atoi(argv[5]) && !limits && !fills ? n : 0;
    if (limits && rank == atoi(argv[5]))
        set_limit((rlim_t)n * 4096);
    if (fills && rank == 0)
        fill(folder, (uint64_t)n * 4096);
    PMPI_Barrier(MPI_COMM_WORLD);
    alarm(200);
    const scope_status status = write_calls(calls, world, path, &options, &report);
    const int done = limits || fills ? status == SCOPE_OK : fault.calls < fault.number;
    fault.number = 0;
    if (limits)
        set_limit(RLIM_INFINITY);
    /* the folder is synced once the new file has the name */
    const int is_placed = fault.what[0] && strncmp(fault.file, "/.run", 5) != 0;
    int mine[4] = {done, status == SCOPE_OK, status != SCOPE_OK, is_placed}, any[4];
    PMPI_Allreduce(&count, &total, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Allreduce(mine, any, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    alarm(0);
    snprintf(try, sizeof try, "number %ld (%s of %s): ", n, fault.what, fault.file);
    if (getenv("FAULTS_VERBOSE"))
        printf("rank %d, %s%d %s\n", rank, try, (int)status, report.message);
    if (any[1] && any[2])
        complain(status == SCOPE_OK ? "it knows of no error\n" : report.message);
    if (any[0] && any[2])
        complain(report.message);
    if (status != SCOPE_OK && !report.message[0])
        complain("no message\n");
    if (rank == 0 && any[2] && !any[3])
        look_at_old(folder);
    else if (rank == 0)
        look_at_new(total);
    scope_calls_free(calls);
    PMPI_Barrier(MPI_COMM_WORLD);
    return !any[0];
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int error;
    } errors[] = {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EFBIG", EFBIG}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 10)
        return 2;
    void *writer = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    scope_sink_write_calls_fn *write_calls =
        (scope_sink_write_calls_fn *)dlsym(writer, SCOPE_SINK_CALLS_SYMBOL);
    scope_world *world;
    if (!write_calls || scope_mpi_host_open(&world) != SCOPE_OK)
        return 2;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(errors[i].name, argv[7]) == 0)
            fault.error = errors[i].error;
    snprintf(path, sizeof path, "%s/run.h5", argv[1]);
    fault.folder = argv[1];
    fault.stays = strcmp(argv[6], "reads") == 0;
    fault.of_reads = fault.stays || strcmp(argv[6], "read") == 0;
    signal(SIGALRM, hung);
    long n = atol(argv[8]), tries = 0;
    int more = 1;
    while (more && tries < (atol(argv[9]) ? 2000 : 1)) {
        more = try_one(write_calls, world, argv, n);
        n += atol(argv[9]);
        tries++;
    }
    scope_mpi_host_close(world);
    MPI_Finalize();
    if (!failures && rank == 0)
        printf("%ld tries%s\n", tries, more ? ", and more" : "");
    return failures != 0;
}
