/* request_large.c - waits, tests and the end of requests, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    if (!mpi_fits_int(size))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Buffer_attach)(buffer, (int)size);
}

WRAPPER(MPI_Buffer_attach_c, (void *buffer, MPI_Count size))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Buffer_attach_c, narrow_MPI_Buffer_attach_c)(buffer, size);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_attach);
    const int rc = FORWARD_OR(MPI_Buffer_attach_c, narrow_MPI_Buffer_attach_c)(buffer, size);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    int narrow_size = 0;
    const int rc = PLAIN(MPI_Buffer_detach)(buffer_addr, &narrow_size);
    *size = narrow_size;
    return rc;
}

WRAPPER(MPI_Buffer_detach_c, (void *buffer_addr, MPI_Count *size))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Buffer_detach_c, narrow_MPI_Buffer_detach_c)(buffer_addr, size);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_detach);
    const int rc = FORWARD_OR(MPI_Buffer_detach_c, narrow_MPI_Buffer_detach_c)(buffer_addr, size);
    mpi_leave(&moved);
    return rc;
}

#endif
