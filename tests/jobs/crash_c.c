/* crash_c.c - an MPI program for test_crash.py; argv as crash_program of that file gives it.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <scope/scope.h>
#include <stdlib.h>

void crash_open(const char *folder, int rank, long calls, int loosely, long points);
void crash_ended(int kind);
void crash_arm(void);

int main(int argc, char **argv)
{
    int rank, size;
    scope_region a, b;
    if (argc < 7)
        return 2;
    const long rounds = atol(argv[6]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int dies = rank == atoi(argv[2]);
    crash_open(argv[1], rank, dies ? atol(argv[3]) : 0, atoi(argv[4]), dies ? atol(argv[5]) : 0);
    scope_region_register("a", &a);
    scope_region_register("b", &b);
    long mine = rank, got = 0;
    for (long i = 0; i < rounds; i++) {
        scope_region_begin(a);
        for (int k = 0; k < 20; k++) {
            scope_region_begin(b);
            scope_region_end(b);
            crash_ended('b');
        }
        if (i % 16 == 0) {
            MPI_Sendrecv(&mine, 1, MPI_LONG, (rank + 1) % size, 0, &got, 1, MPI_LONG,
                         (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            crash_ended('s');
        }
        scope_region_end(a);
        crash_ended('a');
    }
    crash_arm();
    MPI_Finalize();
    return 0;
}
