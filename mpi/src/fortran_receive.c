/* fortran_receive.c - receives and probes, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_recv(fortran_8 *next, void *buf, void *count, void *datatype, void *source,
                         void *tag, void *comm, void *status, void *ierror)
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

SCOPE_API void mpi_recv_(void *buf, void *count, void *datatype, void *source, void *tag,
                         void *comm, void *status, void *ierror)
{
    fortran_recv(FORWARD_FORTRAN(mpi_recv_), buf, count, datatype, source, tag, comm, status,
                 ierror);
}

SCOPE_API void mpi_recv_f08_(void *buf, void *count, void *datatype, void *source, void *tag,
                             void *comm, void *status, void *ierror)
{
    fortran_recv(FORWARD_FORTRAN(mpi_recv_f08_), buf, count, datatype, source, tag, comm, status,
                 ierror);
}

SCOPE_API void mpi_recv_f08ts_(void *buf, void *count, void *datatype, void *source, void *tag,
                               void *comm, void *status, void *ierror)
{
    fortran_recv(FORWARD_FORTRAN(mpi_recv_f08ts_), buf, count, datatype, source, tag, comm, status,
                 ierror);
}

static void fortran_irecv(fortran_8 *next, void *buf, void *count, void *datatype, void *source,
                          void *tag, void *comm, void *request, void *ierror)
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

SCOPE_API void mpi_irecv_(void *buf, void *count, void *datatype, void *source, void *tag,
                          void *comm, void *request, void *ierror)
{
    fortran_irecv(FORWARD_FORTRAN(mpi_irecv_), buf, count, datatype, source, tag, comm, request,
                  ierror);
}

SCOPE_API void mpi_irecv_f08_(void *buf, void *count, void *datatype, void *source, void *tag,
                              void *comm, void *request, void *ierror)
{
    fortran_irecv(FORWARD_FORTRAN(mpi_irecv_f08_), buf, count, datatype, source, tag, comm, request,
                  ierror);
}

SCOPE_API void mpi_irecv_f08ts_(void *buf, void *count, void *datatype, void *source, void *tag,
                                void *comm, void *request, void *ierror)
{
    fortran_irecv(FORWARD_FORTRAN(mpi_irecv_f08ts_), buf, count, datatype, source, tag, comm,
                  request, ierror);
}

static void fortran_probe(fortran_5 *next, void *source, void *tag, void *comm, void *status,
                          void *ierror)
{
    if (!mpi_enter()) {
        next(source, tag, comm, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_probing(on, f_int(source), f_int(tag));
    mpi_begin(CALL_MPI_Probe);
    next(source, tag, comm, status, ierror);
    if (f_succeeded(ierror) && !f_ignored(status))
        mpi_probed(&moved, on, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_probe_(void *source, void *tag, void *comm, void *status, void *ierror)
{
    fortran_probe(FORWARD_FORTRAN(mpi_probe_), source, tag, comm, status, ierror);
}

SCOPE_API void mpi_probe_f08_(void *source, void *tag, void *comm, void *status, void *ierror)
{
    fortran_probe(FORWARD_FORTRAN(mpi_probe_f08_), source, tag, comm, status, ierror);
}

static void fortran_iprobe(fortran_6 *next, void *source, void *tag, void *comm, void *flag,
                           void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(source, tag, comm, flag, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_probing(on, f_int(source), f_int(tag));
    mpi_begin(CALL_MPI_Iprobe);
    next(source, tag, comm, flag, status, ierror);
    if (f_succeeded(ierror) && f_int(flag) && !f_ignored(status))
        mpi_probed(&moved, on, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_iprobe_(void *source, void *tag, void *comm, void *flag, void *status,
                           void *ierror)
{
    fortran_iprobe(FORWARD_FORTRAN(mpi_iprobe_), source, tag, comm, flag, status, ierror);
}

SCOPE_API void mpi_iprobe_f08_(void *source, void *tag, void *comm, void *flag, void *status,
                               void *ierror)
{
    fortran_iprobe(FORWARD_FORTRAN(mpi_iprobe_f08_), source, tag, comm, flag, status, ierror);
}

static void fortran_mprobe(fortran_6 *next, void *source, void *tag, void *comm, void *message,
                           void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(source, tag, comm, message, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_probing(on, f_int(source), f_int(tag));
    mpi_begin(CALL_MPI_Mprobe);
    next(source, tag, comm, message, status, ierror);
    if (f_succeeded(ierror)) {
        mpi_probed(&moved, on, status);
        mpi_track_message(on, &moved, f_message(message));
    }
    mpi_leave(&moved);
}

SCOPE_API void mpi_mprobe_(void *source, void *tag, void *comm, void *message, void *status,
                           void *ierror)
{
    fortran_mprobe(FORWARD_FORTRAN(mpi_mprobe_), source, tag, comm, message, status, ierror);
}

SCOPE_API void mpi_mprobe_f08_(void *source, void *tag, void *comm, void *message, void *status,
                               void *ierror)
{
    fortran_mprobe(FORWARD_FORTRAN(mpi_mprobe_f08_), source, tag, comm, message, status, ierror);
}

static void fortran_improbe(fortran_7 *next, void *source, void *tag, void *comm, void *flag,
                            void *message, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(source, tag, comm, flag, message, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_probing(on, f_int(source), f_int(tag));
    mpi_begin(CALL_MPI_Improbe);
    next(source, tag, comm, flag, message, status, ierror);
    if (f_succeeded(ierror)) {
        if (f_int(flag))
            mpi_probed(&moved, on, status);
        if (f_int(flag))
            mpi_track_message(on, &moved, f_message(message));
    }
    mpi_leave(&moved);
}

SCOPE_API void mpi_improbe_(void *source, void *tag, void *comm, void *flag, void *message,
                            void *status, void *ierror)
{
    fortran_improbe(FORWARD_FORTRAN(mpi_improbe_), source, tag, comm, flag, message, status,
                    ierror);
}

SCOPE_API void mpi_improbe_f08_(void *source, void *tag, void *comm, void *flag, void *message,
                                void *status, void *ierror)
{
    fortran_improbe(FORWARD_FORTRAN(mpi_improbe_f08_), source, tag, comm, flag, message, status,
                    ierror);
}

static void fortran_mrecv(fortran_6 *next, void *buf, void *count, void *datatype, void *message,
                          void *status, void *ierror)
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

SCOPE_API void mpi_mrecv_(void *buf, void *count, void *datatype, void *message, void *status,
                          void *ierror)
{
    fortran_mrecv(FORWARD_FORTRAN(mpi_mrecv_), buf, count, datatype, message, status, ierror);
}

SCOPE_API void mpi_mrecv_f08_(void *buf, void *count, void *datatype, void *message, void *status,
                              void *ierror)
{
    fortran_mrecv(FORWARD_FORTRAN(mpi_mrecv_f08_), buf, count, datatype, message, status, ierror);
}

SCOPE_API void mpi_mrecv_f08ts_(void *buf, void *count, void *datatype, void *message, void *status,
                                void *ierror)
{
    fortran_mrecv(FORWARD_FORTRAN(mpi_mrecv_f08ts_), buf, count, datatype, message, status, ierror);
}

static void fortran_imrecv(fortran_6 *next, void *buf, void *count, void *datatype, void *message,
                           void *request, void *ierror)
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

SCOPE_API void mpi_imrecv_(void *buf, void *count, void *datatype, void *message, void *request,
                           void *ierror)
{
    fortran_imrecv(FORWARD_FORTRAN(mpi_imrecv_), buf, count, datatype, message, request, ierror);
}

SCOPE_API void mpi_imrecv_f08_(void *buf, void *count, void *datatype, void *message, void *request,
                               void *ierror)
{
    fortran_imrecv(FORWARD_FORTRAN(mpi_imrecv_f08_), buf, count, datatype, message, request,
                   ierror);
}

SCOPE_API void mpi_imrecv_f08ts_(void *buf, void *count, void *datatype, void *message,
                                 void *request, void *ierror)
{
    fortran_imrecv(FORWARD_FORTRAN(mpi_imrecv_f08ts_), buf, count, datatype, message, request,
                   ierror);
}
