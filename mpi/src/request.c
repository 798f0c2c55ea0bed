/* request.c - waits, tests and the end of requests.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_Wait, (MPI_Request *request, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Wait)(request, status);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){request, false, 0}, 1);
    status = mpi_watch_statuses(&watch, status, status == MPI_STATUS_IGNORE, 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Wait);
    const int rc = FORWARD(MPI_Wait)(request, status);
    if (rc == MPI_SUCCESS)
        mpi_watch_all(&watch, &moved, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Waitall, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Waitall)(count, array_of_requests, array_of_statuses);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, count);
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses,
                                           array_of_statuses == MPI_STATUS_IGNORE, count);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitall);
    const int rc = FORWARD(MPI_Waitall)(count, array_of_requests, array_of_statuses);
    if (rc == MPI_SUCCESS)
        mpi_watch_all(&watch, &moved, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Waitany, (int count, MPI_Request array_of_requests[], int *index, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Waitany)(count, array_of_requests, index, status);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, count);
    status = mpi_watch_statuses(&watch, status, status == MPI_STATUS_IGNORE, 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitany);
    const int rc = FORWARD(MPI_Waitany)(count, array_of_requests, index, status);
    if (rc == MPI_SUCCESS)
        mpi_watch_one(&watch, &moved, *index, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Waitsome, (int incount, MPI_Request array_of_requests[], int *outcount,
                       int array_of_indices[], MPI_Status array_of_statuses[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Waitsome)(incount, array_of_requests, outcount, array_of_indices,
                                     array_of_statuses);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, incount);
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses,
                                           array_of_statuses == MPI_STATUS_IGNORE, incount);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Waitsome);
    const int rc = FORWARD(MPI_Waitsome)(incount, array_of_requests, outcount, array_of_indices,
                                         array_of_statuses);
    if (rc == MPI_SUCCESS)
        mpi_watch_some(&watch, &moved, *outcount, array_of_indices, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Test, (MPI_Request *request, int *flag, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Test)(request, flag, status);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){request, false, 0}, 1);
    status = mpi_watch_statuses(&watch, status, status == MPI_STATUS_IGNORE, 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Test);
    const int rc = FORWARD(MPI_Test)(request, flag, status);
    if (rc == MPI_SUCCESS && *flag)
        mpi_watch_all(&watch, &moved, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Testall, (int count, MPI_Request array_of_requests[], int *flag,
                      MPI_Status array_of_statuses[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Testall)(count, array_of_requests, flag, array_of_statuses);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, count);
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses,
                                           array_of_statuses == MPI_STATUS_IGNORE, count);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testall);
    const int rc = FORWARD(MPI_Testall)(count, array_of_requests, flag, array_of_statuses);
    if (rc == MPI_SUCCESS && *flag)
        mpi_watch_all(&watch, &moved, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Testany, (int count, MPI_Request array_of_requests[], int *index, int *flag,
                      MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Testany)(count, array_of_requests, index, flag, status);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, count);
    status = mpi_watch_statuses(&watch, status, status == MPI_STATUS_IGNORE, 1);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testany);
    const int rc = FORWARD(MPI_Testany)(count, array_of_requests, index, flag, status);
    if (rc == MPI_SUCCESS && *flag)
        mpi_watch_one(&watch, &moved, *index, status);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Testsome, (int incount, MPI_Request array_of_requests[], int *outcount,
                       int array_of_indices[], MPI_Status array_of_statuses[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Testsome)(incount, array_of_requests, outcount, array_of_indices,
                                     array_of_statuses);
    mpi_watch watch;
    mpi_watch_begin(&watch, (mpi_requests){array_of_requests, false, 0}, incount);
    array_of_statuses = mpi_watch_statuses(&watch, array_of_statuses,
                                           array_of_statuses == MPI_STATUS_IGNORE, incount);
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Testsome);
    const int rc = FORWARD(MPI_Testsome)(incount, array_of_requests, outcount, array_of_indices,
                                         array_of_statuses);
    if (rc == MPI_SUCCESS)
        mpi_watch_some(&watch, &moved, *outcount, array_of_indices, array_of_statuses);
    mpi_leave(&moved);
    mpi_watch_end(&watch);
    return rc;
}

WRAPPER(MPI_Request_free, (MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Request_free)(request);
    mpi_untrack(*request);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Request_free);
    const int rc = FORWARD(MPI_Request_free)(request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Cancel, (MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Cancel)(request);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Cancel);
    const int rc = FORWARD(MPI_Cancel)(request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Request_get_status, (wide_Request request, int *flag, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_Request_get_status)(request, flag, status);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Request_get_status);
    const int rc = FORWARD(MPI_Request_get_status)(request, flag, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Buffer_attach, (void *buffer, int size))
{
    if (!mpi_enter())
        return FORWARD(MPI_Buffer_attach)(buffer, size);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_attach);
    const int rc = FORWARD(MPI_Buffer_attach)(buffer, size);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Buffer_detach, (void *buffer_addr, int *size))
{
    if (!mpi_enter())
        return FORWARD(MPI_Buffer_detach)(buffer_addr, size);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Buffer_detach);
    const int rc = FORWARD(MPI_Buffer_detach)(buffer_addr, size);
    mpi_leave(&moved);
    return rc;
}
