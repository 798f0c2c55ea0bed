/* publish.c - see publish.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "publish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

void scope_size_guard_enter(scope_size_guard *guard)
{
    sigset_t set;
    sigpending(&set);
    guard->was_pending = sigismember(&set, SIGXFSZ);
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, &guard->before);
}

void scope_size_guard_leave(const scope_size_guard *guard)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    const struct timespec now = {0, 0};
    if (!guard->was_pending)
        while (sigtimedwait(&set, NULL, &now) > 0)
            ;
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

int scope_write_all(int fd, const void *bytes, size_t length_bytes, uint64_t offset)
{
    const size_t piece_bytes = (size_t)1 << 29; /* Linux writes at most 2^31 - 4096 at once */
    const char *at = bytes;
    while (length_bytes) {
        const size_t piece = length_bytes < piece_bytes ? length_bytes : piece_bytes;
        const ssize_t put = pwrite(fd, at, piece, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put < 0 ? errno : EIO;
        at += put;
        offset += (uint64_t)put;
        length_bytes -= (size_t)put;
    }
    return 0;
}

/* Directory of a path as a new string: "." for a bare name. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* ---- names ---- */

#define LINKS_MAX 40         /* as the kernel's */
#define ABANDONED_SECONDS 60 /* between making a draft and locking it lies less */

/* Where a symbolic link of this user's, or root's, leads: a name on another disk is meant.
 * Anybody else's is not followed: the rename replaces the link. malloc'd. */
static char *follow_own_links(const char *target)
{
    struct stat info;
    char leads_to[PATH_MAX];
    char *at = strdup(target);
    for (int links = 0; at && links < LINKS_MAX; links++) {
        char *next = NULL;
        if (lstat(at, &info) != 0 || !S_ISLNK(info.st_mode) ||
            (info.st_uid != geteuid() && info.st_uid != 0))
            return at;
        const ssize_t length = readlink(at, leads_to, sizeof leads_to - 1);
        if (length <= 0)
            return at;
        leads_to[length] = '\0';
        char *directory = *leads_to == '/' ? NULL : directory_of(at);
        if (!directory)
            next = *leads_to == '/' ? strdup(leads_to) : NULL;
        else if (asprintf(&next, "%s/%s", directory, leads_to) < 0)
            next = NULL;
        free(directory);
        free(at);
        at = next;
    }
    free(at);
    return strdup(target); /* a loop: replaced */
}

/* Half of a temporary name's digits: only this host can know that its owner is dead. */
static uint32_t host_number(void)
{
    char host[256] = "";
    uint32_t hash = 2166136261u;
    gethostname(host, sizeof host - 1);
    for (const char *at = host; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return hash;
}

static uint32_t random_number(void)
{
    uint32_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint32_t)now.tv_nsec ^ (uint32_t)getpid() << 16 ^ (uint32_t)now.tv_sec;
    }
    return number;
}

/* ---- what killed writers left ---- */

static bool is_old_and_mine(const struct stat *info)
{
    return S_ISREG(info->st_mode) && info->st_uid == geteuid() &&
           info->st_mtime + ABANDONED_SECONDS < time(NULL);
}

static bool is_abandoned(int directory, const char *name)
{
    struct stat info;
    if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_old_and_mine(&info))
        return false;
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool abandoned = fd >= 0 && fstat(fd, &info) == 0 && is_old_and_mine(&info) &&
                           flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return abandoned;
}

