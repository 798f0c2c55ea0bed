/* cursor_host.c - what a host's session does otherwise, and what a host asks of its cursor.
 *
 * A host's END closes the innermost open call of its region on its lane and nothing
 * else. Where all threads are one stack, an END that closes nothing on its own thread
 * closes the latest open call of its region on any; so events of all streams are taken
 * in order of time, and each region knows its open calls:
 *
 *     open[region]  rows that are open, in order of entry
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "cursor.h"
#include "nest_sort.h"

/* ---- events ---- */

static open_rows *open_of(scope_cursor *cursor, uint32_t region)
{
    if (region >= cursor->open_region_count) {
        const size_t count = (size_t)region * 2 + 16;
        open_rows *open = realloc(cursor->open, count * sizeof *open);
        if (!open) {
            cursor->status = SCOPE_ERR_MEMORY;
            return NULL;
        }
        memset(open + cursor->open_region_count, 0,
               (count - cursor->open_region_count) * sizeof *open);
        cursor->open = open;
        cursor->open_region_count = count;
    }
    return &cursor->open[region];
}

void host_note_open(scope_cursor *cursor, uint32_t region, uint64_t row)
{
    open_rows *open = cursor->untracked ? open_of(cursor, region) : NULL;
    if (!open)
        return;
    uint64_t *rows = array_grown(open->rows, open->count, &open->capacity, sizeof *rows);
    if (!rows) {
        cursor->status = SCOPE_ERR_MEMORY;
        return;
    }
    open->rows = rows;
    size_t place = open->count++; /* the last one, but where folded calls are put back */
    const int64_t start = rows_at(&cursor->rows, row)->start_ns;
    for (; place > 0 && rows_at(&cursor->rows, rows[place - 1])->start_ns > start; place--)
        rows[place] = rows[place - 1];
    rows[place] = row;
}

static void forget_open(scope_cursor *cursor, uint32_t region, uint64_t row)
{
    if (region >= cursor->open_region_count)
        return;
    open_rows *open = &cursor->open[region];
    size_t place = open->count;
    while (place > 0 && open->rows[place - 1] != row)
        place--;
    if (!place)
        return;
    memmove(&open->rows[place - 1], &open->rows[place], (open->count - place) * sizeof *open->rows);
    open->count--;
}

static int64_t suspended_until(const scope_lane *lane, int64_t ns)
{
    return lane->suspended_since >= 0 && ns > lane->suspended_since
               ? lane->suspended + (ns - lane->suspended_since)
               : lane->suspended;
}

/* The call at this place of the lane's stack ends; those begun inside it stay open. */
static void close_at(scope_cursor *cursor, lane_state *state, uint32_t place, int64_t ns)
{
    scope_lane *lane = &state->lane;
    scope_call call = lane->stack[place];
    for (uint32_t i = place + 1; i < lane->depth; i++) {
        lane->stack[i].flags |= SCOPE_CALL_CROSSED;
        lane->stack[i - 1] = lane->stack[i];
    }
    lane->depth--;
    call.end = cursor_lane_time(state, ns);
    call.suspended = suspended_until(lane, call.end) - call.suspended;
    forget_open(cursor, call.region, call.order);
    cursor_call_finished(cursor, &call);
}

static uint32_t lane_of_row(const scope_cursor *cursor, const call_row *row)
{
    if (row->task != ID_MAP_NONE)
        return cursor->tasks[row->task].lane;
    return row->thread != ID_MAP_NONE ? cursor->threads[row->thread].lane : cursor->unknown_lane;
}

int host_end(scope_cursor *cursor, lane_state *lane, uint32_t region, int64_t ns)
{
    for (uint32_t i = lane->lane.depth; i-- > 0;)
        if (lane->lane.stack[i].region == region) {
            close_at(cursor, lane, i, ns);
            return 1;
        }
    if (!cursor->untracked || region >= cursor->open_region_count || !cursor->open[region].count)
        return 0;
    const open_rows *open = &cursor->open[region];
    const uint64_t row = open->rows[open->count - 1];
    lane_state *other = &cursor->lanes[lane_of_row(cursor, rows_at(&cursor->rows, row))];
    for (uint32_t i = other->lane.depth; i-- > 0;)
        if (other->lane.stack[i].order == row) {
            close_at(cursor, other, i, ns);
            return 1;
        }
    return 0;
}

