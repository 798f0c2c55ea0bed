/* report.c - does what a report speaks of: argv[1] names it, argv[2] the rank that does it
 * (-1: all). With -DUSE_MPI: between MPI_Init and MPI_Finalize.
 *
 * clean: 10 calls of "work", as everybody does. many: 200 000 more. orphan: 3 ends without a
 * begin. implied: 4 calls closed by the end of another. crossed: 5 that cross another. all:
 * the last four.
 * SPDX-License-Identifier: MIT */
#ifdef USE_MPI
#include <mpi.h>
#endif
#include <scope/scope.h>
#include <stdlib.h>
#include <string.h>

static void calls(const char *name, int count)
{
    scope_region region;
    scope_region_register(name, &region);
    for (int i = 0; i < count; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "clean";
    int rank = 0;
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
    scope_init(NULL);
#endif
    const int actor = argc > 2 ? atoi(argv[2]) : -1;
    const int acts = actor < 0 || actor == rank, all = !strcmp(what, "all");
    calls("work", 10);
    if (acts && (all || !strcmp(what, "many")))
        calls("many", 200000);
    for (int i = 0; acts && i < 3 && (all || !strcmp(what, "orphan")); i++)
        scope_region_end_name("never begun");
    for (int i = 0; acts && i < 4 && (all || !strcmp(what, "implied")); i++) {
        scope_region_begin_name("outer");
        scope_region_begin_name("left open");
        scope_region_end_name("outer");
    }
    for (int i = 0; acts && i < 5 && (all || !strcmp(what, "crossed")); i++) {
        scope_region_begin_name("first");
        scope_region_begin_name("second");
        scope_region_end_name("first");
        scope_region_end_name("second");
    }
#ifdef USE_MPI
    MPI_Finalize();
#endif
    return 0;
}
