/* fortran_window_large.c - memory that other ranks reach, and its synchronisation, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_win_create_large(fortran_7 *next, void *base, void *size, void *disp_unit,
                                     void *info, void *comm, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(base, size, disp_unit, info, comm, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_create);
    next(base, size, disp_unit, info, comm, win, ierror);
    if (f_succeeded(ierror))
        mpi_track_window(on, f_win(win));
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_create_f08_large_(void *base, void *size, void *disp_unit, void *info,
                                         void *comm, void *win, void *ierror)
{
    fortran_win_create_large(FORWARD_FORTRAN(mpi_win_create_f08_large_), base, size, disp_unit,
                             info, comm, win, ierror);
}

SCOPE_API void mpi_win_create_f08ts_large_(void *base, void *size, void *disp_unit, void *info,
                                           void *comm, void *win, void *ierror)
{
    fortran_win_create_large(FORWARD_FORTRAN(mpi_win_create_f08ts_large_), base, size, disp_unit,
                             info, comm, win, ierror);
}

static void fortran_win_allocate_large(fortran_7 *next, void *size, void *disp_unit, void *info,
                                       void *comm, void *baseptr, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(size, disp_unit, info, comm, baseptr, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate);
    next(size, disp_unit, info, comm, baseptr, win, ierror);
    if (f_succeeded(ierror))
        mpi_track_window(on, f_win(win));
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_allocate_f08_large_(void *size, void *disp_unit, void *info, void *comm,
                                           void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_large(FORWARD_FORTRAN(mpi_win_allocate_f08_large_), size, disp_unit, info,
                               comm, baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_f08ts_large_(void *size, void *disp_unit, void *info, void *comm,
                                             void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_large(FORWARD_FORTRAN(mpi_win_allocate_f08ts_large_), size, disp_unit,
                               info, comm, baseptr, win, ierror);
}

static void fortran_win_allocate_shared_large(fortran_7 *next, void *size, void *disp_unit,
                                              void *info, void *comm, void *baseptr, void *win,
                                              void *ierror)
{
    if (!mpi_enter()) {
        next(size, disp_unit, info, comm, baseptr, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate_shared);
    next(size, disp_unit, info, comm, baseptr, win, ierror);
    if (f_succeeded(ierror))
        mpi_track_window(on, f_win(win));
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_allocate_shared_f08_large_(void *size, void *disp_unit, void *info,
                                                  void *comm, void *baseptr, void *win,
                                                  void *ierror)
{
    fortran_win_allocate_shared_large(FORWARD_FORTRAN(mpi_win_allocate_shared_f08_large_), size,
                                      disp_unit, info, comm, baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_shared_f08ts_large_(void *size, void *disp_unit, void *info,
                                                    void *comm, void *baseptr, void *win,
                                                    void *ierror)
{
    fortran_win_allocate_shared_large(FORWARD_FORTRAN(mpi_win_allocate_shared_f08ts_large_), size,
                                      disp_unit, info, comm, baseptr, win, ierror);
}

#endif
