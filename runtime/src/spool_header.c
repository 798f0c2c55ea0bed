/* spool_header.c - the first page of a recording: whose it is, what was lost, how it ended.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool_header.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <scope/proc.h>

static struct { /* what the header says about this process */
    char host[72], boot_id[40], program[256], directory[1024];
    uint64_t pid_namespace;
    int64_t start_ticks;
} process;

/* Threads that count what they drop may do so at any time: the header's address stays. */
static _Atomic(scope_recording_header *) header_address;
static _Atomic(bool) hidden;
static _Atomic(uint64_t) hidden_events, hidden_handler_events; /* counted meanwhile */

void scope_spool_describe(void)
{
    scope_proc_stat stat;
    if (gethostname(process.host, sizeof process.host - 1))
        strcpy(process.host, "localhost");
    scope_proc_boot_id(process.boot_id, sizeof process.boot_id);
    const ssize_t length = readlink("/proc/self/exe", process.program, sizeof process.program - 1);
    process.program[length > 0 ? length : 0] = 0;
    const char *slash = strrchr(process.program, '/');
    if (slash)
        memmove(process.program, slash + 1, strlen(slash));
    if (!getcwd(process.directory, sizeof process.directory))
        process.directory[0] = 0;
    process.pid_namespace = scope_proc_pid_namespace();
    process.start_ticks = scope_proc_read("/proc/self/stat", &stat) ? stat.start_ticks : 0;
}

void scope_spool_own_name(unsigned number, char *name, size_t size_bytes)
{
    snprintf(name, size_bytes, "%s-%.8s-%llu-%lld-%lld-%u.spool", process.host, process.boot_id,
             (unsigned long long)process.pid_namespace, (long long)scope_store.pid,
             (long long)process.start_ticks, number);
}

void *scope_spool_header_map(int flags, int fd)
{
    void *before = atomic_load_explicit(&header_address, memory_order_relaxed);
    void *header = mmap(before, SCOPE_HEADER_BYTES, PROT_READ | PROT_WRITE,
                        flags | (before ? MAP_FIXED : 0), fd, 0);
    if (header != MAP_FAILED && header != before)
        atomic_store_explicit(&header_address, header, memory_order_release);
    return header;
}

/* ThreadSanitizer takes a map that replaces another one for a store. */
__attribute__((no_sanitize("thread")))
void scope_spool_count(uint64_t dropped_events, uint64_t dropped_handler_events)
{
    scope_recording_header *header =
        atomic_load_explicit(&header_address, memory_order_acquire);
    if (!header)
        return;
    if (atomic_load(&hidden)) {
        atomic_fetch_add(&hidden_events, dropped_events);
        atomic_fetch_add(&hidden_handler_events, dropped_handler_events);
        return;
    }
    if (atomic_load_explicit(&hidden_events, memory_order_relaxed))
        dropped_events += atomic_exchange(&hidden_events, 0);
    if (atomic_load_explicit(&hidden_handler_events, memory_order_relaxed))
        dropped_handler_events += atomic_exchange(&hidden_handler_events, 0);
    __atomic_fetch_add(&header->dropped_events, dropped_events, __ATOMIC_RELAXED);
    __atomic_fetch_add(&header->dropped_handler_events, dropped_handler_events, __ATOMIC_RELAXED);
}

void scope_spool_hide(bool hide)
{
    atomic_store(&hidden, hide);
    if (!hide)
        scope_spool_count(0, 0); /* a kill must not lose what was counted meanwhile */
}

void scope_spool_forget_hidden(void)
{
    atomic_store(&hidden_events, 0);
    atomic_store(&hidden_handler_events, 0);
}

void scope_spool_header_forget(void)
{
    scope_spool_forget_hidden();
    atomic_store(&header_address, NULL); /* the child has no such map */
    atomic_store(&hidden, false);
}

void scope_spool_header_fill(const scope_spool_options *options)
{
    scope_recording_header *header = scope_store.header;
    header->version = SCOPE_RECORDING_VERSION;
    header->header_bytes = SCOPE_HEADER_BYTES;
    memcpy(header->run_id, options->run_id, sizeof header->run_id);
    header->pid = (uint64_t)scope_store.pid;
    header->pid_namespace = process.pid_namespace;
    header->process_start_ticks = process.start_ticks;
    header->clock_kind = scope_clock_chosen();
    header->ticks_per_second = scope_clock_ticks_per_second();
    header->start_ticks = (int64_t)options->start.ticks;
    header->start_monotonic_ns = options->start.monotonic_ns;
    header->start_realtime_ns = options->start.realtime_ns;
    header->rank = options->rank;
    header->size = options->size;
    memcpy(header->boot_id, process.boot_id, sizeof header->boot_id);
    memcpy(header->host, process.host, sizeof header->host);
    memcpy(header->program, process.program, sizeof header->program);
    snprintf(header->output, sizeof header->output, "%s", options->output);
    memcpy(header->directory, process.directory, sizeof header->directory);
    snprintf(header->version_text, sizeof header->version_text, "%s", SCOPE_VERSION);
    __atomic_store_n(&header->magic, SCOPE_RECORDING_MAGIC, __ATOMIC_RELEASE);
}

void scope_spool_mark_end(scope_end_kind kind, int32_t value)
{
    scope_recording_header *header = scope_store.header;
    if (!scope_store.is_open || !header || getpid() != scope_store.pid)
        return;
    if (kind == SCOPE_END_EXIT_FAST && header->end_kind == SCOPE_END_MPI_ABORT)
        return; /* that is how MPI_Abort ends */
    header->end_value = value;
    header->end_ticks = (int64_t)scope_ticks();
    __atomic_store_n(&header->end_kind, (uint32_t)kind, __ATOMIC_RELEASE);
}
