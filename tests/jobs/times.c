/* times.c - prints brackets of its own around every begin and end.
 *
 * "begin <before> <after> end <before> <after>", ns of CLOCK_MONOTONIC.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 50;
    long long(*t)[4] = calloc((size_t)count, sizeof *t);
    scope_region region;
    if (scope_init(NULL) != SCOPE_OK || scope_region_register("timed", &region) != SCOPE_OK)
        return 1;
    for (int i = 0; i < count; i++) {
        const struct timespec pause = {0, 1000L * 37 * (i % 97)};
        t[i][0] = now();
        scope_region_begin(region);
        t[i][1] = now();
        nanosleep(&pause, NULL);
        t[i][2] = now();
        scope_region_end(region);
        t[i][3] = now();
    }
    scope_finalize();
    for (int i = 0; i < count; i++)
        printf("%lld %lld %lld %lld\n", t[i][0], t[i][1], t[i][2], t[i][3]);
    free(t);
    return 0;
}
