/* definitions_reader.c - the definitions log of a recording, for one session.
 *
 * SPDX-License-Identifier: MIT
 */
#include "definitions_reader.h"

#include <stdlib.h>

#include "definitions_entry.h"
#include "array.h"

/* ---- slots ---- */

uint32_t definitions_region(definitions *defs, uint64_t id)
{
    const uint32_t known = id_map_find(&defs->region_map, id);
    if (known != ID_MAP_NONE)
        return known;
    region_slot *slots =
        array_grown(defs->regions, defs->region_count, &defs->region_capacity, sizeof *slots);
    if (!slots)
        return ID_MAP_NONE;
    defs->regions = slots;
    const uint32_t place = (uint32_t)defs->region_count;
    if (!id_map_add(&defs->region_map, id, place))
        return ID_MAP_NONE;
    slots[defs->region_count++] =
        (region_slot){.id = id, .source_file = {"", 0}, .source_line = -1};
    return place;
}

uint32_t definitions_thread(definitions *defs, int64_t id)
{
    const uint32_t known = id_map_find(&defs->thread_map, (uint64_t)id);
    if (known != ID_MAP_NONE)
        return known;
    thread_slot *slots =
        array_grown(defs->threads, defs->thread_count, &defs->thread_capacity, sizeof *slots);
    if (!slots)
        return ID_MAP_NONE;
    defs->threads = slots;
    const uint32_t place = (uint32_t)defs->thread_count;
    if (!id_map_add(&defs->thread_map, (uint64_t)id, place))
        return ID_MAP_NONE;
    slots[defs->thread_count++] = (thread_slot){.id = id,
                                                .name = {"", 0},
                                                .binding = {"", 0},
                                                .native_id = -1,
                                                .ident = -1,
                                                .cpu_ns = -1,
                                                .last_cpu = -1,
                                                .alive = -1};
    return place;
}

/* ---- the log ---- */

scope_status definitions_start(definitions *defs, uint16_t session)
{
    *defs = (definitions){.session = session,
                          .label = {"", 0},
                          .topology = {"", 0},
                          .filtered_count = -1};
    return scope_calls_new(&defs->memory);
}

void definitions_free(definitions *defs)
{
    id_map_free(&defs->region_map);
    id_map_free(&defs->thread_map);
    id_map_free(&defs->point_map);
    id_map_free(&defs->task_name_map);
    id_map_free(&defs->communicator_map);
    free(defs->regions);
    free(defs->threads);
    free(defs->live);
    free(defs->points);
    free(defs->task_names);
    free(defs->communicators);
    scope_calls_free(defs->memory);
    *defs = (definitions){0};
}

uint64_t definitions_walk(const chunk_entry *chunk, uint64_t offset,
                          scope_status (*take)(void *context, const entry_view *view),
                          void *context, scope_status *status)
{
    const unsigned char *bytes = chunk->bytes + sizeof(scope_chunk_header);
    const uint64_t length = chunk->length_bytes - sizeof(scope_chunk_header);
    *status = SCOPE_OK;
    while (offset < length && length - offset >= sizeof(scope_definition)) {
        const scope_definition *head = (const scope_definition *)(const void *)(bytes + offset);
        const uint32_t size = __atomic_load_n(&head->size_bytes, __ATOMIC_ACQUIRE);
        if (size == 0)
            break;
        if (size < sizeof *head || size % 8 != 0 || size > length - offset) {
            *status = SCOPE_ERR_CORRUPT;
            break;
        }
        const entry_view view = {bytes + offset, size};
        *status = take(context, &view);
        if (*status == SCOPE_ERR_MEMORY)
            break;
        offset += size;
    }
    return offset;
}

typedef struct read_context {
    definitions *defs;
    clock_map *clock;
    const unsigned char *entries; /* where those of the chunk begin */
} read_context;

static scope_status take_entry(void *context, const entry_view *view)
{
    const read_context *to = context;
    const scope_status status =
        definitions_take_entry(to->defs, view, to->clock,
                               (uint64_t)((const unsigned char *)view->bytes - to->entries));
    to->defs->damaged += status == SCOPE_ERR_CORRUPT;
    return status == SCOPE_ERR_CORRUPT ? SCOPE_OK : status;
}

scope_status definitions_read(definitions *defs, const chunk_index *index, clock_map *clock)
{
    read_context context = {defs, clock, NULL};
    definitions_look_again(defs, index);
    for (size_t i = 0; i < index->count; i++) {
        const chunk_entry *chunk = &index->entries[i];
        if (chunk->header.kind != SCOPE_CHUNK_DEFINITIONS ||
            chunk->header.sequence < defs->next_sequence)
            continue;
        if (chunk->header.sequence != defs->next_sequence) {
            defs->next_sequence = chunk->header.sequence;
            defs->next_offset = 0;
        }
        scope_status status;
        context.entries = chunk->bytes + sizeof(scope_chunk_header);
        defs->next_offset =
            definitions_walk(chunk, defs->next_offset, take_entry, &context, &status);
        if (status == SCOPE_ERR_MEMORY)
            return status;
        defs->damaged += status == SCOPE_ERR_CORRUPT;
    }
    return SCOPE_OK;
}

/* ---- cuts ---- */

static int by_stream(const void *a, const void *b)
{
    const scope_define_cut_stream *x = a, *y = b;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

const scope_define_cut_stream *cut_find(const scope_define_cut_stream *streams, size_t count,
                                        uint32_t stream)
{
    const scope_define_cut_stream wanted = {.stream = stream};
    return count ? bsearch(&wanted, streams, count, sizeof wanted, by_stream) : NULL;
}

void cut_sort(scope_define_cut_stream *streams, size_t count)
{
    if (count)
        qsort(streams, count, sizeof *streams, by_stream);
}
