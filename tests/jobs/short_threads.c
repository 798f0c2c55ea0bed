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
#include <sys/resource.h>
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
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    nftw(getenv("SCOPE_SPOOL_DIR"), add, 8, FTW_PHYS);
    printf("maxrss_kb %ld\nspool_bytes %lld\n", usage.ru_maxrss, spool_bytes);
    return scope_finalize() == SCOPE_OK ? 0 : 3;
}
