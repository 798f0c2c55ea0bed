/* statistics.c - statistics of a call table: per rank, region and lane.
 *
 *     rows -> group of each -> durations group after group -> one summary per group
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/results.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <scope/lane.h>
#include <scope/wrap.h>

#include "exclusive.h"
#include "id_map.h"
#include "select.h"

typedef struct group_key {
    int32_t rank; /* -1: all */
    uint32_t region;
    int64_t lane; /* INT64_MIN: all */
} group_key;

typedef struct grouping {
    const scope_calls *calls;
    scope_summary_by by;
    scope_summary *rows; /* one per group */
    size_t count, capacity;
    uint32_t *group_of_pair;    /* by region, by rank */
    uint32_t *group_of_row;     /* by lane; else NULL */
    uint32_t *slots;            /* keys to groups: open addressing */
    size_t slot_count;
    int64_t *exclusive_of_row;  /* by lane, where ids are known; else NULL */
} grouping;

/* ---- groups ---- */

static uint64_t hash(const group_key *key)
{
    uint64_t value = (uint64_t)key->lane * UINT64_C(0x9E3779B97F4A7C15);
    value ^= ((uint64_t)(uint32_t)key->rank << 32 | key->region) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return value ^ value >> 29;
}

static int has_key(const scope_summary *row, const group_key *key)
{
    return row->rank == key->rank && row->region == key->region && row->lane == key->lane;
}

static int grow_slots(grouping *groups)
{
    const size_t count = groups->slot_count ? groups->slot_count * 2 : 256;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (!slots)
        return 0;
    memset(slots, 0xff, count * sizeof *slots);
    for (size_t i = 0; i < groups->count; i++) {
        const scope_summary *row = &groups->rows[i];
        const group_key key = {row->rank, row->region, row->lane};
        size_t slot = (size_t)hash(&key) & (count - 1);
        while (slots[slot] != ID_MAP_NONE)
            slot = (slot + 1) & (count - 1);
        slots[slot] = (uint32_t)i;
    }
    free(groups->slots);
    groups->slots = slots;
    groups->slot_count = count;
    return 1;
}

/* The group of a key, made when new; ID_MAP_NONE: no memory. */
static uint32_t group_of(grouping *groups, int32_t rank, uint32_t region, int64_t lane)
{
    const group_key key = {groups->by == SCOPE_BY_REGION ? -1 : rank, region,
                           groups->by == SCOPE_BY_LANE ? lane : INT64_MIN};
    if (groups->count * 2 >= groups->slot_count && !grow_slots(groups))
        return ID_MAP_NONE;
    size_t slot = (size_t)hash(&key) & (groups->slot_count - 1);
    for (; groups->slots[slot] != ID_MAP_NONE; slot = (slot + 1) & (groups->slot_count - 1))
        if (has_key(&groups->rows[groups->slots[slot]], &key))
            return groups->slots[slot];
    if (groups->count == groups->capacity) {
        const size_t capacity = groups->capacity ? groups->capacity * 2 : 64;
        scope_summary *rows = realloc(groups->rows, capacity * sizeof *rows);
        if (!rows)
            return ID_MAP_NONE;
        groups->rows = rows;
        groups->capacity = capacity;
    }
    groups->rows[groups->count] =
        (scope_summary){.rank = key.rank,
                        .region = key.region,
                        .lane = key.lane,
                        .overhead_ns = -1,
                        .corrected_total_ns = -1,
                        .corrected_exclusive_ns = -1,
                        .unplaced_count = -1};
    groups->slots[slot] = (uint32_t)groups->count;
    return (uint32_t)groups->count++;
}

static scope_status find_groups(grouping *groups)
{
    const scope_calls *calls = groups->calls;
    const int by_lane = groups->by == SCOPE_BY_LANE;
    groups->group_of_pair = malloc((calls->pair_count + 1) * sizeof *groups->group_of_pair);
    if (by_lane)
        groups->group_of_row = malloc((calls->count + 1) * sizeof *groups->group_of_row);
    if (!groups->group_of_pair || (by_lane && !groups->group_of_row))
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        if (!by_lane) {
            groups->group_of_pair[i] = group_of(groups, pair->rank, pair->region, 0);
            if (groups->group_of_pair[i] == ID_MAP_NONE)
                return SCOPE_ERR_MEMORY;
            continue;
        }
        int64_t last_lane = INT64_MIN;
        uint32_t last = ID_MAP_NONE;
        for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair); row++) {
            const int64_t lane = scope_calls_lane(calls, row);
            if (last == ID_MAP_NONE || lane != last_lane) {
                last = group_of(groups, pair->rank, pair->region, lane);
                last_lane = lane;
                if (last == ID_MAP_NONE)
                    return SCOPE_ERR_MEMORY;
            }
            groups->group_of_row[row] = last;
        }
    }
    for (size_t i = 0; i < calls->sum_count; i++)
        if (group_of(groups, calls->sums[i].rank, calls->sums[i].region, calls->sums[i].lane) ==
            ID_MAP_NONE)
            return SCOPE_ERR_MEMORY;
    return SCOPE_OK;
}

