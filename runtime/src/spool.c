/* spool.c - where the recording of this process lies: a spool file, or memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <scope/proc.h>

#include "budget.h"
#include "file_limit.h"
#include "pool.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define FIRST_SEGMENT_BYTES (UINT64_C(1) << 20)
#define SMALL_SEGMENT_BYTES (UINT64_C(64) << 10)
#define LEAST_SEGMENT_BYTES (UINT64_C(128) << 10)
#define LAST_SEGMENT_BYTES (UINT64_C(64) << 20)
#define BESIDE_SEGMENT_BYTES (UINT64_C(256) << 10)
#define RESERVE_UNITS 8
#define UNIT ((uint64_t)SCOPE_CHUNK_UNIT_BYTES)

scope_store_state scope_store = {.fd = -1};
static _Atomic(uint64_t) retry_ticks; /* of a store that is full: no try before; 0: no hope */

static struct { /* what the header says about this process */
    char host[72], boot_id[40], program[256], directory[1024];
    uint64_t pid_namespace;
    int64_t start_ticks;
} process;

/* ---- about this process ---- */

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

/* ---- the file ---- */

/* A program that closes all descriptors may have got ours for a file of its own. */
bool scope_spool_has_descriptor(void)
{
    struct stat now;
    return scope_store.fd >= 0 && fstat(scope_store.fd, &now) == 0 &&
           now.st_dev == scope_store.device && now.st_ino == scope_store.inode;
}

/* Take the lock that says "alive" and a descriptor out of the program's way. */
static int move_and_lock(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 700);
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    fcntl(fd, F_SETLK, &lock);
    return fd;
}

/* The program closed it, and with it went the lock: open it again, if the name is still
 * the spool's. The old number is the program's now. */
static bool reopen(void)
{
    struct stat found;
    if (!scope_store.path[0] || getpid() != scope_store.pid)
        return false;
    const int fd = open(scope_store.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &found) || found.st_dev != scope_store.device ||
        found.st_ino != scope_store.inode) {
        close(fd);
        return false;
    }
    scope_store.fd = move_and_lock(fd);
    return true;
}

/* fallocate without the signal that a file size limit sends. 0 or an errno. */
static int allocate(uint64_t offset, uint64_t length)
{
    int error = 0;
    if (!scope_spool_has_descriptor() && !reopen())
        return EBADF;
    const scope_file_limit limit = scope_file_limit_enter();
    do
        error = fallocate(scope_store.fd, 0, (off_t)offset, (off_t)length) ? errno : 0;
    while (error == EINTR);
    scope_file_limit_leave(&limit, error != 0);
    return error;
}

int scope_spool_folder(const char *base, char *path, size_t size_bytes, char *why, size_t why_bytes)
{
    struct stat info;
    if (snprintf(path, size_bytes, "%s/scope-%u", base, (unsigned)geteuid()) >= (int)size_bytes) {
        snprintf(why, why_bytes, "the name of the spool folder is too long");
        return -1;
    }
    if (mkdir(path, 0700) && errno != EEXIST) {
        snprintf(why, why_bytes, "cannot make the folder %.80s (error %d)", path, errno);
        return -1;
    }
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno != ELOOP && errno != ENOTDIR) {
        snprintf(why, why_bytes, "cannot open the folder %.80s (error %d)", path, errno);
        return -1;
    }
    if (folder >= 0 && !fstat(folder, &info) && info.st_uid == geteuid() && !(info.st_mode & 077))
        return folder;
    if (folder >= 0)
        close(folder);
    snprintf(why, why_bytes, "%.80s is not a folder that only this user can enter", path);
    return -1;
}

/* Threads that count what they drop may do so at any time: the header's address stays. */
static _Atomic(scope_recording_header *) header_address;
static _Atomic(bool) hidden;
static _Atomic(uint64_t) hidden_events, hidden_handler_events; /* counted meanwhile */

static void *map_header(int flags, int fd)
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

