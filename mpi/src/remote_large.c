/* remote_large.c - one-sided transfers, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_Put_c(const void *origin_addr, MPI_Count origin_count,
                            wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                            MPI_Count target_count, wide_Datatype target_datatype, wide_Win win)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Put)(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                          (int)target_count, target_datatype, win);
}

WRAPPER(MPI_Put_c, (const void *origin_addr, MPI_Count origin_count, wide_Datatype origin_datatype,
                    int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                    wide_Datatype target_datatype, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Put_c, narrow_MPI_Put_c)(origin_addr, origin_count, origin_datatype,
                                                       target_rank, target_disp, target_count,
                                                       target_datatype, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Put);
    const int rc = FORWARD_OR(MPI_Put_c, narrow_MPI_Put_c)(origin_addr, origin_count,
                                                           origin_datatype, target_rank,
                                                           target_disp, target_count,
                                                           target_datatype, win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Get_c(void *origin_addr, MPI_Count origin_count,
                            wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                            MPI_Count target_count, wide_Datatype target_datatype, wide_Win win)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Get)(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                          (int)target_count, target_datatype, win);
}

WRAPPER(MPI_Get_c, (void *origin_addr, MPI_Count origin_count, wide_Datatype origin_datatype,
                    int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                    wide_Datatype target_datatype, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Get_c, narrow_MPI_Get_c)(origin_addr, origin_count, origin_datatype,
                                                       target_rank, target_disp, target_count,
                                                       target_datatype, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Get);
    const int rc = FORWARD_OR(MPI_Get_c, narrow_MPI_Get_c)(origin_addr, origin_count,
                                                           origin_datatype, target_rank,
                                                           target_disp, target_count,
                                                           target_datatype, win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Accumulate_c(const void *origin_addr, MPI_Count origin_count,
                                   wide_Datatype origin_datatype, int target_rank,
                                   MPI_Aint target_disp, MPI_Count target_count,
                                   wide_Datatype target_datatype, wide_Op op, wide_Win win)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Accumulate)(origin_addr, (int)origin_count, origin_datatype, target_rank,
                                 target_disp, (int)target_count, target_datatype, op, win);
}

WRAPPER(MPI_Accumulate_c, (const void *origin_addr, MPI_Count origin_count,
                           wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                           MPI_Count target_count, wide_Datatype target_datatype, wide_Op op,
                           wide_Win win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Accumulate_c, narrow_MPI_Accumulate_c)(
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Accumulate);
    const int rc = FORWARD_OR(MPI_Accumulate_c, narrow_MPI_Accumulate_c)(
        origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
        target_datatype, op, win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Get_accumulate_c(const void *origin_addr, MPI_Count origin_count,
                                       wide_Datatype origin_datatype, void *result_addr,
                                       MPI_Count result_count, wide_Datatype result_datatype,
                                       int target_rank, MPI_Aint target_disp,
                                       MPI_Count target_count, wide_Datatype target_datatype,
                                       wide_Op op, wide_Win win)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(result_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Get_accumulate)(origin_addr, (int)origin_count, origin_datatype, result_addr,
                                     (int)result_count, result_datatype, target_rank, target_disp,
                                     (int)target_count, target_datatype, op, win);
}

WRAPPER(MPI_Get_accumulate_c, (const void *origin_addr, MPI_Count origin_count,
                               wide_Datatype origin_datatype, void *result_addr,
                               MPI_Count result_count, wide_Datatype result_datatype,
                               int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                               wide_Datatype target_datatype, wide_Op op, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Get_accumulate_c, narrow_MPI_Get_accumulate_c)(
            origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
            target_rank, target_disp, target_count, target_datatype, op, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(target_count, target_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Get_accumulate);
    const int rc = FORWARD_OR(MPI_Get_accumulate_c, narrow_MPI_Get_accumulate_c)(
        origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
        target_rank, target_disp, target_count, target_datatype, op, win);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Rput_c(const void *origin_addr, MPI_Count origin_count,
                             wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                             MPI_Count target_count, wide_Datatype target_datatype, wide_Win win,
                             MPI_Request *request)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Rput)(origin_addr, (int)origin_count, origin_datatype, target_rank,
                           target_disp, (int)target_count, target_datatype, win, request);
}

WRAPPER(MPI_Rput_c, (const void *origin_addr, MPI_Count origin_count, wide_Datatype origin_datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                     wide_Datatype target_datatype, wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Rput_c, narrow_MPI_Rput_c)(origin_addr, origin_count, origin_datatype,
                                                         target_rank, target_disp, target_count,
                                                         target_datatype, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rput);
    const int rc = FORWARD_OR(MPI_Rput_c, narrow_MPI_Rput_c)(
        origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
        target_datatype, win, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Rget_c(void *origin_addr, MPI_Count origin_count,
                             wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                             MPI_Count target_count, wide_Datatype target_datatype, wide_Win win,
                             MPI_Request *request)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Rget)(origin_addr, (int)origin_count, origin_datatype, target_rank,
                           target_disp, (int)target_count, target_datatype, win, request);
}

WRAPPER(MPI_Rget_c, (void *origin_addr, MPI_Count origin_count, wide_Datatype origin_datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                     wide_Datatype target_datatype, wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Rget_c, narrow_MPI_Rget_c)(origin_addr, origin_count, origin_datatype,
                                                         target_rank, target_disp, target_count,
                                                         target_datatype, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rget);
    const int rc = FORWARD_OR(MPI_Rget_c, narrow_MPI_Rget_c)(
        origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
        target_datatype, win, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Raccumulate_c(const void *origin_addr, MPI_Count origin_count,
                                    wide_Datatype origin_datatype, int target_rank,
                                    MPI_Aint target_disp, MPI_Count target_count,
                                    wide_Datatype target_datatype, wide_Op op, wide_Win win,
                                    MPI_Request *request)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Raccumulate)(origin_addr, (int)origin_count, origin_datatype, target_rank,
                                  target_disp, (int)target_count, target_datatype, op, win,
                                  request);
}

WRAPPER(MPI_Raccumulate_c, (const void *origin_addr, MPI_Count origin_count,
                            wide_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                            MPI_Count target_count, wide_Datatype target_datatype, wide_Op op,
                            wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Raccumulate_c, narrow_MPI_Raccumulate_c)(
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Raccumulate);
    const int rc = FORWARD_OR(MPI_Raccumulate_c, narrow_MPI_Raccumulate_c)(
        origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
        target_datatype, op, win, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_Rget_accumulate_c(const void *origin_addr, MPI_Count origin_count,
                                        wide_Datatype origin_datatype, void *result_addr,
                                        MPI_Count result_count, wide_Datatype result_datatype,
                                        int target_rank, MPI_Aint target_disp,
                                        MPI_Count target_count, wide_Datatype target_datatype,
                                        wide_Op op, wide_Win win, MPI_Request *request)
{
    if (!(mpi_fits_int(origin_count) && mpi_fits_int(result_count) && mpi_fits_int(target_count)))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_Rget_accumulate)(origin_addr, (int)origin_count, origin_datatype, result_addr,
                                      (int)result_count, result_datatype, target_rank, target_disp,
                                      (int)target_count, target_datatype, op, win, request);
}

WRAPPER(MPI_Rget_accumulate_c, (const void *origin_addr, MPI_Count origin_count,
                                wide_Datatype origin_datatype, void *result_addr,
                                MPI_Count result_count, wide_Datatype result_datatype,
                                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                                wide_Datatype target_datatype, wide_Op op, wide_Win win,
                                MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Rget_accumulate_c, narrow_MPI_Rget_accumulate_c)(
            origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
            target_rank, target_disp, target_count, target_datatype, op, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(target_count, target_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rget_accumulate);
    const int rc = FORWARD_OR(MPI_Rget_accumulate_c, narrow_MPI_Rget_accumulate_c)(
        origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,
        target_rank, target_disp, target_count, target_datatype, op, win, request);
    mpi_leave(&moved);
    return rc;
}

#endif
