/* bench_throttle.c - what does the throttle cost, where it sums up and where it only looks?
 *
 * Sustained pairs of an empty region into a spool, each run in a process of its own, by
 * turns; CPU time per pair, so that what else the machine does counts less. "looks" never
 * finds enough calls: the samples alone, at the highest rate of chunks there can be. With
 * threads it is the time that passes, all threads together: chunks are sampled and written
 * anew under the engine lock, and who waits for it takes no CPU time.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/scope.h>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

enum { ROUNDS = 9, VARIANTS = 7, THREADS = 8 };

static const struct {
    const char *name, *throttle, *max_bytes;
    int threads;
} variants[VARIANTS] = {
    {"off, all fits", "0", "4G", 0},
    {"off, folded", "0", "64M", 0},
    {"looks", "1000000000000:500", "4G", 0},
    {"throttled", "auto", "64M", 0},
    {"8 threads, off, all fits", "0", "4G", THREADS},
    {"8 threads, off, folded", "0", "64M", THREADS},
    {"8 threads, throttled", "auto", "64M", THREADS},
};

static double cpu_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) * 1e9 +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) * 1e3;
}

static double wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

typedef struct work {
    scope_region region;
    long pairs;
} work;

static void *call(void *argument)
{
    const work *work = argument;
    for (long i = 0; i < work->pairs; i++) {
        scope_region_begin(work->region);
        scope_region_end(work->region);
    }
    return NULL;
}

/* ns a pair. */
static double measure(scope_region region, long pairs, int count)
{
    pthread_t threads[THREADS];
    work work = {region, count ? pairs / count : pairs};
    const double start = count ? wall_ns() : cpu_ns();
    if (!count)
        call(&work);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, call, &work) != 0)
            _exit(1);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return ((count ? wall_ns() : cpu_ns()) - start) / (double)pairs;
}

/* The same, without start and end. */
static double run(int variant, long pairs)
{
    int ends[2];
    double result = 0;
    if (pipe(ends) != 0)
        exit(1);
    const pid_t child = fork();
    if (!child) {
        scope_region region;
        setenv("SCOPE_THROTTLE", variants[variant].throttle, 1);
        setenv("SCOPE_MAX_BYTES", variants[variant].max_bytes, 1);
        setenv("SCOPE_OUTPUT", "", 1);
        if (scope_init(NULL) != SCOPE_OK || scope_region_register("empty", &region) != SCOPE_OK)
            _exit(1);
        result = measure(region, pairs, variants[variant].threads);
        if (write(ends[1], &result, sizeof result) != sizeof result)
            _exit(1);
        scope_finalize();
        _exit(0);
    }
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result)
        exit(1);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return result;
}

int main(int argc, char **argv)
{
    const long pairs = argc > 1 ? atol(argv[1]) : 20000000;
    double times[VARIANTS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int v = 0; v < VARIANTS; v++)
            times[v][round] = run(v, pairs);
    printf("%-28s %9s %9s %9s\n", "ns a pair", "minimum", "median", "ratio");
    for (int v = 0; v < VARIANTS; v++)
        qsort(times[v], ROUNDS, sizeof times[v][0], bench_compare);
    for (int v = 0; v < VARIANTS; v++) {
        const bench_variant line = {.name = variants[v].name,
                                    .minimum_ns = times[v][0],
                                    .median_ns = times[v][ROUNDS / 2]};
        bench_print(&line, times[variants[v].threads ? VARIANTS - 3 : 0][0]);
    }
    return 0;
}
