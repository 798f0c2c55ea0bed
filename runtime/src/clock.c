/* clock.c - the tick counter of event words, and how it relates to the clocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint32_t scope_clock_is_counter;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t ticks_per_second;

int64_t scope_clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t realtime_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool scope_clock_is_trusted(void)
{
#if defined(__x86_64__)
    char text[32] = "";
    const int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                        O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    return length >= 3 && strncmp(text, "tsc", 3) == 0 && (text[3] == '\n' || text[3] == 0);
#else
    return true;
#endif
}

static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
    uint32_t a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

/* "tsc" overrules the kernel's doubt, not the CPU's. */
static void choose(void)
{
    const char *wish = scope_config_value("SCOPE_CLOCK", NULL);
    if (strcmp(wish, "monotonic") != 0 && counter_is_invariant() &&
        (strcmp(wish, "tsc") == 0 || scope_clock_is_trusted()))
        scope_clock_is_counter = 1;
}

void scope_clock_setup(void)
{
    pthread_once(&once, choose);
}

scope_clock_kind scope_clock_chosen(void)
{
    if (!scope_clock_is_counter)
        return SCOPE_CLOCK_MONOTONIC;
#if defined(__x86_64__)
    return SCOPE_CLOCK_TSC;
#else
    return SCOPE_CLOCK_VIRTUAL;
#endif
}

static void measure_rate(void)
{
    ticks_per_second = 1000000000;
    if (!scope_clock_is_counter)
        return;
#if defined(__aarch64__)
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(ticks_per_second));
#else
    const scope_clock_point first = scope_clock_now();
    while (scope_clock_monotonic_ns() - first.monotonic_ns < 200000)
        ;
    const scope_clock_point last = scope_clock_now();
    ticks_per_second = (uint64_t)((double)(last.ticks - first.ticks) * 1e9 /
                                  (double)(last.monotonic_ns - first.monotonic_ns));
#endif
}

uint64_t scope_clock_ticks_per_second(void)
{
    static pthread_once_t measured = PTHREAD_ONCE_INIT;
    pthread_once(&measured, measure_rate);
    return ticks_per_second;
}

scope_clock_point scope_clock_now(void)
{
    scope_clock_point best = {0, 0, 0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        const uint64_t before = scope_ticks();
        const int64_t monotonic = scope_clock_monotonic_ns();
        const uint64_t width = scope_ticks() - before;
        if (width < narrowest) {
            narrowest = width;
            best.ticks = scope_clock_is_counter ? before + width / 2 : (uint64_t)monotonic;
            best.monotonic_ns = monotonic;
        }
    }
    best.realtime_ns = realtime_ns();
    return best;
}

static int64_t cpu_ns(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time))
        return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t scope_clock_thread_cpu_ns(void)
{
    return cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t scope_clock_cpu_of_ns(int64_t tid)
{
    /* The kernel's encoding: CPUCLOCK_PERTHREAD_MASK (4) | CPUCLOCK_SCHED (2). */
    return cpu_ns((clockid_t)(~(uint32_t)tid << 3 | 6u));
}