/* ---- sums ---- */

static void add_row(grouping *groups, scope_summary *to, uint64_t row)
{
    const scope_calls *calls = groups->calls;
    const int64_t duration = calls->duration_ns[row], start = calls->start_ns[row];
    if (calls->flags && calls->flags[row] & SCOPE_CALL_OPEN) {
        to->open_count++;
        to->open_ns = wrap_add(to->open_ns, duration);
    } else if (to->call_count == to->open_count || duration < to->ended_minimum_ns) {
        to->ended_minimum_ns = duration;
    }
    if (to->call_count == 0) {
        to->minimum_ns = to->maximum_ns = to->first_ns = duration;
        to->first_start_ns = start;
    }
    to->call_count++;
    to->total_ns = wrap_add(to->total_ns, duration);
    to->last_ns = duration;
    if (duration < to->minimum_ns)
        to->minimum_ns = duration;
    if (duration > to->maximum_ns)
        to->maximum_ns = duration;
    if (start < to->first_start_ns)
        to->first_start_ns = start;
    if (calls->await_ns)
        to->await_ns = wrap_add(to->await_ns, calls->await_ns[row]);
    if (calls->mpi_bytes)
        to->mpi_bytes = wrap_add(to->mpi_bytes, calls->mpi_bytes[row]);
    if (groups->by != SCOPE_BY_LANE)
        return;
    const int64_t exclusive = groups->exclusive_of_row ? groups->exclusive_of_row[row] : -1;
    if (exclusive < 0)
        to->exclusive_ns = -1;
    else if (to->exclusive_ns >= 0)
        to->exclusive_ns = wrap_add(to->exclusive_ns, exclusive);
}

/* numpy's: linear between the two nearest ranks. */
double scope_percentile(int64_t *values, uint64_t count, double quantile)
{
    const double place = quantile * (double)(count - 1);
    const uint64_t low = (uint64_t)place;
    const double part = place - (double)low;
    const double a = (double)select_nth(values, count, low);
    if (low + 1 >= count)
        return a;
    const double b = (double)select_nth(values, count, low + 1);
    return part < 0.5 ? a + (b - a) * part : b - (b - a) * (1.0 - part);
}

static void finish_group(scope_summary *row, int64_t *durations)
{
    const uint64_t count = (uint64_t)row->call_count;
    if (!count)
        return;
    row->mean_ns = (double)row->total_ns / (double)count;
    double m2 = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        const double off = (double)durations[i] - row->mean_ns;
        m2 += off * off;
    }
    row->deviation_ns = sqrt(m2 / (double)count);
    row->p50_ns = scope_percentile(durations, count, 0.50);
    row->p95_ns = scope_percentile(durations, count, 0.95);
    row->p99_ns = scope_percentile(durations, count, 0.99);
}

static scope_status sum_rows(grouping *groups)
{
    const scope_calls *calls = groups->calls;
    uint64_t *next = calloc(groups->count + 2, sizeof *next);
    int64_t *durations = malloc((calls->count + 1) * sizeof *durations);
    if (!next || !durations) {
        free(next);
        free(durations);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        if (!groups->group_of_row)
            next[groups->group_of_pair[i] + 1] += scope_calls_pair_rows(calls, pair);
        for (uint64_t k = 0; k < scope_calls_pair_rows(calls, pair) && groups->group_of_row; k++)
            next[groups->group_of_row[pair->first + k] + 1]++;
    }
    for (size_t g = 0; g < groups->count; g++)
        next[g + 1] += next[g];
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        for (uint64_t row = pair->first; row < pair->first + scope_calls_pair_rows(calls, pair); row++) {
            const uint32_t group =
                groups->group_of_row ? groups->group_of_row[row] : groups->group_of_pair[i];
            add_row(groups, &groups->rows[group], row);
            durations[next[group]++] = calls->duration_ns[row];
        }
        if (!groups->group_of_row && !calls->is_aggregate) {
            scope_summary *row = &groups->rows[groups->group_of_pair[i]];
            if (pair->exclusive_ns < 0)
                row->exclusive_ns = -1;
            else if (row->exclusive_ns >= 0)
                row->exclusive_ns = wrap_add(row->exclusive_ns, pair->exclusive_ns);
        }
    }
    for (size_t g = 0; g < groups->count; g++)
        finish_group(&groups->rows[g],
                     durations + next[g] - (uint64_t)groups->rows[g].call_count);
    free(next);
    free(durations);
    return SCOPE_OK;
}

