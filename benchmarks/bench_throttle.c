/* bench_throttle.c - what does the throttle cost, where it sums up and where it only looks?
 *
 * Sustained pairs of an empty region into a spool, each run in a process of its own, by
 * turns; CPU time per pair, so that what else the machine does counts less. "looks" never
 * finds enough calls: the samples alone, at the highest rate of chunks there can be.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/scope.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { ROUNDS = 9, VARIANTS = 4 };

static const struct {
    const char *name, *throttle, *max_bytes;
} variants[VARIANTS] = {
    {"off, all fits", "0", "4G"},
    {"off, folded", "0", "64M"},
    {"looks", "1000000000000:500", "4G"},
    {"throttled", "1000000:500", "64M"},
};

static double cpu_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) * 1e9 +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) * 1e3;
}

/* CPU ns a pair, without start and end. */
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
        const double start = cpu_ns();
        for (long i = 0; i < pairs; i++) {
            scope_region_begin(region);
            scope_region_end(region);
        }
        result = (cpu_ns() - start) / (double)pairs;
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
    printf("%-28s %9s %9s %9s\n", "CPU ns a pair", "minimum", "median", "ratio");
    for (int v = 0; v < VARIANTS; v++)
        qsort(times[v], ROUNDS, sizeof times[v][0], bench_compare);
    for (int v = 0; v < VARIANTS; v++) {
        const bench_variant line = {.name = variants[v].name,
                                    .minimum_ns = times[v][0],
                                    .median_ns = times[v][ROUNDS / 2]};
        bench_print(&line, times[0][0]);
    }
    return 0;
}
