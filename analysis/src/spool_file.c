/* spool_file.c - map a spool file for reading, whatever state it is in.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/proc.h>
#include <scope/replay.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct scope_spool {
    int fd;
    unsigned char *bytes;
    size_t length_bytes;
    scope_recording_header header; /* a copy: strings are terminated in it */
    scope_recording_segment *segments;
    scope_recording recording;
    uint32_t owner; /* uid */
    int was_alive;
};

/* Strings of the header end within their fields, whatever the file says. */
static void terminate_strings(scope_recording_header *header)
{
    header->boot_id[sizeof header->boot_id - 1] = '\0';
    header->host[sizeof header->host - 1] = '\0';
    header->program[sizeof header->program - 1] = '\0';
    header->output[sizeof header->output - 1] = '\0';
    header->directory[sizeof header->directory - 1] = '\0';
    header->version_text[sizeof header->version_text - 1] = '\0';
}

/* ---- does its process live? ---- */

/* The file's name, or its inode, is in the process's maps; some file systems give another
 * inode there. 1 also where that may not be read. */
static int has_mapped(uint64_t pid, int fd)
{
    char path[64], name[PATH_MAX], *line = NULL;
    size_t room = 0;
    int found = 0;
    struct stat state;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(path, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(name, '/');
    snprintf(path, sizeof path, "/proc/%llu/maps", (unsigned long long)pid);
    FILE *maps = slash && fstat(fd, &state) == 0 ? fopen(path, "re") : NULL;
    if (!maps)
        return 1;
    while (!found && getline(&line, &room, maps) > 0) {
        unsigned long long inode = 0;
        sscanf(line, "%*s %*s %*s %*s %llu", &inode);
        found = inode == (unsigned long long)state.st_ino || (inode && strstr(line, slash));
    }
    free(line);
    fclose(maps);
    return found;
}

/* On this boot and in this pid namespace, a process with that number and start, which has not
 * become another program since. */
static int process_is_here(const scope_recording_header *header, int fd)
{
    char boot_id[sizeof header->boot_id], path[64];
    scope_proc_stat stat;
    scope_proc_boot_id(boot_id, sizeof boot_id);
    if (!*boot_id || strcmp(boot_id, header->boot_id) != 0 ||
        scope_proc_pid_namespace() != header->pid_namespace || !header->pid_namespace)
        return 0;
    snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)header->pid);
    return scope_proc_read(path, &stat) && !strchr("ZX", stat.state) &&
           stat.start_ticks == header->process_start_ticks && has_mapped(header->pid, fd);
}

static int is_alive(int fd, const scope_recording_header *header)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    /* a reader may not set a write lock on a read-only descriptor, but may ask */
    if (fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK)
        return 1;
    /* a file system without locks, as Lustre may be; or a program that closes what it does
     * not know, as daemons do, and goes on recording */
    return header->end_kind == SCOPE_END_OPEN && process_is_here(header, fd);
}

/* ---- the file ---- */

/* Segments follow each other until one is not valid; the last one may be cut. */
static scope_status find_segments(scope_spool *spool)
{
    size_t count = 0, capacity = 0;
    uint64_t offset = SCOPE_HEADER_BYTES;
    while (offset < spool->length_bytes &&
           spool->length_bytes - offset >= sizeof(scope_segment_header)) {
        scope_segment_header header;
        memcpy(&header, spool->bytes + offset, sizeof header);
        const uint64_t rest = spool->length_bytes - offset;
        if (header.magic != SCOPE_SEGMENT_MAGIC || header.length_bytes < sizeof header ||
            header.length_bytes % sizeof(uint64_t))
            break;
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 16;
            scope_recording_segment *grown = realloc(spool->segments, capacity * sizeof *grown);
            if (!grown)
                return SCOPE_ERR_MEMORY;
            spool->segments = grown;
        }
        spool->segments[count++] = (scope_recording_segment){
            spool->bytes + offset, header.length_bytes < rest ? header.length_bytes : rest};
        offset += header.length_bytes < rest ? header.length_bytes : rest;
    }
    spool->recording = (scope_recording){.header = &spool->header,
                                         .segments = spool->segments,
                                         .segment_count = count};
    return SCOPE_OK;
}

