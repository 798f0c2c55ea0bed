/* filter_ranks.c - regions registered before MPI_Init, called ten times by handle and ten times
 * by name, before and after it. argv[1] "hidden": what the launcher says of the rank is not
 * there until MPI_Init.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_PROCID"};
enum { COUNT = sizeof variables / sizeof *variables };

static void call(const scope_region *regions, const char *const *names)
{
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 3; k++) {
            scope_region_begin(regions[k]);
            scope_region_end(regions[k]);
            scope_region_begin_name(names[k]);
            scope_region_end_name(names[k]);
        }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"solve", "io_read", "other"};
    char *values[COUNT] = {NULL};
    scope_region regions[3];
    const int hidden = argc > 1 && strcmp(argv[1], "hidden") == 0;
    for (int i = 0; hidden && i < COUNT; i++) {
        const char *value = getenv(variables[i]);
        values[i] = value ? strdup(value) : NULL;
        unsetenv(variables[i]);
    }
    for (int k = 0; k < 3; k++)
        if (scope_region_register(names[k], &regions[k]) != SCOPE_OK)
            return 1;
    for (int i = 0; hidden && i < COUNT; i++)
        if (values[i])
            setenv(variables[i], values[i], 1);
    MPI_Init(&argc, &argv);
    call(regions, names);
    MPI_Finalize();
    return 0;
}
