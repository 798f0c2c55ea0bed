/* sums.c - exact sums of folded calls, and the lanes they were on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sums.h"

#include <string.h>

#include <scope/decode.h>

#include "histogram.h"
#include "pool.h"
#include "spool_chunk.h"

#define FIRST_ROWS 64u
#define FIRST_CALLS 8u /* of a lane's stack */
#define STACK_CLASSES 24
#define ENDS_MAX 65536u

static scope_call *spare_stacks[STACK_CLASSES]; /* linked through their first word */

static uint64_t hash_of(int64_t lane, uint32_t region)
{
    uint64_t hash = ((uint64_t)lane * UINT64_C(0x9E3779B97F4A7C15)) ^ region;
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

/* ---- growing arrays ---- */

static bool grow_array(void **array, uint32_t used, uint32_t *capacity, size_t item_bytes,
                       uint32_t first)
{
    if (used < *capacity)
        return true;
    const uint32_t more = *capacity ? 2 * *capacity : first;
    void *larger = scope_map_alloc(more * item_bytes);
    if (!larger)
        return false;
    if (*array) {
        memcpy(larger, *array, used * item_bytes);
        scope_map_free(*array, *capacity * item_bytes);
    }
    *array = larger;
    *capacity = more;
    return true;
}

static void insert(uint32_t *index, uint32_t slots, uint64_t hash, uint32_t item)
{
    uint32_t i = (uint32_t)hash & (slots - 1);
    while (index[i])
        i = (i + 1) & (slots - 1);
    index[i] = item + 1;
}

/* Is the index at a load of at most one half with one item more? */
static bool is_roomy(uint32_t slots, uint32_t count)
{
    return 2 * (count + 1) <= slots;
}

/* An empty index of *more slots. */
static uint32_t *larger_index(uint32_t slots, uint32_t *more)
{
    *more = slots ? 2 * slots : 4 * FIRST_ROWS;
    return scope_map_alloc(*more * sizeof(uint32_t));
}

/* ---- lanes ---- */

static scope_call *take_stack(uint32_t class)
{
    scope_call *stack = class < STACK_CLASSES ? spare_stacks[class] : NULL;
    if (stack)
        memcpy(&spare_stacks[class], stack, sizeof(void *));
    else if (class < STACK_CLASSES)
        stack = scope_pool_alloc((size_t)(FIRST_CALLS << class) * sizeof *stack);
    return stack;
}

static void give_stack(scope_call *stack, uint32_t class)
{
    if (!stack)
        return;
    memcpy(stack, &spare_stacks[class], sizeof(void *));
    spare_stacks[class] = stack;
}

bool scope_sums_make_room(scope_fold_lane *lane)
{
    if (scope_lane_has_room(&lane->lane))
        return true;
    const uint32_t class = lane->lane.stack ? lane->stack_class + 1 : 0;
    scope_call *stack = take_stack(class);
    if (!stack)
        return false;
    scope_call *old = lane->lane.stack;
    scope_lane_grow(&lane->lane, stack, FIRST_CALLS << class);
    give_stack(old, lane->stack_class);
    lane->stack_class = class;
    return true;
}

static bool index_lanes(scope_sums *sums)
{
    uint32_t more;
    if (is_roomy(sums->lane_slots, sums->lane_count))
        return true;
    uint32_t *index = larger_index(sums->lane_slots, &more);
    if (!index)
        return false;
    for (uint32_t i = 0; i < sums->lane_count; i++)
        insert(index, more, hash_of(sums->lanes[i].row.lane, 0), i);
    scope_map_free(sums->lane_index, sums->lane_slots * sizeof *index);
    sums->lane_index = index;
    sums->lane_slots = more;
    return true;
}

scope_fold_lane *scope_sums_lane_of(scope_sums *sums, int64_t id, uint64_t ticks)
{
    const uint64_t hash = hash_of(id, 0);
    for (uint32_t i = (uint32_t)hash & (sums->lane_slots - 1); sums->lane_slots;
         i = (i + 1) & (sums->lane_slots - 1)) {
        if (!sums->lane_index[i])
            break;
        scope_fold_lane *lane = &sums->lanes[sums->lane_index[i] - 1];
        if (lane->row.lane == id)
            return lane;
    }
    if (!index_lanes(sums) ||
        !grow_array((void **)&sums->lanes, sums->lane_count, &sums->lane_capacity,
                    sizeof *sums->lanes, FIRST_ROWS))
        return NULL;
    scope_fold_lane *lane = &sums->lanes[sums->lane_count];
    memset(lane, 0, sizeof *lane);
    scope_lane_start(&lane->lane, NULL, 0);
    lane->row = (scope_sums_lane){.lane = id,
                                  .first_ticks = ticks,
                                  .last_ticks = ticks,
                                  .cpu_ns = -1,
                                  .created_thread = -1,
                                  .suspended_since = UINT64_MAX};
    insert(sums->lane_index, sums->lane_slots, hash, sums->lane_count++);
    return lane;
}

/* ---- rows ---- */

static bool index_rows(scope_sums *sums)
{
    uint32_t more;
    if (is_roomy(sums->row_slots, sums->row_count))
        return true;
    uint32_t *index = larger_index(sums->row_slots, &more);
    if (!index)
        return false;
    for (uint32_t i = 0; i < sums->row_count; i++)
        insert(index, more, hash_of(sums->rows[i].lane, sums->rows[i].region + 1), i);
    scope_map_free(sums->row_index, sums->row_slots * sizeof *index);
    sums->row_index = index;
    sums->row_slots = more;
    return true;
}

scope_sum *scope_sums_row_of(scope_sums *sums, int64_t lane, uint32_t region)
{
    const uint64_t hash = hash_of(lane, region + 1);
    for (uint32_t i = (uint32_t)hash & (sums->row_slots - 1); sums->row_slots;
         i = (i + 1) & (sums->row_slots - 1)) {
        if (!sums->row_index[i])
            break;
        scope_sum *row = &sums->rows[sums->row_index[i] - 1];
        if (row->lane == lane && row->region == region)
            return row;
    }
    if (!index_rows(sums) || !grow_array((void **)&sums->rows, sums->row_count,
                                         &sums->row_capacity, sizeof *sums->rows, FIRST_ROWS))
        return NULL;
    scope_sum *row = &sums->rows[sums->row_count];
    *row = (scope_sum){.lane = lane, .region = region, .minimum_ticks = UINT64_MAX,
                       .first_ticks = UINT64_MAX};
    insert(sums->row_index, sums->row_slots, hash, sums->row_count++);
    return row;
}

void scope_sums_add(scope_sums *sums, int64_t lane, const scope_call *call)
{
    scope_sum *row = scope_sums_row_of(sums, lane, call->region);
    if (!row)
        return;
    const uint64_t duration = call->end > call->begin ? (uint64_t)(call->end - call->begin) : 0;
    row->count++;
    row->sum_ticks += duration;
    row->minimum_ticks = duration < row->minimum_ticks ? duration : row->minimum_ticks;
    row->maximum_ticks = duration > row->maximum_ticks ? duration : row->maximum_ticks;
    /* Calls that cross may hold more than their own time. */
    row->exclusive_ticks += duration - (uint64_t)call->inner;
    row->await_ticks += (uint64_t)call->suspended;
    row->bytes += call->moved.bytes;
    if ((uint64_t)call->begin < row->first_ticks)
        row->first_ticks = (uint64_t)call->begin;
    if ((uint64_t)call->end > row->last_end_ticks)
        row->last_end_ticks = (uint64_t)call->end;
    row->implied += (call->flags & SCOPE_CALL_IMPLIED) != 0;
    row->crossed += (call->flags & SCOPE_CALL_CROSSED) != 0;
    uint32_t *bucket =
        &row->histogram[scope_histogram_bucket(duration, scope_store.header->ticks_per_second)];
    *bucket += *bucket != UINT32_MAX;
    sums->folded_calls++;
}

bool scope_sums_keep_end(scope_sums *sums, int64_t lane, uint32_t region, uint64_t ticks)
{
    if (sums->end_count == ENDS_MAX ||
        !grow_array((void **)&sums->ends, sums->end_count, &sums->end_capacity,
                    sizeof *sums->ends, FIRST_ROWS))
        return false;
    sums->ends[sums->end_count++] = (scope_sums_open){.lane = lane,
                                                      .region = region,
                                                      .kind = SCOPE_SUMS_END,
                                                      .end_ticks = ticks,
                                                      .peer = -1,
                                                      .communicator = -1};
    return true;
}

/* ---- ended lanes ---- */

#define ROWS_MAX_BYTES (UINT64_C(4) << 20)
#define ROWS_LEAST_BYTES (UINT64_C(64) << 10)

bool scope_sums_is_large(scope_sums *sums)
{
    if (!sums->merge_above_bytes) {
        const uint64_t share = scope_store.max_bytes / 256;
        sums->merge_above_bytes = share < ROWS_LEAST_BYTES ? ROWS_LEAST_BYTES
                                  : share > ROWS_MAX_BYTES ? ROWS_MAX_BYTES
                                                           : share;
    }
    return sums->row_count * sizeof *sums->rows > sums->merge_above_bytes;
}

void scope_sums_add_sum(scope_sums *sums, int64_t lane, const scope_sum *sum)
{
    scope_sum *row = scope_sums_row_of(sums, lane, sum->region);
    if (!row)
        return;
    scope_sum_add(row, sum);
    sums->folded_calls += sum->count;
}

/* Which lanes are over: ended, with nothing open and no END that waits. */
static void find_ended(scope_sums *sums, int64_t other, const int64_t *kept, uint32_t kept_count)
{
    for (uint32_t i = 0; i < sums->lane_count; i++) {
        scope_fold_lane *lane = &sums->lanes[i];
        lane->is_over = lane->row.end_ticks && !lane->lane.depth && !lane->lane.pending &&
                        lane->row.lane != other;
    }
    for (uint32_t i = 0; i < kept_count + sums->end_count; i++) {
        scope_fold_lane *lane = scope_sums_lane_of(
            sums, i < kept_count ? kept[i] : sums->ends[i - kept_count].lane, 0);
        if (lane)
            lane->is_over = false;
    }
}

uint32_t scope_sums_merge_ended(scope_sums *sums, int64_t other, uint64_t ticks,
                                const int64_t *kept, uint32_t kept_count)
{
    uint32_t merged = 0, left = 0;
    if (!scope_sums_lane_of(sums, other, ticks))
        return 0;
    find_ended(sums, other, kept, kept_count);
    const uint32_t count = sums->row_count; /* rows of `other` may be appended */
    for (uint32_t i = 0; i < count; i++) {
        scope_fold_lane *lane = scope_sums_lane_of(sums, sums->rows[i].lane, ticks);
        if (!lane || !lane->is_over)
            continue;
        scope_sum *to = scope_sums_row_of(sums, other, sums->rows[i].region);
        if (!to)
            break;
        scope_sum_add(to, &sums->rows[i]);
        sums->rows[i].count = UINT64_MAX; /* gone */
        merged += !lane->is_merged;
        lane->is_merged = true;
    }
    for (uint32_t i = 0; i < sums->row_count; i++)
        if (sums->rows[i].count != UINT64_MAX)
            sums->rows[left++] = sums->rows[i];
    sums->row_count = left;
    memset(sums->row_index, 0, sums->row_slots * sizeof *sums->row_index);
    for (uint32_t i = 0; i < left; i++)
        insert(sums->row_index, sums->row_slots,
               hash_of(sums->rows[i].lane, sums->rows[i].region + 1), i);
    if (2 * left * sizeof *sums->rows > sums->merge_above_bytes)
        sums->merge_above_bytes = 2 * left * sizeof *sums->rows; /* of lanes that live */
    return merged;
}

/* ---- commit ---- */

static scope_sums_open open_row(int64_t lane, const scope_call *call, scope_sums_open_kind kind)
{
    return (scope_sums_open){
        .lane = lane,
        .region = call->region,
        .kind = kind,
        .begin_ticks = (uint64_t)call->begin,
        .end_ticks = kind == SCOPE_SUMS_PENDING ? (uint64_t)call->end : 0,
        .inner_ticks = (uint64_t)call->inner,
        .suspended_ticks = kind == SCOPE_SUMS_PENDING ? call->mark : (uint64_t)call->suspended,
        .order = call->order,
        .bytes = call->moved.bytes,
        .peer = call->moved.peer,
        .communicator = call->moved.communicator,
        .has_message = (call->flags & SCOPE_CALL_MESSAGE) != 0,
        .message_kind = (uint16_t)call->moved.kind,
        .tag_above = (uint32_t)(call->moved.tag + 1),
    };
}

static scope_sums_open *write_opens(const scope_sums *sums, scope_sums_open *open,
                                    const int64_t *resumed, uint32_t resumed_count)
{
    for (uint32_t i = 0; i < sums->lane_count; i++) {
        const scope_lane *lane = &sums->lanes[i].lane;
        const int64_t id = sums->lanes[i].row.lane;
        for (uint32_t k = 0; k < lane->depth; k++)
            *open++ = open_row(id, &lane->stack[k], SCOPE_SUMS_OPEN);
        for (uint32_t k = lane->capacity; k-- > lane->capacity - lane->pending;)
            *open++ = open_row(id, &lane->stack[k], SCOPE_SUMS_PENDING);
    }
    if (sums->end_count)
        memcpy(open, sums->ends, sums->end_count * sizeof *open);
    open += sums->end_count;
    for (uint32_t i = 0; i < resumed_count; i++)
        *open++ = (scope_sums_open){
            .lane = resumed[i], .kind = SCOPE_SUMS_RESUMED, .peer = -1, .communicator = -1};
    return open;
}

static scope_sums_lane lane_row(const scope_fold_lane *lane)
{
    scope_sums_lane row = lane->row;
    row.begun = lane->lane.begun;
    row.suspended_ticks = (uint64_t)lane->lane.suspended;
    row.suspended_since =
        lane->lane.suspended_since < 0 ? UINT64_MAX : (uint64_t)lane->lane.suspended_since;
    return row;
}

/* A chunk for this copy that holds size_bytes. */
static scope_chunk_header *room_for(scope_sums *sums, const scope_stream *stream, unsigned copy,
                                    uint64_t size_bytes)
{
    scope_chunk_header *old = sums->copies[copy];
    if (old && old->size_bytes >= size_bytes)
        return old;
    uint64_t wanted = old ? 2 * (uint64_t)old->size_bytes : SCOPE_CHUNK_UNIT_BYTES;
    while (wanted < size_bytes)
        wanted *= 2;
    scope_chunk_header *chunk =
        wanted > UINT32_MAX / 2 ? NULL
                                : scope_spool_take(SCOPE_CHUNK_SUMS, (uint32_t)wanted, true);
    if (!chunk)
        return NULL;
    scope_spool_begin(chunk, stream->session->number, stream->id, copy, -1, -1);
    if (old && scope_spool_is_beside(chunk) && !scope_spool_is_beside(old) &&
        scope_spool_is_beside(sums->copies[!copy]))
        sums->left = old; /* older than the other one, but a kill leaves it */
    else if (old)
        scope_spool_give(old);
    sums->copies[copy] = chunk;
    return chunk;
}

bool scope_sums_commit(scope_sums *sums, const scope_stream *stream, scope_sums_header head,
                       const int64_t *resumed, uint32_t resumed_count)
{
    head.version = sums->version + 1 ? sums->version + 1 : 1;
    head.row_count = sums->row_count;
    head.lane_count = sums->lane_count;
    head.open_count = sums->end_count + resumed_count;
    head.folded_calls = sums->folded_calls;
    for (uint32_t i = 0; i < sums->lane_count; i++)
        head.open_count += sums->lanes[i].lane.depth + sums->lanes[i].lane.pending;
    const uint64_t size_bytes = sizeof(scope_chunk_header) + sizeof head +
                                head.row_count * sizeof(scope_sum) +
                                head.lane_count * sizeof(scope_sums_lane) +
                                head.open_count * sizeof(scope_sums_open);
    scope_chunk_header *chunk = room_for(sums, stream, head.version & 1, size_bytes);
    if (!chunk)
        return false;
    scope_sums_header *to = (scope_sums_header *)(chunk + 1);
    __atomic_store_n(&to->version, 0, __ATOMIC_RELEASE);
    atomic_thread_fence(memory_order_seq_cst);
    memcpy((char *)to + sizeof to->version, (char *)&head + sizeof head.version,
           sizeof head - sizeof head.version);
    scope_sum *rows = (scope_sum *)(to + 1);
    if (head.row_count)
        memcpy(rows, sums->rows, head.row_count * sizeof *rows);
    scope_sums_lane *lanes = (scope_sums_lane *)(rows + head.row_count);
    for (uint32_t i = 0; i < head.lane_count; i++)
        lanes[i] = lane_row(&sums->lanes[i]);
    write_opens(sums, (scope_sums_open *)(lanes + head.lane_count), resumed, resumed_count);
    __atomic_store_n(&to->version, head.version, __ATOMIC_RELEASE);
    sums->version = head.version;
    if (sums->left && !scope_spool_is_beside(chunk)) {
        scope_spool_give(sums->left);
        sums->left = NULL;
    }
    return true;
}

void scope_sums_forget_rows(scope_sums *sums)
{
    sums->row_count = 0;
    sums->folded_calls = 0;
    if (sums->row_index)
        memset(sums->row_index, 0, sums->row_slots * sizeof *sums->row_index);
    for (uint32_t i = 0; i < sums->lane_count; i++)
        sums->lanes[i].lane.pending = 0;
}

void scope_sums_clear(scope_sums *sums)
{
    for (uint32_t i = 0; i < sums->lane_count; i++)
        give_stack(sums->lanes[i].lane.stack, sums->lanes[i].stack_class);
    scope_map_free(sums->rows, sums->row_capacity * sizeof *sums->rows);
    scope_map_free(sums->row_index, sums->row_slots * sizeof *sums->row_index);
    scope_map_free(sums->lanes, sums->lane_capacity * sizeof *sums->lanes);
    scope_map_free(sums->lane_index, sums->lane_slots * sizeof *sums->lane_index);
    scope_map_free(sums->ends, sums->end_capacity * sizeof *sums->ends);
    memset(sums, 0, sizeof *sums);
}
