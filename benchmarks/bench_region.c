/* bench_region.c - what does one begin and end cost, against two clock reads?
 *
 * Hot: the same lines again and again. Cold: 8 MiB are walked between pairs.
 * Sustained: 50 M pairs into fresh memory of the spool, page faults included.
 * Off: the profiler is there and does not record. Threads: two at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scope/scope.h>

#include "harness.h"

static scope_region region;
static volatile uint64_t sink;
static unsigned char *walked;
enum { WALKED_BYTES = 8 << 20 };

static void clock_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        sink = bench_ticks();
        sink = bench_ticks();
    }
}

static void clock_gettime_pair(void *context, long count)
{
    (void)context;
    struct timespec time;
    for (long i = 0; i < count; i++) {
        clock_gettime(CLOCK_MONOTONIC, &time);
        clock_gettime(CLOCK_MONOTONIC, &time);
    }
}

static void region_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
}

static void name_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        scope_region_begin_name("bench");
        scope_region_end_name("bench");
    }
}

static scope_session *explicit_session;

static void explicit_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        scope_session_begin(explicit_session, region);
        scope_session_end(explicit_session, region);
    }
}

static void walk(void)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WALKED_BYTES; i += 64)
        sum += walked[i]++;
    sink = sum;
}

/* Ticks of one pair after the caches were walked over; the clock reads around it
 * are what an empty one costs. Sorted, for the median. */
static void time_cold(double *ticks, int count, int pairs)
{
    for (int i = 0; i < count; i++) {
        walk();
        const uint64_t start = bench_ticks();
        if (pairs) {
            scope_region_begin(region);
            scope_region_end(region);
        }
        ticks[i] = (double)(bench_ticks() - start);
    }
    qsort(ticks, (size_t)count, sizeof *ticks, bench_compare);
}

static void print_cold(double clock_ns)
{
    enum { COUNT = 501 };
    static double empty[COUNT], pair[COUNT];
    const double start_ns = bench_now_ns();
    const uint64_t start = bench_ticks();
    time_cold(empty, COUNT, 0);
    time_cold(pair, COUNT, 1);
    const double ns_per_tick = (bench_now_ns() - start_ns) / (double)(bench_ticks() - start);
    bench_variant cold = {"begin+end, cold (net)", NULL, NULL, 0, 0};
    cold.minimum_ns = (pair[0] - empty[0]) * ns_per_tick;
    cold.median_ns = (pair[COUNT / 2] - empty[COUNT / 2]) * ns_per_tick;
    bench_print(&cold, clock_ns);
}

static void *thread_pairs(void *count)
{
    region_pair(NULL, *(long *)count);
    return NULL;
}

static void two_threads(void *context, long count)
{
    (void)context;
    pthread_t other;
    if (pthread_create(&other, NULL, thread_pairs, &count))
        exit(1);
    region_pair(NULL, count);
    pthread_join(other, NULL);
}

static void one_thread(void *context, long count)
{
    (void)context;
    pthread_t other;
    if (pthread_create(&other, NULL, thread_pairs, &count))
        exit(1);
    pthread_join(other, NULL);
}

/* A session whose budget is a few chunks folds or rings without end; for the hot
 * figures a session is restarted before the budget is near. */
static void restart_with(int64_t max_bytes, int no_spool, const char *filter)
{
    scope_finalize();
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_output = 1;
    options.filter = filter;
    options.no_spool = no_spool;
    options.max_bytes = max_bytes;
    setenv("SCOPE_THROTTLE", "0", 0); /* each pair is to be kept */
    scope_init(&options);
    scope_region_register("bench", &region);
}

static void restart(int64_t max_bytes, int no_spool)
{
    restart_with(max_bytes, no_spool, NULL);
}

int main(int argc, char **argv)
{
    const long sustained = argc > 1 ? atol(argv[1]) : 50000000;
    walked = calloc(1, WALKED_BYTES);
    if (!walked)
        return 1;
    bench_variant off[] = {{"clock (two rdtsc)", clock_pair, NULL, 0, 0},
                           {"off", region_pair, NULL, 0, 0}};
    scope_region_register("bench", &region);
    bench_title("x clock");
    bench_run(off, 2, 101, 100000);
    const double clock_ns = off[0].minimum_ns;
    bench_print(&off[0], clock_ns);
    bench_print(&off[1], clock_ns);

    restart(-1, 0);
    scope_options quiet = SCOPE_OPTIONS_INIT;
    quiet.no_output = 1;
    if (scope_session_create(&quiet, &explicit_session) != SCOPE_OK)
        return 1;
    bench_variant hot[] = {{"clock (two rdtsc)", clock_pair, NULL, 0, 0},
                           {"clock_gettime, two", clock_gettime_pair, NULL, 0, 0},
                           {"begin+end, hot", region_pair, NULL, 0, 0},
                           {"begin+end by name, hot", name_pair, NULL, 0, 0},
                           {"begin+end, explicit session, hot", explicit_pair, NULL, 0, 0}};
    bench_run(hot, 5, 1001, 500); /* 500 pairs are 8 KiB: within one chunk */
    for (int i = 1; i < 5; i++)
        bench_print(&hot[i], hot[0].minimum_ns);
    scope_session_close(explicit_session);

    print_cold(hot[0].minimum_ns);

    scope_region other; /* the program has it before the filter of this rank excludes it */
    scope_region_register("other", &other);
    restart_with(-1, 0, "-other@0");
    bench_variant late[] = {{"clock (two rdtsc)", clock_pair, NULL, 0, 0},
                            {"begin+end, another excluded", region_pair, NULL, 0, 0}};
    bench_run(late, 2, 1001, 500);
    bench_print(&late[1], late[0].minimum_ns);

    restart(-1, 0);
    bench_variant steady[] = {{"begin+end, sustained, spool", region_pair, NULL, 0, 0},
                              {"clock (two rdtsc)", clock_pair, NULL, 0, 0}};
    bench_run(steady, 2, 3, sustained / 3);
    bench_print(&steady[0], steady[1].minimum_ns);

    restart(-1, 0);
    bench_variant threads[] = {{"begin+end, one thread", one_thread, NULL, 0, 0},
                               {"begin+end, two threads", two_threads, NULL, 0, 0}};
    bench_run(threads, 2, 7, 1000000);
    bench_title("x one");
    bench_print(&threads[0], threads[0].minimum_ns);
    bench_print(&threads[1], threads[0].minimum_ns);
    scope_finalize();
    return 0;
}
