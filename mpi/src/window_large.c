/* window_large.c - memory that other ranks reach, and its synchronisation, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, wide_Info info,
                                   wide_Comm comm, MPI_Win *win)
{
    if (!mpi_fits_int(disp_unit))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Win_create)(base, size, (int)disp_unit, info, comm, win);
}

WRAPPER(MPI_Win_create_c, (void *base, MPI_Aint size, MPI_Aint disp_unit, wide_Info info,
                           wide_Comm comm, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Win_create_c, narrow_MPI_Win_create_c)(
            base, size, disp_unit, info, comm, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_create);
    const int rc = FORWARD_OR(MPI_Win_create_c, narrow_MPI_Win_create_c)(
        base, size, disp_unit, info, comm, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, wide_Info info,
                                     wide_Comm comm, void *baseptr, MPI_Win *win)
{
    if (!mpi_fits_int(disp_unit))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Win_allocate)(size, (int)disp_unit, info, comm, baseptr, win);
}

WRAPPER(MPI_Win_allocate_c, (MPI_Aint size, MPI_Aint disp_unit, wide_Info info, wide_Comm comm,
                             void *baseptr, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Win_allocate_c, narrow_MPI_Win_allocate_c)(
            size, disp_unit, info, comm, baseptr, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate);
    const int rc = FORWARD_OR(MPI_Win_allocate_c, narrow_MPI_Win_allocate_c)(
        size, disp_unit, info, comm, baseptr, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, wide_Info info,
                                            wide_Comm comm, void *baseptr, MPI_Win *win)
{
    if (!mpi_fits_int(disp_unit))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Win_allocate_shared)(size, (int)disp_unit, info, comm, baseptr, win);
}

WRAPPER(MPI_Win_allocate_shared_c, (MPI_Aint size, MPI_Aint disp_unit, wide_Info info,
                                    wide_Comm comm, void *baseptr, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Win_allocate_shared_c, narrow_MPI_Win_allocate_shared_c)(
            size, disp_unit, info, comm, baseptr, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate_shared);
    const int rc = FORWARD_OR(MPI_Win_allocate_shared_c, narrow_MPI_Win_allocate_shared_c)(
        size, disp_unit, info, comm, baseptr, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

#endif
