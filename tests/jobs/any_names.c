/* any_names.c - names from a file, for all that has one.
 *
 * argv: file, "end" or "kill". The file holds, for each name, its length (4 bytes) and its bytes.
 * Name number i has i % 3 + 1 calls, a mark, a counter; those without NUL are a tag and name a
 * task and a thread, too.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *named(void *name)
{
    pthread_setname_np(pthread_self(), name);
    SCOPE_REGION("in a thread");
    return NULL;
}

int main(int argc, char **argv)
{
    uint32_t length;
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || scope_init(NULL) != SCOPE_OK)
        return 1;
    for (long i = 0; fread(&length, sizeof length, 1, file) == 1; i++) {
        scope_region region;
        char *name = calloc(1, length + 1);
        if (fread(name, 1, length, file) != length)
            return 2;
        if (scope_region_register_bytes(name, length, &region) != SCOPE_OK)
            return 3;
        for (long k = 0; k <= i % 3; k++) {
            scope_region_begin(region);
            scope_region_end_bytes(name, length);
        }
        scope_mark_bytes(name, length);
        scope_counter_bytes(name, length, (double)i);
        if (strlen(name) == length) {
            scope_task task = scope_task_new(name, name);
            scope_task_resume(task);
            scope_region_begin_name("in a task");
            scope_region_end_name("in a task");
            scope_task_suspend(task);
            scope_task_done(task);
            if (length)
                scope_region_tag(region, name);
            if (length && length < 16) {
                pthread_t id;
                pthread_create(&id, NULL, named, name);
                pthread_join(id, NULL);
            }
        }
        free(name);
    }
    if (!strcmp(argv[2], "kill"))
        raise(SIGKILL);
    return scope_finalize() == SCOPE_OK ? 0 : 4;
}
