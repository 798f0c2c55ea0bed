/* fortran_request_large.c - waits, tests and the end of requests, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_buffer_attach_large(fortran_3 *next, void *buffer, void *size, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, size, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_attach);
    next(buffer, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_buffer_attach_f08_large_(void *buffer, void *size, void *ierror)
{
    fortran_buffer_attach_large(FORWARD_FORTRAN(mpi_buffer_attach_f08_large_), buffer, size,
                                ierror);
}

SCOPE_API void mpi_buffer_attach_f08ts_large_(void *buffer, void *size, void *ierror)
{
    fortran_buffer_attach_large(FORWARD_FORTRAN(mpi_buffer_attach_f08ts_large_), buffer, size,
                                ierror);
}

static void fortran_buffer_detach_large(fortran_3 *next, void *buffer_addr, void *size,
                                        void *ierror)
{
    if (!mpi_enter()) {
        next(buffer_addr, size, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_detach);
    next(buffer_addr, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_buffer_detach_f08_large_(void *buffer_addr, void *size, void *ierror)
{
    fortran_buffer_detach_large(FORWARD_FORTRAN(mpi_buffer_detach_f08_large_), buffer_addr, size,
                                ierror);
}

SCOPE_API void mpi_buffer_detach_f08ts_large_(void *buffer_addr, void *size, void *ierror)
{
    fortran_buffer_detach_large(FORWARD_FORTRAN(mpi_buffer_detach_f08ts_large_), buffer_addr, size,
                                ierror);
}

#endif
