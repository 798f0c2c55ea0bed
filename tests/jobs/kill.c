/* kill.c - an MPI program whose rank argv[1] is killed; every rank keeps its own list.
 *
 * argv: victim, call number (0: by a timer instead), timer in microseconds, list folder.
 * After each call has ended, its kind is appended to a mapped file, list.<rank>:
 * a 64-bit count, then one byte per call. What the list holds must be recovered.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST (64L << 20)

static struct list {
    atomic_long count;
    char kinds[];
} *list;
static long die_at;

static void ended(char kind)
{
    const long at = atomic_load(&list->count);
    list->kinds[at] = kind;
    atomic_store(&list->count, at + 1);
    if (die_at && at + 1 == die_at)
        kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
    int rank, size;
    char path[4096];
    if (argc < 5)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(path, sizeof path, "%s/list.%d", argv[4], rank);
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, MOST))
        return 3;
    list = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (rank == atoi(argv[1])) {
        die_at = atol(argv[2]);
        const long microseconds = atol(argv[3]);
        if (!die_at) { /* at any instruction */
            struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
            const struct itimerspec when = {{0, 0},
                                            {microseconds / 1000000, microseconds % 1000000 * 1000}};
            timer_t timer;
            timer_create(CLOCK_MONOTONIC, &event, &timer);
            timer_settime(timer, 0, &when, NULL);
        }
    }
    scope_region a, b;
    scope_region_register("a", &a);
    scope_region_register("b", &b);
    long mine = rank, sum = 0;
    for (long i = 0; i < (MOST - 4096) / 40; i++) {
        scope_region_begin(a);
        for (int k = 0; k < 20; k++) {
            scope_region_begin(b);
            scope_region_end(b);
            ended('b');
        }
        if (i % 16 == 0) {
            MPI_Sendrecv(&mine, 1, MPI_LONG, (rank + 1) % size, 0, &sum, 1, MPI_LONG,
                         (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            ended('s');
        }
        scope_region_end(a);
        ended('a');
    }
    MPI_Finalize();
    return 0;
}
