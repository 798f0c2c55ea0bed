/* definitions_entry.c - what each entry of the definitions log says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "definitions_entry.h"

#include <string.h>

#include "array.h"

/* ---- names of regions, points and tasks ---- */

static int add_name(definitions *defs, name_slot **slots, size_t *count, size_t *capacity,
                    id_map *map, uint64_t id, const char *bytes, uint64_t length)
{
    if (id_map_find(map, id) != ID_MAP_NONE)
        return 1; /* the first one counts */
    name_slot *grown = array_grown(*slots, *count, capacity, sizeof *grown);
    if (!grown)
        return 0;
    *slots = grown;
    if (!id_map_add(map, id, (uint32_t)*count))
        return 0;
    grown[(*count)++] = (name_slot){id, scope_calls_string(defs->memory, bytes, length)};
    return 1;
}

static scope_status read_name(definitions *defs, const entry_view *view)
{
    const scope_define_name *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->length_bytes))
        return SCOPE_ERR_CORRUPT;
    int done = 1;
    if (entry->name_kind == SCOPE_NAME_REGION) {
        const uint32_t place = definitions_region(defs, entry->id);
        if (place == ID_MAP_NONE)
            return SCOPE_ERR_MEMORY;
        if (!defs->regions[place].name.bytes)
            defs->regions[place].name =
                scope_calls_string(defs->memory, entry->bytes, entry->length_bytes);
    } else if (entry->name_kind == SCOPE_NAME_POINT) {
        done = add_name(defs, &defs->points, &defs->point_count, &defs->point_capacity,
                        &defs->point_map, entry->id, entry->bytes, entry->length_bytes);
    } else if (entry->name_kind == SCOPE_NAME_TASK) {
        done = add_name(defs, &defs->task_names, &defs->task_name_count, &defs->task_name_capacity,
                        &defs->task_name_map, entry->id, entry->bytes, entry->length_bytes);
    }
    return done ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

static scope_status read_source(definitions *defs, const entry_view *view)
{
    const scope_define_source *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->length_bytes))
        return SCOPE_ERR_CORRUPT;
    const uint32_t place = definitions_region(defs, entry->region);
    if (place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    region_slot *region = &defs->regions[place];
    if (region->source_line < 0 && !region->source_file.length_bytes) {
        region->source_line = entry->line;
        region->source_file = scope_calls_string(defs->memory, entry->file, entry->length_bytes);
    }
    return SCOPE_OK;
}

static scope_status read_tag(definitions *defs, const entry_view *view)
{
    const scope_define_tag *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->length_bytes))
        return SCOPE_ERR_CORRUPT;
    const uint32_t place = definitions_region(defs, entry->region);
    if (place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    definition_tag **last = &defs->regions[place].tags;
    for (; *last; last = &(*last)->next)
        if ((*last)->text.length_bytes == entry->length_bytes &&
            memcmp((*last)->text.bytes, entry->tag, entry->length_bytes) == 0)
            return SCOPE_OK;
    definition_tag *tag = scope_calls_alloc(defs->memory, 1, sizeof *tag);
    if (!tag)
        return SCOPE_ERR_MEMORY;
    *tag =
        (definition_tag){NULL, scope_calls_string(defs->memory, entry->tag, entry->length_bytes)};
    *last = tag;
    return SCOPE_OK;
}

/* ---- threads ---- */

static scope_status read_thread(definitions *defs, const entry_view *view)
{
    const scope_define_thread *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->name_bytes))
        return SCOPE_ERR_CORRUPT;
    if (entry->thread < 0)
        return SCOPE_ERR_CORRUPT;
    const uint32_t place = definitions_thread(defs, entry->thread);
    if (place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    thread_slot *thread = &defs->threads[place];
    if (!thread->defined) {
        thread->defined = 1;
        thread->start_ticks = entry->start_ticks;
    }
    thread->flags |= entry->flags;
    thread->native_id = entry->native_id;
    thread->ident = entry->ident;
    if (entry->name_bytes)
        thread->name = scope_calls_string(defs->memory, entry->name, entry->name_bytes);
    return SCOPE_OK;
}

