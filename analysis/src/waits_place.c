/* waits_place.c - where who waited was, and who was waited for; see waits.h.
 *
 *     waiting for a rank, added up     W(t)  __/--/==/---   steeper the more wait at a time
 *     a call of it                              |begin   |end
 *
 * W(end) - W(begin) is what others waited for this rank while it was in the call; less that of
 * the calls inside, it is the call's own. So each call is looked at once, whatever waits overlap.
 *
 * SPDX-License-Identifier: MIT
 */
#include "waits_parts.h"

#include <stdlib.h>
#include <string.h>

#include <scope/wrap.h>

#define STEPS_PER_CALL 64 /* outwards, on average: a file may claim any depth of MPI calls */

typedef struct late { /* a wait, by who it waited for */
    int64_t lane;
    size_t wait;
    uint32_t block;
} late;

typedef struct instant {                /* from here on */
    int64_t time_ns, waiting, total_ns; /* how many wait; W here */
} instant;

typedef struct late_lane {
    int64_t lane;
    size_t first, count; /* of instants */
} late_lane;

typedef struct span {
    uint64_t first;
    uint32_t pair;
} span;

typedef struct placing { /* of one rank */
    wait_hunt *hunt;
    const wait_block *block;
    span *spans; /* its pairs by their rows */
    size_t span_count;
    uint64_t *row_of; /* by call id - least_id; NULL: its calls have none */
    uint64_t id_count;
    uint64_t steps; /* that are left */
    int64_t least_id;
    instant *instants;
    late_lane *lanes;
    size_t lane_count;
} placing;

/* ---- calls around a call ---- */

static int by_first(const void *a, const void *b)
{
    const span *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static scope_status know_rank(placing *at)
{
    const scope_calls *calls = at->hunt->calls;
    const size_t count = at->block->end_pair - at->block->first_pair;
    int64_t least = INT64_MAX;
    at->span_count = 0;
    at->id_count = 0;
    at->spans = malloc((count + 1) * sizeof *at->spans);
    if (!at->spans)
        return SCOPE_ERR_MEMORY;
    for (size_t p = at->block->first_pair; p < at->block->end_pair; p++) {
        const scope_pair *pair = &calls->pairs[p];
        if (!pair->count)
            continue;
        at->spans[at->span_count++] = (span){pair->first, (uint32_t)p};
        at->id_count += pair->count;
        for (uint64_t row = pair->first; calls->call_ids && row < pair->first + pair->count; row++)
            least = calls->call_ids[row] < least ? calls->call_ids[row] : least;
    }
    at->steps = STEPS_PER_CALL * (at->id_count + 1);
    if (at->span_count)
        qsort(at->spans, at->span_count, sizeof *at->spans, by_first);
    if (!calls->call_ids || !calls->parent_ids || least < 0)
        return SCOPE_OK;
    at->least_id = least;
    at->row_of = malloc((at->id_count + 1) * sizeof *at->row_of);
    if (!at->row_of)
        return SCOPE_ERR_MEMORY;
    memset(at->row_of, 0xff, at->id_count * sizeof *at->row_of);
    for (size_t i = 0; i < at->span_count; i++) {
        const scope_pair *pair = &calls->pairs[at->spans[i].pair];
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            const uint64_t id = (uint64_t)calls->call_ids[row] - (uint64_t)least;
            if (id < at->id_count)
                at->row_of[id] = row;
        }
    }
    return SCOPE_OK;
}

static void forget_rank(placing *at)
{
    free(at->spans);
    free(at->row_of);
    free(at->instants);
    free(at->lanes);
    at->spans = NULL;
    at->row_of = NULL;
    at->instants = NULL;
    at->lanes = NULL;
}

