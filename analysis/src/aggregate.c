/* aggregate.c - a call table without its rows.
 *
 *     rows of a pair -> one sum, or one per lane
 *     folded sums    -> the same sums; a pair where there was none
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>
#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

#include "exclusive.h"
#include "id_map.h"
#include "nest_sort.h"

#define BUCKETS 64

typedef struct lane_sums {
    const scope_calls *from;
    const int64_t *exclusive; /* per row; NULL: not known, or not needed */
    int per_lane;
    scope_sum_row *rows;
    size_t count, capacity;
} lane_sums;

static int bucket_of(int64_t duration_ns)
{
    return duration_ns > 0 ? 63 - __builtin_clzll((uint64_t)duration_ns) : 0;
}

/* NULL: no memory. */
static scope_sum_row *new_sum(lane_sums *sums, int32_t rank, uint32_t region, int64_t lane)
{
    if (sums->count == sums->capacity) {
        const size_t capacity = sums->capacity ? sums->capacity * 2 : 64;
        scope_sum_row *rows = realloc(sums->rows, capacity * sizeof *rows);
        if (!rows)
            return NULL;
        sums->rows = rows;
        sums->capacity = capacity;
    }
    scope_sum_row *sum = &sums->rows[sums->count++];
    *sum = (scope_sum_row){.rank = rank,
                           .region = region,
                           .lane = lane,
                           .minimum_ns = INT64_MAX,
                           .maximum_ns = INT64_MIN,
                           .first_ns = INT64_MAX,
                           .last_ns = INT64_MIN};
    return sum;
}

static void add_row(const lane_sums *sums, scope_sum_row *sum, uint64_t row)
{
    const scope_calls *calls = sums->from;
    const int64_t start = calls->start_ns[row], duration = calls->duration_ns[row];
    const int64_t end = nest_end(start, duration);
    const int64_t exclusive = sums->exclusive ? sums->exclusive[row] : -1;
    sum->count++;
    sum->total_ns = wrap_add(sum->total_ns, duration);
    sum->minimum_ns = duration < sum->minimum_ns ? duration : sum->minimum_ns;
    sum->maximum_ns = duration > sum->maximum_ns ? duration : sum->maximum_ns;
    sum->first_ns = start < sum->first_ns ? start : sum->first_ns;
    sum->last_ns = end > sum->last_ns ? end : sum->last_ns;
    if (exclusive < 0)
        sum->exclusive_ns = -1;
    else if (sum->exclusive_ns >= 0)
        sum->exclusive_ns = wrap_add(sum->exclusive_ns, exclusive);
    if (calls->await_ns)
        sum->await_ns = wrap_add(sum->await_ns, calls->await_ns[row]);
    if (calls->mpi_bytes)
        sum->bytes = wrap_add(sum->bytes, calls->mpi_bytes[row]);
    uint32_t *bucket = &sum->histogram[bucket_of(duration)];
    *bucket += *bucket != UINT32_MAX;
}

static scope_status sum_pair(lane_sums *sums, const scope_pair *pair, uint32_t region)
{
    id_map map = {0};
    int64_t lane = -1;
    uint32_t place = ID_MAP_NONE;
    const uint64_t end = pair->first + scope_calls_pair_rows(sums->from, pair);
    for (uint64_t row = pair->first; row < end; row++) {
        const int64_t next = sums->per_lane ? scope_calls_lane(sums->from, row) : -1;
        if (place == ID_MAP_NONE || next != lane) {
            lane = next;
            const uint64_t key = (uint64_t)lane ^ UINT64_C(1) << 63; /* sparse, whatever it is */
            place = id_map_find(&map, key);
            if (place == ID_MAP_NONE) {
                place = (uint32_t)sums->count;
                if (!new_sum(sums, pair->rank, region, lane) || !id_map_add(&map, key, place)) {
                    id_map_free(&map);
                    return SCOPE_ERR_MEMORY;
                }
            }
        }
        add_row(sums, &sums->rows[place], row);
    }
    id_map_free(&map);
    if (!sums->per_lane && place != ID_MAP_NONE)
        sums->rows[place].exclusive_ns = pair->exclusive_ns;
    return SCOPE_OK;
}

static void join(scope_sum_row *to, const scope_sum_row *from)
{
    to->count = wrap_add(to->count, from->count);
    to->total_ns = wrap_add(to->total_ns, from->total_ns);
    to->exclusive_ns = to->exclusive_ns < 0 || from->exclusive_ns < 0
                           ? -1
                           : wrap_add(to->exclusive_ns, from->exclusive_ns);
    to->await_ns = wrap_add(to->await_ns, from->await_ns);
    to->bytes = wrap_add(to->bytes, from->bytes);
    to->minimum_ns = from->minimum_ns < to->minimum_ns ? from->minimum_ns : to->minimum_ns;
    to->maximum_ns = from->maximum_ns > to->maximum_ns ? from->maximum_ns : to->maximum_ns;
    to->first_ns = from->first_ns < to->first_ns ? from->first_ns : to->first_ns;
    to->last_ns = from->last_ns > to->last_ns ? from->last_ns : to->last_ns;
    for (int b = 0; b < BUCKETS; b++)
        if (__builtin_add_overflow(to->histogram[b], from->histogram[b], &to->histogram[b]))
            to->histogram[b] = UINT32_MAX;
}

