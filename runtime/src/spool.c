/* spool.c - where the recording of this process lies: a spool file, or memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "budget.h"
#include "pool.h"
#include "spool_chunk.h"
#include "spool_file.h"
#include "spool_header.h"

#define SMALL_SEGMENT_BYTES (UINT64_C(64) << 10)

scope_store_state scope_store = {.fd = -1};

scope_status scope_spool_open(const scope_spool_options *options)
{
    const uint32_t generation = scope_store.generation;
    memset(&scope_store, 0, sizeof scope_store);
    scope_store.generation = generation;
    scope_store.fd = -1;
    scope_store.pid = getpid();
    scope_store.segment_bytes = SCOPE_FIRST_SEGMENT_BYTES;
    scope_spool_try_at_once();
    if (options->memory_only || !scope_spool_file_create(options)) {
        scope_store.path[0] = 0;
        scope_store.may_be_filed = options->memory_only;
        scope_store.segment_bytes =
            options->small ? SMALL_SEGMENT_BYTES : SCOPE_FIRST_SEGMENT_BYTES;
        scope_store.in_memory = true;
        void *header = scope_spool_header_map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
        if (header == MAP_FAILED)
            return SCOPE_ERR_MEMORY;
        scope_store.header = header;
    }
    scope_store.max_bytes = scope_budget_bytes(options->max_bytes, scope_store.fd);
    scope_spool_header_fill(options);
    scope_store.is_open = true;
    return SCOPE_OK;
}

bool scope_spool_add_file(const scope_spool_options *options)
{
    if (!scope_store.may_be_filed)
        return false;
    scope_store.may_be_filed = false;
    const uint64_t dropped = scope_store.header->dropped_events;
    const uint64_t in_handlers = scope_store.header->dropped_handler_events;
    if (!scope_spool_file_create(options))
        return false;
    scope_store.in_memory = scope_store.full = false;
    scope_store.segment_bytes = SCOPE_FIRST_SEGMENT_BYTES;
    scope_store.max_bytes = scope_budget_bytes(options->max_bytes, scope_store.fd);
    memset(scope_store.free_chunks, 0, sizeof scope_store.free_chunks);
    scope_store.reserve_start = scope_store.reserve_end = NULL; /* what is free in memory is */
    scope_store.free_start = scope_store.free_end = NULL;       /* left alone: a little */
    scope_spool_header_fill(options);
    scope_spool_count(dropped, in_handlers);
    return true;
}

void scope_spool_view(scope_recording *view)
{
    view->header = scope_store.header;
    view->segments = scope_store.segments;
    view->segment_count = scope_store.segment_count;
    view->in_process = 1;
}

/* ---- the end ---- */

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
        good = scope_spool_file_allocate(scope_store.file_bytes, segment->length_bytes) == 0 &&
               scope_spool_file_write(segment->bytes + head, segment->length_bytes - head,
                                      offset + (off_t)head) &&
               scope_spool_file_write(segment->bytes, head, offset); /* last: makes it valid */
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
    scope_spool_header_map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    scope_store.header = NULL;
    scope_store.segment_count = 0;
    scope_spool_file_close(keep);
}

void scope_spool_forget(void)
{
    if (scope_spool_has_descriptor())
        close(scope_store.fd);
    const uint32_t generation = scope_store.generation;
    memset(&scope_store, 0, sizeof scope_store);
    scope_store.generation = generation;
    scope_store.fd = -1;
    scope_spool_header_forget();
}
