/* fortran_session.c - sessions, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_session_init(fortran_4 *next, void *info, void *errhandler, void *session,
                                 void *ierror)
{
    if (!mpi_enter()) {
        next(info, errhandler, session, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Session_init);
    next(info, errhandler, session, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_session_init_(void *info, void *errhandler, void *session, void *ierror)
{
    fortran_session_init(FORWARD_FORTRAN(mpi_session_init_), info, errhandler, session, ierror);
}

SCOPE_API void mpi_session_init_f08_(void *info, void *errhandler, void *session, void *ierror)
{
    fortran_session_init(FORWARD_FORTRAN(mpi_session_init_f08_), info, errhandler, session, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_session_finalize(fortran_2 *next, void *session, void *ierror)
{
    if (!mpi_enter()) {
        next(session, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Session_finalize);
    next(session, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_session_finalize_(void *session, void *ierror)
{
    fortran_session_finalize(FORWARD_FORTRAN(mpi_session_finalize_), session, ierror);
}

SCOPE_API void mpi_session_finalize_f08_(void *session, void *ierror)
{
    fortran_session_finalize(FORWARD_FORTRAN(mpi_session_finalize_f08_), session, ierror);
}

#endif