static int by_place(const void *a, const void *b)
{
    const scope_sum_row *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* The rows of all pairs, and what was folded; one row per rank, region and lane. */
static scope_status make_sums(lane_sums *sums, const scope_calls *to)
{
    for (size_t i = 0; i < sums->from->pair_count; i++) {
        const scope_status status = sum_pair(sums, &sums->from->pairs[i], to->pairs[i].region);
        if (status != SCOPE_OK)
            return status;
    }
    for (size_t i = 0; i < to->sum_count; i++) { /* their regions are named as in `to` */
        const scope_sum_row *folded = &to->sums[i];
        scope_sum_row *sum =
            folded->count > 0 ? new_sum(sums, folded->rank, folded->region, folded->lane) : NULL;
        if (folded->count <= 0)
            continue;
        if (!sum)
            return SCOPE_ERR_MEMORY;
        *sum = *folded;
        if (!sums->per_lane)
            sum->lane = -1;
    }
    if (!sums->count)
        return SCOPE_OK;
    qsort(sums->rows, sums->count, sizeof *sums->rows, by_place);
    size_t joined = 1;
    for (size_t i = 1; i < sums->count; i++)
        if (by_place(&sums->rows[joined - 1], &sums->rows[i]) == 0)
            join(&sums->rows[joined - 1], &sums->rows[i]);
        else
            sums->rows[joined++] = sums->rows[i];
    sums->count = joined;
    return SCOPE_OK;
}

/* ---- pairs ---- */

typedef struct placed_pair {
    scope_pair pair;
    scope_string source_text;
    size_t place;
} placed_pair;

static int by_rank(const void *a, const void *b)
{
    const placed_pair *x = a, *y = b;
    if (x->pair.rank != y->pair.rank)
        return x->pair.rank < y->pair.rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Calls that are known as sums alone join the statistics: of how they spread nothing is
 * known, so m2 takes each sum's calls as if all lasted its mean. */
static void add_statistics(scope_pair *pair, const scope_sum_row *sum, int64_t known)
{
    scope_statistics *to = &pair->statistics;
    const double mean = (double)sum->total_ns / (double)sum->count;
    if (!known) {
        *to = (scope_statistics){.minimum = sum->minimum_ns,
                                 .maximum = sum->maximum_ns,
                                 .start_minimum = sum->first_ns,
                                 .end_maximum = sum->last_ns,
                                 .mean = mean,
                                 .total = sum->total_ns};
        return;
    }
    const double all = (double)known + (double)sum->count, off = mean - to->mean;
    to->m2 += off * off * (double)known * (double)sum->count / all;
    to->total = wrap_add(to->total, sum->total_ns);
    to->mean = (double)to->total / all;
    to->minimum = sum->minimum_ns < to->minimum ? sum->minimum_ns : to->minimum;
    to->maximum = sum->maximum_ns > to->maximum ? sum->maximum_ns : to->maximum;
    to->start_minimum = sum->first_ns < to->start_minimum ? sum->first_ns : to->start_minimum;
    to->end_maximum = sum->last_ns > to->end_maximum ? sum->last_ns : to->end_maximum;
}

typedef struct pair_key {
    int32_t rank;
    uint32_t region;
    size_t place;
} pair_key;

static int by_key(const void *a, const void *b)
{
    const pair_key *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* Folded sums, each with its pair; one is made where there was none. */
static scope_status join_folded(const scope_calls *from, const scope_calls *to, placed_pair *pairs,
                                size_t *count)
{
    const size_t known = *count;
    pair_key *keys = malloc((known + to->sum_count + 1) * sizeof *keys);
    if (!keys)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < known; i++)
        keys[i] = (pair_key){pairs[i].pair.rank, pairs[i].pair.region, i};
    if (known)
        qsort(keys, known, sizeof *keys, by_key);
    size_t made = 0; /* sums of one region need not lie together: few are made, so look */
    for (size_t i = 0; i < to->sum_count; i++) {
        const scope_sum_row *sum = &to->sums[i];
        const pair_key wanted = {.rank = sum->rank, .region = sum->region};
        if (sum->count <= 0)
            continue;
        const pair_key *found = known ? bsearch(&wanted, keys, known, sizeof wanted, by_key) : NULL;
        for (size_t k = made; k-- > 0 && !found;)
            if (by_key(&keys[known + k], &wanted) == 0)
                found = &keys[known + k];
        if (!found) {
            keys[known + made] = (pair_key){sum->rank, sum->region, *count};
            pairs[*count] = (placed_pair){.pair = {.rank = sum->rank,
                                                   .region = sum->region,
                                                   .source_line = -1,
                                                   .source_file = {"", 0},
                                                   .tags = {"[]", 2}},
                                          .source_text = {"", 0},
                                          .place = *count};
            found = &keys[known + made++];
            (*count)++;
        }
        if (from->is_aggregate)
            continue; /* the pair tells of them already */
        scope_pair *pair = &pairs[found->place].pair;
        add_statistics(pair, sum, (int64_t)pair->count);
        pair->count += (uint64_t)sum->count;
    }
    free(keys);
    return SCOPE_OK;
}

static void sum_exclusive(const lane_sums *sums, placed_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        scope_pair *pair = &pairs[i].pair;
        size_t low = 0, high = sums->count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            const scope_sum_row *row = &sums->rows[middle];
            if (row->rank < pair->rank || (row->rank == pair->rank && row->region < pair->region))
                low = middle + 1;
            else
                high = middle;
        }
        pair->exclusive_ns = low < sums->count ? 0 : -1;
        for (; low < sums->count && sums->rows[low].rank == pair->rank &&
               sums->rows[low].region == pair->region;
             low++)
            pair->exclusive_ns = pair->exclusive_ns < 0 || sums->rows[low].exclusive_ns < 0
                                     ? -1
                                     : wrap_add(pair->exclusive_ns, sums->rows[low].exclusive_ns);
    }
}

