/* publish.c - see publish.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static uint64_t random_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        number = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid() ^ (uint64_t)now.tv_sec << 16;
    }
    return number;
}

scope_status scope_draft_create(const char *target, scope_draft *draft)
{
    scope_status status = SCOPE_ERR_MEMORY;
    struct stat old;
    char *directory = directory_of(target);
    const char *slash = strrchr(target, '/');
    const char *name = slash ? slash + 1 : target;
    *draft = (scope_draft){strdup(target), NULL, -1};
    if (!directory || !draft->target) {
        scope_fail(status, "%s: out of memory", target);
        goto done;
    }
    if (!*name || (lstat(target, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode))) {
        status = scope_fail(SCOPE_ERR_ARGUMENT, "%s: not the name of a regular file", target);
        goto done;
    }
    for (int attempt = 0; attempt < 100 && draft->fd < 0; attempt++) {
        free(draft->temporary); /* names have at most 255 bytes: the target's is cut if need be */
        if (asprintf(&draft->temporary, "%s/.%.200s.%016llx.tmp", directory, name,
                     (unsigned long long)random_number()) < 0) {
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
    status = SCOPE_OK;
done:
    free(directory);
    if (status != SCOPE_OK)
        scope_draft_discard(draft);
    return status;
}

scope_status scope_draft_publish(scope_draft *draft, int no_sync)
{
    int error = !no_sync && fsync(draft->fd) != 0 ? errno : 0;
    if (close(draft->fd) != 0 && !error && errno != EINTR) /* quota on NFS shows up here */
        error = errno;
    draft->fd = -1;
    if (error || rename(draft->temporary, draft->target) != 0) {
        error = error ? error : errno;
        return scope_fail(scope_status_of_errno(error), "%s: %s", draft->target, strerror(error));
    }
    free(draft->temporary);
    draft->temporary = NULL;
    char *directory = no_sync ? NULL : directory_of(draft->target);
    const int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) { /* some file systems refuse it; the rename stands all the same */
        fsync(fd);
        close(fd);
    }
    free(directory);
    return SCOPE_OK;
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
