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

#define BLOCK_BYTES (1 << 20)

/* Where the next bytes are that are no hole: a spool may be a few of them in a huge file. */
static int64_t next_data(int fd, int64_t at, int64_t size)
{
    const off_t data = lseek(fd, at, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? size : at;
    return data < size ? data : size;
}

/* Holes stay holes: a spool is allocated ahead, and most of it may be zeros. */
static bool copy_bytes(int from, int to, int64_t size)
{
    static char buffer[BLOCK_BYTES], zeros[BLOCK_BYTES];
    for (int64_t at = next_data(from, 0, size); at < size; at = next_data(from, at, size)) {
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

static bool same_bytes(int left, int right, int64_t size)
{
    static char ours[BLOCK_BYTES], theirs[BLOCK_BYTES];
    for (int64_t at = 0;;) {
        const int64_t a = next_data(left, at, size), b = next_data(right, at, size);
        at = a < b ? a : b;
        if (at >= size)
            return true;
        const ssize_t got = pread(left, ours, sizeof ours, at);
        if (got <= 0 || pread(right, theirs, (size_t)got, at) != got ||
            memcmp(ours, theirs, (size_t)got) != 0)
            return false;
        at += got;
    }
}

/* There already, and whole: what MPI_Abort copied has the same name and often the same size,
 * and the process may have gone on. Only if it is ours: anybody may have put a file or a link
 * in its place. */
static bool is_there(const spool_found *item, const char *path, uid_t owner)
{
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != owner ||
        (int64_t)status.st_size != item->size_bytes)
        return false;
    const int from = open(item->path, O_RDONLY | O_CLOEXEC);
    const int there = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool same = from >= 0 && there >= 0 && fstat(there, &status) == 0 &&
                      S_ISREG(status.st_mode) && same_bytes(from, there, item->size_bytes);
    if (from >= 0)
        close(from);
    if (there >= 0)
        close(there);
    return same;
}

static scope_status copy(const char *command, const spool_found *item, const char *folder,
                         size_t *copied)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    const char *slash = strrchr(item->path, '/'), *name = slash ? slash + 1 : item->path;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path ||
        snprintf(temporary, sizeof temporary, "%s/.%s.%ld", folder, name, (long)getpid()) >=
            (int)sizeof temporary)
        return SCOPE_ERR_ARGUMENT;
    const uid_t owner = item->foreign ? item->owner : geteuid(); /* a copy is no more trusted */
    if (is_there(item, path, owner))
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
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) { /* another node may be faster */
        command_say(command, "%s: cannot be made: %s", folder, strerror(errno));
        return SCOPE_ERR_IO;
    }
    for (size_t i = 0; i < spools->count; i++) {
        if (spools->items[i].alive)
            continue;
        const scope_status status = copy(command, &spools->items[i], folder, copied);
        if (status < worst)
            worst = status;
    }
    return worst;
}
