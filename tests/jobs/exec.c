/* exec.c - programs that record and start each other. argv[1], then arguments:
 *
 *     run COMMAND     3 "before", COMMAND by a shell, 2 "after"
 *     leaf N          N "leaf"
 *     become N        4 "first", then this process executes `leaf N`
 *     finalize N      the same, with its file written before
 *     many N          the same, with 40 files written before that
 *     replace COMMAND 4 "first", then this process becomes a shell with COMMAND
 *     chain N         4 "first", then this process executes `chain N-1`, the last one `leaf 9`
 *     rank N          4 "first", then this process executes `mpi N`
 *     mpi N           an MPI program: N + rank "second"
 * SPDX-License-Identifier: MIT */
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void record(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *mode = argv[1];
#ifdef WITH_MPI
    if (!strcmp(mode, "mpi")) {
        int rank;
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        record("second", atoi(argv[2]) + rank);
        MPI_Finalize();
        return 0;
    }
#endif
    scope_init(NULL);
    if (!strcmp(mode, "run")) {
        record("before", 3);
        const int code = system(argv[2]);
        record("after", 2);
        return code != 0;
    }
    if (!strcmp(mode, "leaf")) {
        record("leaf", atoi(argv[2]));
        return 0;
    }
    record("first", 4);
    for (int i = 0; i < 40 && !strcmp(mode, "many"); i++) {
        scope_finalize();
        scope_init(NULL);
        record("first", 4);
    }
    if (!strcmp(mode, "chain") && atoi(argv[2]) > 0) {
        char next[16];
        snprintf(next, sizeof next, "%d", atoi(argv[2]) - 1);
        execl("/proc/self/exe", argv[0], "chain", next, (char *)NULL);
    }
    if (!strcmp(mode, "chain"))
        execl("/proc/self/exe", argv[0], "leaf", "9", (char *)NULL);
    if (!strcmp(mode, "finalize") || !strcmp(mode, "many"))
        scope_finalize();
    if (!strcmp(mode, "replace"))
        execl("/bin/sh", "sh", "-c", argv[2], (char *)NULL);
    execl("/proc/self/exe", argv[0], !strcmp(mode, "rank") ? "mpi" : "leaf", argv[2], (char *)NULL);
    return 3;
}
