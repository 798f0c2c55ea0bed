/* tiny.c - argv[1] calls of outer with argv[2] calls of a region that does nothing in each; says
 * how much memory it grew by after the first tenth of them. argv[3]: write what there is in the
 * middle, too, from another thread.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int done;

static long resident_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = atol(line + 6);
    if (status)
        fclose(status);
    return kib;
}

static void *flush(void *ignored)
{
    while (!atomic_load(&done))
        scope_flush();
    return ignored;
}

int main(int argc, char **argv)
{
    const long outers = argc > 1 ? atol(argv[1]) : 1000, each = argc > 2 ? atol(argv[2]) : 1000;
    long before = 0;
    scope_region outer, tiny;
    pthread_t thread;
    if (scope_init(NULL) != SCOPE_OK || scope_region_register("outer", &outer) != SCOPE_OK ||
        scope_region_register("tiny_fn", &tiny) != SCOPE_OK)
        return 1;
    if (argc > 3)
        pthread_create(&thread, NULL, flush, NULL);
    for (long i = 0; i < outers; i++) {
        if (i == outers / 10)
            before = resident_kib();
        scope_region_begin(outer);
        for (long k = 0; k < each; k++) {
            scope_region_begin(tiny);
            scope_region_end(tiny);
        }
        scope_region_end(outer);
    }
    printf("grew %ld\n", resident_kib() - before);
    atomic_store(&done, 1);
    if (argc > 3)
        pthread_join(thread, NULL);
    return scope_finalize() == SCOPE_OK ? 0 : 2;
}
