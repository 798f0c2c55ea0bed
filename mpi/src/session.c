/* session.c - sessions.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

#if MPI_VERSION >= 4

WRAPPER(MPI_Session_init, (wide_Info info, wide_Errhandler errhandler, MPI_Session *session))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Session_init, mpi_missing)(info, errhandler, session);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Session_init);
    const int rc = FORWARD_OR(MPI_Session_init, mpi_missing)(info, errhandler, session);
    mpi_leave(&moved);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Session_finalize, (MPI_Session *session))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Session_finalize, mpi_missing)(session);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Session_finalize);
    const int rc = FORWARD_OR(MPI_Session_finalize, mpi_missing)(session);
    mpi_leave(&moved);
    return rc;
}

#endif
