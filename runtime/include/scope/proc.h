/* proc.h - what the kernel says of processes.
 *
 * Threads    any, also in signal handlers' slow paths: allocates nothing.
 * Errors     false or "": the kernel does not say.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PROC_H
#define SCOPE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scope_proc_stat { /* of a process or thread: proc(5) */
    char name[32];               /* may hold anything */
    char state;                  /* Z, X: dead, and nobody has asked how */
    int64_t parent;
    int64_t start_ticks; /* field 22, since boot: a pid alone may be another's by now */
    int32_t last_cpu;    /* field 39; -1 unknown */
} scope_proc_stat;

/* Read /proc/PID/stat, or a thread's in /proc/PID/task. */
bool scope_proc_read(const char *path, scope_proc_stat *stat);

/* The first line of a small file, cut to fit. */
void scope_proc_line(const char *path, char *text, size_t size_bytes);

/* A number of this boot, as text of 36 bytes. */
void scope_proc_boot_id(char *text, size_t size_bytes);

/* Inode of /proc/self/ns/pid: pids mean something within one only. 0 unknown. */
uint64_t scope_proc_pid_namespace(void);

#endif
