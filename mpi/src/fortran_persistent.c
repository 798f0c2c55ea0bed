/* fortran_persistent.c - persistent requests, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_send_init(fortran_8 *next, void *buf, void *count, void *datatype, void *dest,
                              void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(dest));
    mpi_begin(CALL_MPI_Send_init);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_send_init(on, mpi_sent(f_int(count), f_type(datatype), f_int(dest)), f_int(dest),
                            f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_send_init_(void *buf, void *count, void *datatype, void *dest, void *tag,
                              void *comm, void *request, void *ierror)
{
    fortran_send_init(FORWARD_FORTRAN(mpi_send_init_), buf, count, datatype, dest, tag, comm,
                      request, ierror);
}

SCOPE_API void mpi_send_init_f08_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                  void *comm, void *request, void *ierror)
{
    fortran_send_init(FORWARD_FORTRAN(mpi_send_init_f08_), buf, count, datatype, dest, tag, comm,
                      request, ierror);
}

SCOPE_API void mpi_send_init_f08ts_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                    void *comm, void *request, void *ierror)
{
    fortran_send_init(FORWARD_FORTRAN(mpi_send_init_f08ts_), buf, count, datatype, dest, tag, comm,
                      request, ierror);
}

static void fortran_bsend_init(fortran_8 *next, void *buf, void *count, void *datatype, void *dest,
                               void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(dest));
    mpi_begin(CALL_MPI_Bsend_init);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_send_init(on, mpi_sent(f_int(count), f_type(datatype), f_int(dest)), f_int(dest),
                            f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_bsend_init_(void *buf, void *count, void *datatype, void *dest, void *tag,
                               void *comm, void *request, void *ierror)
{
    fortran_bsend_init(FORWARD_FORTRAN(mpi_bsend_init_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_bsend_init_f08_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                   void *comm, void *request, void *ierror)
{
    fortran_bsend_init(FORWARD_FORTRAN(mpi_bsend_init_f08_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_bsend_init_f08ts_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_bsend_init(FORWARD_FORTRAN(mpi_bsend_init_f08ts_), buf, count, datatype, dest, tag,
                       comm, request, ierror);
}

static void fortran_ssend_init(fortran_8 *next, void *buf, void *count, void *datatype, void *dest,
                               void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(dest));
    mpi_begin(CALL_MPI_Ssend_init);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_send_init(on, mpi_sent(f_int(count), f_type(datatype), f_int(dest)), f_int(dest),
                            f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ssend_init_(void *buf, void *count, void *datatype, void *dest, void *tag,
                               void *comm, void *request, void *ierror)
{
    fortran_ssend_init(FORWARD_FORTRAN(mpi_ssend_init_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_ssend_init_f08_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                   void *comm, void *request, void *ierror)
{
    fortran_ssend_init(FORWARD_FORTRAN(mpi_ssend_init_f08_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_ssend_init_f08ts_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_ssend_init(FORWARD_FORTRAN(mpi_ssend_init_f08ts_), buf, count, datatype, dest, tag,
                       comm, request, ierror);
}

static void fortran_rsend_init(fortran_8 *next, void *buf, void *count, void *datatype, void *dest,
                               void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(dest));
    mpi_begin(CALL_MPI_Rsend_init);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_send_init(on, mpi_sent(f_int(count), f_type(datatype), f_int(dest)), f_int(dest),
                            f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_rsend_init_(void *buf, void *count, void *datatype, void *dest, void *tag,
                               void *comm, void *request, void *ierror)
{
    fortran_rsend_init(FORWARD_FORTRAN(mpi_rsend_init_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_rsend_init_f08_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                   void *comm, void *request, void *ierror)
{
    fortran_rsend_init(FORWARD_FORTRAN(mpi_rsend_init_f08_), buf, count, datatype, dest, tag, comm,
                       request, ierror);
}

SCOPE_API void mpi_rsend_init_f08ts_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_rsend_init(FORWARD_FORTRAN(mpi_rsend_init_f08ts_), buf, count, datatype, dest, tag,
                       comm, request, ierror);
}

static void fortran_recv_init(fortran_8 *next, void *buf, void *count, void *datatype, void *source,
                              void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, source, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(source));
    mpi_begin(CALL_MPI_Recv_init);
    next(buf, count, datatype, source, tag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_receive_init(on, f_int(source), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_recv_init_(void *buf, void *count, void *datatype, void *source, void *tag,
                              void *comm, void *request, void *ierror)
{
    fortran_recv_init(FORWARD_FORTRAN(mpi_recv_init_), buf, count, datatype, source, tag, comm,
                      request, ierror);
}

SCOPE_API void mpi_recv_init_f08_(void *buf, void *count, void *datatype, void *source, void *tag,
                                  void *comm, void *request, void *ierror)
{
    fortran_recv_init(FORWARD_FORTRAN(mpi_recv_init_f08_), buf, count, datatype, source, tag, comm,
                      request, ierror);
}

SCOPE_API void mpi_recv_init_f08ts_(void *buf, void *count, void *datatype, void *source, void *tag,
                                    void *comm, void *request, void *ierror)
{
    fortran_recv_init(FORWARD_FORTRAN(mpi_recv_init_f08ts_), buf, count, datatype, source, tag,
                      comm, request, ierror);
}

static void fortran_start(fortran_2 *next, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(request, ierror);
        return;
    }
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Start);
    next(request, ierror);
    if (f_succeeded(ierror))
        mpi_started(&moved, (mpi_requests){request, true, 1}, 1);
    mpi_leave(&moved);
}

SCOPE_API void mpi_start_(void *request, void *ierror)
{
    fortran_start(FORWARD_FORTRAN(mpi_start_), request, ierror);
}

SCOPE_API void mpi_start_f08_(void *request, void *ierror)
{
    fortran_start(FORWARD_FORTRAN(mpi_start_f08_), request, ierror);
}

static void fortran_startall(fortran_3 *next, void *count, void *array_of_requests, void *ierror)
{
    if (!mpi_enter()) {
        next(count, array_of_requests, ierror);
        return;
    }
    mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Startall);
    next(count, array_of_requests, ierror);
    if (f_succeeded(ierror))
        mpi_started(&moved, (mpi_requests){array_of_requests, true, 1}, f_int(count));
    mpi_leave(&moved);
}

SCOPE_API void mpi_startall_(void *count, void *array_of_requests, void *ierror)
{
    fortran_startall(FORWARD_FORTRAN(mpi_startall_), count, array_of_requests, ierror);
}

SCOPE_API void mpi_startall_f08_(void *count, void *array_of_requests, void *ierror)
{
    fortran_startall(FORWARD_FORTRAN(mpi_startall_f08_), count, array_of_requests, ierror);
}
