/* truncate.c - replay of a spool cut at every 8th byte: each lane's calls are a prefix.
 *
 * argv: spool, scratch file, step in bytes (a multiple of 8). Compiled with the sources of the replay
 * and with sanitizers by test_spool.py. Prints how many cuts it tried.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <scope/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LANES 64

typedef struct lane {
    size_t count;
    int64_t *starts, *ends;
} lane;

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The finished calls of each thread: sorted starts, and sorted ends. */
static size_t lanes(const scope_calls *calls, lane *lane)
{
    size_t total = 0;
    memset(lane, 0, LANES * sizeof *lane);
    for (uint64_t row = 0; row < calls->count; row++) {
        const int64_t thread = calls->thread_ids ? calls->thread_ids[row] : 0;
        if (thread < 0 || thread >= LANES || (calls->flags && calls->flags[row]))
            continue; /* open at the cut, or closed by one that was */
        struct lane *l = &lane[thread];
        if (!l->starts) {
            l->starts = calloc(calls->count, sizeof *l->starts);
            l->ends = calloc(calls->count, sizeof *l->ends);
        }
        l->starts[l->count] = calls->start_ns[row];
        l->ends[l->count++] = calls->start_ns[row] + calls->duration_ns[row];
        total++;
    }
    for (int i = 0; i < LANES; i++)
        if (lane[i].count) {
            qsort(lane[i].starts, lane[i].count, sizeof(int64_t), by_value);
            qsort(lane[i].ends, lane[i].count, sizeof(int64_t), by_value);
        }
    return total;
}

static void drop(lane *lane)
{
    for (int i = 0; i < LANES; i++) {
        free(lane[i].starts);
        free(lane[i].ends);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    scope_spool *spool;
    scope_calls *calls;
    if (scope_spool_open(argv[1], &spool))
        return 3;
    if (scope_replay(scope_spool_recording(spool), 0, &calls)) {
        scope_spool_close(spool);
        return 3;
    }
    lane whole[LANES], part[LANES];
    const size_t total = lanes(calls, whole);
    scope_calls_free(calls);
    scope_spool_close(spool);

    struct stat status;
    const int from = open(argv[1], O_RDONLY), to = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (from < 0 || to < 0 || fstat(from, &status))
        return 4;
    unsigned char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, from, 0);
    off_t used = status.st_size; /* zeros at the end change nothing: cut from the last word on */
    while (used > 4096 && bytes[used - 1] == 0)
        used--;
    if (write(to, bytes, (size_t)used) != used)
        return 5;
    const long step = atol(argv[3]);
    long tried = 0, empty = 0;
    size_t last = total;
    for (off_t length = used / 8 * 8; length >= 0; length -= step) {
        /* A cut that takes away only zeros is as the one before; some are tried all the same. */
        static const unsigned char zeros[8];
        if (length % 512 && length + 8 <= used && !memcmp(bytes + length, zeros, 8))
            continue;
        tried++;
        if (ftruncate(to, length))
            return 6;
        if (scope_spool_open(argv[2], &spool)) {
            empty++;
            continue;
        }
        if (scope_replay(scope_spool_recording(spool), 0, &calls)) {
            empty++;
        } else {
            const size_t count = lanes(calls, part);
            for (int i = 0; i < LANES; i++) {
                if (part[i].count > whole[i].count)
                    return printf("cut at %ld: more calls on lane %d\n", (long)length, i), 7;
                if (part[i].count &&
                    memcmp(part[i].ends, whole[i].ends, part[i].count * sizeof(int64_t)))
                    return printf("cut at %ld: lane %d is no prefix\n", (long)length, i), 8;
            }
            if (count > last)
                return printf("cut at %ld: %zu calls, a longer file had %zu\n", (long)length, count,
                              last), 9;
            last = count;
            drop(part);
            scope_calls_free(calls);
        }
        scope_spool_close(spool);
    }
    printf("calls %zu\ntried %ld\nempty %ld\n", total, tried, empty);
    drop(whole);
    munmap(bytes, (size_t)status.st_size);
    return 0;
}
