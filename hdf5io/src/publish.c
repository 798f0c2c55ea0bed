/* publish.c - see publish.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "publish.h"

#include <errno.h>
#include <string.h>
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

scope_status scope_publish_open(const char *target, scope_draft *draft)
{
    const int error = scope_draft_open(target, draft);
    const char *path = draft->target ? draft->target : target;
    const char *slash = strrchr(path, '/');
    const char *directory = slash ? path : ".";
    const int length = slash && slash > path ? (int)(slash - path) : 1;
    switch (error) {
    case 0:
        return SCOPE_OK;
    case ENOMEM:
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", target);
    case EISDIR:
        return scope_fail(SCOPE_ERR_ARGUMENT, "%s: not the name of a regular file", target);
    case ENOENT:
    case ENOTDIR:
        return scope_fail(SCOPE_ERR_MISSING, "%s: there is no directory %.*s", target, length,
                          directory);
    default:
        return scope_fail(scope_status_of_errno(error), "%s: cannot create a file in %.*s: %s",
                          target, length, directory, strerror(error));
    }
}

scope_status scope_publish_rename(scope_draft *draft, int no_sync)
{
    const int error = scope_draft_rename(draft, no_sync);
    if (error == EEXIST && draft->keep)
        return scope_fail(SCOPE_ERR_STATE, "%s: exists already", draft->target);
    return error
               ? scope_fail(scope_status_of_errno(error), "%s: %s", draft->target, strerror(error))
               : SCOPE_OK;
}
