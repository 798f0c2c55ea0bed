/* fortran_remote_large.c - one-sided transfers, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_put_large(fortran_9 *next, void *origin_addr, void *origin_count,
                              void *origin_datatype, void *target_rank, void *target_disp,
                              void *target_count, void *target_datatype, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Put);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_put_f08_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                  void *target_rank, void *target_disp, void *target_count,
                                  void *target_datatype, void *win, void *ierror)
{
    fortran_put_large(FORWARD_FORTRAN(mpi_put_f08_large_), origin_addr, origin_count,
                      origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
                      ierror);
}

SCOPE_API void mpi_put_f08ts_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                    void *target_rank, void *target_disp, void *target_count,
                                    void *target_datatype, void *win, void *ierror)
{
    fortran_put_large(FORWARD_FORTRAN(mpi_put_f08ts_large_), origin_addr, origin_count,
                      origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
                      ierror);
}

static void fortran_get_large(fortran_9 *next, void *origin_addr, void *origin_count,
                              void *origin_datatype, void *target_rank, void *target_disp,
                              void *target_count, void *target_datatype, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Get);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_get_f08_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                  void *target_rank, void *target_disp, void *target_count,
                                  void *target_datatype, void *win, void *ierror)
{
    fortran_get_large(FORWARD_FORTRAN(mpi_get_f08_large_), origin_addr, origin_count,
                      origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
                      ierror);
}

SCOPE_API void mpi_get_f08ts_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                    void *target_rank, void *target_disp, void *target_count,
                                    void *target_datatype, void *win, void *ierror)
{
    fortran_get_large(FORWARD_FORTRAN(mpi_get_f08ts_large_), origin_addr, origin_count,
                      origin_datatype, target_rank, target_disp, target_count, target_datatype, win,
                      ierror);
}

static void fortran_accumulate_large(fortran_10 *next, void *origin_addr, void *origin_count,
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
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Accumulate);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, op, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_accumulate_f08_large_(void *origin_addr, void *origin_count,
                                         void *origin_datatype, void *target_rank,
                                         void *target_disp, void *target_count,
                                         void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_accumulate_large(FORWARD_FORTRAN(mpi_accumulate_f08_large_), origin_addr, origin_count,
                             origin_datatype, target_rank, target_disp, target_count,
                             target_datatype, op, win, ierror);
}

SCOPE_API void mpi_accumulate_f08ts_large_(void *origin_addr, void *origin_count,
                                           void *origin_datatype, void *target_rank,
                                           void *target_disp, void *target_count,
                                           void *target_datatype, void *op, void *win, void *ierror)
{
    fortran_accumulate_large(FORWARD_FORTRAN(mpi_accumulate_f08ts_large_), origin_addr,
                             origin_count, origin_datatype, target_rank, target_disp, target_count,
                             target_datatype, op, win, ierror);
}

static void fortran_get_accumulate_large(fortran_13 *next, void *origin_addr, void *origin_count,
                                         void *origin_datatype, void *result_addr,
                                         void *result_count, void *result_datatype,
                                         void *target_rank, void *target_disp, void *target_count,
                                         void *target_datatype, void *op, void *win, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
             target_rank, target_disp, target_count, target_datatype, op, win, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_count(target_count), f_type(target_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Get_accumulate);
    next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
         target_rank, target_disp, target_count, target_datatype, op, win, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_get_accumulate_f08_large_(void *origin_addr, void *origin_count,
                                             void *origin_datatype, void *result_addr,
                                             void *result_count, void *result_datatype,
                                             void *target_rank, void *target_disp,
                                             void *target_count, void *target_datatype, void *op,
                                             void *win, void *ierror)
{
    fortran_get_accumulate_large(FORWARD_FORTRAN(mpi_get_accumulate_f08_large_), origin_addr,
                                 origin_count, origin_datatype, result_addr, result_count,
                                 result_datatype, target_rank, target_disp, target_count,
                                 target_datatype, op, win, ierror);
}

SCOPE_API void mpi_get_accumulate_f08ts_large_(void *origin_addr, void *origin_count,
                                               void *origin_datatype, void *result_addr,
                                               void *result_count, void *result_datatype,
                                               void *target_rank, void *target_disp,
                                               void *target_count, void *target_datatype, void *op,
                                               void *win, void *ierror)
{
    fortran_get_accumulate_large(FORWARD_FORTRAN(mpi_get_accumulate_f08ts_large_), origin_addr,
                                 origin_count, origin_datatype, result_addr, result_count,
                                 result_datatype, target_rank, target_disp, target_count,
                                 target_datatype, op, win, ierror);
}

static void fortran_rput_large(fortran_10 *next, void *origin_addr, void *origin_count,
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
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rput);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rput_f08_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                   void *target_rank, void *target_disp, void *target_count,
                                   void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rput_large(FORWARD_FORTRAN(mpi_rput_f08_large_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype,
                       win, request, ierror);
}

SCOPE_API void mpi_rput_f08ts_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                     void *target_rank, void *target_disp, void *target_count,
                                     void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rput_large(FORWARD_FORTRAN(mpi_rput_f08ts_large_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype,
                       win, request, ierror);
}

static void fortran_rget_large(fortran_10 *next, void *origin_addr, void *origin_count,
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
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rget);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rget_f08_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                   void *target_rank, void *target_disp, void *target_count,
                                   void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rget_large(FORWARD_FORTRAN(mpi_rget_f08_large_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype,
                       win, request, ierror);
}

SCOPE_API void mpi_rget_f08ts_large_(void *origin_addr, void *origin_count, void *origin_datatype,
                                     void *target_rank, void *target_disp, void *target_count,
                                     void *target_datatype, void *win, void *request, void *ierror)
{
    fortran_rget_large(FORWARD_FORTRAN(mpi_rget_f08ts_large_), origin_addr, origin_count,
                       origin_datatype, target_rank, target_disp, target_count, target_datatype,
                       win, request, ierror);
}

static void fortran_raccumulate_large(fortran_11 *next, void *origin_addr, void *origin_count,
                                      void *origin_datatype, void *target_rank, void *target_disp,
                                      void *target_count, void *target_datatype, void *op,
                                      void *win, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
             target_datatype, op, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_count(origin_count), f_type(origin_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Raccumulate);
    next(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
         target_datatype, op, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_raccumulate_f08_large_(void *origin_addr, void *origin_count,
                                          void *origin_datatype, void *target_rank,
                                          void *target_disp, void *target_count,
                                          void *target_datatype, void *op, void *win, void *request,
                                          void *ierror)
{
    fortran_raccumulate_large(FORWARD_FORTRAN(mpi_raccumulate_f08_large_), origin_addr,
                              origin_count, origin_datatype, target_rank, target_disp, target_count,
                              target_datatype, op, win, request, ierror);
}

SCOPE_API void mpi_raccumulate_f08ts_large_(void *origin_addr, void *origin_count,
                                            void *origin_datatype, void *target_rank,
                                            void *target_disp, void *target_count,
                                            void *target_datatype, void *op, void *win,
                                            void *request, void *ierror)
{
    fortran_raccumulate_large(FORWARD_FORTRAN(mpi_raccumulate_f08ts_large_), origin_addr,
                              origin_count, origin_datatype, target_rank, target_disp, target_count,
                              target_datatype, op, win, request, ierror);
}

static void fortran_rget_accumulate_large(fortran_14 *next, void *origin_addr, void *origin_count,
                                          void *origin_datatype, void *result_addr,
                                          void *result_count, void *result_datatype,
                                          void *target_rank, void *target_disp, void *target_count,
                                          void *target_datatype, void *op, void *win, void *request,
                                          void *ierror)
{
    if (!mpi_enter()) {
        next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
             target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_window_of(f_win(win));
    const int64_t bytes = mpi_sent(f_count(target_count), f_type(target_datatype),
                                   f_int(target_rank));
    const mpi_message moved = mpi_reaching(on, bytes, f_int(target_rank));
    mpi_begin(CALL_MPI_Rget_accumulate);
    next(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
         target_rank, target_disp, target_count, target_datatype, op, win, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rget_accumulate_f08_large_(void *origin_addr, void *origin_count,
                                              void *origin_datatype, void *result_addr,
                                              void *result_count, void *result_datatype,
                                              void *target_rank, void *target_disp,
                                              void *target_count, void *target_datatype, void *op,
                                              void *win, void *request, void *ierror)
{
    fortran_rget_accumulate_large(FORWARD_FORTRAN(mpi_rget_accumulate_f08_large_), origin_addr,
                                  origin_count, origin_datatype, result_addr, result_count,
                                  result_datatype, target_rank, target_disp, target_count,
                                  target_datatype, op, win, request, ierror);
}

SCOPE_API void mpi_rget_accumulate_f08ts_large_(void *origin_addr, void *origin_count,
                                                void *origin_datatype, void *result_addr,
                                                void *result_count, void *result_datatype,
                                                void *target_rank, void *target_disp,
                                                void *target_count, void *target_datatype, void *op,
                                                void *win, void *request, void *ierror)
{
    fortran_rget_accumulate_large(FORWARD_FORTRAN(mpi_rget_accumulate_f08ts_large_), origin_addr,
                                  origin_count, origin_datatype, result_addr, result_count,
                                  result_datatype, target_rank, target_disp, target_count,
                                  target_datatype, op, win, request, ierror);
}

#endif
