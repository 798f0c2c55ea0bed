/* table_lanes.c - the tables beside the calls: threads, tasks, points, ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct id_place {
    int64_t id;
    uint32_t slot;
} id_place;

static int by_id(const void *a, const void *b)
{
    const id_place *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* of_slot[slot] = place of its id among these. */
static uint32_t *number(id_place *ids, size_t count, size_t slots)
{
    uint32_t *of_slot = malloc((slots + 1) * sizeof *of_slot);
    if (!of_slot)
        return NULL;
    memset(of_slot, 0xff, (slots + 1) * sizeof *of_slot);
    if (count)
        qsort(ids, count, sizeof *ids, by_id);
    for (size_t i = 0; i < count; i++)
        of_slot[ids[i].slot] = (uint32_t)i;
    return of_slot;
}

scope_status table_number_lanes(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    const size_t threads = cursor->defs.thread_count, tasks = cursor->task_count;
    id_place *ids = malloc(((threads > tasks ? threads : tasks) + 1) * sizeof *ids);
    if (!ids)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < threads; i++)
        if (cursor_shows_thread(cursor, (uint32_t)i))
            ids[maker->thread_count++] = (id_place){cursor->defs.threads[i].id, (uint32_t)i};
    maker->thread_of_slot = number(ids, maker->thread_count, threads);
    for (size_t i = 0; i < tasks; i++)
        if (!cursor_is_one_stack(cursor, cursor->tasks[i].thread))
            ids[maker->task_count++] = (id_place){cursor->tasks[i].id, (uint32_t)i};
    maker->task_of_slot = number(ids, maker->task_count, tasks);
    free(ids);
    return maker->thread_of_slot && maker->task_of_slot ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

static scope_string copy(scope_calls *calls, scope_string text)
{
    return scope_calls_string(calls, text.bytes, text.length_bytes);
}

scope_status table_threads(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    scope_calls *calls = maker->calls;
    calls->threads = scope_calls_alloc(calls, maker->thread_count, sizeof *calls->threads);
    if (!calls->threads)
        return SCOPE_ERR_MEMORY;
    calls->thread_count = maker->thread_count;
    for (size_t slot = 0; slot < cursor->defs.thread_count; slot++) {
        if (maker->thread_of_slot[slot] == ID_MAP_NONE)
            continue;
        static const thread_state unseen = {
            .lane = ID_MAP_NONE, .first_ns = -1, .last_ns = -1, .cpu_ns = -1};
        const thread_slot *known = &cursor->defs.threads[slot];
        const thread_state *state =
            slot < cursor->thread_count ? &cursor->threads[slot] : &unseen;
        const uint32_t index = maker->thread_of_slot[slot];
        size_t hint = 0;
        int64_t start = known->defined && known->start_ticks
                            ? clock_map_ns(&cursor->clock, known->start_ticks, &hint)
                            : state->first_ns;
        if (start < 0)
            start = calls->start_time_ns;
        int64_t end = state->ended ? state->last_ns : -1;
        if (state->ended && end < start)
            end = start;
        const int host = (known->flags & SCOPE_THREAD_HOST) != 0; /* its whole CPU time is meant */
        int64_t cpu = state->cpu_ns >= 0 && !(host && known->cpu_ns > state->cpu_ns)
                          ? state->cpu_ns
                          : known->cpu_ns;
        /* its CPU clock starts a moment before it can say that it started */
        if (!host && end >= 0 && (known->flags & SCOPE_THREAD_START_EXACT) && cpu > end - start)
            cpu = end - start;
        char text[32];
        const int length = known->flags & SCOPE_THREAD_MAIN
                               ? snprintf(text, sizeof text, "MainThread")
                               : snprintf(text, sizeof text, "thread %u", index);
        calls->threads[index] = (scope_thread_row){
            .rank = maker->rank,
            .daemon = (known->flags & SCOPE_THREAD_DAEMON) != 0,
            .index = index,
            .ident = known->ident,
            .native_id = known->native_id,
            .start_ns = start,
            .end_ns = end,
            .cpu_ns = cpu,
            .last_cpu = known->last_cpu,
            .flags = (int32_t)known->flags,
            .name = known->name.length_bytes
                        ? copy(calls, known->name)
                        : scope_calls_string(calls, text, (uint64_t)length),
            .binding = copy(calls, known->binding)};
    }
    return SCOPE_OK;
}

