/* fortran_receive_large.c - receives and probes, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_recv_large(fortran_8 *next, void *buf, void *count, void *datatype,
                               void *source, void *tag, void *comm, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, source, tag, comm, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, f_int(source));
    mpi_begin(CALL_MPI_Recv);
    next(buf, count, datatype, source, tag, comm, status, ierror);
    if (f_succeeded(ierror))
        mpi_received(&moved, on, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_recv_f08_large_(void *buf, void *count, void *datatype, void *source, void *tag,
                                   void *comm, void *status, void *ierror)
{
    fortran_recv_large(FORWARD_FORTRAN(mpi_recv_f08_large_), buf, count, datatype, source, tag,
                       comm, status, ierror);
}

SCOPE_API void mpi_recv_f08ts_large_(void *buf, void *count, void *datatype, void *source,
                                     void *tag, void *comm, void *status, void *ierror)
{
    fortran_recv_large(FORWARD_FORTRAN(mpi_recv_f08ts_large_), buf, count, datatype, source, tag,
                       comm, status, ierror);
}

static void fortran_irecv_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                void *source, void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, source, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_posting(on, f_int(source), f_int(tag));
    mpi_begin(CALL_MPI_Irecv);
    next(buf, count, datatype, source, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_receive(on, f_int(source), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_irecv_f08_large_(void *buf, void *count, void *datatype, void *source, void *tag,
                                    void *comm, void *request, void *ierror)
{
    fortran_irecv_large(FORWARD_FORTRAN(mpi_irecv_f08_large_), buf, count, datatype, source, tag,
                        comm, request, ierror);
}

SCOPE_API void mpi_irecv_f08ts_large_(void *buf, void *count, void *datatype, void *source,
                                      void *tag, void *comm, void *request, void *ierror)
{
    fortran_irecv_large(FORWARD_FORTRAN(mpi_irecv_f08ts_large_), buf, count, datatype, source, tag,
                        comm, request, ierror);
}

static void fortran_mrecv_large(fortran_6 *next, void *buf, void *count, void *datatype,
                                void *message, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, message, status, ierror);
        return;
    }
    const mpi_pending matched = mpi_take_message(f_message(message));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_receiving_matched(&matched);
    mpi_begin(CALL_MPI_Mrecv);
    next(buf, count, datatype, message, status, ierror);
    if (f_succeeded(ierror))
        mpi_received(&moved, matched.on, status);
    mpi_leave(&moved);
    mpi_pending_done(&matched);
}

SCOPE_API void mpi_mrecv_f08_large_(void *buf, void *count, void *datatype, void *message,
                                    void *status, void *ierror)
{
    fortran_mrecv_large(FORWARD_FORTRAN(mpi_mrecv_f08_large_), buf, count, datatype, message,
                        status, ierror);
}

SCOPE_API void mpi_mrecv_f08ts_large_(void *buf, void *count, void *datatype, void *message,
                                      void *status, void *ierror)
{
    fortran_mrecv_large(FORWARD_FORTRAN(mpi_mrecv_f08ts_large_), buf, count, datatype, message,
                        status, ierror);
}

static void fortran_imrecv_large(fortran_6 *next, void *buf, void *count, void *datatype,
                                 void *message, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, message, request, ierror);
        return;
    }
    const mpi_pending matched = mpi_take_message(f_message(message));
    mpi_message moved = mpi_posting_matched(&matched);
    mpi_begin(CALL_MPI_Imrecv);
    next(buf, count, datatype, message, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_matched(&matched, f_request(request));
    mpi_leave(&moved);
    mpi_pending_done(&matched);
}

SCOPE_API void mpi_imrecv_f08_large_(void *buf, void *count, void *datatype, void *message,
                                     void *request, void *ierror)
{
    fortran_imrecv_large(FORWARD_FORTRAN(mpi_imrecv_f08_large_), buf, count, datatype, message,
                         request, ierror);
}

SCOPE_API void mpi_imrecv_f08ts_large_(void *buf, void *count, void *datatype, void *message,
                                       void *request, void *ierror)
{
    fortran_imrecv_large(FORWARD_FORTRAN(mpi_imrecv_f08ts_large_), buf, count, datatype, message,
                         request, ierror);
}

#endif