static scope_status make_pairs(const scope_calls *from, scope_calls *to, const lane_sums *sums)
{
    size_t count = to->pair_count;
    placed_pair *pairs = malloc((count + to->sum_count + 1) * sizeof *pairs);
    if (!pairs)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        pairs[i] = (placed_pair){.pair = to->pairs[i], .place = i};
        pairs[i].source_text = to->source_texts ? to->source_texts[i] : (scope_string){"", 0};
        if (!from->is_aggregate) {
            scope_pair rows = from->pairs[i];
            scope_calls_statistics(from, &rows);
            pairs[i].pair.statistics = rows.statistics;
        }
        pairs[i].pair.count = from->pairs[i].count;
    }
    scope_status status = join_folded(from, to, pairs, &count);
    if (status == SCOPE_OK) {
        sum_exclusive(sums, pairs, count);
        if (count)
            qsort(pairs, count, sizeof *pairs, by_rank);
        to->pairs = scope_calls_alloc(to, count, sizeof *to->pairs);
        if (to->source_texts)
            to->source_texts = scope_calls_alloc(to, count, sizeof *to->source_texts);
        status = to->pairs ? SCOPE_OK : SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; status == SCOPE_OK && i < count; i++) {
        to->pairs[i] = pairs[i].pair;
        to->pairs[i].first = 0;
        if (to->source_texts)
            to->source_texts[i] = pairs[i].source_text;
    }
    to->pair_count = count;
    free(pairs);
    return status;
}

/* ---- the whole table ---- */

/* All but the rows. */
static scope_status copy_without_rows(const scope_calls *calls, scope_calls **copy)
{
    scope_calls bare = *calls, *parts[1] = {&bare};
    bare.pairs = malloc((calls->pair_count + 1) * sizeof *bare.pairs);
    if (!bare.pairs)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->pair_count; i++) {
        bare.pairs[i] = calls->pairs[i];
        bare.pairs[i].first = bare.pairs[i].count = 0;
    }
    bare.count = 0;
    bare.is_aggregate = 0;
    bare.start_ns = bare.duration_ns = bare.call_ids = bare.parent_ids = NULL;
    bare.thread_ids = bare.task_ids = bare.await_ns = bare.mpi_bytes = bare.gpu_ns = NULL;
    bare.flags = NULL;
    bare.mpi_peers = bare.mpi_comms = bare.mpi_tags = NULL;
    bare.mpi_kinds = NULL;
    bare.message_count = 0;
    bare.event_metadata = NULL;
    const scope_status status = scope_calls_merge(parts, 1, copy);
    free(bare.pairs);
    return status;
}

scope_status scope_calls_aggregate(const scope_calls *calls, int per_lane, scope_calls **aggregate)
{
    scope_calls *to = NULL;
    int64_t *exclusive = NULL;
    lane_sums sums = {.from = calls, .per_lane = per_lane};
    scope_status status = copy_without_rows(calls, &to);
    if (status == SCOPE_OK && to->pair_count != calls->pair_count)
        status = SCOPE_ERR_ARGUMENT; /* pairs of one rank do not lie together */
    if (status == SCOPE_OK && per_lane)
        status = exclusive_of_rows(calls, &exclusive);
    sums.exclusive = exclusive;
    if (status == SCOPE_OK)
        status = make_sums(&sums, to);
    if (status == SCOPE_OK)
        status = make_pairs(calls, to, &sums);
    if (status == SCOPE_OK) {
        to->sums = scope_calls_alloc(to, sums.count, sizeof *to->sums);
        status = to->sums ? SCOPE_OK : SCOPE_ERR_MEMORY;
    }
    if (status == SCOPE_OK) {
        if (sums.count)
            memcpy(to->sums, sums.rows, sums.count * sizeof *to->sums);
        to->sum_count = sums.count;
        to->is_aggregate = 1;
        *aggregate = to;
        to = NULL;
    }
    free(exclusive);
    free(sums.rows);
    scope_calls_free(to);
    return status;
}
