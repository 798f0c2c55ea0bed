/* replay.c - the rows of a cursor as a call table.
 *
 *     rows in order of entry -> sorted by (region, thread, entry) -> columns, pairs
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "sums.h"
#include "table.h"

/* ---- calls that are still open, or not settled ---- */

typedef struct late_context {
    table_maker *maker;
    uint32_t wanted; /* flags of which one must be set */
    int failed;
} late_context;

static void take_late(void *context, const scope_call *call)
{
    late_context *late = context;
    table_maker *maker = late->maker;
    if (!(call->flags & late->wanted))
        return;
    late_call *calls = array_grown(maker->late, maker->late_count, &maker->late_capacity,
                                   sizeof *calls);
    if (!calls) {
        late->failed = 1;
        return;
    }
    maker->late = calls;
    calls[maker->late_count++] = (late_call){call->order, *call};
}

static int by_row(const void *a, const void *b)
{
    const late_call *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Where the open calls of a lane end: with its thread or task, if that is over. */
static int64_t lane_end(const table_maker *maker, const lane_state *lane)
{
    const scope_cursor *cursor = maker->cursor;
    int64_t end = maker->end_ns;
    if (lane->task != ID_MAP_NONE) {
        if (cursor->tasks[lane->task].done_ns >= 0)
            end = cursor->tasks[lane->task].done_ns;
    } else if (lane->thread != ID_MAP_NONE && cursor->threads[lane->thread].ended) {
        end = cursor->threads[lane->thread].last_ns;
    }
    return end > lane->last_ns ? end : lane->last_ns;
}

/* Finish copies of the lanes: the cursor stays as it is. */
static scope_status find_late(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    const int end = maker->options->end;
    if (cursor->host && !end)
        return SCOPE_OK; /* nothing is provisional there */
    late_context context = {
        maker, end ? SCOPE_CALL_IMPLIED | SCOPE_CALL_OPEN : SCOPE_CALL_IMPLIED, 0};
    for (size_t i = 0; i < cursor->lane_count; i++) {
        const lane_state *state = &cursor->lanes[i];
        scope_lane lane = state->lane;
        if (!lane.depth && !lane.pending)
            continue;
        scope_call *stack = malloc((size_t)lane.capacity * sizeof *stack);
        if (!stack)
            return SCOPE_ERR_MEMORY;
        scope_lane_grow(&lane, stack, lane.capacity);
        scope_lane_finish(&lane, lane_end(maker, state), take_late, &context);
        free(stack);
        if (context.failed)
            return SCOPE_ERR_MEMORY;
    }
    if (maker->late_count)
        qsort(maker->late, maker->late_count, sizeof *maker->late, by_row);
    return SCOPE_OK;
}

const scope_call *table_late_of(const table_maker *maker, uint64_t row)
{
    const late_call wanted = {.row = row};
    const late_call *late = maker->late_count ? bsearch(&wanted, maker->late, maker->late_count,
                                                        sizeof wanted, by_row)
                                              : NULL;
    return late ? &late->call : NULL;
}

/* ---- columns ---- */

/* Rows thread after thread, in order of entry; NULL in *order: as they are. */
static scope_status order_by_thread(const table_maker *maker, uint64_t **order)
{
    const scope_cursor *cursor = maker->cursor;
    const size_t threads = maker->thread_count;
    *order = NULL;
    if (threads + (size_t)cursor->untracked < 2 || !cursor->rows.count)
        return SCOPE_OK;
    uint64_t *starts = calloc(threads + 2, sizeof *starts);
    uint64_t *sorted = malloc(cursor->rows.count * sizeof *sorted);
    if (!starts || !sorted) {
        free(starts);
        free(sorted);
        return SCOPE_ERR_MEMORY;
    }
    for (uint64_t row = 0; row < cursor->rows.count; row++)
        starts[table_index(maker->thread_of_slot, rows_at(&cursor->rows, row)->thread) + 2]++;
    for (size_t i = 1; i < threads + 2; i++)
        starts[i] += starts[i - 1];
    for (uint64_t row = 0; row < cursor->rows.count; row++)
        sorted[starts[table_index(maker->thread_of_slot, rows_at(&cursor->rows, row)->thread) +
                      1]++] = row;
    free(starts);
    *order = sorted;
    return SCOPE_OK;
}

/* MPI columns exist if anything MPI was recorded. */
static int has_mpi(const table_maker *maker)
{
    const definitions *defs = &maker->cursor->defs;
    if (maker->cursor->has_messages)
        return 1;
    for (size_t slot = 0; slot < defs->region_count; slot++)
        for (const definition_tag *tag = defs->regions[slot].tags; tag; tag = tag->next)
            if (maker->region_rows[slot] && tag->text.length_bytes == 3 &&
                memcmp(tag->text.bytes, "mpi", 3) == 0)
                return 1;
    return 0;
}

static scope_status allocate_columns(table_maker *maker)
{
    scope_calls *calls = maker->calls;
    const uint64_t count = calls->count;
    int whole = 1;
#define COLUMN(name) whole &= (calls->name = scope_calls_alloc(calls, count, sizeof *calls->name)) != NULL
    COLUMN(start_ns);
    COLUMN(duration_ns);
    COLUMN(flags);
    if (maker->thread_count || !maker->cursor->untracked)
        COLUMN(thread_ids);
    if (maker->task_count) {
        COLUMN(task_ids);
        COLUMN(await_ns);
    }
    if (has_mpi(maker)) {
        COLUMN(mpi_bytes);
        COLUMN(mpi_peers);
        COLUMN(mpi_comms);
        COLUMN(mpi_tags);
        COLUMN(mpi_kinds);
    }
#undef COLUMN
    return whole ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

static void fill_row(table_maker *maker, uint64_t row, uint64_t place)
{
    const call_row *from = rows_at(&maker->cursor->rows, row);
    const call_extra *extra = rows_extra(&maker->cursor->rows, row);
    scope_calls *calls = maker->calls;
    const scope_call *late = from->duration_ns < 0 ? table_late_of(maker, row) : NULL;
    const int late_message = late && (late->flags & SCOPE_CALL_MESSAGE);
    calls->start_ns[place] = from->start_ns;
    calls->duration_ns[place] = late ? late->end - late->begin : from->duration_ns;
    if (calls->thread_ids)
        calls->thread_ids[place] = table_index(maker->thread_of_slot, from->thread);
    calls->flags[place] =
        (uint8_t)((late ? late->flags : from->flags) &
                  (SCOPE_CALL_IMPLIED | SCOPE_CALL_CROSSED | SCOPE_CALL_OPEN));
    if (calls->task_ids) {
        calls->task_ids[place] = table_index(maker->task_of_slot, from->task);
        calls->await_ns[place] = late ? late->suspended : extra ? extra->await_ns : 0;
    }
    if (calls->mpi_bytes) {
        const scope_message moved = late_message ? late->moved
                                    : extra      ? extra->moved
                                                 : SCOPE_MESSAGE_NONE;
        calls->mpi_bytes[place] = moved.bytes;
        calls->mpi_peers[place] = moved.peer;
        calls->mpi_comms[place] =
            moved.communicator < 0 ? -1 : table_communicator_row(maker, moved.communicator);
        calls->mpi_tags[place] = moved.tag;
        calls->mpi_kinds[place] = (uint8_t)moved.kind;
        if ((from->flags & ROW_MESSAGES) || (late && (late->flags & SCOPE_CALL_MESSAGES)))
            table_messages_place(maker, row, place);
    }
}

static scope_status fill_columns(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    scope_calls *calls = maker->calls;
    uint64_t *order = NULL;
    uint64_t *next = malloc((cursor->defs.region_count + 1) * sizeof *next); /* per slot */
    scope_status status = next ? order_by_thread(maker, &order) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK)
        status = allocate_columns(maker);
    if (status != SCOPE_OK)
        goto done;
    for (size_t slot = 0; slot < cursor->defs.region_count; slot++)
        if (maker->region_rows[slot])
            next[slot] = calls->pairs[maker->region_of_slot[slot]].first;
    for (uint64_t i = 0; i < cursor->rows.count; i++) {
        const uint64_t row = order ? order[i] : i;
        const call_row *from = rows_at(&cursor->rows, row);
        if ((from->flags & ROW_REPORTED) || (from->duration_ns < 0 && !table_late_of(maker, row)))
            continue;
        fill_row(maker, row, next[from->region]++);
        if (maker->spend && !order && (row & (ROWS_BLOCK - 1)) == ROWS_BLOCK - 1)
            rows_forget_before(&maker->spend->rows, row); /* columns grow as rows go */
    }
    uint8_t any = 0;
    for (uint64_t i = 0; i < calls->count; i++)
        any |= calls->flags[i];
    if (!any)
        calls->flags = NULL;
done:
    free(order);
    free(next);
    return status;
}

/* ---- the whole table ---- */

/* Times of a damaged spool. */
static int64_t possible(int64_t ns)
{
    return ns < 0 ? 0 : ns < SCOPE_TIME_MAX_NS ? ns : SCOPE_TIME_MAX_NS;
}

/* Start, end and size of the run, as far as this recording knows. */
static void set_frame(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    const scope_recording_header *header = &cursor->header;
    scope_calls *calls = maker->calls;
    size_t hint = 0;
    maker->rank = header->rank >= 0 && header->rank < SCOPE_RANKS_MAX ? header->rank : 0;
    calls->rank_count = header->size > maker->rank && header->size <= SCOPE_RANKS_MAX
                            ? header->size
                            : maker->rank + 1;
    calls->start_time_ns =
        possible(cursor->defs.has_session ? cursor->defs.start_ns : header->start_monotonic_ns);
    maker->end_ns = cursor->last_ns;
    if (cursor->defs.has_end) {
        if (possible(cursor->defs.end_ns) > maker->end_ns)
            maker->end_ns = possible(cursor->defs.end_ns);
    } else if (header->end_kind != SCOPE_END_OPEN && header->end_ticks > 0) {
        const int64_t mark = clock_map_ns(&cursor->clock, (uint64_t)header->end_ticks, &hint);
        if (mark > maker->end_ns)
            maker->end_ns = mark;
    }
    if (maker->end_ns < calls->start_time_ns)
        maker->end_ns = calls->start_time_ns;
    calls->end_time_ns =
        cursor->last_call_ns > maker->end_ns ? cursor->last_call_ns : maker->end_ns;
}

static scope_status fill_rows(table_maker *maker)
{
    scope_calls *calls = maker->calls;
    scope_status status = find_late(maker);
    if (status == SCOPE_OK)
        status = table_count_rows(maker);
    if (status == SCOPE_OK)
        status = table_pairs(maker);
    if (status == SCOPE_OK)
        status = table_communicators(maker);
    if (status == SCOPE_OK)
        status = table_messages_start(maker);
    if (status == SCOPE_OK)
        status = fill_columns(maker);
    if (status == SCOPE_OK)
        status = table_messages(maker);
    for (size_t i = 0; status == SCOPE_OK && i < calls->pair_count; i++) { /* no event is before */
        const scope_pair *pair = &calls->pairs[i];
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++)
            if (calls->start_ns[row] < calls->start_time_ns)
                calls->start_time_ns = calls->start_ns[row];
    }
    if (status == SCOPE_OK)
        status = sums_rows(maker);
    if (status == SCOPE_OK)
        status = table_points(maker);
    return status;
}

