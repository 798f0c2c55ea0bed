/* spawn.c - starts two copies of itself and talks to them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, other;
    int rank, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], argv + 1, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    else
        other = parent;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, other); /* of the other side */
    if (parent != MPI_COMM_NULL)
        MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && !strcmp(argv[1], "disconnect"))
        MPI_Comm_disconnect(&other);
    printf("%s %d: %d\n", parent == MPI_COMM_NULL ? "parent" : "child", rank, sum);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
