/* spool_file.c - the file behind a recording: its folder, its name, its lock, its space.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "budget.h"
#include "file_limit.h"
#include "spool_header.h"

#define LEAST_SEGMENT_BYTES (UINT64_C(128) << 10)

/* A program that closes all descriptors may have got ours for a file of its own. */
bool scope_spool_has_descriptor(void)
{
    struct stat now;
    return scope_store.fd >= 0 && fstat(scope_store.fd, &now) == 0 &&
           now.st_dev == scope_store.device && now.st_ino == scope_store.inode;
}

/* Take the lock that says "alive" and a descriptor out of the program's way. */
static int move_and_lock(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    fcntl(fd, F_SETLK, &lock);
    return fd;
}

/* The program closed it, and with it went the lock: open it again, if the name is still
 * the spool's. The old number is the program's now. */
static bool reopen(void)
{
    struct stat found;
    if (!scope_store.path[0] || getpid() != scope_store.pid)
        return false;
    const int fd = open(scope_store.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &found) || found.st_dev != scope_store.device ||
        found.st_ino != scope_store.inode) {
        close(fd);
        return false;
    }
    scope_store.fd = move_and_lock(fd);
    return true;
}

/* fallocate without the signal that a file size limit sends. 0 or an errno. */
int scope_spool_file_allocate(uint64_t offset, uint64_t length)
{
    int error = 0;
    if (!scope_spool_has_descriptor() && !reopen())
        return EBADF;
    const scope_file_limit limit = scope_file_limit_enter();
    do
        error = fallocate(scope_store.fd, 0, (off_t)offset, (off_t)length) ? errno : 0;
    while (error == EINTR);
    scope_file_limit_leave(&limit, error != 0);
    return error;
}

bool scope_spool_file_write(const unsigned char *bytes, uint64_t length, off_t offset)
{
    for (uint64_t at = 0; at < length;) {
        const ssize_t written = pwrite(scope_store.fd, bytes + at, length - at, offset + (off_t)at);
        if (written <= 0 && !(written < 0 && errno == EINTR))
            return false;
        at += written > 0 ? (uint64_t)written : 0;
    }
    return true;
}

/* strerror may allocate, and not every caller may. */
static const char *reason_of(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return "no permission";
    case EROFS:
        return "a read-only file system";
    case ENOTDIR:
        return "part of the name is no folder";
    case ENOSPC:
    case EDQUOT:
        return "no space";
    default:
        return "refused";
    }
}

int scope_spool_folder(const char *base, char *path, size_t size_bytes, char *why, size_t why_bytes)
{
    struct stat info;
    if (snprintf(path, size_bytes, "%s/scope-%u", base, (unsigned)geteuid()) >= (int)size_bytes) {
        snprintf(why, why_bytes, "the name of the spool folder is too long");
        return -1;
    }
    if (mkdir(path, 0700) && errno != EEXIST) {
        if (errno == ENOENT)
            snprintf(why, why_bytes, "there is no folder %.100s: make it, or set SCOPE_SPOOL_DIR",
                     base);
        else
            snprintf(why, why_bytes, "cannot make the folder %.80s (%s, error %d)", path,
                     reason_of(errno), errno);
        return -1;
    }
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno != ELOOP && errno != ENOTDIR) {
        snprintf(why, why_bytes, "cannot open the folder %.80s (error %d)", path, errno);
        return -1;
    }
    if (folder >= 0 && !fstat(folder, &info) && info.st_uid == geteuid() && !(info.st_mode & 077))
        return folder;
    if (folder >= 0)
        close(folder);
    snprintf(why, why_bytes, "%.80s is not a folder that only this user can enter", path);
    return -1;
}

/* A new file in `folder`, whose descriptor `at` is. */
static bool make_file(const char *folder, int at)
{
    static atomic_uint counter;
    struct stat info;
    char name[192];
    for (int attempt = 0; attempt < 100 && scope_store.fd < 0; attempt++) {
        scope_spool_own_name(atomic_fetch_add(&counter, 1), name, sizeof name);
        /* in the folder that was looked at: its name may be another's by now */
        scope_store.fd =
            openat(at, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (scope_store.fd < 0 && errno != EEXIST)
            break;
    }
    if (scope_store.fd < 0) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 "cannot make a file in %.80s (error %d)", folder, errno);
        return false;
    }
    snprintf(scope_store.path, sizeof scope_store.path, "%s/%s", folder, name);
    scope_store.fd = move_and_lock(scope_store.fd);
    if (fstat(scope_store.fd, &info) == 0) {
        scope_store.device = info.st_dev;
        scope_store.inode = info.st_ino;
    }
    return true;
}

/* Space for the header and a first segment, and the header's page; else no file. */
static bool take_space(const char *folder)
{
    /* A small spool that can be recovered is better than memory; what does not fit goes there. */
    uint64_t length = SCOPE_FIRST_SEGMENT_BYTES;
    int error = scope_spool_file_allocate(0, SCOPE_HEADER_BYTES + length);
    while ((error == EFBIG || error == ENOSPC || error == EDQUOT) && length > LEAST_SEGMENT_BYTES)
        error = scope_spool_file_allocate(0, SCOPE_HEADER_BYTES + (length /= 2));
    void *header = MAP_FAILED;
    if (!error)
        header = scope_spool_header_map(MAP_SHARED, scope_store.fd);
    if (header == MAP_FAILED) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 error == EOPNOTSUPP ? "the file system of %.80s reserves no space (error %d)"
                                     : "no space in %.80s for a spool file (error %d)",
                 folder, error ? error : errno);
        unlink(scope_store.path);
        close(scope_store.fd);
        scope_store.fd = -1;
        scope_store.path[0] = 0;
        return false;
    }
    madvise(header, SCOPE_HEADER_BYTES, MADV_DONTFORK);
    scope_store.header = header;
    scope_store.file_bytes = SCOPE_HEADER_BYTES;
    return true;
}

static bool create_in(const char *base, bool by_user)
{
    char folder[1024];
    if (!by_user && !scope_budget_is_local(base)) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 "%.80s is on a network file system", base);
        return false;
    }
    const int at = scope_spool_folder(base, folder, sizeof folder, scope_store.problem,
                                      sizeof scope_store.problem);
    if (at < 0)
        return false;
    const bool made = make_file(folder, at);
    close(at);
    return made && take_space(folder);
}

bool scope_spool_file_create(const scope_spool_options *options)
{
    const char *temporary = getenv("TMPDIR");
    bool done;
    if (options->folder[0])
        done = create_in(options->folder, true);
    else
        done = (temporary && temporary[0] == '/' && create_in(temporary, false)) ||
               create_in("/tmp", false);
    if (done)
        scope_store.problem[0] = 0;
    else
        scope_store.path[0] = 0;
    return done;
}

void scope_spool_file_close(bool keep)
{
    if (scope_store.fd < 0)
        return;
    if (!keep)
        unlink(scope_store.path);
    if (scope_spool_has_descriptor())
        close(scope_store.fd);
    scope_store.fd = -1;
}