/* Its numbers may be changed while we read. */
static scope_status read_thread_state(definitions *defs, const entry_view *view, uint32_t *place)
{
    const scope_define_thread_state *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->binding_bytes) || entry->thread < 0)
        return SCOPE_ERR_CORRUPT;
    *place = definitions_thread(defs, entry->thread);
    if (*place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    thread_slot *thread = &defs->threads[*place];
    const int32_t last_cpu = __atomic_load_n(&entry->last_cpu, __ATOMIC_RELAXED);
    const int64_t cpu_ns = __atomic_load_n(&entry->cpu_ns, __ATOMIC_RELAXED);
    if (last_cpu >= 0)
        thread->last_cpu = last_cpu;
    if (cpu_ns >= 0)
        thread->cpu_ns = cpu_ns;
    thread->alive = __atomic_load_n(&entry->alive, __ATOMIC_RELAXED) != 0;
    if (entry->binding_bytes &&
        (thread->binding.length_bytes != entry->binding_bytes ||
         memcmp(thread->binding.bytes, entry->binding, entry->binding_bytes) != 0))
        thread->binding = scope_calls_string(defs->memory, entry->binding, entry->binding_bytes);
    return SCOPE_OK;
}

/* The last state of a thread that lives is looked at again each time. */
static scope_status keep_state(definitions *defs, uint32_t slot, uint32_t sequence, uint64_t offset)
{
    size_t place = defs->live_count;
    if (defs->threads[slot].is_live)
        for (place = 0; place < defs->live_count && defs->live[place].slot != slot;)
            place++;
    live_state *live = array_grown(defs->live, place, &defs->live_capacity, sizeof *live);
    if (!live)
        return SCOPE_ERR_MEMORY;
    defs->live = live;
    live[place] = (live_state){slot, sequence, offset};
    defs->live_count += place == defs->live_count;
    defs->threads[slot].is_live = 1;
    return SCOPE_OK;
}

void definitions_look_again(definitions *defs, const chunk_index *index)
{
    size_t kept = 0;
    for (size_t i = 0; i < defs->live_count; i++) {
        const live_state *state = &defs->live[i];
        const size_t found =
            chunk_index_find(index, SCOPE_CHUNK_DEFINITIONS, 0, 0, state->sequence);
        uint32_t slot = ID_MAP_NONE;
        if (found < index->count) {
            const chunk_entry *chunk = &index->entries[found];
            const uint64_t length = chunk->length_bytes - sizeof(scope_chunk_header);
            const scope_definition *head =
                (const scope_definition *)(const void *)(chunk->bytes + sizeof(scope_chunk_header) +
                                                         state->offset);
            if (state->offset < length && length - state->offset >= sizeof *head &&
                head->size_bytes <= length - state->offset &&
                head->kind == SCOPE_DEFINE_THREAD_STATE) {
                const entry_view view = {head, head->size_bytes};
                if (read_thread_state(defs, &view, &slot) != SCOPE_OK)
                    slot = ID_MAP_NONE;
            }
        }
        if (slot == state->slot && defs->threads[slot].alive > 0)
            defs->live[kept++] = *state;
        else
            defs->threads[state->slot].is_live = 0;
    }
    defs->live_count = kept;
}

/* ---- communicators ---- */

/* Where a communicator stands; ID_MAP_NONE: no memory. */
static uint32_t communicator_place(definitions *defs, uint32_t id)
{
    const uint32_t known = id_map_find(&defs->communicator_map, id);
    if (known != ID_MAP_NONE)
        return known;
    communicator_slot *slots = array_grown(defs->communicators, defs->communicator_count,
                                           &defs->communicator_capacity, sizeof *slots);
    if (!slots)
        return ID_MAP_NONE;
    defs->communicators = slots;
    const uint32_t place = (uint32_t)defs->communicator_count;
    if (!id_map_add(&defs->communicator_map, id, place))
        return ID_MAP_NONE;
    defs->communicators[place] =
        (communicator_slot){.id = id, .parent = -1, .rank = -1, .size = -1};
    defs->communicator_count++;
    return place;
}

