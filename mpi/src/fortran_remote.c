/* fortran_remote.c - one-sided transfers, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_put(fortran_9 *next, void *origin_addr, void *origin_count,
                        void *origin_datatype, void *target_rank, void *target_disp,
                        void *target_count, void *target_datatype, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Put);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_put_(void *origin_addr, void *origin_count, void *origin_datatype,
                        void *target_rank, void *target_disp, void *target_count,
                        void *target_datatype, void *win, void *ierror)
{
    fortran_put(FORWARD_FORTRAN(mpi_put_), origin_addr, origin_count, origin_datatype, target_rank,
                target_disp, target_count, target_datatype, win, ierror);
}

SCOPE_API void mpi_put_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                            void *target_rank, void *target_disp, void *target_count,
                            void *target_datatype, void *win, void *ierror)
{
    fortran_put(FORWARD_FORTRAN(mpi_put_f08_), origin_addr, origin_count, origin_datatype,
                target_rank, target_disp, target_count, target_datatype, win, ierror);
}

SCOPE_API void mpi_put_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                              void *target_rank, void *target_disp, void *target_count,
                              void *target_datatype, void *win, void *ierror)
{
    fortran_put(FORWARD_FORTRAN(mpi_put_f08ts_), origin_addr, origin_count, origin_datatype,
                target_rank, target_disp, target_count, target_datatype, win, ierror);
}

static void fortran_get(fortran_9 *next, void *origin_addr, void *origin_count,
                        void *origin_datatype, void *target_rank, void *target_disp,
                        void *target_count, void *target_datatype, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Get);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_get_(void *origin_addr, void *origin_count, void *origin_datatype,
                        void *target_rank, void *target_disp, void *target_count,
                        void *target_datatype, void *win, void *ierror)
{
    fortran_get(FORWARD_FORTRAN(mpi_get_), origin_addr, origin_count, origin_datatype, target_rank,
                target_disp, target_count, target_datatype, win, ierror);
}

SCOPE_API void mpi_get_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                            void *target_rank, void *target_disp, void *target_count,
                            void *target_datatype, void *win, void *ierror)
{
    fortran_get(FORWARD_FORTRAN(mpi_get_f08_), origin_addr, origin_count, origin_datatype,
                target_rank, target_disp, target_count, target_datatype, win, ierror);
}

SCOPE_API void mpi_get_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                              void *target_rank, void *target_disp, void *target_count,
                              void *target_datatype, void *win, void *ierror)
{
    fortran_get(FORWARD_FORTRAN(mpi_get_f08ts_), origin_addr, origin_count, origin_datatype,
                target_rank, target_disp, target_count, target_datatype, win, ierror);
}

static void fortran_accumulate(fortran_10 *next, void *origin_addr, void *origin_count,
                               void *origin_datatype, void *target_rank, void *target_disp,
                               void *target_count, void *target_datatype, void *op, void *win,
                               void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, op, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Accumulate);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, op, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_accumulate_(void *origin_addr, void *origin_count, void *origin_datatype,
                               void *target_rank, void *target_disp, void *target_count,
                               void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_accumulate(FORWARD_FORTRAN(mpi_accumulate_), origin_addr, origin_count, origin_datatype,
                       target_rank, target_disp, target_count, target_datatype, op, win, ierror);
}

SCOPE_API void mpi_accumulate_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                                   void *target_rank, void *target_disp, void *target_count,
                                   void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_accumulate(FORWARD_FORTRAN(mpi_accumulate_f08_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
                       win, ierror);
}

SCOPE_API void mpi_accumulate_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                                     void *target_rank, void *target_disp, void *target_count,
                                     void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_accumulate(FORWARD_FORTRAN(mpi_accumulate_f08ts_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype, op,
                       win, ierror);
}

static void fortran_get_accumulate(fortran_13 *next, void *origin_addr, void *origin_count,
                                   void *origin_datatype, void *result_addr, void *result_count,
                                   void *result_datatype, void *target_rank, void *target_disp,
                                   void *target_count, void *target_datatype, void *op, void *win,
                                   void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
             target_rank, target_disp, target_count, target_datatype, op, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(target_count), f_type(target_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Get_accumulate);
    next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
         target_rank, target_disp, target_count, target_datatype, op, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_get_accumulate_(void *origin_addr, void *origin_count, void *origin_datatype,
                                   void *result_addr, void *result_count, void *result_datatype,
                                   void *target_rank, void *target_disp, void *target_count,
                                   void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_get_accumulate(FORWARD_FORTRAN(mpi_get_accumulate_), origin_addr, origin_count,
                           origin_datatype, result_addr, result_count, result_datatype, target_rank,
                           target_disp, target_count, target_datatype, op, win, ierror);
}

SCOPE_API void mpi_get_accumulate_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                                       void *result_addr, void *result_count, void *result_datatype,
                                       void *target_rank, void *target_disp, void *target_count,
                                       void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_get_accumulate(FORWARD_FORTRAN(mpi_get_accumulate_f08_), origin_addr, origin_count,
                           origin_datatype, result_addr, result_count, result_datatype, target_rank,
                           target_disp, target_count, target_datatype, op, win, ierror);
}

SCOPE_API void mpi_get_accumulate_f08ts_(void *origin_addr, void *origin_count,
                                         void *origin_datatype, void *result_addr,
                                         void *result_count, void *result_datatype,
                                         void *target_rank, void *target_disp, void *target_count,
                                         void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_get_accumulate(FORWARD_FORTRAN(mpi_get_accumulate_f08ts_), origin_addr, origin_count,
                           origin_datatype, result_addr, result_count, result_datatype, target_rank,
                           target_disp, target_count, target_datatype, op, win, ierror);
}

static void fortran_fetch_and_op(fortran_8 *next, void *origin_addr, void *result_addr,
                                 void *datatype, void *target_rank, void *target_disp, void *op,
                                 void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, result_addr, datatype, target_rank, target_disp, op, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(1, f_type(datatype), f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Fetch_and_op);
    next(origin_addr, result_addr, datatype, target_rank, target_disp, op, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_fetch_and_op_(void *origin_addr, void *result_addr, void *datatype,
                                 void *target_rank, void *target_disp, void *op, void *win,
                                 void *ierror)
{
    fortran_fetch_and_op(FORWARD_FORTRAN(mpi_fetch_and_op_), origin_addr, result_addr, datatype,
                         target_rank, target_disp, op, win, ierror);
}

SCOPE_API void mpi_fetch_and_op_f08_(void *origin_addr, void *result_addr, void *datatype,
                                     void *target_rank, void *target_disp, void *op, void *win,
                                     void *ierror)
{
    fortran_fetch_and_op(FORWARD_FORTRAN(mpi_fetch_and_op_f08_), origin_addr, result_addr, datatype,
                         target_rank, target_disp, op, win, ierror);
}

SCOPE_API void mpi_fetch_and_op_f08ts_(void *origin_addr, void *result_addr, void *datatype,
                                       void *target_rank, void *target_disp, void *op, void *win,
                                       void *ierror)
{
    fortran_fetch_and_op(FORWARD_FORTRAN(mpi_fetch_and_op_f08ts_), origin_addr, result_addr,
                         datatype, target_rank, target_disp, op, win, ierror);
}

static void fortran_compare_and_swap(fortran_8 *next, void *origin_addr, void *compare_addr,
                                     void *result_addr, void *datatype, void *target_rank,
                                     void *target_disp, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win,
             ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(1, f_type(datatype), f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Compare_and_swap);
    next(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_compare_and_swap_(void *origin_addr, void *compare_addr, void *result_addr,
                                     void *datatype, void *target_rank, void *target_disp,
                                     void *win, void *ierror)
{
    fortran_compare_and_swap(FORWARD_FORTRAN(mpi_compare_and_swap_), origin_addr, compare_addr,
                             result_addr, datatype, target_rank, target_disp, win, ierror);
}

SCOPE_API void mpi_compare_and_swap_f08_(void *origin_addr, void *compare_addr, void *result_addr,
                                         void *datatype, void *target_rank, void *target_disp,
                                         void *win, void *ierror)
{
    fortran_compare_and_swap(FORWARD_FORTRAN(mpi_compare_and_swap_f08_), origin_addr, compare_addr,
                             result_addr, datatype, target_rank, target_disp, win, ierror);
}

SCOPE_API void mpi_compare_and_swap_f08ts_(void *origin_addr, void *compare_addr, void *result_addr,
                                           void *datatype, void *target_rank, void *target_disp,
                                           void *win, void *ierror)
{
    fortran_compare_and_swap(FORWARD_FORTRAN(mpi_compare_and_swap_f08ts_), origin_addr,
                             compare_addr, result_addr, datatype, target_rank, target_disp, win,
                             ierror);
}

static void fortran_rput(fortran_10 *next, void *origin_addr, void *origin_count,
                         void *origin_datatype, void *target_rank, void *target_disp,
                         void *target_count, void *target_datatype, void *win, void *request,
                         void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rput);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rput_(void *origin_addr, void *origin_count, void *origin_datatype,
                         void *target_rank, void *target_disp, void *target_count,
                         void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rput(FORWARD_FORTRAN(mpi_rput_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

SCOPE_API void mpi_rput_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                             void *target_rank, void *target_disp, void *target_count,
                             void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rput(FORWARD_FORTRAN(mpi_rput_f08_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

SCOPE_API void mpi_rput_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                               void *target_rank, void *target_disp, void *target_count,
                               void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rput(FORWARD_FORTRAN(mpi_rput_f08ts_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

static void fortran_rget(fortran_10 *next, void *origin_addr, void *origin_count,
                         void *origin_datatype, void *target_rank, void *target_disp,
                         void *target_count, void *target_datatype, void *win, void *request,
                         void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rget);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rget_(void *origin_addr, void *origin_count, void *origin_datatype,
                         void *target_rank, void *target_disp, void *target_count,
                         void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rget(FORWARD_FORTRAN(mpi_rget_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

SCOPE_API void mpi_rget_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                             void *target_rank, void *target_disp, void *target_count,
                             void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rget(FORWARD_FORTRAN(mpi_rget_f08_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

SCOPE_API void mpi_rget_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                               void *target_rank, void *target_disp, void *target_count,
                               void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rget(FORWARD_FORTRAN(mpi_rget_f08ts_), origin_addr, origin_count, origin_datatype,
                 target_rank, target_disp, target_count, target_datatype, win, request, ierror);
}

static void fortran_raccumulate(fortran_11 *next, void *origin_addr, void *origin_count,
                                void *origin_datatype, void *target_rank, void *target_disp,
                                void *target_count, void *target_datatype, void *op, void *win,
                                void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, op, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Raccumulate);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, op, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_raccumulate_(void *origin_addr, void *origin_count, void *origin_datatype,
                                void *target_rank, void *target_disp, void *target_count,
                                void *target_datatype, void *op, void *win, void *request,
                                void *ierror)
{
    fortran_raccumulate(FORWARD_FORTRAN(mpi_raccumulate_), origin_addr, origin_count,
                        origin_datatype, target_rank, target_disp, target_count, target_datatype,
                        op, win, request, ierror);
}

SCOPE_API void mpi_raccumulate_f08_(void *origin_addr, void *origin_count, void *origin_datatype,
                                    void *target_rank, void *target_disp, void *target_count,
                                    void *target_datatype, void *op, void *win, void *request,
                                    void *ierror)
{
    fortran_raccumulate(FORWARD_FORTRAN(mpi_raccumulate_f08_), origin_addr, origin_count,
                        origin_datatype, target_rank, target_disp, target_count, target_datatype,
                        op, win, request, ierror);
}

SCOPE_API void mpi_raccumulate_f08ts_(void *origin_addr, void *origin_count, void *origin_datatype,
                                      void *target_rank, void *target_disp, void *target_count,
                                      void *target_datatype, void *op, void *win, void *request,
                                      void *ierror)
{
    fortran_raccumulate(FORWARD_FORTRAN(mpi_raccumulate_f08ts_), origin_addr, origin_count,
                        origin_datatype, target_rank, target_disp, target_count, target_datatype,
                        op, win, request, ierror);
}

static void fortran_rget_accumulate(fortran_14 *next, void *origin_addr, void *origin_count,
                                    void *origin_datatype, void *result_addr, void *result_count,
                                    void *result_datatype, void *target_rank, void *target_disp,
                                    void *target_count, void *target_datatype, void *op, void *win,
                                    void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
             target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_int(target_count), f_type(target_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rget_accumulate);
    next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
         target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rget_accumulate_(void *origin_addr, void *origin_count, void *origin_datatype,
                                    void *result_addr, void *result_count, void *result_datatype,
                                    void *target_rank, void *target_disp, void *target_count,
                                    void *target_datatype, void *op, void *win, void *request,
                                    void *ierror)
{
    fortran_rget_accumulate(FORWARD_FORTRAN(mpi_rget_accumulate_), origin_addr, origin_count,
                            origin_datatype, result_addr, result_count, result_datatype,
                            target_rank, target_disp, target_count, target_datatype, op, win,
                            request, ierror);
}

SCOPE_API void mpi_rget_accumulate_f08_(void *origin_addr, void *origin_count,
                                        void *origin_datatype, void *result_addr,
                                        void *result_count, void *result_datatype,
                                        void *target_rank, void *target_disp, void *target_count,
                                        void *target_datatype, void *op, void *win, void *request,
                                        void *ierror)
{
    fortran_rget_accumulate(FORWARD_FORTRAN(mpi_rget_accumulate_f08_), origin_addr, origin_count,
                            origin_datatype, result_addr, result_count, result_datatype,
                            target_rank, target_disp, target_count, target_datatype, op, win,
                            request, ierror);
}

SCOPE_API void mpi_rget_accumulate_f08ts_(void *origin_addr, void *origin_count,
                                          void *origin_datatype, void *result_addr,
                                          void *result_count, void *result_datatype,
                                          void *target_rank, void *target_disp, void *target_count,
                                          void *target_datatype, void *op, void *win, void *request,
                                          void *ierror)
{
    fortran_rget_accumulate(FORWARD_FORTRAN(mpi_rget_accumulate_f08ts_), origin_addr, origin_count,
                            origin_datatype, result_addr, result_count, result_datatype,
                            target_rank, target_disp, target_count, target_datatype, op, win,
                            request, ierror);
}
