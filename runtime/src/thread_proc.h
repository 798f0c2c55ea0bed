/* thread_proc.h - what the kernel says of a thread: its name, CPUs, last CPU.
 *
 * Threads    any thread, of any thread of the process.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_THREAD_PROC_H
#define SCOPE_THREAD_PROC_H

#include "thread.h"

#define SCOPE_THREAD_BINDING_BYTES 512

/* entry->name; what was there stays if the kernel does not say. */
void scope_thread_read_name(scope_thread_entry *entry);

/* The CPUs that a thread may use, as in /proc: "0-3,8". Returns the length. */
uint32_t scope_thread_binding(int64_t tid, char *text);

/* Field 39 of /proc/self/task/TID/stat; -1 unknown. */
int32_t scope_thread_last_cpu(int64_t tid);

#endif
