/* window.c - memory that other ranks reach, and its synchronisation.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Win_create, (void *base, MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                         MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_create)(base, size, disp_unit, info, comm, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_create);
    const int rc = FORWARD(MPI_Win_create)(base, size, disp_unit, info, comm, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_allocate, (MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                           void *baseptr, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_allocate)(size, disp_unit, info, comm, baseptr, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate);
    const int rc = FORWARD(MPI_Win_allocate)(size, disp_unit, info, comm, baseptr, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_allocate_shared, (MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                                  void *baseptr, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_allocate_shared)(size, disp_unit, info, comm, baseptr, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_allocate_shared);
    const int rc = FORWARD(MPI_Win_allocate_shared)(size, disp_unit, info, comm, baseptr, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_create_dynamic, (wide_Info info, wide_Comm comm, MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_create_dynamic)(info, comm, win);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_create_dynamic);
    const int rc = FORWARD(MPI_Win_create_dynamic)(info, comm, win);
    if (rc == MPI_SUCCESS)
        mpi_track_window(on, *win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_free, (MPI_Win *win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_free)(win);
    const mpi_comm *on = mpi_window_of(*win);
    mpi_untrack_window(*win);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_free);
    const int rc = FORWARD(MPI_Win_free)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_set_info, (wide_Win win, wide_Info info))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_set_info)(win, info);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_set_info);
    const int rc = FORWARD(MPI_Win_set_info)(win, info);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_fence, (int assert, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_fence)(assert, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_fence);
    const int rc = FORWARD(MPI_Win_fence)(assert, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_post, (wide_Group group, int assert, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_post)(group, assert, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_post);
    const int rc = FORWARD(MPI_Win_post)(group, assert, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_start, (wide_Group group, int assert, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_start)(group, assert, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_start);
    const int rc = FORWARD(MPI_Win_start)(group, assert, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_complete, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_complete)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_complete);
    const int rc = FORWARD(MPI_Win_complete)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_wait, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_wait)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_wait);
    const int rc = FORWARD(MPI_Win_wait)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_test, (wide_Win win, int *flag))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_test)(win, flag);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_test);
    const int rc = FORWARD(MPI_Win_test)(win, flag);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_lock, (int lock_type, int rank, int assert, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_lock)(lock_type, rank, assert, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, rank);
    mpi_begin(CALL_MPI_Win_lock);
    const int rc = FORWARD(MPI_Win_lock)(lock_type, rank, assert, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_unlock, (int rank, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_unlock)(rank, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, rank);
    mpi_begin(CALL_MPI_Win_unlock);
    const int rc = FORWARD(MPI_Win_unlock)(rank, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_lock_all, (int assert, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_lock_all)(assert, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_lock_all);
    const int rc = FORWARD(MPI_Win_lock_all)(assert, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_unlock_all, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_unlock_all)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_unlock_all);
    const int rc = FORWARD(MPI_Win_unlock_all)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_flush, (int rank, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_flush)(rank, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, rank);
    mpi_begin(CALL_MPI_Win_flush);
    const int rc = FORWARD(MPI_Win_flush)(rank, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_flush_all, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_flush_all)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_flush_all);
    const int rc = FORWARD(MPI_Win_flush_all)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_flush_local, (int rank, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_flush_local)(rank, win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, rank);
    mpi_begin(CALL_MPI_Win_flush_local);
    const int rc = FORWARD(MPI_Win_flush_local)(rank, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_flush_local_all, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_flush_local_all)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_flush_local_all);
    const int rc = FORWARD(MPI_Win_flush_local_all)(win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Win_sync, (wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Win_sync)(win);
    const mpi_comm *on = mpi_window_of(win);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_sync);
    const int rc = FORWARD(MPI_Win_sync)(win);
    mpi_leave(&moved);
    return rc;
}
