/* skew.c - gives each rank a node of its own, whose clock is off and runs at its own rate.
 *
 *     CLOCK_MONOTONIC of node n = true + offset + ppm * 1e-6 * (true - anchor)
 *
 *     SKEW_OFFSETS_NS=0,5000000,-5000000   of nodes 0, 1, 2
 *     SKEW_PPM=0,50,-50
 *     SKEW_ANCHOR_NS=...                   where all are off by their offsets
 *     SKEW_RANKS_PER_NODE=1                node of rank r: r / this
 *     SKEW_ROUND_ROBIN=1                   node of rank r: r % nodes
 *
 * gethostname() says "node<n>". A process without a rank is left alone, and so is
 * the time stamp counter: SCOPE_CLOCK=monotonic. skew_true_ns() is the true clock.
 *
 * Build: gcc -shared -fPIC skew.c -o libskew.so; use: LD_PRELOAD.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static int known; /* 1 here, -1 no rank */
static int node;
static int64_t anchor_ns, offset_ns;
static double rate;

static int count_of(const char *list)
{
    int count = 1;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

static double item(const char *list, int index)
{
    while (list && index-- > 0)
        list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
    return list ? atof(list) : 0;
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

/* At load time: the environment may be read only then. */
__attribute__((constructor)) static void find_out(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *offsets = getenv("SKEW_OFFSETS_NS");
    if (!rank)
        rank = getenv("PMI_RANK");
    known = -1;
    if (!rank || !offsets)
        return;
    const int nodes = count_of(offsets);
    node = number("SKEW_ROUND_ROBIN", 0) ? atoi(rank) % nodes
                                         : atoi(rank) / number("SKEW_RANKS_PER_NODE", 1) % nodes;
    offset_ns = (int64_t)item(offsets, node);
    rate = item(getenv("SKEW_PPM"), node) * 1e-6;
    anchor_ns = getenv("SKEW_ANCHOR_NS") ? atoll(getenv("SKEW_ANCHOR_NS")) : 0;
    known = 1;
}

int64_t skew_true_ns(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (failed || known < 1 || (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW))
        return failed;
    const int64_t true_ns = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
    const int64_t ns = true_ns + offset_ns + (int64_t)(rate * (double)(true_ns - anchor_ns));
    time->tv_sec = ns / 1000000000;
    time->tv_nsec = ns % 1000000000;
    return 0;
}

int gethostname(char *name, size_t size)
{
    struct utsname system;
    if (known == 1) {
        snprintf(name, size, "node%d", node);
        return 0;
    }
    if (uname(&system))
        return -1;
    snprintf(name, size, "%s", system.nodename);
    return 0;
}