static bool create_in(const char *base, bool by_user)
{
    char folder[1024];
    static atomic_uint counter;
    struct stat info;
    if (!by_user && !scope_budget_is_local(base)) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 "%.80s is on a network file system", base);
        return false;
    }
    const int at = scope_spool_folder(base, folder, sizeof folder, scope_store.problem,
                                      sizeof scope_store.problem);
    if (at < 0)
        return false;
    for (int attempt = 0; attempt < 100 && scope_store.fd < 0; attempt++) {
        snprintf(scope_store.path, sizeof scope_store.path, "%s/%s-%.8s-%llu-%lld-%lld-%u.spool",
                 folder, process.host, process.boot_id, (unsigned long long)process.pid_namespace,
                 (long long)scope_store.pid, (long long)process.start_ticks,
                 atomic_fetch_add(&counter, 1));
        /* in the folder that was looked at: its name may be another's by now */
        scope_store.fd = openat(at, scope_store.path + strlen(folder) + 1,
                                O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (scope_store.fd < 0 && errno != EEXIST)
            break;
    }
    const int reason = errno;
    close(at);
    if (scope_store.fd < 0) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 "cannot make a file in %.80s (error %d)", folder, reason);
        return false;
    }
    scope_store.fd = move_and_lock(scope_store.fd);
    if (fstat(scope_store.fd, &info) == 0) {
        scope_store.device = info.st_dev;
        scope_store.inode = info.st_ino;
    }
    /* A small spool that can be recovered is better than memory; what does not fit goes there. */
    uint64_t length = FIRST_SEGMENT_BYTES;
    int error = allocate(0, SCOPE_HEADER_BYTES + length);
    while ((error == EFBIG || error == ENOSPC || error == EDQUOT) && length > LEAST_SEGMENT_BYTES)
        error = allocate(0, SCOPE_HEADER_BYTES + (length /= 2));
    void *header = MAP_FAILED;
    if (!error)
        header = map_header(MAP_SHARED, scope_store.fd);
    if (header == MAP_FAILED) {
        snprintf(scope_store.problem, sizeof scope_store.problem,
                 error == EOPNOTSUPP ? "the file system of %.80s reserves no space (error %d)"
                                     : "no space in %.80s for a spool file (error %d)",
                 folder, error ? error : errno);
        unlink(scope_store.path);
        close(scope_store.fd);
        scope_store.fd = -1;
        scope_store.path[0] = 0;
        return false;
    }
    madvise(header, SCOPE_HEADER_BYTES, MADV_DONTFORK);
    scope_store.header = header;
    scope_store.file_bytes = SCOPE_HEADER_BYTES;
    return true;
}

static void fill_header(const scope_spool_options *options)
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

static bool create(const scope_spool_options *options)
{
    const char *temporary = getenv("TMPDIR");
    bool done;
    if (options->folder[0])
        done = create_in(options->folder, true);
    else
        done = (temporary && temporary[0] == '/' && create_in(temporary, false)) ||
               create_in("/tmp", false);
    if (done)
        scope_store.problem[0] = 0;
    else
        scope_store.path[0] = 0;
    return done;
}

bool scope_spool_file(const scope_spool_options *options)
{
    if (!scope_store.may_be_filed)
        return false;
    scope_store.may_be_filed = false;
    const uint64_t dropped = scope_store.header->dropped_events;
    const uint64_t in_handlers = scope_store.header->dropped_handler_events;
    if (!create(options))
        return false;
    scope_store.in_memory = scope_store.full = false;
    scope_store.segment_bytes = FIRST_SEGMENT_BYTES;
    scope_store.max_bytes = scope_budget_bytes(options->max_bytes, scope_store.fd);
    memset(scope_store.free_chunks, 0, sizeof scope_store.free_chunks);
    scope_store.reserve_start = scope_store.reserve_end = NULL; /* what is free in memory is */
    scope_store.free_start = scope_store.free_end = NULL;       /* left alone: a little */
    fill_header(options);
    scope_spool_count(dropped, in_handlers);
    return true;
}

scope_status scope_spool_open(const scope_spool_options *options)
{
    const uint32_t generation = scope_store.generation;
    memset(&scope_store, 0, sizeof scope_store);
    scope_store.generation = generation;
    scope_store.fd = -1;
    scope_store.pid = getpid();
    scope_store.segment_bytes = FIRST_SEGMENT_BYTES;
    atomic_store(&retry_ticks, 0);
    if (options->memory_only || !create(options)) {
        scope_store.path[0] = 0;
        scope_store.may_be_filed = options->memory_only;
        scope_store.segment_bytes = options->small ? SMALL_SEGMENT_BYTES : FIRST_SEGMENT_BYTES;
        scope_store.in_memory = true;
        void *header = map_header(MAP_PRIVATE | MAP_ANONYMOUS, -1);
        if (header == MAP_FAILED)
            return SCOPE_ERR_MEMORY;
        scope_store.header = header;
    }
    scope_store.max_bytes = scope_budget_bytes(options->max_bytes, scope_store.fd);
    fill_header(options);
    scope_store.is_open = true;
    return SCOPE_OK;
}