scope_status scope_spool_open(const char *path, scope_spool **out)
{
    scope_status status = SCOPE_ERR_MEMORY;
    struct stat state;
    scope_recording_header before = {0};
    scope_spool *spool = calloc(1, sizeof *spool);
    if (!spool)
        return SCOPE_ERR_MEMORY;
    spool->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (spool->fd < 0) {
        status = errno == ENOENT || errno == ENOTDIR ? SCOPE_ERR_MISSING : SCOPE_ERR_IO;
        goto done;
    }
    /* asked first, and all that is read is read later: how a process ended, and what it wrote
     * until then, belong together */
    if (pread(spool->fd, &before, sizeof before, 0) == (ssize_t)sizeof before &&
        before.magic == SCOPE_RECORDING_MAGIC) {
        terminate_strings(&before);
        spool->was_alive = is_alive(spool->fd, &before);
    }
    status = SCOPE_ERR_IO;
    if (fstat(spool->fd, &state) != 0)
        goto done;
    status = SCOPE_ERR_CORRUPT;
    if (!S_ISREG(state.st_mode) || state.st_size < (off_t)sizeof(scope_recording_header))
        goto done;
    spool->owner = state.st_uid;
    spool->length_bytes = (size_t)state.st_size & ~(size_t)7;
    status = SCOPE_ERR_IO;
    spool->bytes = mmap(NULL, spool->length_bytes, PROT_READ, MAP_SHARED, spool->fd, 0);
    if (spool->bytes == MAP_FAILED) {
        spool->bytes = NULL;
        goto done;
    }
    memcpy(&spool->header, spool->bytes, sizeof spool->header);
    terminate_strings(&spool->header);
    if (spool->was_alive) {
        spool->header.end_kind = before.end_kind;
        spool->header.end_value = before.end_value;
    }
    status = SCOPE_ERR_CORRUPT;
    if (spool->header.magic != SCOPE_RECORDING_MAGIC)
        goto done;
    if (spool->header.version > SCOPE_RECORDING_VERSION) {
        status = SCOPE_ERR_VERSION;
        goto done;
    }
    if (spool->header.version == 0 || spool->header.header_bytes != SCOPE_HEADER_BYTES)
        goto done;
    status = find_segments(spool);
    if (status != SCOPE_OK)
        goto done;
    *out = spool;
    spool = NULL;
done:
    scope_spool_close(spool);
    return status;
}

scope_status scope_spool_refresh(scope_spool *spool)
{
    struct stat state;
    scope_recording_header before = *(const scope_recording_header *)(const void *)spool->bytes;
    terminate_strings(&before);
    const int was_alive = is_alive(spool->fd, &before);
    if (fstat(spool->fd, &state) != 0)
        return SCOPE_ERR_IO;
    const size_t length_bytes = (size_t)state.st_size & ~(size_t)7;
    if (length_bytes > spool->length_bytes) {
        unsigned char *bytes = mmap(NULL, length_bytes, PROT_READ, MAP_SHARED, spool->fd, 0);
        if (bytes == MAP_FAILED)
            return SCOPE_ERR_IO;
        munmap(spool->bytes, spool->length_bytes);
        spool->bytes = bytes;
        spool->length_bytes = length_bytes;
    }
    memcpy(&spool->header, spool->bytes, sizeof spool->header);
    terminate_strings(&spool->header);
    spool->was_alive = was_alive;
    if (was_alive) {
        spool->header.end_kind = before.end_kind;
        spool->header.end_value = before.end_value;
    }
    return find_segments(spool);
}

void scope_spool_close(scope_spool *spool)
{
    if (!spool)
        return;
    if (spool->bytes)
        munmap(spool->bytes, spool->length_bytes);
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->segments);
    free(spool);
}

uint32_t scope_spool_owner(const scope_spool *spool)
{
    return spool->owner;
}

const scope_recording *scope_spool_recording(const scope_spool *spool)
{
    return &spool->recording;
}

int scope_spool_alive(const scope_spool *spool)
{
    return is_alive(spool->fd, &spool->header);
}

int scope_spool_was_alive(const scope_spool *spool)
{
    return spool->was_alive;
}
