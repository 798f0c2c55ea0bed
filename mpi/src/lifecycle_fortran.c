/* lifecycle_fortran.c - MPI_Init, MPI_Finalize and MPI_Abort of mpif.h, mpi, mpi_f08.
 *
 * Fortran calls have symbols of their own (lower case with one or two underscores,
 * _f08_ for mpi_f08), which need not come by the C wrappers. Arguments go on
 * untouched to the next symbol of the same name; an absent ierror is NULL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "family.h"
#include "lifecycle.h"

#include <scope/version.h>

/* The next function of the name that is being wrapped, with `arguments`. */
#define FORWARD(symbol, types, arguments)                                                          \
    do {                                                                                           \
        static void *place;                                                                        \
        ((void(*) types)mpi_cached(&place, mpi_next, #symbol)) arguments;                          \
    } while (0)

#define INIT(symbol)                                                                               \
    SCOPE_API void symbol(int *error);                                                             \
    void symbol(int *error)                                                                        \
    {                                                                                              \
        const scope_region region = mpi_init_enter(CALL_MPI_Init);                                 \
        FORWARD(symbol, (int *), (error));                                                         \
        mpi_init_leave(region);                                                                    \
    }

#define INIT_THREAD(symbol)                                                                        \
    SCOPE_API void symbol(int *required, int *provided, int *error);                               \
    void symbol(int *required, int *provided, int *error)                                          \
    {                                                                                              \
        const scope_region region = mpi_init_enter(CALL_MPI_Init_thread);                          \
        FORWARD(symbol, (int *, int *, int *), (required, provided, error));                       \
        mpi_init_leave(region);                                                                    \
    }

#define FINALIZE(symbol)                                                                           \
    SCOPE_API void symbol(int *error);                                                             \
    void symbol(int *error)                                                                        \
    {                                                                                              \
        mpi_finalize_enter();                                                                      \
        FORWARD(symbol, (int *), (error));                                                         \
        mpi_finalize_leave();                                                                      \
    }

#define ABORT(symbol)                                                                              \
    SCOPE_API void symbol(void *comm, int *code, int *error);                                      \
    void symbol(void *comm, int *code, int *error)                                                 \
    {                                                                                              \
        mpi_abort_enter(*code);                                                                    \
        FORWARD(symbol, (void *, int *, int *), (comm, code, error));                              \
    }

INIT(mpi_init_)
INIT(mpi_init__)
INIT(mpi_init_f08_)
INIT_THREAD(mpi_init_thread_)
INIT_THREAD(mpi_init_thread__)
INIT_THREAD(mpi_init_thread_f08_)
FINALIZE(mpi_finalize_)
FINALIZE(mpi_finalize__)
FINALIZE(mpi_finalize_f08_)
ABORT(mpi_abort_)
ABORT(mpi_abort__)
ABORT(mpi_abort_f08_)