/* ---- segments and chunks ---- */

static void *map_segment(uint64_t length)
{
    void *bytes = MAP_FAILED;
    if (scope_store.fd >= 0 && !scope_store.in_memory) {
        if (allocate(scope_store.file_bytes, length))
            return NULL;
        bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, scope_store.fd,
                     (off_t)scope_store.file_bytes);
        if (bytes == MAP_FAILED)
            return NULL;
        madvise(bytes, length, MADV_DONTFORK);
        futimens(scope_store.fd, NULL); /* cleaners of /tmp do not see stores to a map */
        return bytes;
    }
    return scope_map_alloc(length);
}

/* What segments may take in all: the budget, the first one, and their own headers. */
static uint64_t mapped_max(void)
{
    const uint64_t more = scope_store.max_bytes / 64 + FIRST_SEGMENT_BYTES;
    return scope_store.max_bytes > UINT64_MAX - more ? UINT64_MAX : scope_store.max_bytes + more;
}

/* Another chunk of this size would fit. If not, smaller ones may lie in what is free. */
static bool may_grow(uint64_t want)
{
    return scope_store.mapped_bytes + want + UNIT <= mapped_max();
}

static void add_segment(void *bytes, uint64_t length, bool in_file)
{
    scope_segment_header *segment = bytes;
    segment->length_bytes = length;
    __atomic_store_n(&segment->magic, SCOPE_SEGMENT_MAGIC, __ATOMIC_RELEASE);
    scope_store.segments[scope_store.segment_count].bytes = bytes;
    scope_store.segments[scope_store.segment_count].length_bytes = length;
    scope_store.in_file[scope_store.segment_count] = in_file;
    scope_store.segment_count++;
}

/* Another segment with room for at least one chunk of this size. */
static bool grow(uint64_t want)
{
    if (scope_store.segment_count == SCOPE_SEGMENTS_MAX)
        return false;
    uint64_t length = scope_store.segment_bytes;
    const uint64_t max = mapped_max();
    if (scope_store.mapped_bytes < max && length > max - scope_store.mapped_bytes)
        length = (max - scope_store.mapped_bytes) / UNIT * UNIT; /* no more than the budget has */
    if (length < want + UNIT)
        length = want + UNIT;
    void *bytes = map_segment(length);
    while (!bytes && length > want + UNIT && length > 4 * UNIT) {
        length = length / 2 / UNIT * UNIT;
        if (length < want + UNIT)
            length = want + UNIT;
        bytes = map_segment(length);
    }
    if (!bytes)
        return false;
    const bool in_file = scope_store.fd >= 0 && !scope_store.in_memory;
    add_segment(bytes, length, in_file);
    if (in_file)
        scope_store.file_bytes += length;
    scope_store.mapped_bytes += length;
    if (scope_store.segment_bytes < LAST_SEGMENT_BYTES)
        scope_store.segment_bytes *= 2;
    scope_store.free_start = (unsigned char *)bytes + UNIT;
    if (!scope_store.reserve_start) {
        const uint64_t units = length / UNIT / 4 < RESERVE_UNITS ? length / UNIT / 4 : RESERVE_UNITS;
        scope_store.reserve_start = scope_store.free_start;
        scope_store.free_start += units * UNIT;
        scope_store.reserve_end = scope_store.free_start;
    }
    scope_store.free_end = (unsigned char *)bytes + length;
    return true;
}

static unsigned class_of(uint64_t size_bytes)
{
    const unsigned log2_units = 63u - (unsigned)__builtin_clzll(size_bytes / UNIT);
    return log2_units < SCOPE_CHUNK_CLASSES ? log2_units : SCOPE_CHUNK_CLASSES - 1;
}

static void add_free(struct scope_free_chunk **lists, void *bytes, uint64_t size_bytes)
{
    struct scope_free_chunk *chunk = bytes;
    const unsigned c = class_of(size_bytes);
    chunk->header.size_bytes = (uint32_t)size_bytes;
    chunk->next = lists[c];
    lists[c] = chunk;
}

