/* early_events.c - argv[1] calls before MPI_Init, with whatever budget the environment gives.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <scope/scope.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    scope_region early;
    scope_init(NULL);
    scope_region_register("early", &early);
    for (long i = 0; i < count; i++) {
        scope_region_begin(early);
        scope_region_end(early);
    }
    MPI_Init(&argc, &argv);
    scope_region_begin_name("late");
    scope_region_end_name("late");
    MPI_Finalize();
    return 0;
}