static uint32_t pair_of(const placing *at, uint64_t row)
{
    size_t low = 0, high = at->span_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (at->spans[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return at->spans[low].pair;
}

/* The call around a call; UINT64_MAX: none. Ids grow inwards, so nobody climbs for ever. */
static uint64_t parent_of(const placing *at, uint64_t row)
{
    const scope_calls *calls = at->hunt->calls;
    if (!at->row_of || calls->parent_ids[row] < 0 || calls->parent_ids[row] >= calls->call_ids[row])
        return UINT64_MAX;
    const uint64_t id = (uint64_t)calls->parent_ids[row] - (uint64_t)at->least_id;
    return id < at->id_count ? at->row_of[id] : UINT64_MAX;
}

static uint32_t region_around(placing *at, uint64_t row)
{
    const wait_hunt *hunt = at->hunt;
    for (uint64_t in = parent_of(at, row); in != UINT64_MAX && at->steps;
         in = parent_of(at, in), at->steps--) {
        const uint32_t region = hunt->calls->pairs[pair_of(at, in)].region;
        if (!hunt->mpi[region])
            return region;
    }
    return SCOPE_WAIT_NO_REGION;
}

/* ---- what others waited ---- */

static int by_time(const void *a, const void *b)
{
    const instant *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Each lane's instants in order, with what others waited until there. */
static scope_status know_waits(placing *at, const late *lates, size_t count)
{
    const wait_hunt *hunt = at->hunt;
    at->lane_count = 0;
    at->instants = malloc((2 * count + 1) * sizeof *at->instants);
    at->lanes = malloc((count + 1) * sizeof *at->lanes);
    if (!at->instants || !at->lanes)
        return SCOPE_ERR_MEMORY;
    for (size_t first = 0, end; first < count; first = end) {
        instant *instants = at->instants + 2 * first;
        for (end = first; end < count && lates[end].lane == lates[first].lane; end++) {
            const scope_wait *wait = &hunt->waits[lates[end].wait];
            const int64_t start = hunt->calls->start_ns[wait->row];
            instants[2 * (end - first)] = (instant){start, 1, 0};
            instants[2 * (end - first) + 1] = (instant){start + wait->ns, -1, 0};
        }
        const size_t all = 2 * (end - first);
        qsort(instants, all, sizeof *instants, by_time);
        for (size_t i = 1; i < all; i++) {
            const instant *before = &instants[i - 1];
            const uint64_t more = (uint64_t)before->waiting *
                                  ((uint64_t)instants[i].time_ns - (uint64_t)before->time_ns);
            instants[i].total_ns = wrap_add(before->total_ns, (int64_t)more);
            instants[i].waiting += before->waiting;
        }
        at->lanes[at->lane_count++] = (late_lane){lates[first].lane, 2 * first, all};
    }
    return SCOPE_OK;
}

static int by_lane(const void *a, const void *b)
{
    const late_lane *x = a, *y = b;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* W(t) */
static int64_t waited_until(const instant *instants, size_t count, int64_t time_ns)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (instants[middle].time_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return 0;
    const instant *from = &instants[low - 1];
    return wrap_add(from->total_ns, (int64_t)((uint64_t)from->waiting *
                                              ((uint64_t)time_ns - (uint64_t)from->time_ns)));
}

static int64_t waited_in(const placing *at, uint64_t row)
{
    const late_lane wanted = {.lane = scope_calls_lane(at->hunt->calls, row)};
    const late_lane *lane =
        at->lane_count == 1 && at->lanes[0].lane == wanted.lane
            ? at->lanes
            : bsearch(&wanted, at->lanes, at->lane_count, sizeof wanted, by_lane);
    if (!lane)
        return 0;
    const instant *instants = at->instants + lane->first;
    const int64_t start = at->hunt->calls->start_ns[row], end = wait_end(at->hunt, row);
    if (end <= instants[0].time_ns || start >= instants[lane->count - 1].time_ns)
        return 0;
    return (int64_t)((uint64_t)waited_until(instants, lane->count, end) -
                     (uint64_t)waited_until(instants, lane->count, start));
}

static int most_first(const void *a, const void *b)
{
    const scope_wait_cause_row *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static scope_status add_causes(placing *at, const int64_t *own_ns, int64_t outside_ns)
{
    wait_hunt *hunt = at->hunt;
    scope_waits *to = hunt->to;
    size_t count = outside_ns != 0;
    for (size_t i = 0; i < at->span_count; i++)
        count += own_ns[at->spans[i].pair - at->block->first_pair] != 0;
    scope_wait_cause_row *rows = realloc(to->causes, (to->cause_count + count + 1) * sizeof *rows);
    if (!rows)
        return SCOPE_ERR_MEMORY;
    to->causes = rows;
    rows += to->cause_count;
    size_t at_row = 0;
    for (size_t i = 0; i < at->span_count; i++) {
        const uint32_t pair = at->spans[i].pair;
        const int64_t ns = own_ns[pair - at->block->first_pair];
        if (ns)
            rows[at_row++] =
                (scope_wait_cause_row){at->block->rank, hunt->calls->pairs[pair].region, ns};
    }
    if (outside_ns)
        rows[at_row++] = (scope_wait_cause_row){at->block->rank, SCOPE_WAIT_NO_REGION, outside_ns};
    qsort(rows, at_row, sizeof *rows, most_first);
    to->cause_count += at_row;
    return SCOPE_OK;
}

static scope_status find_causes(placing *at, const late *lates, size_t count)
{
    const scope_calls *calls = at->hunt->calls;
    int64_t *own_ns = calloc(at->block->end_pair - at->block->first_pair + 1, sizeof *own_ns);
    int64_t outside_ns = 0;
    scope_status status = own_ns ? know_waits(at, lates, count) : SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count && status == SCOPE_OK; i++)
        outside_ns = wrap_add(outside_ns, at->hunt->waits[lates[i].wait].ns);
    for (size_t i = 0; i < at->span_count && status == SCOPE_OK && at->row_of; i++) {
        const uint32_t p = at->spans[i].pair;
        const scope_pair *pair = &calls->pairs[p];
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            const int64_t ns = waited_in(at, row);
            if (!ns)
                continue;
            const uint64_t parent = parent_of(at, row);
            int64_t *from = &outside_ns;
            if (parent != UINT64_MAX &&
                scope_calls_lane(calls, parent) == scope_calls_lane(calls, row))
                from = &own_ns[pair_of(at, parent) - at->block->first_pair];
            *from = wrap_add(*from, (int64_t)(0 - (uint64_t)ns));
            int64_t *to = &own_ns[p - at->block->first_pair];
            *to = wrap_add(*to, ns);
        }
    }
    if (status == SCOPE_OK)
        status = add_causes(at, own_ns, outside_ns);
    free(own_ns);
    return status;
}

/* ---- all ranks ---- */

static int by_late(const void *a, const void *b)
{
    const late *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return x->wait < y->wait ? -1 : x->wait > y->wait;
}

scope_status wait_place(wait_hunt *hunt, int causes)
{
    placing at = {.hunt = hunt};
    late *lates = malloc((hunt->wait_count + 1) * sizeof *lates);
    scope_status status = lates ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t i = 0; lates && i < hunt->wait_count; i++)
        lates[i] = (late){scope_calls_lane(hunt->calls, hunt->waits[i].late_row), i,
                          (uint32_t)hunt->waits[i].late_rank};
    if (lates)
        qsort(lates, hunt->wait_count, sizeof *lates, by_late);
    size_t wait = 0, first_late = 0;
    for (uint32_t b = 0; b < hunt->block_count && status == SCOPE_OK; b++) {
        size_t end_wait = wait, end_late = first_late;
        while (end_wait < hunt->wait_count && hunt->waits[end_wait].rank == (int32_t)b)
            end_wait++;
        while (end_late < hunt->wait_count && lates[end_late].block == b)
            end_late++;
        if (end_wait > wait || end_late > first_late) {
            at.block = &hunt->blocks[b];
            status = know_rank(&at);
            for (; wait < end_wait && status == SCOPE_OK; wait++)
                hunt->waits[wait].region = region_around(&at, hunt->waits[wait].row);
            if (status == SCOPE_OK && causes && end_late > first_late)
                status = find_causes(&at, lates + first_late, end_late - first_late);
            forget_rank(&at);
        }
        wait = end_wait;
        first_late = end_late;
    }
    free(lates);
    return status;
}
