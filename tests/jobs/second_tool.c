/* second_tool.c - another MPI tool in the chain: counts MPI_Barrier and MPI_Allreduce, calls the next.
 * With -DPMPI it calls PMPI_ directly, as many tools do. Prints "tool <rank> <barriers> <allreduces>".
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long barriers, allreduces;

#ifdef PMPI
#define NEXT(name) (&P##name)
#else
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#endif

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return NEXT(MPI_Barrier)(comm);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    allreduces++;
    return NEXT(MPI_Allreduce)(from, to, count, type, op, comm);
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "tool %d %ld %ld\n", rank, barriers, allreduces);
    return NEXT(MPI_Finalize)();
}
