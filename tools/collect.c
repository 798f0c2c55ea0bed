/* collect.c - copy this node's spool files to where all nodes' meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

/* Holes stay holes: a spool is allocated ahead, and most of it may be zeros. */
static bool copy_bytes(int from, int to, int64_t size)
{
    static char buffer[1 << 20], zeros[1 << 20];
    for (int64_t at = 0; at < size;) {
        const ssize_t got = pread(from, buffer, sizeof buffer, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 && ftruncate(to, size) == 0;
        const bool empty = memcmp(buffer, zeros, (size_t)got) == 0;
        for (ssize_t done = 0; !empty && done < got;) {
            const ssize_t put = pwrite(to, buffer + done, (size_t)(got - done), at + done);
            if (put < 0 && errno != EINTR)
                return false;
            done += put > 0 ? put : 0;
        }
        at += got;
    }
    return ftruncate(to, size) == 0;
}

static scope_status copy(const char *command, const spool_found *item, const char *folder,
                         size_t *copied)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    struct stat status;
    const char *slash = strrchr(item->path, '/'), *name = slash ? slash + 1 : item->path;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        snprintf(temporary, sizeof temporary, "%s/.%s.%ld", folder, name, (long)getpid()) >=
            (int)sizeof temporary)
        return SCOPE_ERR_ARGUMENT;
    /* there already, and ours: anybody may have put a file or a link in its place */
    const uid_t owner = item->foreign ? item->owner : geteuid(); /* a copy is no more trusted */
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == owner &&
        (int64_t)status.st_size == item->size_bytes)
        return SCOPE_OK;
    const int from = open(item->path, O_RDONLY | O_CLOEXEC);
    const int to = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool done = from >= 0 && to >= 0 && (!item->foreign || fchown(to, owner, (gid_t)-1) == 0) &&
                copy_bytes(from, to, item->size_bytes) && fsync(to) == 0;
    int reason = errno;
    if (from >= 0)
        close(from);
    if (to >= 0 && close(to) != 0 && done) {
        done = false;
        reason = errno;
    }
    if (done && rename(temporary, path) != 0) {
        done = false;
        reason = errno;
    }
    if (done) {
        ++*copied;
        return SCOPE_OK;
    }
    if (to >= 0)
        unlink(temporary);
    command_say(command, "%s: %s", path, strerror(reason));
    return reason == ENOSPC ? SCOPE_ERR_SPACE : SCOPE_ERR_IO;
}

scope_status collect_spools(const char *command, const spools *spools, const char *folder,
                            size_t *copied)
{
    scope_status worst = SCOPE_OK;
    *copied = 0;
    for (size_t i = 0; i < spools->count; i++) {
        if (spools->items[i].alive)
            continue;
        const scope_status status = copy(command, &spools->items[i], folder, copied);
        if (status < worst)
            worst = status;
    }
    return worst;
}