/* ERR_NESTING with a table in *out: said by the missing columns, too. `spend`: the cursor,
 * if it is not used any more: its rows may go on the way. */
static scope_status make_table(const scope_cursor *cursor, const scope_table_options *options,
                               int with_rows, scope_cursor *spend, scope_calls **out)
{
    table_maker maker = {.cursor = cursor, .options = options, .spend = spend};
    scope_status status = cursor->status;
    if (status == SCOPE_OK)
        status = scope_calls_new(&maker.calls);
    if (status != SCOPE_OK)
        return status;
    scope_calls *calls = maker.calls;
    set_frame(&maker);
    status = table_number_lanes(&maker);
    if (status == SCOPE_OK && with_rows)
        status = fill_rows(&maker);
    if (status == SCOPE_OK)
        status = table_threads(&maker);
    if (status == SCOPE_OK)
        status = table_tasks(&maker);
    if (status == SCOPE_OK)
        status = table_rank(&maker);
    if (status == SCOPE_OK && with_rows)
        status = scope_calls_nest(calls, options->first_call_id, NULL);
    free(maker.region_of_slot);
    free(maker.thread_of_slot);
    free(maker.task_of_slot);
    free(maker.late);
    free(maker.region_rows);
    free(maker.placed);
    if (status != SCOPE_OK && status != SCOPE_ERR_NESTING) {
        scope_calls_free(calls);
        return status;
    }
    *out = calls;
    return status;
}

