/* short_threads.c - argv[1] threads one after the other (8 at once), a call in each.
 *
 * Prints the peak memory of the process and the size of the spools before the end.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <ftw.h>
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define AT_ONCE 8
static scope_region region;
static long long spool_bytes;

static void *worker(void *unused)
{
    (void)unused;
    scope_region_begin(region);
    scope_region_end(region);
    return NULL;
}

static int add(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
    (void)path, (void)ftw;
    if (type == FTW_F)
        spool_bytes += (long long)status->st_size;
    return 0;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    if (scope_init(NULL) != SCOPE_OK || scope_region_register("short", &region) != SCOPE_OK)
        return 1;
    for (long i = 0; i < count; i += AT_ONCE) {
        pthread_t id[AT_ONCE];
        for (int k = 0; k < AT_ONCE; k++)
            if (pthread_create(&id[k], NULL, worker, NULL))
                return 2;
        for (int k = 0; k < AT_ONCE; k++)
            pthread_join(id[k], NULL);
    }
    long peak_kb = -1; /* not ru_maxrss: it remembers what our parent was before the exec */
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        sscanf(line, "VmHWM: %ld", &peak_kb);
    if (status)
        fclose(status);
    nftw(getenv("SCOPE_SPOOL_DIR"), add, 8, FTW_PHYS);
    printf("peak_kb %ld\nspool_bytes %lld\n", peak_kb, spool_bytes);
    return scope_finalize() == SCOPE_OK ? 0 : 3;
}
