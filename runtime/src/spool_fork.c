/* spool_fork.c - a forked child goes on in its own copy of the recording.
 *
 * A recording in memory is the child's already. The maps of a file were not inherited:
 * they are made again, privately, at their old addresses, and whatever the parent may
 * hand out from now on is hidden. Chunks that the parent uses again later may change
 * under the child as long as it has not touched them; scope_spool_disown() takes them
 * out of its view.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool.h"
#include "spool_file.h"
#include "spool_header.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNIT ((uint64_t)SCOPE_CHUNK_UNIT_BYTES)

/* Not over anything that was mapped there since. */
static bool map_again(void *address, uint64_t length, uint64_t offset)
{
    void *bytes = mmap(address, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED_NOREPLACE,
                       scope_store.fd, (off_t)offset);
    if (bytes != MAP_FAILED && bytes != address)
        munmap(bytes, length);
    return bytes == address;
}

static bool map_file(void)
{
    uint64_t offset = SCOPE_HEADER_BYTES;
    if (!map_again(scope_store.header, SCOPE_HEADER_BYTES, 0))
        return false;
    for (size_t i = 0; i < scope_store.segment_count; i++) {
        const scope_recording_segment *segment = &scope_store.segments[i];
        if (!scope_store.in_file[i])
            continue;
        if (!map_again((void *)(uintptr_t)segment->bytes, segment->length_bytes, offset))
            return false;
        offset += segment->length_bytes;
    }
    scope_store.shared_end = scope_store.segment_count;
    return true;
}

/* No chunk that the parent takes into use from now on will be seen: what was free at the
 * fork, and what it took since. The lists of free chunks lie in these chunks, and the parent
 * may have written over them: only headers tell. Page by page this is the child's then. */
static void hide_free(void)
{
    for (size_t i = 0; i < scope_store.shared_end; i++) {
        if (!scope_store.in_file[i])
            continue;
        unsigned char *bytes = (unsigned char *)(uintptr_t)scope_store.segments[i].bytes;
        const uint64_t length = scope_store.segments[i].length_bytes;
        for (uint64_t at = UNIT; at < length;) {
            scope_chunk_header *chunk = (scope_chunk_header *)(bytes + at);
            const uint32_t generation = __atomic_load_n(&chunk->generation, __ATOMIC_ACQUIRE);
            const uint64_t size = chunk->size_bytes;
            const bool used = generation && generation <= scope_store.shared_generation &&
                              chunk->magic == SCOPE_CHUNK_MAGIC && size && size % UNIT == 0;
            if (!used)
                memset(chunk, 0, sizeof *chunk);
            at += used ? size : UNIT;
        }
    }
    memset(scope_store.free_chunks, 0, sizeof scope_store.free_chunks);
    memset(scope_store.free_beside, 0, sizeof scope_store.free_beside);
    scope_store.beside_start = scope_store.beside_end = NULL;
    scope_store.spilled = false;
    scope_store.reserve_start = scope_store.reserve_end = NULL;
    scope_store.free_start = scope_store.free_end = NULL;
}

bool scope_spool_inherit(void)
{
    const bool filed = scope_store.fd >= 0;
    if (!scope_store.is_open || (filed && (!scope_spool_has_descriptor() || !map_file())))
        return false;
    if (filed) {
        scope_store.shared_generation = scope_store.generation;
        hide_free();
        close(scope_store.fd);
        scope_store.fd = -1;
        scope_store.path[0] = 0;
        scope_store.in_memory = true;
        scope_store.full = false;
        scope_store.segment_bytes = SCOPE_FIRST_SEGMENT_BYTES;
        scope_store.mapped_bytes = scope_store.used_bytes + scope_store.other_bytes;
    }
    scope_store.pid = getpid();
    scope_store.header->pid = (uint64_t)scope_store.pid;
    scope_store.header->end_kind = SCOPE_END_OPEN;
    scope_store.header->beside_events = 0;
    scope_spool_forget_hidden();
    return true;
}

void scope_spool_own(void *start, size_t size_bytes)
{
    volatile unsigned char *bytes = start;
    for (size_t at = 0; at < size_bytes; at += 4096)
        bytes[at] = bytes[at];
    if (size_bytes)
        bytes[size_bytes - 1] = bytes[size_bytes - 1];
}

void scope_spool_disown(void)
{
    for (size_t i = 0; i < scope_store.shared_end; i++) {
        if (!scope_store.in_file[i])
            continue;
        unsigned char *bytes = (unsigned char *)(uintptr_t)scope_store.segments[i].bytes;
        const uint64_t length = scope_store.segments[i].length_bytes;
        for (uint64_t at = UNIT; at < length; at += UNIT) {
            scope_chunk_header *chunk = (scope_chunk_header *)(bytes + at);
            if (chunk->magic == SCOPE_CHUNK_MAGIC &&
                chunk->generation > scope_store.shared_generation)
                memset(chunk, 0, sizeof *chunk);
        }
    }
}
