/* thread_proc.c - what the kernel says of a thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "thread_proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void scope_thread_read_name(scope_thread_entry *entry)
{
    char path[64];
    if (entry->self == &scope_this_thread) {
        prctl(PR_GET_NAME, entry->name);
        return;
    }
    snprintf(path, sizeof path, "/proc/self/task/%lld/comm", (long long)entry->tid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    char text[sizeof entry->name + 1];
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length > 0) {
        text[length] = 0;
        text[strcspn(text, "\n")] = 0;
        memcpy(entry->name, text, sizeof entry->name);
        entry->name[sizeof entry->name - 1] = 0;
    }
}

uint32_t scope_thread_binding(int64_t tid, char *text)
{
    unsigned long mask[1024 / (8 * sizeof(unsigned long))];
    const unsigned bits = 8 * sizeof mask[0];
    size_t length = 0;
    const long bytes = syscall(SYS_sched_getaffinity, (pid_t)tid, sizeof mask, mask);
    if (bytes <= 0)
        return 0;
    const unsigned count = (unsigned)bytes * 8;
    for (unsigned cpu = 0; cpu < count; cpu++) {
        if (!(mask[cpu / bits] >> cpu % bits & 1)) {
            if (!mask[cpu / bits])
                cpu |= bits - 1; /* none of this word */
            continue;
        }
        unsigned last = cpu;
        while (last + 1 < count && mask[(last + 1) / bits] >> (last + 1) % bits & 1)
            last++;
        if (length + 24 > SCOPE_THREAD_BINDING_BYTES)
            break;
        length += (size_t)sprintf(text + length, last > cpu ? "%s%u-%u" : "%s%u", length ? "," : "",
                                  cpu, last);
        cpu = last;
    }
    return (uint32_t)length;
}

int32_t scope_thread_last_cpu(int64_t tid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/self/task/%lld/stat", (long long)tid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length > 0 ? length : 0] = 0;
    const char *field = strrchr(text, ')');
    for (int i = 2; field && i < 39; i++)
        field = strchr(field + 1, ' ');
    return field ? (int32_t)strtol(field, NULL, 10) : -1;
}
