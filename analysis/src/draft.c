/* draft.c - see draft.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/draft.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

static bool is_old_and_mine(const struct stat *info, time_t now)
{
    return S_ISREG(info->st_mode) && info->st_uid == geteuid() &&
           info->st_mtime + ABANDONED_SECONDS < now;
}

static bool is_abandoned(int directory, const char *name, time_t now)
{
    struct stat info;
    if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_old_and_mine(&info, now))
        return false;
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool abandoned = fd >= 0 && fstat(fd, &info) == 0 && is_old_and_mine(&info, now) &&
                           flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return abandoned;
}

/* Remove drafts of this file that this user's dead processes on this host left. `now` by the
 * clock of the file system, which need not be ours. */
static void sweep(const char *directory, const char *name, time_t now)
{
    char prefix[224];
    const size_t length =
        (size_t)snprintf(prefix, sizeof prefix, ".%.200s.%08x", name, host_number());
    DIR *entries = opendir(directory);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *rest = entry->d_name + length;
        if (strncmp(entry->d_name, prefix, length) == 0 && strspn(rest, "0123456789abcdef") == 8 &&
            strcmp(rest + 8, ".tmp") == 0 && is_abandoned(dirfd(entries), entry->d_name, now))
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

/* ---- drafts ---- */

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Names have at most 255 bytes: the target's is cut if need be. */
static int make(scope_draft *draft, const char *directory)
{
    const char *name = name_in(draft->target);
    for (int attempt = 0; attempt < 100; attempt++) {
        if (asprintf(&draft->temporary, "%s/.%.200s.%08x%08x.tmp", directory, name, host_number(),
                     random_number()) < 0) {
            draft->temporary = NULL;
            return ENOMEM;
        }
        draft->fd =
            open(draft->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (draft->fd >= 0)
            return 0;
        const int error = errno;
        free(draft->temporary); /* not made: not ours to remove */
        draft->temporary = NULL;
        if (error != EEXIST && error != EINTR)
            return error;
    }
    return EEXIST;
}

int scope_draft_open(const char *target, scope_draft *draft)
{
    struct stat old;
    *draft = (scope_draft){.target = follow_own_links(target), .fd = -1};
    char *directory = draft->target ? directory_of(draft->target) : NULL;
    int error = directory ? 0 : ENOMEM;
    if (!error && (!*name_in(draft->target) || (lstat(draft->target, &old) == 0 &&
                                                !S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode))))
        error = EISDIR;
    if (!error)
        error = make(draft, directory);
    if (!error)
        flock(draft->fd, LOCK_EX | LOCK_NB); /* "alive"; a helper's copy keeps it, too */
    free(directory);
    return error;
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

#define NO_REPLACE 1u /* RENAME_NOREPLACE, which older headers lack */

/* Rename, unless there is such a file. Many file systems cannot (NFS: EINVAL); all but the
 * poorest have hard links. 0 or an errno. */
static int rename_to_new(const char *from, const char *to)
{
#ifdef SYS_renameat2
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != EPERM)
        return errno;
#endif
    if (link(from, to) == 0) {
        unlink(from);
        return 0;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK)
        return errno;
    if (access(to, F_OK) == 0)
        return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}

static int move(const scope_draft *draft)
{
    if (draft->keep)
        return rename_to_new(draft->temporary, draft->target);
    return rename(draft->temporary, draft->target) == 0 ? 0 : errno;
}

int scope_draft_sync(scope_draft *draft)
{
    if (!draft->is_synced && fsync(draft->fd) != 0)
        return errno;
    draft->is_synced = 1;
    return 0;
}

int scope_draft_rename(scope_draft *draft, int no_sync)
{
    struct stat info;
    char *directory = directory_of(draft->target);
    int error = no_sync ? 0 : scope_draft_sync(draft);
    const bool has_time = fstat(draft->fd, &info) == 0;
    const int lock = fcntl(draft->fd, F_DUPFD_CLOEXEC, 0); /* held until it has its name */
    if (close(draft->fd) != 0 && !error && errno != EINTR) /* quota on NFS shows up here */
        error = errno;
    draft->fd = -1;
    if (!error)
        error = move(draft);
    if (!error) {
        free(draft->temporary);
        draft->temporary = NULL;
    }
    if (lock >= 0)
        close(lock);
    if (!error && directory && !no_sync)
        error = sync_directory(directory);
    if (!error && directory && has_time)
        sweep(directory, name_in(draft->target), info.st_mtime);
    free(directory);
    return error;
}

void scope_draft_discard(scope_draft *draft)
{
    if (draft->fd >= 0)
        close(draft->fd);
    if (draft->temporary)
        unlink(draft->temporary);
    free(draft->temporary);
    free(draft->target);
    *draft = (scope_draft){.fd = -1};
}
