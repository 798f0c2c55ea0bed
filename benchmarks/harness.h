/* harness.h - time A against B in one process, in short interleaved slices.
 *
 * A machine's nanoseconds belong to that machine; what is worth keeping is the
 * ratio of two things measured side by side. Each round times every variant
 * once; the minimum and the median over the rounds are printed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_BENCH_HARNESS_H
#define SCOPE_BENCH_HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
static inline uint64_t bench_ticks(void)
{
    return __rdtsc();
}
#elif defined(__aarch64__)
static inline uint64_t bench_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#endif

static inline double bench_now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Runs `count` operations. */
typedef void bench_fn(void *context, long count);

typedef struct bench_variant {
    const char *name;
    bench_fn *run;
    void *context;
    double minimum_ns, median_ns; /* per operation */
} bench_variant;

static int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Time all variants in `rounds` rounds of `count` operations each. */
static inline void bench_run(bench_variant *variants, int variant_count, int rounds, long count)
{
    double *times = malloc(sizeof *times * (size_t)rounds * (size_t)variant_count);
    if (!times)
        exit(1);
    for (int round = 0; round < rounds; round++)
        for (int v = 0; v < variant_count; v++) {
            const double start = bench_now_ns();
            variants[v].run(variants[v].context, count);
            times[v * rounds + round] = (bench_now_ns() - start) / (double)count;
        }
    for (int v = 0; v < variant_count; v++) {
        qsort(times + v * rounds, (size_t)rounds, sizeof *times, bench_compare);
        variants[v].minimum_ns = times[v * rounds];
        variants[v].median_ns = times[v * rounds + rounds / 2];
    }
    free(times);
}

/* name, minimum ns, median ns, minimum as a multiple of the unit's minimum. */
static inline void bench_print(const bench_variant *variant, double unit_ns)
{
    printf("%-28s %9.2f %9.2f %9.3f\n", variant->name, variant->minimum_ns, variant->median_ns,
           variant->minimum_ns / unit_ns);
    fflush(stdout);
}

static inline void bench_title(const char *unit)
{
    printf("%-28s %9s %9s %9s\n", "variant", "min ns", "median ns", unit);
}

#endif
