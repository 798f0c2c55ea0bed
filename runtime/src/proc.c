/* proc.c - see proc.h: libscope's, and of libscope_analysis.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/proc.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARENT = 4, START = 22, LAST_CPU = 39 }; /* fields, from 1 */

static void read_text(const char *path, char *text, size_t size_bytes)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? -1 : read(fd, text, size_bytes - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
}

bool scope_proc_read(const char *path, scope_proc_stat *stat)
{
    char text[1024];
    *stat = (scope_proc_stat){.last_cpu = -1};
    read_text(path, text, sizeof text);
    const char *name = strchr(text, '('), *field = strrchr(text, ')');
    if (!name || !field || field < name || field[1] != ' ' || !field[2])
        return false;
    const size_t length = (size_t)(field - name - 1);
    memcpy(stat->name, name + 1, length < sizeof stat->name ? length : sizeof stat->name - 1);
    stat->state = field[2];
    bool has_start = false;
    field++; /* before field 3 */
    for (int number = PARENT; (field = strchr(field + 1, ' ')); number++) {
        const long long value = strtoll(field, NULL, 10);
        if (number == PARENT)
            stat->parent = value;
        if (number == START)
            stat->start_ticks = value;
        if (number == LAST_CPU)
            stat->last_cpu = (int32_t)value;
        has_start |= number == START;
    }
    return has_start;
}

void scope_proc_line(const char *path, char *text, size_t size_bytes)
{
    read_text(path, text, size_bytes);
    text[strcspn(text, "\n")] = '\0';
}

void scope_proc_boot_id(char *text, size_t size_bytes)
{
    scope_proc_line("/proc/sys/kernel/random/boot_id", text, size_bytes);
}

uint64_t scope_proc_pid_namespace(void)
{
    struct stat namespace;
    return stat("/proc/self/ns/pid", &namespace) ? 0 : namespace.st_ino;
}
