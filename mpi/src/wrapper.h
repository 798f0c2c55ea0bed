/* wrapper.h - how a wrapper is defined and forwards; what all of them include.
 *
 *     WRAPPER(MPI_Bcast, (void *buffer, int count, wide_Datatype datatype, int root,
 *                         wide_Comm comm))
 *     {
 *         ... FORWARD(MPI_Bcast)(buffer, count, datatype, root, comm) ...
 *
 * defines the symbol MPI_Bcast. Under C the function has a name of its own,
 * because mpi.h declares MPI_Bcast with handles of this family: where the
 * library stands aside, in a program of another family, a handle that is passed
 * by value may be a pointer where ours is an int. So it is taken and passed on
 * as a whole register, wide_Comm, and narrowed only where it is used.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_WRAPPER_H
#define SCOPE_MPI_WRAPPER_H

#include <scope/version.h>

#include "bytes.h"
#include "communicators.h"
#include "core.h"
#include "family.h"
#include "messages.h"
#include "requests.h"
#include "session.h"
#include "spawned.h"

#if defined(SCOPE_MPI_FAMILY_MPICH) && !defined(SCOPE_MPI_STATIC)
typedef intptr_t wide_Comm, wide_Datatype, wide_Op, wide_Info, wide_Group, wide_Request, wide_Win,
    wide_Errhandler;
#else
typedef MPI_Comm wide_Comm;
typedef MPI_Datatype wide_Datatype;
typedef MPI_Op wide_Op;
typedef MPI_Info wide_Info;
typedef MPI_Group wide_Group;
typedef MPI_Request wide_Request;
typedef MPI_Win wide_Win;
typedef MPI_Errhandler wide_Errhandler;
#endif

#define DECLARE(name, arguments) SCOPE_API int wrap_##name arguments __asm__(#name)

#define WRAPPER(name, arguments)                                                                   \
    DECLARE(name, arguments);                                                                      \
    int wrap_##name arguments

/* clang-format off */
#if defined(SCOPE_MPI_STATIC)
#define FORWARD(name) ((__typeof__(&wrap_##name))&P##name)
#else
#define FORWARD(name) \
    ({ static void *place; (__typeof__(&wrap_##name))mpi_cached(&place, mpi_next, #name); })
#endif

/* Fortran's symbols have names of their own anyway. */
#define FORWARD_FORTRAN(name) \
    ({ static void *place; (__typeof__(&name))mpi_cached(&place, mpi_next, #name); })
/* clang-format on */

#endif
