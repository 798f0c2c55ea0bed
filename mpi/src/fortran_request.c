/* fortran_request.c - waits, tests and the end of requests, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_wait(fortran_3 *next, void *request, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(request, status, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){request, true, 1}, 1);
    status = mpi_watch_statuses(&watch, status, f_ignored(status), 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Wait);
    next(request, status, ierror);
    if (f_succeeded(ierror))
        mpi_watch_all(&watch, &moved, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_wait_(void *request, void *status, void *ierror)
{
    fortran_wait(FORWARD_FORTRAN(mpi_wait_), request, status, ierror);
}

SCOPE_API void mpi_wait_f08_(void *request, void *status, void *ierror)
{
    fortran_wait(FORWARD_FORTRAN(mpi_wait_f08_), request, status, ierror);
}

static void fortran_waitall(fortran_4 *next, void *count, void *array_of_requests,
                            void *array_of_statuses, void *ierror)
{
    if (!mpi_enter()) {
        next(count, array_of_requests, array_of_statuses, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, 1}, f_int(count));
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses, f_ignored(array_of_statuses),
                                           f_int(count));
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitall);
    next(count, array_of_requests, array_of_statuses, ierror);
    if (f_succeeded(ierror))
        mpi_watch_all(&watch, &moved, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_waitall_(void *count, void *array_of_requests, void *array_of_statuses,
                            void *ierror)
{
    fortran_waitall(FORWARD_FORTRAN(mpi_waitall_), count, array_of_requests, array_of_statuses,
                    ierror);
}

SCOPE_API void mpi_waitall_f08_(void *count, void *array_of_requests, void *array_of_statuses,
                                void *ierror)
{
    fortran_waitall(FORWARD_FORTRAN(mpi_waitall_f08_), count, array_of_requests, array_of_statuses,
                    ierror);
}

static void fortran_waitany(fortran_5 *next, bool f08, void *count, void *array_of_requests,
                            void *index, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(count, array_of_requests, index, status, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, f_first_index(f08)},
                    f_int(count));
    status = mpi_watch_statuses(&watch, status, f_ignored(status), 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitany);
    next(count, array_of_requests, index, status, ierror);
    if (f_succeeded(ierror))
        mpi_watch_one(&watch, &moved, f_int(index), status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_waitany_(void *count, void *array_of_requests, void *index, void *status,
                            void *ierror)
{
    fortran_waitany(FORWARD_FORTRAN(mpi_waitany_), false, count, array_of_requests, index, status,
                    ierror);
}

SCOPE_API void mpi_waitany_f08_(void *count, void *array_of_requests, void *index, void *status,
                                void *ierror)
{
    fortran_waitany(FORWARD_FORTRAN(mpi_waitany_f08_), true, count, array_of_requests, index,
                    status, ierror);
}

static void fortran_waitsome(fortran_6 *next, bool f08, void *incount, void *array_of_requests,
                             void *outcount, void *array_of_indices, void *array_of_statuses,
                             void *ierror)
{
    if (!mpi_enter()) {
        next(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, f_first_index(f08)},
                    f_int(incount));
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses, f_ignored(array_of_statuses),
                                           f_int(incount));
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitsome);
    next(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, ierror);
    if (f_succeeded(ierror))
        mpi_watch_some(&watch, &moved, f_int(outcount), array_of_indices, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_waitsome_(void *incount, void *array_of_requests, void *outcount,
                             void *array_of_indices, void *array_of_statuses, void *ierror)
{
    fortran_waitsome(FORWARD_FORTRAN(mpi_waitsome_), false, incount, array_of_requests, outcount,
                     array_of_indices, array_of_statuses, ierror);
}

SCOPE_API void mpi_waitsome_f08_(void *incount, void *array_of_requests, void *outcount,
                                 void *array_of_indices, void *array_of_statuses, void *ierror)
{
    fortran_waitsome(FORWARD_FORTRAN(mpi_waitsome_f08_), true, incount, array_of_requests, outcount,
                     array_of_indices, array_of_statuses, ierror);
}

static void fortran_test(fortran_4 *next, void *request, void *flag, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(request, flag, status, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){request, true, 1}, 1);
    status = mpi_watch_statuses(&watch, status, f_ignored(status), 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Test);
    next(request, flag, status, ierror);
    if (f_succeeded(ierror) && f_int(flag))
        mpi_watch_all(&watch, &moved, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_test_(void *request, void *flag, void *status, void *ierror)
{
    fortran_test(FORWARD_FORTRAN(mpi_test_), request, flag, status, ierror);
}

SCOPE_API void mpi_test_f08_(void *request, void *flag, void *status, void *ierror)
{
    fortran_test(FORWARD_FORTRAN(mpi_test_f08_), request, flag, status, ierror);
}

static void fortran_testall(fortran_5 *next, void *count, void *array_of_requests, void *flag,
                            void *array_of_statuses, void *ierror)
{
    if (!mpi_enter()) {
        next(count, array_of_requests, flag, array_of_statuses, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, 1}, f_int(count));
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses, f_ignored(array_of_statuses),
                                           f_int(count));
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testall);
    next(count, array_of_requests, flag, array_of_statuses, ierror);
    if (f_succeeded(ierror) && f_int(flag))
        mpi_watch_all(&watch, &moved, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_testall_(void *count, void *array_of_requests, void *flag,
                            void *array_of_statuses, void *ierror)
{
    fortran_testall(FORWARD_FORTRAN(mpi_testall_), count, array_of_requests, flag,
                    array_of_statuses, ierror);
}

SCOPE_API void mpi_testall_f08_(void *count, void *array_of_requests, void *flag,
                                void *array_of_statuses, void *ierror)
{
    fortran_testall(FORWARD_FORTRAN(mpi_testall_f08_), count, array_of_requests, flag,
                    array_of_statuses, ierror);
}

static void fortran_testany(fortran_6 *next, bool f08, void *count, void *array_of_requests,
                            void *index, void *flag, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(count, array_of_requests, index, flag, status, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, f_first_index(f08)},
                    f_int(count));
    status = mpi_watch_statuses(&watch, status, f_ignored(status), 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testany);
    next(count, array_of_requests, index, flag, status, ierror);
    if (f_succeeded(ierror) && f_int(flag))
        mpi_watch_one(&watch, &moved, f_int(index), status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_testany_(void *count, void *array_of_requests, void *index, void *flag,
                            void *status, void *ierror)
{
    fortran_testany(FORWARD_FORTRAN(mpi_testany_), false, count, array_of_requests, index, flag,
                    status, ierror);
}

SCOPE_API void mpi_testany_f08_(void *count, void *array_of_requests, void *index, void *flag,
                                void *status, void *ierror)
{
    fortran_testany(FORWARD_FORTRAN(mpi_testany_f08_), true, count, array_of_requests, index, flag,
                    status, ierror);
}

static void fortran_testsome(fortran_6 *next, bool f08, void *incount, void *array_of_requests,
                             void *outcount, void *array_of_indices, void *array_of_statuses,
                             void *ierror)
{
    if (!mpi_enter()) {
        next(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, ierror);
        return;
    }
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, true, f_first_index(f08)},
                    f_int(incount));
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses, f_ignored(array_of_statuses),
                                           f_int(incount));
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testsome);
    next(incount, array_of_requests, outcount, array_of_indices, array_of_statuses, ierror);
    if (f_succeeded(ierror))
        mpi_watch_some(&watch, &moved, f_int(outcount), array_of_indices, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
}

SCOPE_API void mpi_testsome_(void *incount, void *array_of_requests, void *outcount,
                             void *array_of_indices, void *array_of_statuses, void *ierror)
{
    fortran_testsome(FORWARD_FORTRAN(mpi_testsome_), false, incount, array_of_requests, outcount,
                     array_of_indices, array_of_statuses, ierror);
}

SCOPE_API void mpi_testsome_f08_(void *incount, void *array_of_requests, void *outcount,
                                 void *array_of_indices, void *array_of_statuses, void *ierror)
{
    fortran_testsome(FORWARD_FORTRAN(mpi_testsome_f08_), true, incount, array_of_requests, outcount,
                     array_of_indices, array_of_statuses, ierror);
}

static void fortran_request_free(fortran_2 *next, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(request, ierror);
        return;
    }
    mpi_untrack(f_request(request));
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Request_free);
    next(request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_request_free_(void *request, void *ierror)
{
    fortran_request_free(FORWARD_FORTRAN(mpi_request_free_), request, ierror);
}

SCOPE_API void mpi_request_free_f08_(void *request, void *ierror)
{
    fortran_request_free(FORWARD_FORTRAN(mpi_request_free_f08_), request, ierror);
}

static void fortran_cancel(fortran_2 *next, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(request, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Cancel);
    next(request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_cancel_(void *request, void *ierror)
{
    fortran_cancel(FORWARD_FORTRAN(mpi_cancel_), request, ierror);
}

SCOPE_API void mpi_cancel_f08_(void *request, void *ierror)
{
    fortran_cancel(FORWARD_FORTRAN(mpi_cancel_f08_), request, ierror);
}

static void fortran_request_get_status(fortran_4 *next, void *request, void *flag, void *status,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(request, flag, status, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Request_get_status);
    next(request, flag, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_request_get_status_(void *request, void *flag, void *status, void *ierror)
{
    fortran_request_get_status(FORWARD_FORTRAN(mpi_request_get_status_), request, flag, status,
                               ierror);
}

SCOPE_API void mpi_request_get_status_f08_(void *request, void *flag, void *status, void *ierror)
{
    fortran_request_get_status(FORWARD_FORTRAN(mpi_request_get_status_f08_), request, flag, status,
                               ierror);
}

static void fortran_buffer_attach(fortran_3 *next, void *buffer, void *size, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer, size, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_attach);
    next(buffer, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_buffer_attach_(void *buffer, void *size, void *ierror)
{
    fortran_buffer_attach(FORWARD_FORTRAN(mpi_buffer_attach_), buffer, size, ierror);
}

SCOPE_API void mpi_buffer_attach_f08_(void *buffer, void *size, void *ierror)
{
    fortran_buffer_attach(FORWARD_FORTRAN(mpi_buffer_attach_f08_), buffer, size, ierror);
}

SCOPE_API void mpi_buffer_attach_f08ts_(void *buffer, void *size, void *ierror)
{
    fortran_buffer_attach(FORWARD_FORTRAN(mpi_buffer_attach_f08ts_), buffer, size, ierror);
}

static void fortran_buffer_detach(fortran_3 *next, void *buffer_addr, void *size, void *ierror)
{
    if (!mpi_enter()) {
        next(buffer_addr, size, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_detach);
    next(buffer_addr, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_buffer_detach_(void *buffer_addr, void *size, void *ierror)
{
    fortran_buffer_detach(FORWARD_FORTRAN(mpi_buffer_detach_), buffer_addr, size, ierror);
}

SCOPE_API void mpi_buffer_detach_f08_(void *buffer_addr, void *size, void *ierror)
{
    fortran_buffer_detach(FORWARD_FORTRAN(mpi_buffer_detach_f08_), buffer_addr, size, ierror);
}

SCOPE_API void mpi_buffer_detach_f08ts_(void *buffer_addr, void *size, void *ierror)
{
    fortran_buffer_detach(FORWARD_FORTRAN(mpi_buffer_detach_f08ts_), buffer_addr, size, ierror);
}
