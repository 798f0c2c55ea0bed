/* endings.c - the ways an MPI job ends; argv[1] says which. Each rank has 10 + rank "work" calls.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void work(int count)
{
    for (int i = 0; i < count; i++) {
        SCOPE_REGION("work");
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    int rank = 0;
    if (!strcmp(how, "no-init")) {
        scope_init(NULL);
        const char *text = getenv("OMPI_COMM_WORLD_RANK");
        if (!text)
            text = getenv("PMI_RANK");
        work(10 + (text ? atoi(text) : 0));
        return 0;
    }
    if (!strcmp(how, "early")) { /* K01: begun before MPI_Init, more after MPI_Finalize */
        scope_init(NULL);
        scope_region_begin_name("around");
        work(1);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(10 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "exit") && rank == 1)
        exit(1);
    if (!strcmp(how, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(how, "exit") || !strcmp(how, "abort")) {
        char byte;
        MPI_Recv(&byte, 1, MPI_CHAR, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (!strcmp(how, "finalize-first")) /* scope_finalize before MPI_Finalize: still one file */
        scope_finalize();
    MPI_Finalize();
    work(5);
    if (!strcmp(how, "early"))
        scope_region_end_name("around");
    if (rank == 0)
        puts("done");
    return 0;
}
