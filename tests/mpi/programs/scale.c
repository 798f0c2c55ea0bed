/* scale.c - a job of many ranks that records next to nothing, for what the end costs.
 *
 * argv[1]: "same", every rank has the same 20 regions; "disjoint", 20 of its own; "unused", 20 of
 * its own that it does not call; "none".
 * With -DPLAIN the same job without the profiler. Each rank prints a line: itself, and the most
 * memory that it had, in KiB.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#ifndef PLAIN
#include <scope/scope.h>
#endif

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef PLAIN
    char name[64];
    const char *kind = argc > 1 ? argv[1] : "same";
    for (int i = 0; i < 20 && strcmp(kind, "none") != 0; i++) {
        snprintf(name, sizeof name, strcmp(kind, "same") ? "step %d of rank %d" : "step %d", i,
                 rank);
        scope_region region;
        scope_region_register(name, &region);
        if (!strcmp(kind, "unused"))
            continue;
        scope_region_begin(region);
        scope_region_end(region);
    }
#endif
    MPI_Finalize();
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        printf("%d %ld\n", rank, usage.ru_maxrss);
    return 0;
}
