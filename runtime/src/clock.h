/* clock.h - the tick counter of event words, and how it relates to the clocks.
 *
 * Ticks are the invariant time stamp counter where processor and kernel agree on
 * it, the virtual counter on aarch64, else nanoseconds of CLOCK_MONOTONIC.
 * SCOPE_CLOCK=monotonic forces the last.
 *
 * Units      ticks: 64 bits, counts from boot. _ns: CLOCK_MONOTONIC unless said.
 * Threads    setup: once, before the first event. The rest: any, no lock,
 *            async-signal-safe.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CLOCK_H
#define SCOPE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <scope/recording.h>

typedef struct scope_clock_point { /* the same instant on three clocks */
    uint64_t ticks;
    int64_t monotonic_ns;
    int64_t realtime_ns;
} scope_clock_point;

/* 1: ticks are a counter of the processor. Constant after setup. */
extern uint32_t scope_clock_is_counter __attribute__((visibility("hidden")));

/* Choose the clock; harmless twice. */
void scope_clock_setup(void);
scope_clock_kind scope_clock_chosen(void);

/* Nominal rate; measured once, for some 0.2 ms, where the processor does not say it. */
uint64_t scope_clock_ticks_per_second(void);

/* Does the kernel still use the counter that we chose? */
bool scope_clock_is_trusted(void);

/* A calibration point: the closest pair of a few tries. */
scope_clock_point scope_clock_now(void);

int64_t scope_clock_monotonic_ns(void);

/* CPU time of this thread, and of thread `tid` of this process; -1 unknown. */
int64_t scope_clock_thread_cpu_ns(void);
int64_t scope_clock_cpu_of_ns(int64_t tid);

/* The counter itself; only where scope_clock_is_counter. */
static inline uint64_t scope_counter_ticks(void)
{
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)scope_clock_monotonic_ns();
#endif
}

static inline uint64_t scope_ticks(void)
{
    return scope_clock_is_counter ? scope_counter_ticks() : (uint64_t)scope_clock_monotonic_ns();
}

#endif
