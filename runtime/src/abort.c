/* abort.c - MPI_Abort: the spool, up to now, beside the output.
 *
 * The node that holds the spool may be gone before anybody can look.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/sink.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "engine.h"
#include "file_limit.h"
#include "record.h"
#include "spool.h"
#include "spool_header.h"

/* Zeros are left out: what nobody wrote is a hole in the copy, too. */
static bool write_all(int fd, const unsigned char *bytes, uint64_t length, uint64_t offset)
{
    static const unsigned char zeros[SCOPE_CHUNK_UNIT_BYTES];
    for (uint64_t at = 0; at < length;) {
        uint64_t piece = length - at < sizeof zeros ? length - at : sizeof zeros;
        if (memcmp(bytes + at, zeros, piece) != 0) {
            ssize_t written;
            do
                written = pwrite(fd, bytes + at, piece, (off_t)(offset + at));
            while (written < 0 && errno == EINTR);
            if (written <= 0)
                return false;
            piece = (uint64_t)written;
        }
        at += piece;
    }
    return true;
}

static bool copy_to(int fd)
{
    static _Alignas(scope_recording_header) unsigned char page[SCOPE_HEADER_BYTES];
    uint64_t offset = SCOPE_HEADER_BYTES;
    memcpy(page, scope_store.header, sizeof page);
    ((scope_recording_header *)page)->is_copy = 1;
    ((scope_recording_header *)page)->beside_events = 0; /* it has all segments */
    if (!write_all(fd, page, sizeof page, 0))
        return false;
    for (size_t i = 0; i < scope_store.segment_count; i++) {
        const scope_recording_segment *segment = &scope_store.segments[i];
        if (!write_all(fd, segment->bytes, segment->length_bytes, offset))
            return false;
        offset += segment->length_bytes;
    }
    return ftruncate(fd, (off_t)offset) == 0;
}

/* Where the output would go; the spool's own name is one of its kind. */
static bool copy_path(char *path, size_t size_bytes)
{
    const char *name = strrchr(scope_store.path, '/');
    char *output = scope_config_expand(scope_store.header->output, scope_store.header->rank,
                                       scope_store.header->size);
    const char *slash = output ? strrchr(output, '/') : NULL;
    const int length = name && slash ? snprintf(path, size_bytes, "%.*s%s", (int)(slash - output),
                                                output, name)
                                     : -1;
    free(output);
    return length > 0 && (size_t)length < size_bytes && strcmp(path, scope_store.path) != 0;
}

static void copy(void)
{
    char path[sizeof scope_store.path + sizeof scope_store.header->output];
    if (!copy_path(path, sizeof path))
        return;
    const scope_file_limit limit = scope_file_limit_enter();
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool good = fd >= 0 && copy_to(fd);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !good)
        unlink(path);
    scope_file_limit_leave(&limit, !good);
}

void scope_runtime_abort_copy(int code)
{
    scope_spool_mark_end(SCOPE_END_MPI_ABORT, code);
    if (!scope_store.is_open || getpid() != scope_store.pid || !scope_enter())
        return;
    copy();
    scope_leave();
}
