/* fortran_window.c - memory that other ranks reach, and its synchronisation, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_win_create(fortran_7 *next, void *base, void *size, void *disp_unit, void *info,
                               void *comm, void *win, void *ierror)
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

SCOPE_API void mpi_win_create_(void *base, void *size, void *disp_unit, void *info, void *comm,
                               void *win, void *ierror)
{
    fortran_win_create(FORWARD_FORTRAN(mpi_win_create_), base, size, disp_unit, info, comm, win,
                       ierror);
}

SCOPE_API void mpi_win_create_f08_(void *base, void *size, void *disp_unit, void *info, void *comm,
                                   void *win, void *ierror)
{
    fortran_win_create(FORWARD_FORTRAN(mpi_win_create_f08_), base, size, disp_unit, info, comm, win,
                       ierror);
}

SCOPE_API void mpi_win_create_f08ts_(void *base, void *size, void *disp_unit, void *info,
                                     void *comm, void *win, void *ierror)
{
    fortran_win_create(FORWARD_FORTRAN(mpi_win_create_f08ts_), base, size, disp_unit, info, comm,
                       win, ierror);
}

static void fortran_win_allocate(fortran_7 *next, void *size, void *disp_unit, void *info,
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

SCOPE_API void mpi_win_allocate_(void *size, void *disp_unit, void *info, void *comm, void *baseptr,
                                 void *win, void *ierror)
{
    fortran_win_allocate(FORWARD_FORTRAN(mpi_win_allocate_), size, disp_unit, info, comm, baseptr,
                         win, ierror);
}

SCOPE_API void mpi_win_allocate_f08_(void *size, void *disp_unit, void *info, void *comm,
                                     void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate(FORWARD_FORTRAN(mpi_win_allocate_f08_), size, disp_unit, info, comm,
                         baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_f08ts_(void *size, void *disp_unit, void *info, void *comm,
                                       void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate(FORWARD_FORTRAN(mpi_win_allocate_f08ts_), size, disp_unit, info, comm,
                         baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_cptr_(void *size, void *disp_unit, void *info, void *comm,
                                      void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate(FORWARD_FORTRAN(mpi_win_allocate_cptr_), size, disp_unit, info, comm,
                         baseptr, win, ierror);
}

static void fortran_win_allocate_shared(fortran_7 *next, void *size, void *disp_unit, void *info,
                                        void *comm, void *baseptr, void *win, void *ierror)
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

SCOPE_API void mpi_win_allocate_shared_(void *size, void *disp_unit, void *info, void *comm,
                                        void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_shared(FORWARD_FORTRAN(mpi_win_allocate_shared_), size, disp_unit, info,
                                comm, baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_shared_f08_(void *size, void *disp_unit, void *info, void *comm,
                                            void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_shared(FORWARD_FORTRAN(mpi_win_allocate_shared_f08_), size, disp_unit,
                                info, comm, baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_shared_f08ts_(void *size, void *disp_unit, void *info, void *comm,
                                              void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_shared(FORWARD_FORTRAN(mpi_win_allocate_shared_f08ts_), size, disp_unit,
                                info, comm, baseptr, win, ierror);
}

SCOPE_API void mpi_win_allocate_shared_cptr_(void *size, void *disp_unit, void *info, void *comm,
                                             void *baseptr, void *win, void *ierror)
{
    fortran_win_allocate_shared(FORWARD_FORTRAN(mpi_win_allocate_shared_cptr_), size, disp_unit,
                                info, comm, baseptr, win, ierror);
}

static void fortran_win_create_dynamic(fortran_4 *next, void *info, void *comm, void *win,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(info, comm, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_create_dynamic);
    next(info, comm, win, ierror);
    if (f_succeeded(ierror))
        mpi_track_window(on, f_win(win));
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_create_dynamic_(void *info, void *comm, void *win, void *ierror)
{
    fortran_win_create_dynamic(FORWARD_FORTRAN(mpi_win_create_dynamic_), info, comm, win, ierror);
}

SCOPE_API void mpi_win_create_dynamic_f08_(void *info, void *comm, void *win, void *ierror)
{
    fortran_win_create_dynamic(FORWARD_FORTRAN(mpi_win_create_dynamic_f08_), info, comm, win,
                               ierror);
}

static void fortran_win_free(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    mpi_untrack_window(f_win(win));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_free);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_free_(void *win, void *ierror)
{
    fortran_win_free(FORWARD_FORTRAN(mpi_win_free_), win, ierror);
}

SCOPE_API void mpi_win_free_f08_(void *win, void *ierror)
{
    fortran_win_free(FORWARD_FORTRAN(mpi_win_free_f08_), win, ierror);
}

static void fortran_win_set_info(fortran_3 *next, void *win, void *info, void *ierror)
{
    if (!mpi_enter()) {
        next(win, info, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_set_info);
    next(win, info, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_set_info_(void *win, void *info, void *ierror)
{
    fortran_win_set_info(FORWARD_FORTRAN(mpi_win_set_info_), win, info, ierror);
}

SCOPE_API void mpi_win_set_info_f08_(void *win, void *info, void *ierror)
{
    fortran_win_set_info(FORWARD_FORTRAN(mpi_win_set_info_f08_), win, info, ierror);
}

static void fortran_win_fence(fortran_3 *next, void *assert, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(assert, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_fence);
    next(assert, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_fence_(void *assert, void *win, void *ierror)
{
    fortran_win_fence(FORWARD_FORTRAN(mpi_win_fence_), assert, win, ierror);
}

SCOPE_API void mpi_win_fence_f08_(void *assert, void *win, void *ierror)
{
    fortran_win_fence(FORWARD_FORTRAN(mpi_win_fence_f08_), assert, win, ierror);
}

static void fortran_win_post(fortran_4 *next, void *group, void *assert, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(group, assert, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_post);
    next(group, assert, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_post_(void *group, void *assert, void *win, void *ierror)
{
    fortran_win_post(FORWARD_FORTRAN(mpi_win_post_), group, assert, win, ierror);
}

SCOPE_API void mpi_win_post_f08_(void *group, void *assert, void *win, void *ierror)
{
    fortran_win_post(FORWARD_FORTRAN(mpi_win_post_f08_), group, assert, win, ierror);
}

static void fortran_win_start(fortran_4 *next, void *group, void *assert, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(group, assert, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_start);
    next(group, assert, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_start_(void *group, void *assert, void *win, void *ierror)
{
    fortran_win_start(FORWARD_FORTRAN(mpi_win_start_), group, assert, win, ierror);
}

SCOPE_API void mpi_win_start_f08_(void *group, void *assert, void *win, void *ierror)
{
    fortran_win_start(FORWARD_FORTRAN(mpi_win_start_f08_), group, assert, win, ierror);
}

static void fortran_win_complete(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_complete);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_complete_(void *win, void *ierror)
{
    fortran_win_complete(FORWARD_FORTRAN(mpi_win_complete_), win, ierror);
}

SCOPE_API void mpi_win_complete_f08_(void *win, void *ierror)
{
    fortran_win_complete(FORWARD_FORTRAN(mpi_win_complete_f08_), win, ierror);
}

static void fortran_win_wait(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_wait);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_wait_(void *win, void *ierror)
{
    fortran_win_wait(FORWARD_FORTRAN(mpi_win_wait_), win, ierror);
}

SCOPE_API void mpi_win_wait_f08_(void *win, void *ierror)
{
    fortran_win_wait(FORWARD_FORTRAN(mpi_win_wait_f08_), win, ierror);
}

static void fortran_win_test(fortran_3 *next, void *win, void *flag, void *ierror)
{
    if (!mpi_enter()) {
        next(win, flag, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_test);
    next(win, flag, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_test_(void *win, void *flag, void *ierror)
{
    fortran_win_test(FORWARD_FORTRAN(mpi_win_test_), win, flag, ierror);
}

SCOPE_API void mpi_win_test_f08_(void *win, void *flag, void *ierror)
{
    fortran_win_test(FORWARD_FORTRAN(mpi_win_test_f08_), win, flag, ierror);
}

static void fortran_win_lock(fortran_5 *next, void *lock_type, void *rank, void *assert, void *win,
                             void *ierror)
{
    if (!mpi_enter()) {
        next(lock_type, rank, assert, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, f_int(rank));
    mpi_begin(CALL_MPI_Win_lock);
    next(lock_type, rank, assert, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_lock_(void *lock_type, void *rank, void *assert, void *win, void *ierror)
{
    fortran_win_lock(FORWARD_FORTRAN(mpi_win_lock_), lock_type, rank, assert, win, ierror);
}

SCOPE_API void mpi_win_lock_f08_(void *lock_type, void *rank, void *assert, void *win, void *ierror)
{
    fortran_win_lock(FORWARD_FORTRAN(mpi_win_lock_f08_), lock_type, rank, assert, win, ierror);
}

static void fortran_win_unlock(fortran_3 *next, void *rank, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(rank, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, f_int(rank));
    mpi_begin(CALL_MPI_Win_unlock);
    next(rank, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_unlock_(void *rank, void *win, void *ierror)
{
    fortran_win_unlock(FORWARD_FORTRAN(mpi_win_unlock_), rank, win, ierror);
}

SCOPE_API void mpi_win_unlock_f08_(void *rank, void *win, void *ierror)
{
    fortran_win_unlock(FORWARD_FORTRAN(mpi_win_unlock_f08_), rank, win, ierror);
}

static void fortran_win_lock_all(fortran_3 *next, void *assert, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(assert, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_lock_all);
    next(assert, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_lock_all_(void *assert, void *win, void *ierror)
{
    fortran_win_lock_all(FORWARD_FORTRAN(mpi_win_lock_all_), assert, win, ierror);
}

SCOPE_API void mpi_win_lock_all_f08_(void *assert, void *win, void *ierror)
{
    fortran_win_lock_all(FORWARD_FORTRAN(mpi_win_lock_all_f08_), assert, win, ierror);
}

static void fortran_win_unlock_all(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_unlock_all);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_unlock_all_(void *win, void *ierror)
{
    fortran_win_unlock_all(FORWARD_FORTRAN(mpi_win_unlock_all_), win, ierror);
}

SCOPE_API void mpi_win_unlock_all_f08_(void *win, void *ierror)
{
    fortran_win_unlock_all(FORWARD_FORTRAN(mpi_win_unlock_all_f08_), win, ierror);
}

static void fortran_win_flush(fortran_3 *next, void *rank, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(rank, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, f_int(rank));
    mpi_begin(CALL_MPI_Win_flush);
    next(rank, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_flush_(void *rank, void *win, void *ierror)
{
    fortran_win_flush(FORWARD_FORTRAN(mpi_win_flush_), rank, win, ierror);
}

SCOPE_API void mpi_win_flush_f08_(void *rank, void *win, void *ierror)
{
    fortran_win_flush(FORWARD_FORTRAN(mpi_win_flush_f08_), rank, win, ierror);
}

static void fortran_win_flush_all(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_flush_all);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_flush_all_(void *win, void *ierror)
{
    fortran_win_flush_all(FORWARD_FORTRAN(mpi_win_flush_all_), win, ierror);
}

SCOPE_API void mpi_win_flush_all_f08_(void *win, void *ierror)
{
    fortran_win_flush_all(FORWARD_FORTRAN(mpi_win_flush_all_f08_), win, ierror);
}

static void fortran_win_flush_local(fortran_3 *next, void *rank, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(rank, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, f_int(rank));
    mpi_begin(CALL_MPI_Win_flush_local);
    next(rank, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_flush_local_(void *rank, void *win, void *ierror)
{
    fortran_win_flush_local(FORWARD_FORTRAN(mpi_win_flush_local_), rank, win, ierror);
}

SCOPE_API void mpi_win_flush_local_f08_(void *rank, void *win, void *ierror)
{
    fortran_win_flush_local(FORWARD_FORTRAN(mpi_win_flush_local_f08_), rank, win, ierror);
}

static void fortran_win_flush_local_all(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_flush_local_all);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_flush_local_all_(void *win, void *ierror)
{
    fortran_win_flush_local_all(FORWARD_FORTRAN(mpi_win_flush_local_all_), win, ierror);
}

SCOPE_API void mpi_win_flush_local_all_f08_(void *win, void *ierror)
{
    fortran_win_flush_local_all(FORWARD_FORTRAN(mpi_win_flush_local_all_f08_), win, ierror);
}

static void fortran_win_sync(fortran_2 *next, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Win_sync);
    next(win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_win_sync_(void *win, void *ierror)
{
    fortran_win_sync(FORWARD_FORTRAN(mpi_win_sync_), win, ierror);
}

SCOPE_API void mpi_win_sync_f08_(void *win, void *ierror)
{
    fortran_win_sync(FORWARD_FORTRAN(mpi_win_sync_f08_), win, ierror);
}
