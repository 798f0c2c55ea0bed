/* flush_loop.c - threads that flush without end while another one ends the recording.
 *
 * argv: output file, threads. Prints how often the file was written anew after the end was
 * asked for, until it had come.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FLUSHES_BEFORE 10

static const char *output;
static atomic_int stop;
static atomic_long flushes;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct stat seen;
static long written;

/* A flush after the end writes nothing: look at the file. */
static long look(void)
{
    struct stat now;
    pthread_mutex_lock(&gate);
    if (stat(output, &now) == 0) {
        written += now.st_ino != seen.st_ino || now.st_ctim.tv_sec != seen.st_ctim.tv_sec ||
                   now.st_ctim.tv_nsec != seen.st_ctim.tv_nsec;
        seen = now;
    }
    const long so_far = written;
    pthread_mutex_unlock(&gate);
    return so_far;
}

static void *flushes_on(void *unused)
{
    while (!atomic_load(&stop)) {
        scope_flush();
        look();
        atomic_fetch_add(&flushes, 1);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const int threads = argc > 2 ? atoi(argv[2]) : 1;
    scope_region region;
    pthread_t id[64];
    output = argv[1];
    scope_init(NULL);
    scope_region_register("work", &region);
    for (int i = 0; i < 1000; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
    for (int i = 0; i < threads; i++)
        pthread_create(&id[i], NULL, flushes_on, NULL);
    while (atomic_load(&flushes) < FLUSHES_BEFORE)
        ;
    const long before = look();
    scope_finalize();
    printf("%ld\n", look() - before);
    atomic_store(&stop, 1);
    for (int i = 0; i < threads; i++)
        pthread_join(id[i], NULL);
    return 0;
}