static scope_chunk_header *take_free(struct scope_free_chunk **lists, uint64_t size_bytes)
{
    for (unsigned c = class_of(size_bytes); c < SCOPE_CHUNK_CLASSES; c++) {
        for (struct scope_free_chunk **link = &lists[c]; *link;
             link = &(*link)->next) {
            struct scope_free_chunk *chunk = *link;
            const uint64_t had = chunk->header.size_bytes;
            if (had < size_bytes)
                continue;
            *link = chunk->next;
            chunk->header.size_bytes = (uint32_t)size_bytes;
            scope_spool_clear(&chunk->header);
            if (had > size_bytes) {
                unsigned char *rest = (unsigned char *)chunk + size_bytes;
                memset(rest, 0, sizeof(scope_chunk_header)); /* whatever lay there is no header */
                add_free(lists, rest, had - size_bytes);
            }
            return &chunk->header;
        }
    }
    return NULL;
}

static scope_chunk_header *take_fresh(uint64_t size_bytes)
{
    if ((uint64_t)(scope_store.free_end - scope_store.free_start) < size_bytes)
        return NULL;
    scope_chunk_header *chunk = (scope_chunk_header *)scope_store.free_start;
    scope_store.free_start += size_bytes;
    madvise(chunk, size_bytes, MADV_POPULATE_WRITE); /* cheaper than its page faults one by one */
    chunk->size_bytes = (uint32_t)size_bytes;
    return chunk;
}

/* The rest of a segment that is too small for what is wanted is not lost. */
static void keep_rest(void)
{
    const uint64_t rest = (uint64_t)(scope_store.free_end - scope_store.free_start);
    if (rest >= UNIT)
        add_free(scope_store.free_chunks, scope_store.free_start, rest);
    scope_store.free_start = scope_store.free_end;
}

static scope_chunk_header *take_exactly(uint64_t size_bytes, bool must)
{
    scope_chunk_header *chunk = take_free(scope_store.free_chunks, size_bytes);
    if (!chunk)
        chunk = take_fresh(size_bytes);
    if (!chunk && (must || may_grow(size_bytes))) {
        const uint64_t now = scope_ticks();
        if (scope_store.full && now < atomic_load(&retry_ticks))
            return NULL;
        keep_rest();
        scope_store.full = !grow(size_bytes);
        atomic_store(&retry_ticks,
                     scope_store.full ? now + scope_clock_ticks_per_second() : 0);
        chunk = take_fresh(size_bytes);
    }
    return chunk;
}

bool scope_spool_may_retry(void)
{
    const uint64_t retry = atomic_load_explicit(&retry_ticks, memory_order_relaxed);
    return retry && scope_ticks() >= retry;
}

static scope_chunk_header *take_reserve(uint64_t size_bytes)
{
    if ((uint64_t)(scope_store.reserve_end - scope_store.reserve_start) < size_bytes)
        return NULL;
    scope_chunk_header *chunk = (scope_chunk_header *)scope_store.reserve_start;
    scope_store.reserve_start += size_bytes;
    chunk->size_bytes = (uint32_t)size_bytes;
    return chunk;
}

/* ---- beside a file that cannot grow ---- */

static bool grow_beside(uint64_t want)
{
    uint64_t length = BESIDE_SEGMENT_BYTES;
    if (scope_store.segment_count == SCOPE_SEGMENTS_MAX)
        return false;
    if (length < want + UNIT)
        length = want + UNIT;
    unsigned char *bytes = scope_map_alloc(length);
    if (!bytes)
        return false;
    const uint64_t rest = (uint64_t)(scope_store.beside_end - scope_store.beside_start);
    if (rest >= UNIT)
        add_free(scope_store.free_beside, scope_store.beside_start, rest);
    add_segment(bytes, length, false);
    scope_store.spilled = true;
    scope_store.beside_start = bytes + UNIT;
    scope_store.beside_end = bytes + length;
    return true;
}

static scope_chunk_header *take_beside(uint64_t size_bytes)
{
    if (scope_store.fd < 0 || scope_store.in_memory)
        return NULL; /* memory was asked for already */
    scope_chunk_header *chunk = take_free(scope_store.free_beside, size_bytes);
    if (chunk)
        return chunk;
    if ((uint64_t)(scope_store.beside_end - scope_store.beside_start) < size_bytes &&
        !grow_beside(size_bytes))
        return NULL;
    chunk = (scope_chunk_header *)scope_store.beside_start;
    scope_store.beside_start += size_bytes;
    chunk->size_bytes = (uint32_t)size_bytes;
    return chunk;
}

