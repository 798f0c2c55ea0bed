/* skewed.c - marks in true time, and messages between all ranks, for clocks that are off.
 *
 * argv[1] rounds of argv[2] ms. In each a region `mark`, and rank r sends to r + 1 and
 * back. Prints "rank before after" of each mark: true times in ns, which only
 * tests/support/skew.c has.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <scope/scope.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    const int rounds = atoi(argv[1]), pause_ms = argc > 2 ? atoi(argv[2]) : 0;
    int64_t (*true_ns)(void) = (int64_t(*)(void))dlsym(RTLD_DEFAULT, "skew_true_ns");
    int64_t *times = malloc((size_t)rounds * 2 * sizeof *times);
    scope_region mark;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    scope_region_register("mark", &mark);
    for (int i = 0; i < rounds; i++) {
        times[2 * i] = true_ns();
        scope_region_begin(mark);
        scope_region_end(mark);
        times[2 * i + 1] = true_ns();
        for (int to = 1; to < size; to++) { /* there and back again, one pair after the other */
            if (rank == to - 1) {
                MPI_Send(&value, 1, MPI_INT, to, i, MPI_COMM_WORLD);
                MPI_Recv(&value, 1, MPI_INT, to, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == to) {
                MPI_Recv(&value, 1, MPI_INT, to - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&value, 1, MPI_INT, to - 1, i, MPI_COMM_WORLD);
            }
        }
        nanosleep(&(struct timespec){0, pause_ms * 1000000L}, NULL);
    }
    for (int i = 0; i < rounds; i++) /* one write: lines of ranks do not mix */
        printf("%d %lld %lld\n", rank, (long long)times[2 * i], (long long)times[2 * i + 1]);
    fflush(stdout);
    free(times);
    MPI_Finalize();
    return 0;
}