static scope_status read_group(definitions *defs, const entry_view *view)
{
    const scope_define_group *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0))
        return SCOPE_ERR_CORRUPT;
    const uint32_t place = communicator_place(defs, entry->communicator);
    if (place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    defs->communicators[place].members = entry->members;
    defs->communicators[place].serial = entry->serial;
    return SCOPE_OK;
}

static scope_status read_communicator(definitions *defs, const entry_view *view)
{
    const scope_define_communicator *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->length_bytes))
        return SCOPE_ERR_CORRUPT;
    const uint32_t place = communicator_place(defs, entry->communicator);
    if (place == ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    communicator_slot *slot = &defs->communicators[place];
    slot->size = entry->size;
    slot->rank = entry->rank;
    slot->parent = entry->parent;
    slot->name = scope_calls_string(defs->memory, entry->name, entry->length_bytes);
    return SCOPE_OK;
}

/* ---- the session ---- */

static scope_status read_session(definitions *defs, const entry_view *view, clock_map *clock)
{
    const scope_define_session *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->label_bytes))
        return SCOPE_ERR_CORRUPT;
    if (!clock_map_add(clock, entry->ticks, entry->monotonic_ns))
        return SCOPE_ERR_MEMORY;
    if (entry->head.session != defs->session || defs->has_session)
        return SCOPE_OK;
    defs->has_session = 1;
    defs->host = entry->host;
    defs->start_ticks = entry->ticks;
    defs->start_ns = entry->monotonic_ns;
    defs->start_realtime_ns = entry->realtime_ns;
    defs->label = scope_calls_string(defs->memory, entry->text, entry->label_bytes);
    return SCOPE_OK;
}

static scope_status read_session_end(definitions *defs, const entry_view *view, clock_map *clock)
{
    const scope_define_session_end *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0))
        return SCOPE_ERR_CORRUPT;
    if (!clock_map_add(clock, entry->ticks, entry->monotonic_ns))
        return SCOPE_ERR_MEMORY;
    if (entry->head.session == defs->session) {
        defs->has_end = 1;
        defs->end_ticks = entry->ticks;
        defs->end_ns = entry->monotonic_ns;
        defs->filtered_count = (int64_t)entry->filtered_count;
    }
    return SCOPE_OK;
}

/* ---- metadata ---- */

/* "-21.93", whatever the locale; 0 for what is none: no call takes that long. */
static double read_ns(const char *text, uint64_t length_bytes)
{
    double value = 0, unit = 1;
    int behind = 0;
    const int negative = length_bytes > 0 && text[0] == '-';
    for (uint64_t i = (uint64_t)negative; i < length_bytes; i++) {
        const int digit = text[i] - '0';
        if (text[i] == '.' && !behind) {
            behind = 1;
            continue;
        }
        if (digit < 0 || digit > 9 || length_bytes > 12)
            return 0;
        value = value * 10 + digit;
        unit *= behind ? 10 : 1;
    }
    return (negative ? -value : value) / unit;
}

/* What the recorder says of itself is a rank's, and no text for people. */
static int read_overhead(definitions *defs, const scope_define_metadata *entry)
{
    static const char *const keys[DEFINED_OVERHEADS] = {
        [OVERHEAD_PAIR] = "scope_overhead_pair_ns",
        [OVERHEAD_INSIDE] = "scope_overhead_inside_ns",
        [OVERHEAD_LONG_PAIR] = "scope_overhead_long_pair_ns",
        [OVERHEAD_LONG_INSIDE] = "scope_overhead_long_inside_ns",
    };
    for (int i = 0; i < DEFINED_OVERHEADS; i++)
        if (entry->key_bytes == strlen(keys[i]) &&
            memcmp(entry->text, keys[i], entry->key_bytes) == 0) {
            defs->overhead_ns[i] = read_ns(entry->text + entry->key_bytes, entry->value_bytes);
            return 1;
        }
    return 0;
}