bool scope_spool_is_beside(const scope_chunk_header *chunk)
{
    const unsigned char *at = (const unsigned char *)chunk;
    for (size_t i = 0; scope_store.spilled && i < scope_store.segment_count; i++) {
        const scope_recording_segment *segment = &scope_store.segments[i];
        if (at >= segment->bytes && at < segment->bytes + segment->length_bytes)
            return !scope_store.in_file[i];
    }
    return false;
}

void scope_spool_count_beside(int64_t events)
{
    uint64_t *count = &scope_store.header->beside_events;
    __atomic_store_n(count, *count + (uint64_t)events, __ATOMIC_RELAXED);
}

/* How many events a chunk may hold. */
static int64_t capacity_of(const scope_chunk_header *chunk)
{
    return (int64_t)((chunk->size_bytes - sizeof *chunk) / sizeof(uint64_t));
}

static uint64_t *count_of(unsigned kind)
{
    return kind == SCOPE_CHUNK_EVENTS ? &scope_store.used_bytes : &scope_store.other_bytes;
}

/* What events may take: definitions and sums come first, but never get more than half. */
static uint64_t events_max(void)
{
    const uint64_t half = scope_store.max_bytes / 2;
    return scope_store.max_bytes - (scope_store.other_bytes < half ? scope_store.other_bytes : half);
}

static scope_chunk_header *hand_out(scope_chunk_header *chunk, scope_chunk_kind kind)
{
    if (chunk) {
        chunk->kind = (uint16_t)kind;
        *count_of(kind) += chunk->size_bytes;
    }
    return chunk;
}

scope_chunk_header *scope_spool_take(scope_chunk_kind kind, uint32_t wanted_bytes, bool must)
{
    uint64_t size_bytes = (wanted_bytes + UNIT - 1) / UNIT * UNIT;
    const uint64_t max = events_max();
    while (!must && size_bytes > UNIT && scope_store.used_bytes + size_bytes > max)
        size_bytes = size_bytes / 2 / UNIT * UNIT;
    if (!must && scope_store.used_bytes + size_bytes > max)
        return NULL;
    scope_chunk_header *chunk = take_exactly(size_bytes, must);
    while (!chunk && !must && size_bytes > UNIT) {
        size_bytes = size_bytes / 2 / UNIT * UNIT;
        chunk = take_exactly(size_bytes, must);
    }
    if (!chunk && must && kind != SCOPE_CHUNK_EVENTS)
        chunk = take_reserve(size_bytes);
    if (!chunk && must && kind != SCOPE_CHUNK_EVENTS)
        chunk = take_beside(size_bytes);
    return hand_out(chunk, kind);
}

scope_chunk_header *scope_spool_take_last(uint32_t wanted_bytes)
{
    const uint64_t size_bytes = (wanted_bytes + UNIT - 1) / UNIT * UNIT;
    scope_chunk_header *chunk = take_reserve(size_bytes);
    if (!chunk && (chunk = take_beside(size_bytes)))
        scope_spool_count_beside(capacity_of(chunk));
    return hand_out(chunk, SCOPE_CHUNK_EVENTS);
}

void scope_spool_publish(scope_chunk_header *chunk)
{
    if (++scope_store.generation == 0)
        scope_store.generation = 1;
    chunk->magic = SCOPE_CHUNK_MAGIC;
    __atomic_store_n(&chunk->generation, scope_store.generation, __ATOMIC_RELEASE);
}

void scope_spool_clear(scope_chunk_header *chunk)
{
    const uint32_t size_bytes = chunk->size_bytes;
    const uint16_t kind = chunk->kind;
    __atomic_store_n(&chunk->generation, 0, __ATOMIC_RELEASE);
    atomic_thread_fence(memory_order_seq_cst); /* invalid before anything in it changes */
    memset((char *)chunk + sizeof *chunk, 0, size_bytes - sizeof *chunk);
    memset(chunk, 0, sizeof *chunk);
    chunk->size_bytes = size_bytes;
    chunk->kind = kind;
}