/* Calls that are only known as sums: the older ones. */
static void add_sums(grouping *groups)
{
    const scope_calls *calls = groups->calls;
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *sum = &calls->sums[i];
        const uint32_t group = group_of(groups, sum->rank, sum->region, sum->lane);
        if (group == ID_MAP_NONE || sum->count <= 0)
            continue; /* find_groups made it */
        scope_summary *row = &groups->rows[group];
        if (row->call_count == row->open_count || sum->minimum_ns < row->ended_minimum_ns)
            row->ended_minimum_ns = sum->minimum_ns;
        if (row->call_count == 0 || sum->minimum_ns < row->minimum_ns)
            row->minimum_ns = sum->minimum_ns;
        if (row->call_count == 0 || sum->maximum_ns > row->maximum_ns)
            row->maximum_ns = sum->maximum_ns;
        if (row->call_count == 0 || sum->first_ns < row->first_start_ns)
            row->first_start_ns = sum->first_ns;
        row->call_count = wrap_add(row->call_count, sum->count);
        row->folded_count = wrap_add(row->folded_count, sum->count);
        row->total_ns = wrap_add(row->total_ns, sum->total_ns);
        row->await_ns = wrap_add(row->await_ns, sum->await_ns);
        row->mpi_bytes = wrap_add(row->mpi_bytes, sum->bytes);
        if (row->exclusive_ns >= 0)
            row->exclusive_ns = wrap_add(row->exclusive_ns, sum->exclusive_ns);
        row->mean_ns = (double)row->total_ns / (double)row->call_count;
    }
}

/* ---- between ranks ---- */

typedef struct region_total {
    double total, maximum;
    int32_t ranks;
} region_total;

static scope_status compare_ranks(grouping *groups)
{
    const scope_calls *calls = groups->calls;
    region_total *regions = calloc(calls->region_count + 1, sizeof *regions);
    grouping ranks = {.calls = calls, .by = SCOPE_BY_RANK};
    scope_status status = regions ? find_groups(&ranks) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK && groups->by != SCOPE_BY_RANK) {
        for (size_t i = 0; i < calls->pair_count && !calls->is_aggregate; i++)
            ranks.rows[ranks.group_of_pair[i]].total_ns = calls->pairs[i].statistics.total;
        for (size_t i = 0; i < calls->sum_count; i++) {
            const scope_sum_row *sum = &calls->sums[i];
            const uint32_t group = group_of(&ranks, sum->rank, sum->region, 0);
            if (group != ID_MAP_NONE)
                ranks.rows[group].total_ns = wrap_add(ranks.rows[group].total_ns, sum->total_ns);
        }
    }
    if (status == SCOPE_OK) {
        const grouping *per_rank = groups->by == SCOPE_BY_RANK ? groups : &ranks;
        for (size_t i = 0; i < per_rank->count; i++) {
            const double total = (double)per_rank->rows[i].total_ns;
            region_total *region = &regions[per_rank->rows[i].region];
            region->total += total;
            region->ranks++;
            if (total > region->maximum)
                region->maximum = total;
        }
        for (size_t i = 0; i < groups->count; i++) {
            const region_total *region = &regions[groups->rows[i].region];
            groups->rows[i].rank_count = region->ranks;
            groups->rows[i].imbalance = region->ranks > 1 && region->total > 0.0
                                            ? region->maximum * region->ranks / region->total
                                            : 0.0;
        }
    }
    free(regions);
    free(ranks.rows);
    free(ranks.slots);
    free(ranks.group_of_pair);
    return status;
}

/* Share of the exclusive times of the rank, or of all ranks. */
static scope_status find_shares(grouping *groups)
{
    int32_t highest = 0;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->rows[i].rank > highest)
            highest = groups->rows[i].rank;
    double *sums = calloc((size_t)highest + 2, sizeof *sums); /* [0]: all ranks */
    if (!sums)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->rows[i].exclusive_ns > 0 && groups->rows[i].rank >= -1)
            sums[groups->rows[i].rank + 1] += (double)groups->rows[i].exclusive_ns;
    for (size_t i = 0; i < groups->count; i++) {
        scope_summary *row = &groups->rows[i];
        const double sum = row->rank >= -1 ? sums[row->rank + 1] : 0.0;
        row->share = sum > 0.0 && row->exclusive_ns > 0 ? (double)row->exclusive_ns / sum : 0.0;
    }
    free(sums);
    return SCOPE_OK;
}

scope_status scope_summarize(const scope_calls *calls, scope_summary_by by,
                             scope_summaries *summaries)
{
    grouping groups = {.calls = calls, .by = by};
    scope_status status = find_groups(&groups);
    if (status == SCOPE_OK && by == SCOPE_BY_LANE)
        status = exclusive_of_rows(calls, &groups.exclusive_of_row);
    if (status == SCOPE_OK)
        status = sum_rows(&groups);
    if (status == SCOPE_OK) {
        add_sums(&groups);
        status = compare_ranks(&groups);
    }
    if (status == SCOPE_OK)
        status = find_shares(&groups);
    free(groups.group_of_pair);
    free(groups.group_of_row);
    free(groups.slots);
    free(groups.exclusive_of_row);
    if (status != SCOPE_OK) {
        free(groups.rows);
        return status;
    }
    *summaries = (scope_summaries){groups.count, groups.rows};
    return SCOPE_OK;
}

void scope_summaries_free(scope_summaries *summaries)
{
    if (!summaries)
        return;
    free(summaries->rows);
    *summaries = (scope_summaries){0};
}