static const scope_table_options no_options = {.size_bytes = sizeof no_options};

scope_status scope_cursor_table(scope_cursor *cursor, const scope_table_options *options,
                                scope_calls **calls)
{
    if (options && options->size_bytes < sizeof *options)
        return SCOPE_ERR_ARGUMENT;
    return make_table(cursor, options ? options : &no_options, 1, NULL, calls);
}

scope_status scope_cursor_lanes(scope_cursor *cursor, scope_calls **calls)
{
    return make_table(cursor, &no_options, 0, NULL, calls);
}

scope_status scope_cursor_calls(const scope_cursor *cursor, int end, scope_calls **calls)
{
    scope_table_options options = no_options;
    options.end = end;
    const scope_status status = make_table(cursor, &options, 1, NULL, calls);
    return status == SCOPE_ERR_NESTING ? SCOPE_OK : status;
}

/* Session 0: the process session that was started last. */
static scope_status choose_session(const scope_recording *recording, uint16_t *session)
{
    if (*session)
        return SCOPE_OK;
    chunk_index index;
    const scope_status status = chunk_index_build(recording, &index);
    if (status != SCOPE_OK)
        return status;
    *session = definitions_last_session(&index);
    chunk_index_free(&index);
    return *session ? SCOPE_OK : SCOPE_ERR_MISSING;
}

scope_status scope_replay(const scope_recording *recording, uint16_t session, scope_calls **calls)
{
    scope_cursor *cursor = NULL;
    scope_status status = choose_session(recording, &session);
    if (status == SCOPE_OK)
        status = scope_cursor_new(recording, session, &cursor);
    if (status == SCOPE_OK) {
        cursor->follows_cut = 1;
        status = cursor_advance(cursor, recording, 1);
    }
    if (status == SCOPE_OK) {
        scope_table_options options = no_options;
        options.end = 1;
        if (cursor->defs.has_written_cut)
            options.first_call_id = cursor->defs.written_cut.next_call_id;
        status = make_table(cursor, &options, 1, cursor, calls);
    }
    scope_cursor_free(cursor);
    return status == SCOPE_ERR_NESTING ? SCOPE_OK : status;
}
