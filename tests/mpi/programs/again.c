/* again.c - a second recording while MPI runs, as Python's finalize() makes one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <scope/scope.h>
#include <scope/sink.h>

int main(int argc, char **argv)
{
    MPI_Comm kept, freed, later;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    MPI_Comm_set_name(kept, "kept");
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    MPI_Comm_set_name(freed, "freed");
    MPI_Barrier(kept);
    MPI_Comm_free(&freed);
    MPI_Pcontrol(0);

    scope_runtime_write(NULL); /* this rank's own file */
    scope_init(NULL);

    MPI_Barrier(kept); /* the first call of the second recording */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_split(kept, 0, 0, &later);
    MPI_Comm_set_name(later, "later");
    MPI_Barrier(later);
    MPI_Comm_free(&later);
    MPI_Comm_free(&kept);
    MPI_Finalize();
    return 0;
}
