/* bench_openmp.c - what does recording add to an empty parallel region of two threads?
 *
 * A runtime asks once whether it is listened to; so off and on are processes of their own, started
 * in turn by this one: built by a compiler with LLVM's OpenMP runtime, or run on it
 * (LD_PRELOAD=libomp.so.5).
 *
 * SPDX-License-Identifier: MIT
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <scope/scope.h>

#include "harness.h"

enum { ROUNDS = 8, BURSTS = 100, REGIONS = 50, INSIDE = 10, FIGURES = 3 };

static void empty_region(void)
{
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

static void region_with_barriers(void)
{
#pragma omp parallel num_threads(2)
    for (int i = 0; i < INSIDE; i++) {
#pragma omp barrier
    }
}

static void region_with_loops(void)
{
#pragma omp parallel num_threads(2)
    for (int i = 0; i < INSIDE; i++) {
#pragma omp for schedule(static) nowait
        for (int k = 0; k < 2; k++)
            __asm__ volatile("");
    }
}

/* ns of one run, in the fastest of many short bursts: in which both threads had a core. */
static double fastest(void (*run)(void))
{
    double minimum_ns = 1e18;
    for (int i = 0; i < BURSTS; i++) {
        const double start_ns = bench_now_ns();
        for (int k = 0; k < REGIONS; k++)
            run();
        const double ns = (bench_now_ns() - start_ns) / REGIONS;
        minimum_ns = ns < minimum_ns ? ns : minimum_ns;
    }
    return minimum_ns;
}

static int measure(void)
{
    scope_init(NULL);
    empty_region(); /* makes the threads */
    const double empty_ns = fastest(empty_region);
    const double barriers_ns = fastest(region_with_barriers);
    printf("%.1f %.1f %.1f\n", empty_ns, barriers_ns, fastest(region_with_loops));
    scope_finalize();
    return 0;
}

/* Below what was seen so far; in a process of its own. */
static void measure_apart(const char *self, const char *on, double minimum_ns[FIGURES])
{
    char command[512], line[128] = "";
    snprintf(command, sizeof command, "SCOPE_OUTPUT= SCOPE_THROTTLE=0 SCOPE_OPENMP=%s '%s' measure",
             on, self);
    FILE *child = popen(command, "r");
    double ns[FIGURES];
    if (child && fgets(line, sizeof line, child) &&
        sscanf(line, "%lf %lf %lf", &ns[0], &ns[1], &ns[2]) == FIGURES)
        for (int i = 0; i < FIGURES; i++)
            minimum_ns[i] = ns[i] < minimum_ns[i] ? ns[i] : minimum_ns[i];
    if (child)
        pclose(child);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "measure") == 0)
        return measure();
    double off_ns[FIGURES] = {1e18, 1e18, 1e18}, on_ns[FIGURES] = {1e18, 1e18, 1e18};
    for (int round = 0; round < ROUNDS; round++) {
        measure_apart(argv[0], "0", off_ns);
        measure_apart(argv[0], "1", on_ns);
    }
    printf("%-34s %9s %9s %9s\n", "what", "off, ns", "on, ns", "ratio");
    for (int i = 1; i < FIGURES; i++) {
        off_ns[i] = (off_ns[i] - off_ns[0]) / INSIDE;
        on_ns[i] = (on_ns[i] - on_ns[0]) / INSIDE;
    }
    static const char *const names[FIGURES] = {"empty parallel region, 2 threads", "barrier in one",
                                               "loop without barrier in one"};
    for (int i = 0; i < FIGURES; i++)
        printf("%-34s %9.0f %9.0f %9.2f\n", names[i], off_ns[i], on_ns[i], on_ns[i] / off_ns[i]);
    return 0;
}
