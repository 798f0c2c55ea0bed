/* narrow.c - large-count calls in a process whose MPI has none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

#include <stdlib.h>

/* MPI_ROOT of MPICH and of Open MPI; neither is another's rank or MPI_PROC_NULL. */
static bool is_root_side(int root, int rank, bool inter)
{
    return inter ? root == -3 || root == -4 : root == rank;
}

int mpi_missing(void)
{
    return 16; /* MPI_ERR_OTHER or MPI_ERR_INTERN, as the family counts */
}

mpi_narrow mpi_narrow_begin(intptr_t comm, int root, bool local)
{
    typedef int ask_fn(intptr_t, int *);
    ask_fn *size_of = (ask_fn *)mpi_symbol("PMPI_Comm_size");
    ask_fn *remote_size_of = (ask_fn *)mpi_symbol("PMPI_Comm_remote_size");
    ask_fn *rank_of = (ask_fn *)mpi_symbol("PMPI_Comm_rank");
    ask_fn *is_inter = (ask_fn *)mpi_symbol("PMPI_Comm_test_inter");
    int size = 0, rank = 0, inter = 0;
    mpi_narrow narrow = {.failed = !size_of || !remote_size_of || !rank_of || !is_inter};
    if (narrow.failed)
        return narrow;
    rank_of(comm, &rank);
    is_inter(comm, &inter);
    (inter && !local ? remote_size_of : size_of)(comm, &size);
    if (root == NARROW_NO_ROOT || is_root_side(root, rank, inter))
        narrow.length = size;
    return narrow;
}

const int *mpi_narrow_array(mpi_narrow *narrow, const void *values)
{
    if (!values || !narrow->length || narrow->failed)
        return values; /* not read by MPI */
    int *array = malloc((size_t)narrow->length * sizeof *array);
    narrow->failed = !array;
    for (int i = 0; array && i < narrow->length; i++) {
        const int64_t value = ((const int64_t *)values)[i];
        narrow->failed |= !mpi_fits_int(value);
        array[i] = (int)value;
    }
    if (array)
        narrow->arrays[narrow->count++] = array;
    return array;
}

void mpi_narrow_end(mpi_narrow *narrow, bool nonblocking)
{
    for (int i = 0; i < narrow->count && (!nonblocking || narrow->failed); i++)
        free(narrow->arrays[i]);
}
