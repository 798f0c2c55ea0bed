/* spool_chunk.c - segments of a recording, cut into chunks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool_chunk.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "pool.h"
#include "spool_file.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define LAST_SEGMENT_BYTES (UINT64_C(64) << 20)
#define BESIDE_SEGMENT_BYTES (UINT64_C(256) << 10)
#define RESERVE_UNITS 8
#define UNIT ((uint64_t)SCOPE_CHUNK_UNIT_BYTES)

static _Atomic(uint64_t) retry_ticks; /* of a store that is full: no try before; 0: no hope */

/* ---- segments ---- */

static void *map_segment(uint64_t length)
{
    void *bytes = MAP_FAILED;
    if (scope_store.fd >= 0 && !scope_store.in_memory) {
        if (scope_spool_file_allocate(scope_store.file_bytes, length))
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
    const uint64_t more = scope_store.max_bytes / 64 + SCOPE_FIRST_SEGMENT_BYTES;
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
        const uint64_t quarter = length / UNIT / 4;
        const uint64_t units = quarter < RESERVE_UNITS ? quarter : RESERVE_UNITS;
        scope_store.reserve_start = scope_store.free_start;
        scope_store.free_start += units * UNIT;
        scope_store.reserve_end = scope_store.free_start;
    }
    scope_store.free_end = (unsigned char *)bytes + length;
    return true;
}

/* ---- free chunks ---- */

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

void scope_spool_try_at_once(void)
{
    atomic_store(&retry_ticks, 0);
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

/* ---- for everybody ---- */

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
    const uint64_t other = scope_store.other_bytes;
    return scope_store.max_bytes - (other < half ? other : half);
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

scope_clock_point scope_spool_begin(scope_chunk_header *chunk, uint16_t session, uint32_t stream,
                                    uint32_t sequence, int64_t thread, int64_t task)
{
    const scope_clock_point now = scope_clock_now();
    chunk->session = session;
    chunk->stream = stream;
    chunk->sequence = sequence;
    chunk->further = 0;
    chunk->thread = thread;
    chunk->task = task;
    chunk->ticks = now.ticks;
    chunk->monotonic_ns = now.monotonic_ns;
    scope_spool_publish(chunk);
    return now;
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
