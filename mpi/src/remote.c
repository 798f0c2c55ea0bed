/* remote.c - one-sided transfers.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Put, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                  int target_rank, MPI_Aint target_disp, int target_count,
                  wide_Datatype target_datatype, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Put)(origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Put);
    const int rc = FORWARD(MPI_Put)(origin_addr, origin_count, origin_datatype, target_rank,
                                    target_disp, target_count, target_datatype, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Get, (void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                  int target_rank, MPI_Aint target_disp, int target_count,
                  wide_Datatype target_datatype, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Get)(origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Get);
    const int rc = FORWARD(MPI_Get)(origin_addr, origin_count, origin_datatype, target_rank,
                                    target_disp, target_count, target_datatype, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Accumulate, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                         int target_rank, MPI_Aint target_disp, int target_count,
                         wide_Datatype target_datatype, wide_Op op, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Accumulate)(origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype, op, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Accumulate);
    const int rc = FORWARD(MPI_Accumulate)(origin_addr, origin_count, origin_datatype, target_rank,
                                           target_disp, target_count, target_datatype, op, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Get_accumulate, (const void *origin_addr, int origin_count,
                             wide_Datatype origin_datatype, void *result_addr, int result_count,
                             wide_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                             int target_count, wide_Datatype target_datatype, wide_Op op,
                             wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Get_accumulate)(origin_addr, origin_count, origin_datatype, result_addr,
                                           result_count, result_datatype, target_rank, target_disp,
                                           target_count, target_datatype, op, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(target_count, target_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Get_accumulate);
    const int rc = FORWARD(MPI_Get_accumulate)(origin_addr, origin_count, origin_datatype,
                                               result_addr, result_count, result_datatype,
                                               target_rank, target_disp, target_count,
                                               target_datatype, op, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Fetch_and_op, (const void *origin_addr, void *result_addr, wide_Datatype datatype,
                           int target_rank, MPI_Aint target_disp, wide_Op op, wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Fetch_and_op)(origin_addr, result_addr, datatype, target_rank,
                                         target_disp, op, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(1, datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Fetch_and_op);
    const int rc = FORWARD(MPI_Fetch_and_op)(origin_addr, result_addr, datatype, target_rank,
                                             target_disp, op, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Compare_and_swap, (const void *origin_addr, const void *compare_addr, void *result_addr,
                               wide_Datatype datatype, int target_rank, MPI_Aint target_disp,
                               wide_Win win))
{
    if (!mpi_enter())
        return FORWARD(MPI_Compare_and_swap)(origin_addr, compare_addr, result_addr, datatype,
                                             target_rank, target_disp, win);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(1, datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Compare_and_swap);
    const int rc = FORWARD(MPI_Compare_and_swap)(origin_addr, compare_addr, result_addr, datatype,
                                                 target_rank, target_disp, win);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Rput, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   wide_Datatype target_datatype, wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rput)(origin_addr, origin_count, origin_datatype, target_rank,
                                 target_disp, target_count, target_datatype, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rput);
    const int rc = FORWARD(MPI_Rput)(origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Rget, (void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   wide_Datatype target_datatype, wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rget)(origin_addr, origin_count, origin_datatype, target_rank,
                                 target_disp, target_count, target_datatype, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rget);
    const int rc = FORWARD(MPI_Rget)(origin_addr, origin_count, origin_datatype, target_rank,
                                     target_disp, target_count, target_datatype, win, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Raccumulate, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                          int target_rank, MPI_Aint target_disp, int target_count,
                          wide_Datatype target_datatype, wide_Op op, wide_Win win,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Raccumulate)(origin_addr, origin_count, origin_datatype, target_rank,
                                        target_disp, target_count, target_datatype, op, win,
                                        request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(origin_count, origin_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Raccumulate);
    const int rc = FORWARD(MPI_Raccumulate)(origin_addr, origin_count, origin_datatype, target_rank,
                                            target_disp, target_count, target_datatype, op, win,
                                            request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Rget_accumulate, (const void *origin_addr, int origin_count,
                              wide_Datatype origin_datatype, void *result_addr, int result_count,
                              wide_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                              int target_count, wide_Datatype target_datatype, wide_Op op,
                              wide_Win win, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Rget_accumulate)(origin_addr, origin_count, origin_datatype, result_addr,
                                            result_count, result_datatype, target_rank, target_disp,
                                            target_count, target_datatype, op, win, request);
    const mpi_comm *on = mpi_window_of(win);
    const int64_t bytes = mpi_sent(target_count, target_datatype, target_rank);
    const mpi_message moved = mpi_reaching(on, bytes, target_rank);
    mpi_begin(CALL_MPI_Rget_accumulate);
    const int rc = FORWARD(MPI_Rget_accumulate)(origin_addr, origin_count, origin_datatype,
                                                result_addr, result_count, result_datatype,
                                                target_rank, target_disp, target_count,
                                                target_datatype, op, win, request);
    mpi_leave(&moved);
    return rc;
}
