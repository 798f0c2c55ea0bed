/* family.h - the MPI that this library is built for, without linking to it.
 *
 *     MPI_Comm_rank(MPI_COMM_WORLD, &rank)   becomes   PMPI(Comm_rank)(MPI_COMM_WORLD, &rank)
 *
 * Include this instead of <mpi.h>. PMPI(name) is the function below every tool,
 * NEXT(name) the MPI_ function after ours in the chain. Both are looked up once
 * per place and never give an undefined symbol. Open MPI's constants are data
 * symbols of libmpi: here they are looked up too, so MPI_COMM_WORLD may be
 * written as usual (but not in a static initialiser). MPI_COMM_NULL_COPY_FN and
 * its like are functions of libmpi and must not be named.
 *
 * Handles are of this family. Where mpi_is_ours() is false, an argument may be
 * wider than our handle type says (a pointer where MPICH has an int), so a
 * wrapper that stands aside must forward whole registers: take each handle
 * argument as intptr_t, or branch before it touches an argument.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_FAMILY_H
#define SCOPE_MPI_FAMILY_H

#pragma GCC visibility push(default) /* of the wrappers that define these */
#include <mpi.h>
#pragma GCC visibility pop

#include "next.h"

/* clang-format off */
#if defined(SCOPE_MPI_STATIC) /* for a static MPI: nothing to look up */
#define PMPI(name) PMPI_##name
#define NEXT(name) (&PMPI_##name)
#else
#define PMPI(name) \
    ({ static void *place; \
       (__typeof__(&PMPI_##name))mpi_cached(&place, mpi_symbol, "PMPI_" #name); })
#define NEXT(name) \
    ({ static void *place; (__typeof__(&MPI_##name))mpi_cached(&place, mpi_next, "MPI_" #name); })

#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) \
    ({ static void *place; (type)mpi_cached(&place, mpi_symbol, #global); })
#endif
#endif
/* clang-format on */

#if defined(SCOPE_MPI_FAMILY_ABI) && !defined(MPI_Fint)
#define MPI_Fint int /* the ABI leaves it to the Fortran compiler: a default integer */
#endif

static inline void *mpi_cached(void **place, void *(*find)(const char *), const char *name)
{
    void *found = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!found, 0)) {
        found = find(name);
        __atomic_store_n(place, found, __ATOMIC_RELEASE);
    }
    return found;
}

#endif
