/* overhead_place.c - see overhead_place.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "overhead_place.h"

#include <stdlib.h>
#include <string.h>

#include <scope/wrap.h>

#define STEPS_PER_ROW 64 /* towards the root, on average: a file may claim any depth */

void kept_free(kept_calls *kept)
{
    free(kept->parent);
    free(kept->group);
    free(kept->nested_ns);
    free(kept->row);
    *kept = (kept_calls){0};
}

scope_status kept_start(kept_calls *kept, const scope_calls *calls, size_t first, size_t end)
{
    uint64_t count = 0;
    int64_t least = INT64_MAX;
    *kept = (kept_calls){.calls = calls};
    if (!calls->call_ids || !calls->parent_ids || calls->is_aggregate)
        return SCOPE_OK;
    for (size_t p = first; p < end; p++) {
        const scope_pair *pair = &calls->pairs[p];
        count += pair->count;
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++)
            least = calls->call_ids[row] < least ? calls->call_ids[row] : least;
    }
    if (!count || least < 0 || count >= KEPT_NONE)
        return SCOPE_OK;
    kept->parent = malloc(count * sizeof *kept->parent);
    kept->group = malloc(count * sizeof *kept->group);
    kept->nested_ns = calloc(count, sizeof *kept->nested_ns);
    kept->row = malloc(count * sizeof *kept->row);
    if (!kept->parent || !kept->group || !kept->nested_ns || !kept->row) {
        kept_free(kept);
        return SCOPE_ERR_MEMORY;
    }
    memset(kept->row, 0xff, count * sizeof *kept->row);
    kept->count = count;
    kept->least_id = least;
    return SCOPE_OK;
}

int kept_enter(kept_calls *kept, uint64_t row, uint32_t group)
{
    const uint64_t id = (uint64_t)kept->calls->call_ids[row] - (uint64_t)kept->least_id;
    const int64_t parent_id = kept->calls->parent_ids[row];
    const uint64_t parent = (uint64_t)parent_id - (uint64_t)kept->least_id;
    if (id >= kept->count || kept->row[id] != UINT64_MAX)
        return 0;
    const int has_parent = parent_id >= kept->least_id && parent < kept->count;
    if (has_parent && parent >= id)
        return 0;
    kept->row[id] = row;
    kept->group[id] = group;
    kept->parent[id] = has_parent ? (uint32_t)parent : KEPT_NONE; /* else it was folded */
    return 1;
}

/* ---- folded calls ---- */

static int by_start(const void *a, const void *b)
{
    const scope_sum_row *x = ((const folded_row *)a)->sum, *y = ((const folded_row *)b)->sum;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->first_ns < y->first_ns ? -1 : x->first_ns > y->first_ns;
}

scope_status folded_list(const scope_calls *calls, folded_row **rows)
{
    *rows = malloc(calls->sum_count * sizeof **rows);
    if (!*rows)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->sum_count; i++)
        (*rows)[i] = (folded_row){.sum = &calls->sums[i], .inside = KEPT_NONE};
    qsort(*rows, calls->sum_count, sizeof **rows, by_start);
    return SCOPE_OK;
}

typedef struct lane_place { /* a lane with folded calls, while its kept ones go by */
    int64_t lane;
    uint32_t last; /* that began; KEPT_NONE */
} lane_place;

static int by_lane(const void *a, const void *b)
{
    const lane_place *x = a, *y = b;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

static lane_place *lane_of(lane_place *lanes, size_t count, int64_t lane)
{
    const lane_place key = {.lane = lane};
    return bsearch(&key, lanes, count, sizeof key, by_lane);
}

static lane_place *list_lanes(const folded_row *rows, size_t count, size_t *lane_count)
{
    lane_place *lanes = malloc(count * sizeof *lanes);
    size_t kept = 0;
    for (size_t i = 0; lanes && i < count; i++)
        lanes[i] = (lane_place){rows[i].sum->lane, KEPT_NONE};
    if (!lanes)
        return NULL;
    qsort(lanes, count, sizeof *lanes, by_lane);
    for (size_t i = 0; i < count; i++)
        if (!kept || lanes[kept - 1].lane != lanes[i].lane)
            lanes[kept++] = lanes[i];
    *lane_count = kept;
    return lanes;
}

static int spans(const kept_calls *kept, uint32_t place, const scope_sum_row *sum)
{
    const uint64_t row = kept->row[place];
    const int64_t start = kept->calls->start_ns[row];
    return start <= sum->first_ns && wrap_add(start, kept->calls->duration_ns[row]) >= sum->last_ns;
}

/* Of each span: are all its folded rows without calls inside? Those with rows of the
 * same lane and the same kept call around them. */
static int by_inside(const void *a, const void *b)
{
    const folded_row *x = *(folded_row *const *)a, *y = *(folded_row *const *)b;
    return x->inside < y->inside ? -1 : x->inside > y->inside;
}

static scope_status find_direct(folded_row *rows, size_t count)
{
    folded_row **order = malloc(count * sizeof *order);
    if (!order)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        order[i] = &rows[i];
    qsort(order, count, sizeof *order, by_inside);
    for (size_t first = 0, end; first < count; first = end) {
        int leaves = order[first]->inside != KEPT_NONE;
        for (end = first; end < count && order[end]->inside == order[first]->inside; end++)
            leaves &= order[end]->sum->exclusive_ns == order[end]->sum->total_ns;
        for (size_t i = first; i < end; i++)
            order[i]->is_direct = leaves;
    }
    free(order);
    return SCOPE_OK;
}

scope_status kept_place(const kept_calls *kept, const scope_calls *calls, folded_row *rows,
                        size_t count)
{
    size_t lane_count = 0;
    lane_place *lanes = list_lanes(rows, count, &lane_count);
    if (!lanes)
        return SCOPE_ERR_MEMORY;
    uint64_t next = 0, steps = STEPS_PER_ROW * (kept->count + count);
    for (size_t i = 0; i < count; i++) {
        const scope_sum_row *sum = rows[i].sum;
        for (; next < kept->count && calls->start_ns[kept->row[next]] <= sum->first_ns; next++) {
            lane_place *lane = lane_of(lanes, lane_count, scope_calls_lane(calls, kept->row[next]));
            if (lane)
                lane->last = (uint32_t)next;
        }
        uint32_t at = lane_of(lanes, lane_count, sum->lane)->last;
        while (at != KEPT_NONE && steps && !spans(kept, at, sum)) {
            at = kept->parent[at];
            steps--;
        }
        rows[i].inside = steps ? at : KEPT_NONE;
    }
    free(lanes);
    return find_direct(rows, count);
}
