/* thread_proc.c - what the kernel says of a thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "thread_proc.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <scope/proc.h>

void scope_thread_read_name(scope_thread_entry *entry)
{
    char path[64];
    if (entry->self == &scope_this_thread) {
        prctl(PR_GET_NAME, entry->name);
        return;
    }
    snprintf(path, sizeof path, "/proc/self/task/%lld/comm", (long long)entry->tid);
    char text[sizeof entry->name];
    scope_proc_line(path, text, sizeof text);
    if (*text)
        memcpy(entry->name, text, sizeof text);
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
    char path[64];
    scope_proc_stat stat;
    snprintf(path, sizeof path, "/proc/self/task/%lld/stat", (long long)tid);
    return scope_proc_read(path, &stat) ? stat.last_cpu : -1;
}
