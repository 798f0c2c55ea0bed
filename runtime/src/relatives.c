/* relatives.c - recordings of the processes that this one came from.
 *
 * SPDX-License-Identifier: MIT
 */
#include "relatives.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <scope/proc.h>

#include "config.h"
#include "spool.h"

enum { ANCESTORS_MAX = 32 };

typedef struct process_id {
    long long pid, start; /* a pid alone may be another's by now */
} process_id;

static process_id ancestors[ANCESTORS_MAX];
static int ancestor_count;
static pid_t found_by;
static bool have_output;
static char left[sizeof scope_store.path];
static unsigned left_number; /* of several images' spools the last one's */

static void find_ancestors(void)
{
    char path[64];
    scope_proc_stat stat;
    process_id *next = ancestors;
    for (long long pid = getppid(); pid > 0 && next < ancestors + ANCESTORS_MAX;
         pid = stat.parent) {
        snprintf(path, sizeof path, "/proc/%lld/stat", pid);
        if (!scope_proc_read(path, &stat))
            break;
        *next++ = (process_id){pid, stat.start_ticks};
    }
    ancestor_count = (int)(next - ancestors);
}

static bool is_ancestor(const process_id *process)
{
    for (int i = 0; i < ancestor_count; i++)
        if (ancestors[i].pid == process->pid && ancestors[i].start == process->start)
            return true;
    return false;
}

/* Its process lives, and it is to become the file that ours is to become. */
static bool is_rival(int folder, const char *name)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    uint64_t magic = 0;
    char output[sizeof scope_store.header->output] = "";
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool alive = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    const bool same =
        alive && pread(fd, &magic, sizeof magic, offsetof(scope_recording_header, magic)) > 0 &&
        magic == SCOPE_RECORDING_MAGIC &&
        pread(fd, output, sizeof output - 1, offsetof(scope_recording_header, output)) > 0 &&
        *output && strcmp(output, scope_store.header->output) == 0 &&
        !scope_config_is_per_process(output);
    close(fd);
    return same;
}

static void look_at(int folder, const char *name, size_t prefix_length, const char *own)
{
    const char *slash = strrchr(scope_store.path, '/');
    process_id process;
    unsigned number;
    int end = 0;
    if (strncmp(name, own, prefix_length) != 0 || strcmp(name, own) == 0 ||
        sscanf(name + prefix_length, "%lld-%lld-%u.spool%n", &process.pid, &process.start, &number,
               &end) != 3 ||
        !end)
        return;
    if (process.pid == (long long)scope_store.pid &&
        process.start == (long long)scope_store.header->process_start_ticks) {
        if (left[0] && number < left_number)
            return;
        left_number = number;
        snprintf(left, sizeof left, "%.*s%s", (int)(slash - scope_store.path + 1), scope_store.path,
                 name);
    } else if (!have_output && is_ancestor(&process)) {
        have_output = is_rival(folder, name);
    }
}

void scope_relatives_find(void)
{
    char folder_path[sizeof scope_store.path];
    _Alignas(struct dirent64) char entries[4096];
    if (found_by == getpid() || !scope_store.path[0])
        return;
    found_by = getpid();
    left[0] = 0;
    const char *own = strrchr(scope_store.path, '/') + 1;
    size_t prefix_length =
        strlen(own); /* host, boot and pid namespace: up to the third '-' from the end */
    for (int dashes = 0; prefix_length && dashes < 3; dashes += own[prefix_length] == '-')
        prefix_length--;
    prefix_length++;
    snprintf(folder_path, sizeof folder_path, "%.*s", (int)(own - 1 - scope_store.path),
             scope_store.path);
    const int folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    find_ancestors();
    /* opendir would allocate, and this may be the first event of an allocator */
    for (long length; (length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
        for (long at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(entries + at);
            look_at(folder, entry->d_name, prefix_length, own);
            at += entry->d_reclen;
        }
    close(folder);
}

bool scope_relatives_have_output(void)
{
    return have_output;
}

const char *scope_relatives_left(void)
{
    return left[0] ? left : NULL;
}