void scope_spool_give(scope_chunk_header *chunk)
{
    __atomic_store_n(&chunk->generation, 0, __ATOMIC_RELEASE);
    atomic_thread_fence(memory_order_seq_cst);
    *count_of(chunk->kind) -= chunk->size_bytes;
    const bool beside = scope_spool_is_beside(chunk);
    if (beside && chunk->kind == SCOPE_CHUNK_EVENTS)
        scope_spool_count_beside(-capacity_of(chunk));
    add_free(beside ? scope_store.free_beside : scope_store.free_chunks, chunk, chunk->size_bytes);
}

/* ---- the end ---- */

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

void scope_spool_view(scope_recording *view)
{
    view->header = scope_store.header;
    view->segments = scope_store.segments;
    view->segment_count = scope_store.segment_count;
    view->in_process = 1;
}

static bool write_at(const unsigned char *bytes, uint64_t length, off_t offset)
{
    for (uint64_t at = 0; at < length;) {
        const ssize_t written = pwrite(scope_store.fd, bytes + at, length - at, offset + (off_t)at);
        if (written <= 0 && !(written < 0 && errno == EINTR))
            return false;
        at += written > 0 ? (uint64_t)written : 0;
    }
    return true;
}

/* Memory in the place of segments of closed recordings: a thread that recorded there may
 * be between its claim and its store. Under the engine lock. */
static struct husk {
    void *bytes;
    uint64_t length_bytes;
    struct husk *next;
} *husks, *spare_husks;

static void free_husks(bool (*inside)(const void *start, const void *end))
{
    for (struct husk **at = &husks; *at;) {
        struct husk *one = *at;
        if (inside(one->bytes, (char *)one->bytes + one->length_bytes)) {
            at = &one->next;
            continue;
        }
        munmap(one->bytes, one->length_bytes);
        *at = one->next;
        one->next = spare_husks;
        spare_husks = one;
    }
}

static void keep_husk(void *bytes, uint64_t length_bytes)
{
    struct husk *one = spare_husks;
    mmap(bytes, length_bytes, PROT_READ | PROT_WRITE,
         MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (one)
        spare_husks = one->next;
    else if (!(one = scope_pool_alloc(sizeof *one)))
        return;
    *one = (struct husk){bytes, length_bytes, husks};
    husks = one;
}

/* The file is kept: what lies beside it joins it, if there is room by now. */
static void append_beside(void)
{
    const size_t head = sizeof(scope_segment_header);
    bool good = true;
    for (size_t i = 0; good && i < scope_store.segment_count; i++) {
        const scope_recording_segment *segment = &scope_store.segments[i];
        const off_t offset = (off_t)scope_store.file_bytes;
        if (scope_store.in_file[i])
            continue;
        good = allocate(scope_store.file_bytes, segment->length_bytes) == 0 &&
               write_at(segment->bytes + head, segment->length_bytes - head, offset + (off_t)head) &&
               write_at(segment->bytes, head, offset); /* last: it makes the segment valid */
        scope_store.file_bytes += segment->length_bytes;
    }
    if (!good)
        scope_spool_count(scope_store.header->beside_events, 0);
    scope_store.header->beside_events = 0;
}

void scope_spool_close(bool keep, bool (*inside)(const void *start, const void *end))
{
    if (!scope_store.is_open)
        return;
    scope_store.is_open = false;
    free_husks(inside);
    if (keep && scope_store.spilled)
        append_beside();
    for (size_t i = 0; i < scope_store.segment_count; i++) {
        void *bytes = (void *)(uintptr_t)scope_store.segments[i].bytes;
        const uint64_t length = scope_store.segments[i].length_bytes;
        if (inside(bytes, (char *)bytes + length))
            keep_husk(bytes, length);
        else
            munmap(bytes, length);
    }
    map_header(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    scope_store.header = NULL;
    scope_store.segment_count = 0;
    if (scope_store.fd >= 0) {
        if (!keep)
            unlink(scope_store.path);
        if (scope_spool_has_descriptor())
            close(scope_store.fd);
        scope_store.fd = -1;
    }
}

void scope_spool_forget(void)
{
    if (scope_spool_has_descriptor())
        close(scope_store.fd);
    const uint32_t generation = scope_store.generation;
    memset(&scope_store, 0, sizeof scope_store);
    scope_store.generation = generation;
    scope_store.fd = -1;
    scope_spool_forget_hidden();
    atomic_store(&header_address, NULL); /* the child has no such map */
    atomic_store(&hidden, false);
}