/* The names of a name space in the table's memory, slot by slot. */
static scope_string *copy_names(scope_calls *calls, const name_slot *slots, size_t count)
{
    scope_string *names = malloc((count + 1) * sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = copy(calls, slots[i].text);
    return names;
}

scope_status table_tasks(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    const definitions *defs = &cursor->defs;
    scope_calls *calls = maker->calls;
    if (!maker->task_count)
        return SCOPE_OK;
    calls->tasks = scope_calls_alloc(calls, maker->task_count, sizeof *calls->tasks);
    scope_string *names = copy_names(calls, defs->task_names, defs->task_name_count);
    if (!calls->tasks || !names) {
        free(names);
        return SCOPE_ERR_MEMORY;
    }
    calls->task_count = maker->task_count;
    for (size_t slot = 0; slot < cursor->task_count; slot++) {
        if (maker->task_of_slot[slot] == ID_MAP_NONE)
            continue;
        const task_state *task = &cursor->tasks[slot];
        const scope_lane *lane = &cursor->lanes[task->lane].lane;
        const uint32_t name = id_map_find(&defs->task_name_map, task->name);
        const uint32_t code = id_map_find(&defs->task_name_map, task->code_name);
        const scope_string none = {"", 0};
        const int64_t end = maker->end_ns;
        scope_task_row *row = &calls->tasks[maker->task_of_slot[slot]];
        *row = (scope_task_row){
            .rank = maker->rank,
            .index = maker->task_of_slot[slot],
            .thread_index = table_index(maker->thread_of_slot, task->thread),
            .created_ns = task->created_ns,
            .done_ns = task->done_ns,
            .steps = task->steps,
            .running_ns = task->running_ns,
            .suspended_ns = lane->suspended,
            .kind = task->kind == SCOPE_TASK_KIND_GREENLET ? (scope_string){"greenlet", 8}
                                                           : (scope_string){"task", 4},
            .name = task->name && name != ID_MAP_NONE ? names[name] : none,
            .coro_name = task->code_name && code != ID_MAP_NONE ? names[code] : none};
        if (task->resumed_ns >= 0 && end > task->resumed_ns)
            row->running_ns += end - task->resumed_ns;
        if (lane->suspended_since >= 0 && end > lane->suspended_since)
            row->suspended_ns += end - lane->suspended_since;
    }
    free(names);
    return SCOPE_OK;
}

/* Earliest first; points of one time in the order they were found. */
static int by_time(const void *a, const void *b)
{
    const point_value *x = *(const point_value *const *)a, *y = *(const point_value *const *)b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x < y ? -1 : x > y;
}

scope_status table_points(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    scope_calls *calls = maker->calls;
    const size_t count = cursor->point_count;
    if (!count)
        return SCOPE_OK;
    size_t counters = 0;
    for (size_t i = 0; i < count; i++)
        counters += cursor->points[i].is_counter != 0;
    const point_value **sorted = malloc(count * sizeof *sorted);
    scope_string *names = copy_names(calls, cursor->defs.points, cursor->defs.point_count);
    calls->counters = scope_calls_alloc(calls, counters, sizeof *calls->counters);
    calls->marks = scope_calls_alloc(calls, count - counters, sizeof *calls->marks);
    if (!sorted || !names || !calls->counters || !calls->marks) {
        free(names);
        free(sorted);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = &cursor->points[i];
    qsort(sorted, count, sizeof *sorted, by_time);
    for (size_t i = 0; i < count; i++) {
        const point_value *point = sorted[i];
        const uint32_t name = id_map_find(&cursor->defs.point_map, point->name);
        scope_string text = {"", 0};
        if (name != ID_MAP_NONE) {
            text = names[name];
        } else {
            char number_text[48];
            const int length = snprintf(number_text, sizeof number_text, "(point %llu)",
                                        (unsigned long long)point->name);
            text = scope_calls_string(calls, number_text, (uint64_t)length);
        }
        scope_point_row *row = point->is_counter ? &calls->counters[calls->counter_count++]
                                                 : &calls->marks[calls->mark_count++];
        *row = (scope_point_row){.rank = maker->rank,
                                 .thread = table_index(maker->thread_of_slot, point->thread),
                                 .task = table_index(maker->task_of_slot, point->task),
                                 .time_ns = point->time_ns,
                                 .value = point->value,
                                 .name = text};
    }
    free(names);
    free(sorted);
    return SCOPE_OK;
}

static int by_communicator(const void *a, const void *b)
{
    const scope_communicator_row *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

scope_status table_communicators(table_maker *maker)
{
    const definitions *defs = &maker->cursor->defs;
    scope_calls *calls = maker->calls;
    const size_t count = defs->communicator_count;
    if (!count)
        return SCOPE_OK;
    calls->communicators = scope_calls_alloc(calls, count, sizeof *calls->communicators);
    if (!calls->communicators)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const communicator_slot *slot = &defs->communicators[i];
        calls->communicators[i] = (scope_communicator_row){.rank = maker->rank,
                                                           .id = (int32_t)slot->id,
                                                           .parent = slot->parent,
                                                           .size = slot->size,
                                                           .rank_in = slot->rank,
                                                           .serial = slot->serial,
                                                           .members = (int64_t)slot->members,
                                                           .name = copy(calls, slot->name)};
    }
    calls->communicator_count = count;
    qsort(calls->communicators, count, sizeof *calls->communicators, by_communicator);
    return SCOPE_OK;
}

int32_t table_communicator_row(const table_maker *maker, int32_t communicator)
{
    const scope_communicator_row wanted = {.id = communicator};
    const scope_calls *calls = maker->calls;
    if (!calls->communicator_count)
        return -1;
    const scope_communicator_row *row = bsearch(&wanted, calls->communicators,
                                                calls->communicator_count, sizeof wanted,
                                                by_communicator);
    return row ? (int32_t)(row - calls->communicators) : -1;
}

static scope_string header_text(scope_calls *calls, const char *text, size_t size_bytes)
{
    return scope_calls_string(calls, text, strnlen(text, size_bytes));
}

static int64_t count_of(uint64_t value)
{
    return value < INT64_MAX ? (int64_t)value : INT64_MAX;
}

scope_status table_rank(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    const scope_recording_header *header = &cursor->header;
    scope_calls *calls = maker->calls;
    scope_rank_row *row = calls->ranks = scope_calls_alloc(calls, 1, sizeof *row);
    if (!row)
        return SCOPE_ERR_MEMORY;
    calls->rank_row_count = 1;
    uint64_t holes = cursor->missing_chunks + cursor->lost_begins;
    if (holes < cursor->beside_events)
        holes = cursor->beside_events; /* that is where they were */
    holes += cursor->folded_holes;
    for (size_t i = 0; i < cursor->stream_count; i++)
        holes += cursor->streams[i].decoder.holes;
    *row = (scope_rank_row){
        .rank = maker->rank,
        .end_kind = (int32_t)header->end_kind,
        .end_value = header->end_value,
        .pid = count_of(header->pid),
        .start_ns = calls->start_time_ns,
        .end_ns = maker->end_ns,
        .realtime_ns = cursor->defs.has_session ? cursor->defs.start_realtime_ns
                                                : header->start_realtime_ns,
        .at_ns = calls->start_time_ns,
        .last_event_ns = cursor->last_ns,
        .dropped = count_of(header->dropped_events + cursor->folded_drops),
        .dropped_in_handlers = count_of(header->dropped_handler_events),
        .folded = count_of(cursor->folded_calls),
        .holes = count_of(holes),
        .filtered = cursor->defs.filtered_count > 0 ? cursor->defs.filtered_count : 0,
        .overhead_pair_ns = cursor->defs.overhead_ns[OVERHEAD_PAIR],
        .overhead_inside_ns = cursor->defs.overhead_ns[OVERHEAD_INSIDE],
        .overhead_long_pair_ns = cursor->defs.overhead_ns[OVERHEAD_LONG_PAIR],
        .overhead_long_inside_ns = cursor->defs.overhead_ns[OVERHEAD_LONG_INSIDE],
        .host = header_text(calls, header->host, sizeof header->host),
        .program = header_text(calls, header->program, sizeof header->program)};
    calls->topology = copy(calls, cursor->defs.topology);
    scope_status status = SCOPE_OK;
    if (cursor->defs.label.length_bytes)
        status = scope_calls_set_text(calls, "label", cursor->defs.label.bytes,
                                      (int64_t)cursor->defs.label.length_bytes);
    if (status == SCOPE_OK && row->host.length_bytes)
        status = scope_calls_set_text(calls, "hostname", row->host.bytes, -1);
    if (status == SCOPE_OK && row->program.length_bytes)
        status = scope_calls_set_text(calls, "program", row->program.bytes, -1);
    if (status == SCOPE_OK && header->directory[0])
        status = scope_calls_set_text(
            calls, "working_directory", header->directory,
            (int64_t)strnlen(header->directory, sizeof header->directory));
    if (status == SCOPE_OK) /* what its ticks were: said once, where somebody looks */
        status = scope_calls_set_text(calls, "scope_clock",
                                      header->clock_kind == SCOPE_CLOCK_TSC       ? "tsc"
                                      : header->clock_kind == SCOPE_CLOCK_VIRTUAL ? "virtual"
                                                                                  : "monotonic",
                                      -1);
    const scope_calls *own = cursor->defs.memory; /* METADATA entries; they win */
    for (size_t i = 0; i < own->metadata_count && status == SCOPE_OK; i++)
        status = scope_calls_set_text(calls, own->metadata[i].key.bytes,
                                      own->metadata[i].text.bytes,
                                      (int64_t)own->metadata[i].text.length_bytes);
    return status;
}