/* ---- lanes ---- */

int cursor_is_one_stack(const scope_cursor *cursor, uint32_t slot)
{
    return cursor->untracked &&
           (slot == ID_MAP_NONE ||
            (cursor->defs.threads[slot].flags & (SCOPE_THREAD_HOST | SCOPE_THREAD_MAIN)) != 0);
}

int cursor_shows_thread(const scope_cursor *cursor, uint32_t slot)
{
    if (cursor_is_one_stack(cursor, slot))
        return 0;
    return !cursor->host || (cursor->defs.threads[slot].flags & SCOPE_THREAD_HOST) ||
           (slot < cursor->thread_count && cursor->threads[slot].active);
}

/* ---- cuts ---- */

scope_status scope_cursor_positions(const scope_cursor *cursor, scope_define_cut_stream **positions,
                                    size_t *count)
{
    scope_define_cut_stream *made = malloc((cursor->stream_count + 1) * sizeof *made);
    if (!made)
        return SCOPE_ERR_MEMORY;
    *count = 0;
    for (size_t i = 0; i < cursor->stream_count; i++)
        if (cursor->streams[i].started)
            made[(*count)++] = (scope_define_cut_stream){
                cursor->streams[i].id, cursor->streams[i].sequence, cursor->streams[i].taken_words};
    *positions = made;
    return SCOPE_OK;
}

typedef struct kept_call { /* an open call, in order of entry */
    uint64_t row;
    scope_call *call;
} kept_call;

static int by_row(const void *a, const void *b)
{
    const kept_call *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Those of open calls, whose rows have new places. */
static void keep_open_messages(scope_cursor *cursor, const kept_call *calls, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < cursor->message_count; i++) {
        const kept_call wanted = {.row = cursor->messages[i].row};
        const kept_call *call =
            count ? bsearch(&wanted, calls, count, sizeof *calls, by_row) : NULL;
        if (call)
            cursor->messages[kept++] =
                (row_message){(uint64_t)(call - calls), cursor->messages[i].message};
    }
    cursor->message_count = kept;
}

/* A new store with the rows of open calls alone; nothing changes without memory. */
static scope_status keep_open_rows(scope_cursor *cursor)
{
    size_t count = 0;
    rows kept = {0};
    scope_status status = SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->lane_count; i++)
        count += cursor->lanes[i].lane.depth;
    kept_call *calls = malloc((count + 1) * sizeof *calls);
    if (!calls)
        return status;
    count = 0;
    for (size_t i = 0; i < cursor->lane_count; i++)
        for (uint32_t k = 0; k < cursor->lanes[i].lane.depth; k++, count++)
            calls[count] =
                (kept_call){cursor->lanes[i].lane.stack[k].order, &cursor->lanes[i].lane.stack[k]};
    qsort(calls, count, sizeof *calls, by_row);
    for (size_t i = 0; i < count; i++) {
        if (!rows_reserve(&kept))
            goto done;
        *rows_at(&kept, kept.count++) = *rows_at(&cursor->rows, calls[i].row);
    }
    for (size_t i = 0; i < cursor->open_region_count; i++)
        cursor->open[i].count = 0;
    for (size_t slot = 0; slot < cursor->defs.region_count; slot++) {
        region_slot *region = &cursor->defs.regions[slot];
        region->call_count = 0;
        region->implied = region->crossed = region->orphans = 0;
        region->folded = 0;
        region->summed_ticks = 0;
    }
    rows_free(&cursor->rows);
    cursor->rows = kept;
    kept = (rows){0};
    keep_open_messages(cursor, calls, count);
    for (size_t i = 0; i < count; i++) { /* all of them were open before: there is room */
        calls[i].call->order = i;
        cursor->defs.regions[calls[i].call->region].call_count++;
        host_note_open(cursor, calls[i].call->region, i);
    }
    status = SCOPE_OK;
done:
    rows_free(&kept);
    free(calls);
    return status;
}