static scope_status read_metadata(definitions *defs, const entry_view *view)
{
    const scope_define_metadata *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, (uint64_t)entry->key_bytes + entry->value_bytes))
        return SCOPE_ERR_CORRUPT;
    const char *value = entry->text + entry->key_bytes;
    if (entry->head.kind == SCOPE_DEFINE_TOPOLOGY) {
        defs->topology = scope_calls_string(defs->memory, value, entry->value_bytes);
        return SCOPE_OK;
    }
    if (read_overhead(defs, entry))
        return SCOPE_OK;
    const scope_string key = scope_calls_string(defs->memory, entry->text, entry->key_bytes);
    if (key.length_bytes == 0)
        return SCOPE_OK;
    return scope_calls_set_text(defs->memory, key.bytes, value, entry->value_bytes);
}

/* ---- cuts ---- */

static scope_status read_cut(definitions *defs, const entry_view *view)
{
    const scope_define_cut *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        entry->stream_count > view->length / sizeof *entry->streams ||
        !definitions_fits(view, sizeof *entry, entry->stream_count * sizeof *entry->streams))
        return SCOPE_ERR_CORRUPT;
    const size_t count = (size_t)entry->stream_count;
    scope_define_cut_stream *streams = scope_calls_alloc(defs->memory, count, sizeof *streams);
    if (!streams)
        return SCOPE_ERR_MEMORY;
    memcpy(streams, entry->streams, count * sizeof *streams);
    cut_sort(streams, count);
    defs->last_cut = (definition_cut){entry->cut, entry->next_call_id, streams, count};
    defs->has_cut = 1;
    return SCOPE_OK;
}

static scope_status read_checkpoint(definitions *defs, const entry_view *view)
{
    const scope_define_checkpoint *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0))
        return SCOPE_ERR_CORRUPT;
    if (defs->has_cut && entry->cut == defs->last_cut.number) {
        defs->written_cut = defs->last_cut;
        defs->has_written_cut = 1;
    }
    return SCOPE_OK;
}

/* ---- any of them ---- */

scope_status definitions_take_entry(definitions *defs, const entry_view *view, clock_map *clock,
                                    uint64_t offset)
{
    const scope_definition *head = view->bytes;
    if (head->kind == SCOPE_DEFINE_CALIBRATION) {
        const scope_define_calibration *entry = view->bytes;
        if (!definitions_fits(view, sizeof *entry, 0))
            return SCOPE_ERR_CORRUPT;
        return clock_map_add(clock, entry->ticks, entry->monotonic_ns) ? SCOPE_OK
                                                                       : SCOPE_ERR_MEMORY;
    }
    if (head->kind == SCOPE_DEFINE_SESSION)
        return read_session(defs, view, clock);
    if (head->kind == SCOPE_DEFINE_SESSION_END)
        return read_session_end(defs, view, clock);
    if (head->session != 0 && head->session != defs->session)
        return SCOPE_OK;
    switch (head->kind) {
    case SCOPE_DEFINE_NAME:
        return read_name(defs, view);
    case SCOPE_DEFINE_SOURCE:
        return read_source(defs, view);
    case SCOPE_DEFINE_TAG:
        return read_tag(defs, view);
    case SCOPE_DEFINE_THREAD:
        return read_thread(defs, view);
    case SCOPE_DEFINE_THREAD_STATE: {
        uint32_t slot;
        const scope_status status = read_thread_state(defs, view, &slot);
        return status == SCOPE_OK && defs->threads[slot].alive > 0
                   ? keep_state(defs, slot, defs->next_sequence, offset)
                   : status;
    }
    case SCOPE_DEFINE_COMMUNICATOR:
        return read_communicator(defs, view);
    case SCOPE_DEFINE_GROUP:
        return read_group(defs, view);
    case SCOPE_DEFINE_METADATA:
    case SCOPE_DEFINE_TOPOLOGY:
        return read_metadata(defs, view);
    case SCOPE_DEFINE_CUT:
        return head->session ? read_cut(defs, view) : SCOPE_OK;
    case SCOPE_DEFINE_CHECKPOINT:
        return head->session ? read_checkpoint(defs, view) : SCOPE_OK;
    default:
        return SCOPE_OK; /* newer than we */
    }
}
