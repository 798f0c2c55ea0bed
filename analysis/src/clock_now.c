/* clock_now.c - a reader outside makes a calibration point of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clock_now.h"

#include <string.h>
#include <time.h>

#include <scope/proc.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* This machine has not been started since the recording. */
static int same_boot(const scope_recording_header *header)
{
    char text[sizeof header->boot_id];
    scope_proc_boot_id(text, sizeof text);
    return text[0] && strncmp(text, header->boot_id, sizeof text) == 0;
}

static int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static uint64_t ticks_now(uint64_t clock_kind)
{
#if defined(__x86_64__)
    if (clock_kind == SCOPE_CLOCK_TSC)
        return __rdtsc();
#elif defined(__aarch64__)
    if (clock_kind == SCOPE_CLOCK_VIRTUAL) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    return clock_kind == SCOPE_CLOCK_MONOTONIC ? (uint64_t)monotonic_ns() : 0;
}

int clock_now(const scope_recording_header *header, clock_point *point)
{
    uint64_t best_width = UINT64_MAX;
    if (!same_boot(header))
        return 0;
    for (int i = 0; i < 5; i++) {
        const uint64_t before = ticks_now(header->clock_kind);
        const int64_t ns = monotonic_ns();
        const uint64_t width = ticks_now(header->clock_kind) - before;
        if (before == 0)
            return 0;
        if (width < best_width) {
            best_width = width;
            *point = (clock_point){before + width / 2, ns};
        }
    }
    return 1;
}
