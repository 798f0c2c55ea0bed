/* budget.c - how much a recording may take, and which places suit a spool.
 *
 * SPDX-License-Identifier: MIT
 */
#include "budget.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#define DEFAULT_BYTES (UINT64_C(1) << 30)
#define LEAST_BYTES (UINT64_C(1) << 20)

enum { /* statfs(2), f_type */
    TYPE_TMPFS = 0x01021994,
    TYPE_RAMFS = 0x858458f6,
    TYPE_NFS = 0x6969,
    TYPE_LUSTRE = 0x0bd00bd0,
    TYPE_GPFS = 0x47504653,
    TYPE_ZFS = 0x2fc12fc1,
    TYPE_FUSE = 0x65735546,
    TYPE_9P = 0x01021997,
    TYPE_CIFS = 0xff534d42,
    TYPE_SMB2 = 0xfe534d42,
    TYPE_CEPH = 0x00c36400,
    TYPE_AFS = 0x5346414f,
};

static uint32_t type_of(const struct statfs *info)
{
    return (uint32_t)info->f_type;
}

bool scope_budget_is_local(const char *folder)
{
    struct statfs info;
    if (statfs(folder, &info))
        return true; /* making the file will say what is wrong */
    switch (type_of(&info)) {
    case TYPE_NFS:
    case TYPE_LUSTRE:
    case TYPE_GPFS:
    case TYPE_ZFS:
    case TYPE_FUSE:
    case TYPE_9P:
    case (uint32_t)TYPE_CIFS:
    case (uint32_t)TYPE_SMB2:
    case TYPE_CEPH:
    case TYPE_AFS:
        return false;
    default:
        return true;
    }
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- control groups ---- */

#define GROUPS_BYTES 16384 /* of /proc/self/cgroup: a dozen lines with long names */

/* UINT64_MAX: no such file, or "max". */
static uint64_t read_number(const char *path)
{
    char text[32];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return UINT64_MAX;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length > 0 ? length : 0] = 0;
    return text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* The least limit of a group and of those above it. Where the mount shows a container's own
 * group as its root, the longer paths lead nowhere. Uses up `group`. */
static uint64_t least_limit(const char *root, const char *mount, char *group, const char *file)
{
    char path[1024];
    uint64_t limit = UINT64_MAX;
    for (size_t length = strlen(group);;) {
        if (snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group, file) < (int)sizeof path)
            limit = smaller(limit, read_number(path));
        if (!length)
            return limit;
        while (length && group[--length] != '/')
            ;
        group[length] = 0;
    }
}

/* "memory" is among the controllers of a line of version 1, as in "4:cpu,memory:/job". */
static bool has_memory(const char *controllers)
{
    for (const char *at = controllers; *at && *at != ':';) {
        const size_t length = strcspn(at, ",:");
        if (length == 6 && strncmp(at, "memory", 6) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

/* A line of /proc/self/cgroup, "hierarchy:controllers:path"; version 2 is "0::path". */
static uint64_t limit_of_line(const char *root, char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group || group[1] != '/')
        return UINT64_MAX;
    if (has_memory(controllers + 1))
        return least_limit(root, "/sys/fs/cgroup/memory", group + 1, "memory.limit_in_bytes");
    return group == controllers + 1
               ? least_limit(root, "/sys/fs/cgroup", group + 1, "memory.max")
               : UINT64_MAX;
}

uint64_t scope_budget_group_limit(const char *root)
{
    char path[512];
    uint64_t limit = UINT64_MAX;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = mmap(NULL, GROUPS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        text = NULL; /* memory of our own: this may be a tiny stack */
    for (ssize_t got = 1; fd >= 0 && text && got > 0 && length < GROUPS_BYTES - 1; length += (size_t)got) {
        got = read(fd, text + length, GROUPS_BYTES - 1 - length);
        got = got > 0 ? got : 0;
    }
    for (char *line = text, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next && !(*next = 0);
        limit = smaller(limit, limit_of_line(root, line));
    }
    if (text)
        munmap(text, GROUPS_BYTES);
    if (fd >= 0)
        close(fd);
    return limit;
}

/* Asked once: short recordings come by the thousand. */
static uint64_t memory_bytes(void)
{
    static _Atomic(uint64_t) known;
    uint64_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (!bytes) {
        const uint64_t physical =
            (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
        const uint64_t limit = scope_budget_group_limit("");
        bytes = limit < physical ? limit : physical;
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
}

static uint64_t ranks_on_node(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "PMIX_LOCAL_SIZE", "SLURM_TASKS_PER_NODE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        const long count = text ? strtol(text, NULL, 10) : 0;
        if (count > 0)
            return (uint64_t)count;
    }
    return 1;
}

uint64_t scope_budget_bytes(int64_t wanted, int spool_fd)
{
    if (wanted < 0)
        return UINT64_MAX;
    if (wanted > 0)
        return (uint64_t)wanted;
    struct statfs info;
    uint64_t bytes = DEFAULT_BYTES;
    bool in_memory = spool_fd < 0;
    if (spool_fd >= 0 && fstatfs(spool_fd, &info) == 0) {
        const uint64_t block_bytes = (uint64_t)(info.f_frsize ? info.f_frsize : info.f_bsize);
        bytes = smaller(bytes, (uint64_t)info.f_bavail * block_bytes / 4 / ranks_on_node());
        in_memory = type_of(&info) == TYPE_TMPFS || type_of(&info) == (uint32_t)TYPE_RAMFS;
    }
    if (in_memory)
        bytes = smaller(bytes, memory_bytes() / 16 / ranks_on_node());
    return bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
}