scope_status scope_cursor_cut(scope_cursor *cursor)
{
    scope_define_cut_stream *positions;
    size_t count;
    if (cursor->status != SCOPE_OK)
        return cursor->status;
    scope_status status = scope_cursor_positions(cursor, &positions, &count);
    if (status != SCOPE_OK)
        return status;
    status = keep_open_rows(cursor);
    if (status != SCOPE_OK) {
        free(positions);
        return status;
    }
    for (size_t i = 0; i < cursor->lane_count; i++)
        cursor->lanes[i].lane.pending = 0; /* their provisional ends were given out */
    cursor->point_count = 0;
    cursor->sum_count = 0;
    memset(cursor->sum_places, 0, sizeof cursor->sum_places);
    cursor->folded_calls = 0;
    cut_sort(positions, count);
    free(cursor->cut);
    cursor->cut = positions;
    cursor->cut_count = count;
    for (size_t i = 0; i < cursor->stream_count; i++) {
        cursor->streams[i].cut_sequence = cursor->streams[i].sequence;
        cursor->streams[i].cut_word = cursor->streams[i].taken_words;
    }
    return SCOPE_OK;
}

/* ---- reading ---- */

typedef struct times {
    int64_t start_ns, end_ns;
    size_t place;
} times;

static int by_start(const void *a, const void *b)
{
    const times *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Calls of several threads, in order of entry. */
static scope_status sort_times(int64_t *starts, int64_t *ends, size_t count)
{
    times *all = malloc((count + 1) * sizeof *all);
    if (!all)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        all[i] = (times){starts[i], ends[i], i};
    qsort(all, count, sizeof *all, by_start);
    for (size_t i = 0; i < count; i++) {
        starts[i] = all[i].start_ns;
        ends[i] = all[i].end_ns;
    }
    free(all);
    return SCOPE_OK;
}

scope_status scope_cursor_region(const scope_cursor *cursor, uint32_t region, int64_t **start_ns,
                                 int64_t **end_ns, size_t *count)
{
    const uint32_t slot = id_map_find(&cursor->defs.region_map, region);
    const size_t room = slot == ID_MAP_NONE ? 0 : (size_t)cursor->defs.regions[slot].call_count;
    int64_t *starts = malloc((room + 1) * sizeof *starts);
    int64_t *ends = malloc((room + 1) * sizeof *ends);
    scope_status status = starts && ends ? SCOPE_OK : SCOPE_ERR_MEMORY;
    size_t made = 0;
    uint32_t thread = ID_MAP_NONE;
    int sorted = 1, mixed = 0;
    for (uint64_t i = 0; status == SCOPE_OK && i < cursor->rows.count && made < room; i++) {
        const call_row *row = rows_at(&cursor->rows, i);
        if (row->region != slot || (row->flags & ROW_REPORTED))
            continue;
        starts[made] = row->start_ns;
        ends[made] = row->duration_ns < 0 ? 0 : nest_end(row->start_ns, row->duration_ns);
        sorted &= !made || starts[made - 1] <= row->start_ns;
        mixed |= made && row->thread != thread;
        thread = row->thread;
        made++;
    }
    /* one thread, or all in order of time: calls with times of their own stay where they are */
    if (status == SCOPE_OK && !sorted && mixed && !cursor->untracked)
        status = sort_times(starts, ends, made);
    if (status != SCOPE_OK) {
        free(starts);
        free(ends);
        return status;
    }
    *start_ns = starts;
    *end_ns = ends;
    *count = made;
    return SCOPE_OK;
}

void scope_cursor_times(const scope_cursor *cursor, const int64_t *ticks, size_t count, int64_t *ns)
{
    size_t hint = 0;
    for (size_t i = 0; i < count; i++)
        ns[i] = clock_map_ns(&cursor->clock, (uint64_t)ticks[i], &hint);
}

size_t scope_cursor_open_count(const scope_cursor *cursor, uint32_t except)
{
    const uint32_t slot =
        except == UINT32_MAX ? ID_MAP_NONE : id_map_find(&cursor->defs.region_map, except);
    size_t count = 0;
    for (size_t i = 0; i < cursor->lane_count; i++)
        for (uint32_t k = 0; k < cursor->lanes[i].lane.depth; k++)
            count += cursor->lanes[i].lane.stack[k].region != slot;
    return count;
}
