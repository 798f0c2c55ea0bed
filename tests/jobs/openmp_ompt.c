/* openmp_ompt.c - what an OpenMP runtime tells; argv: what to do, then numbers. Says on stdout what it did.
 *
 * Times are CLOCK_MONOTONIC in ns. With -DLINKED it starts and ends the profiler itself.
 * SPDX-License-Identifier: MIT */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef LINKED
#include <scope/scope.h>
#else
static void scope_init(void *options) { (void)options; }
static void scope_finalize(void) {}
static void scope_pause(void) {}
static void scope_resume(void) {}
static void scope_flush(void) {}
#endif

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void tiny(int threads)
{
#pragma omp parallel num_threads(threads)
    __asm__ volatile("");
}

/* Each round another thread comes late to the barrier, and one to the end. */
static void waits(int threads, int rounds)
{
    long long(*times)[64][4] = calloc((size_t)rounds, sizeof *times);
    for (int round = 0; round < rounds; round++) {
        const long long fork_ns = now();
#pragma omp parallel num_threads(threads)
        {
            const int me = omp_get_thread_num();
            usleep(me == round % threads ? 5000 : 10);
            times[round][me][0] = now();
#pragma omp barrier
            times[round][me][1] = now();
            usleep(me == (round + 1) % threads ? 5000 : 10);
            times[round][me][2] = now();
        }
        times[round][0][3] = now();
        for (int thread = 0; thread < threads; thread++)
            printf("round %d %d %lld %lld %lld %lld %lld\n", round, thread, fork_ns,
                   times[round][thread][0], times[round][thread][1], times[round][thread][2],
                   times[round][0][3]);
        usleep(20000); /* as after the last one, nobody tells the others that it is over */
    }
    free(times);
}

static void tasks(int threads, int count)
{
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task
        {
            usleep(500);
#pragma omp task
            usleep(200);
#pragma omp taskwait
        }
    }
}

static void locks(int threads, int count)
{
    omp_lock_t lock;
    omp_nest_lock_t nested;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < count; i++) {
#pragma omp critical
        __asm__ volatile("");
        omp_set_lock(&lock);
        omp_test_lock(&lock); /* it is taken */
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nested);
        omp_set_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
        omp_unset_nest_lock(&nested);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nested);
}

static void nested(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
#pragma omp parallel num_threads(2)
        usleep(2000);
#pragma omp barrier
    }
}

/* Each thread's share of each of them: `rounds` times. */
static void works(int threads, int rounds)
{
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 8; i++)
            usleep(10);
#pragma omp for schedule(guided)
        for (int i = 0; i < 8; i++)
            usleep(10);
#pragma omp sections
        {
#pragma omp section
            usleep(10);
#pragma omp section
            usleep(10);
        }
#pragma omp single
        {
            usleep(500);
#pragma omp taskloop grainsize(2)
            for (int i = 0; i < 8; i++)
                usleep(10);
        }
#pragma omp barrier
    }
}

/* Loops that gcc divides without the runtime. */
static void loops(int threads, int rounds)
{
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
        for (int i = 0; i < 8; i++)
            usleep(10);
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 8; i++)
            usleep(10);
    }
}

/* No end is told of a loop that is cancelled. */
static void cancels(int threads, int rounds)
{
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++) {
#pragma omp cancel for
        }
    }
}

#ifdef __clang__
static void leagues(int rounds)
{
    for (int round = 0; round < rounds; round++) {
#pragma omp teams distribute parallel for num_teams(2) num_threads(2)
        for (int i = 0; i < 8; i++)
            usleep(10);
    }
}
#endif

/* The child has a team of its own; one that is made inside a parallel region only ends. */
static void forks(void)
{
    tiny(3);
    fflush(stdout);
    if (fork() == 0) {
        tiny(3);
        tiny(3);
        exit(0);
    }
    wait(NULL);
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            if (fork() == 0)
                _exit(0);
            wait(NULL);
        }
    }
    tiny(2);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int a = argc > 2 ? atoi(argv[2]) : 4, b = argc > 3 ? atoi(argv[3]) : 10;
    if (strcmp(what, "inside") == 0) {
        /* started and ended in the middle of regions that go on */
#pragma omp parallel num_threads(a)
        {
#pragma omp barrier
#pragma omp single
            scope_init(NULL);
#pragma omp barrier
        }
        tiny(a);
#pragma omp parallel num_threads(a)
        {
#pragma omp single
            scope_finalize();
#pragma omp barrier
        }
        return 0;
    }
    if (strcmp(what, "sessions") == 0) {
        for (int i = 0; i < b; i++) {
            scope_init(NULL);
            tiny(a);
            waits(a, 1);
            tiny(a);
            if (i == 0)
                scope_flush();
            scope_finalize();
        }
        return 0;
    }
    scope_init(NULL);
    if (strcmp(what, "waits") == 0)
        waits(a, b);
    else if (strcmp(what, "tasks") == 0)
        tasks(a, b);
    else if (strcmp(what, "locks") == 0)
        locks(a, b);
    else if (strcmp(what, "works") == 0)
        works(a, b);
    else if (strcmp(what, "loops") == 0)
        loops(a, b);
    else if (strcmp(what, "cancels") == 0)
        cancels(a, b);
#ifdef __clang__
    else if (strcmp(what, "leagues") == 0)
        leagues(b);
#endif
    else if (strcmp(what, "nested") == 0)
        nested();
    else if (strcmp(what, "forks") == 0)
        forks();
    else if (strcmp(what, "tiny") == 0)
        for (int i = 0; i < b; i++)
            tiny(a);
    else if (strcmp(what, "vary") == 0)
        for (int i = 0; i < b; i++)
            tiny(1 + i % a);
    else if (strcmp(what, "pause") == 0) {
        tiny(a);
        scope_pause();
        tiny(a);
#pragma omp parallel num_threads(a)
        {
#pragma omp single
            scope_resume();
#pragma omp barrier
        }
        tiny(a);
    } else if (strcmp(what, "exit") == 0) {
#pragma omp parallel num_threads(a)
        {
            if (omp_get_thread_num() == 1)
                exit(3);
#pragma omp barrier
        }
    }
    scope_finalize();
    return 0;
}