/* Remove drafts of this file that this user's dead processes on this host left. */
static void sweep(const char *directory, const char *name)
{
    char prefix[224];
    const size_t length =
        (size_t)snprintf(prefix, sizeof prefix, ".%.200s.%08x", name, host_number());
    DIR *entries = opendir(directory);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *rest = entry->d_name + length;
        if (strncmp(entry->d_name, prefix, length) == 0 &&
            strspn(rest, "0123456789abcdef") == 8 && strcmp(rest + 8, ".tmp") == 0 &&
            is_abandoned(dirfd(entries), entry->d_name))
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

/* ---- drafts ---- */

scope_status scope_draft_create(const char *target, scope_draft *draft)
{
    scope_status status = SCOPE_ERR_MEMORY;
    struct stat old;
    *draft = (scope_draft){follow_own_links(target), NULL, -1};
    char *directory = draft->target ? directory_of(draft->target) : NULL;
    const char *slash = draft->target ? strrchr(draft->target, '/') : NULL;
    const char *name = slash ? slash + 1 : draft->target;
    if (!directory) {
        scope_fail(status, "%s: out of memory", target);
        goto done;
    }
    if (!*name ||
        (lstat(draft->target, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode))) {
        status = scope_fail(SCOPE_ERR_ARGUMENT, "%s: not the name of a regular file", target);
        goto done;
    }
    for (int attempt = 0; attempt < 100 && draft->fd < 0; attempt++) {
        free(draft->temporary); /* names have at most 255 bytes: the target's is cut if need be */
        if (asprintf(&draft->temporary, "%s/.%.200s.%08x%08x.tmp", directory, name,
                     host_number(), random_number()) < 0) {
            draft->temporary = NULL;
            scope_fail(status, "%s: out of memory", target);
            goto done;
        }
        draft->fd =
            open(draft->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (draft->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    if (draft->fd < 0) {
        const int error = errno;
        free(draft->temporary);
        draft->temporary = NULL;
        status =
            error == ENOENT || error == ENOTDIR
                ? scope_fail(SCOPE_ERR_MISSING, "%s: there is no directory %s", target, directory)
                : scope_fail(scope_status_of_errno(error), "%s: cannot create a file in %s: %s",
                             target, directory, strerror(error));
        goto done;
    }
    flock(draft->fd, LOCK_EX | LOCK_NB); /* "alive"; a helper's copy keeps it, too */
    status = SCOPE_OK;
done:
    free(directory);
    if (status != SCOPE_OK)
        scope_draft_discard(draft);
    return status;
}

/* Make the rename last. Some file systems know no fsync of a directory, and one that may
 * not be read cannot be opened: nothing to be had there. 0 or an errno. */
static int sync_directory(const char *directory)
{
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool failed = fd >= 0 && fsync(fd) != 0;
    const int error = failed ? errno : 0;
    if (fd >= 0)
        close(fd);
    return error == EIO || error == ENOSPC || error == EDQUOT ? error : 0;
}

scope_status scope_draft_publish(scope_draft *draft, int no_sync)
{
    char *directory = directory_of(draft->target);
    int error = !no_sync && fsync(draft->fd) != 0 ? errno : 0;
    const int lock = fcntl(draft->fd, F_DUPFD_CLOEXEC, 0); /* held until it has its name */
    if (close(draft->fd) != 0 && !error && errno != EINTR) /* quota on NFS shows up here */
        error = errno;
    draft->fd = -1;
    if (!error && rename(draft->temporary, draft->target) != 0)
        error = errno;
    if (!error) {
        free(draft->temporary);
        draft->temporary = NULL;
    }
    if (lock >= 0)
        close(lock);
    if (!error && directory && !no_sync)
        error = sync_directory(directory);
    if (!error && directory) {
        const char *slash = strrchr(draft->target, '/');
        sweep(directory, slash ? slash + 1 : draft->target);
    }
    free(directory);
    return error ? scope_fail(scope_status_of_errno(error), "%s: %s", draft->target,
                              strerror(error))
                 : SCOPE_OK;
}

void scope_draft_discard(scope_draft *draft)
{
    if (draft->fd >= 0)
        close(draft->fd);
    if (draft->temporary)
        unlink(draft->temporary);
    free(draft->temporary);
    free(draft->target);
    *draft = (scope_draft){NULL, NULL, -1};
}
