/* many_names.c - argv[1] distinct names, registered from argv[2] threads at once, a call each.
 *
 * Every thread also asks for the names of the next one: the same name is the same region.
 * Prints the peak memory in KiB.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long count, threads;
static scope_region *first;

static scope_region name_of(long i)
{
    char name[48];
    scope_region region = SCOPE_REGION_NONE;
    snprintf(name, sizeof name, "region number %ld of many", i);
    scope_region_register(name, &region);
    return region;
}

static void *worker(void *argument)
{
    const long self = (long)argument;
    for (long i = self; i < count; i += threads) {
        const scope_region region = name_of(i);
        scope_region_begin(region);
        scope_region_end(region);
        first[i] = region;
        if (i % 16 == self)
            name_of((i + 1) % count);
    }
    return NULL;
}

/* Not ru_maxrss: it remembers what our parent was before the exec. */
static long peak_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

int main(int argc, char **argv)
{
    pthread_t id[64];
    count = argc > 1 ? atol(argv[1]) : 1000;
    threads = argc > 2 ? atol(argv[2]) : 4;
    first = calloc((size_t)count, sizeof *first);
    if (!first || threads > 64 || scope_init(NULL) != SCOPE_OK)
        return 1;
    for (long i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, worker, (void *)i);
    for (long i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    for (long i = 0; i < count; i++)
        if (first[i] < 0 || name_of(i) != first[i])
            return 2;
    printf("%ld\n", peak_kib());
    return scope_finalize() == SCOPE_OK ? 0 : 3;
}
