/* bench_nesting.c - what ids, parents and exclusive times cost per call.
 *
 *     bench_nesting [calls [lanes]]        2000000 100000
 *
 * The same trees of calls on one lane and on very many; the rows of a region lie thread
 * after thread, as replay makes them, or in order of time, as other writers do. The unit
 * is one lane in a table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include <scope/calls.h>

#include "harness.h"

enum { REGIONS = 16, DEPTH = 5, ROUNDS = 7 };

typedef struct call {
    int64_t start_ns, duration_ns, lane;
    uint32_t region;
} call;

typedef struct trees {
    call *calls;
    long count, capacity;
    uint64_t seed;
} trees;

static uint64_t roll(trees *trees, uint64_t below)
{
    trees->seed = trees->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (trees->seed >> 33) % below;
}

/* A call of about `room` ns with calls in it. */
static int64_t grow(trees *trees, int64_t at, int64_t room, int64_t lane, int depth)
{
    if (trees->count == trees->capacity)
        return at;
    const long me = trees->count++;
    const int64_t start = at;
    for (at += 50; depth < DEPTH && at + 200 < start + room && roll(trees, 4);)
        at = grow(trees, at, (int64_t)roll(trees, (uint64_t)(start + room - at)), lane,
                  depth + 1) +
             20;
    at += 50;
    trees->calls[me] =
        (call){start, at - start, lane, (uint32_t)(depth * 3 + (int)roll(trees, 3)) % REGIONS};
    return at;
}

/* A loop, as most programs are one: three calls in each of its rounds, two in each of these. */
static void loop(trees *trees)
{
    static const struct {
        int from, to;
        uint32_t region;
    } round[] = {{0, 1000, 0}, {50, 320, 1}, {60, 150, 2}, {170, 300, 3}, {340, 620, 1},
                 {350, 450, 2}, {470, 600, 3}, {640, 980, 1}, {650, 750, 2}, {770, 960, 3}};
    for (int64_t at = 0;; at += 1020)
        for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
            if (trees->count == trees->capacity)
                return;
            trees->calls[trees->count++] =
                (call){at + round[i].from, round[i].to - round[i].from, 0, round[i].region};
        }
}

static int by_time(const void *a, const void *b)
{
    const call *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static int by_lane(const void *a, const void *b)
{
    const call *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* 0 lanes: the loop. */
static scope_calls *make(long count, long lanes_wanted, int (*order)(const void *, const void *))
{
    const long lanes = lanes_wanted ? lanes_wanted : 1;
    trees trees = {calloc((size_t)count, sizeof(call)), 0, count, 1};
    int64_t *now = calloc((size_t)lanes, sizeof *now);
    scope_calls *calls;
    if (!trees.calls || !now || scope_calls_new(&calls) != SCOPE_OK)
        exit(1);
    for (long lane = 0; lane < lanes; lane++)
        now[lane] = 1000000 + (int64_t)roll(&trees, (uint64_t)lanes * 1000);
    if (!lanes_wanted)
        loop(&trees);
    for (long lane = 0; trees.count < count; lane = (lane + 1) % lanes)
        now[lane] = grow(&trees, now[lane], 20000, lane, 0) +
                    (int64_t)roll(&trees, (uint64_t)lanes * 1000);
    qsort(trees.calls, (size_t)count, sizeof(call), order);
    const size_t size = (size_t)count;
    calls->count = size;
    calls->start_ns = scope_calls_alloc(calls, size, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, size, sizeof(int64_t));
    calls->thread_ids = scope_calls_alloc(calls, size, sizeof(int64_t));
    calls->pairs = scope_calls_alloc(calls, REGIONS, sizeof(scope_pair));
    if (!calls->start_ns || !calls->duration_ns || !calls->thread_ids || !calls->pairs)
        exit(1);
    calls->pair_count = REGIONS;
    for (uint32_t i = 0; i < REGIONS; i++)
        calls->pairs[i].region = i;
    for (size_t row = 0; row < size; row++) {
        scope_pair *pair = &calls->pairs[trees.calls[row].region];
        if (!pair->count++)
            pair->first = row;
        calls->start_ns[row] = trees.calls[row].start_ns;
        calls->duration_ns[row] = trees.calls[row].duration_ns;
        calls->thread_ids[row] = trees.calls[row].lane;
    }
    free(trees.calls);
    free(now);
    return calls;
}

static void nest_table(void *context, long count)
{
    (void)count;
    if (scope_calls_nest(context, 0, NULL) != SCOPE_OK)
        exit(1);
}

static void nest_columns(void *context, long count)
{
    const scope_calls *calls = context;
    scope_nesting nesting;
    (void)count;
    if (scope_nest(calls->start_ns, calls->duration_ns, calls->thread_ids, calls->count,
                   &nesting) != SCOPE_OK)
        exit(1);
    scope_nesting_free(&nesting);
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 2000000;
    const long lanes = argc > 2 ? atol(argv[2]) : 100000;
    if (count < 1 || lanes < 1)
        return 2;
    scope_calls *one = make(count, 1, by_time), *looped = make(count, 0, by_time), *apart = make(count, lanes, by_lane),
                *mixed = make(count, lanes, by_time);
    bench_variant variants[] = {
        {.name = "one lane", .run = nest_table, .context = one},
        {.name = "one lane, a loop", .run = nest_table, .context = looped},
        {.name = "many lanes, by thread", .run = nest_table, .context = apart},
        {.name = "many lanes, by time", .run = nest_table, .context = mixed},
        {.name = "one lane, columns", .run = nest_columns, .context = one},
        {.name = "many lanes, columns", .run = nest_columns, .context = mixed},
    };
    const int variant_count = sizeof variants / sizeof *variants;
    printf("%ld calls, %ld lanes; ns per call\n", count, lanes);
    bench_run(variants, variant_count, ROUNDS, count);
    bench_title("one lane");
    for (int i = 0; i < variant_count; i++)
        bench_print(&variants[i], variants[0].minimum_ns);
    scope_calls_free(one);
    scope_calls_free(looped);
    scope_calls_free(apart);
    scope_calls_free(mixed);
    return 0;
}
