/* fortran_persistent_large.c - persistent requests, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_send_init_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                    void *dest, void *tag, void *comm, void *request, void *ierror)
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
        mpi_track_send_init(on, mpi_sent(f_count(count), f_type(datatype), f_int(dest)),
                            f_int(dest), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_send_init_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                        void *tag, void *comm, void *request, void *ierror)
{
    fortran_send_init_large(FORWARD_FORTRAN(mpi_send_init_f08_large_), buf, count, datatype, dest,
                            tag, comm, request, ierror);
}

SCOPE_API void mpi_send_init_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                          void *tag, void *comm, void *request, void *ierror)
{
    fortran_send_init_large(FORWARD_FORTRAN(mpi_send_init_f08ts_large_), buf, count, datatype, dest,
                            tag, comm, request, ierror);
}

static void fortran_bsend_init_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                     void *dest, void *tag, void *comm, void *request, void *ierror)
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
        mpi_track_send_init(on, mpi_sent(f_count(count), f_type(datatype), f_int(dest)),
                            f_int(dest), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_bsend_init_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                         void *tag, void *comm, void *request, void *ierror)
{
    fortran_bsend_init_large(FORWARD_FORTRAN(mpi_bsend_init_f08_large_), buf, count, datatype, dest,
                             tag, comm, request, ierror);
}

SCOPE_API void mpi_bsend_init_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                           void *tag, void *comm, void *request, void *ierror)
{
    fortran_bsend_init_large(FORWARD_FORTRAN(mpi_bsend_init_f08ts_large_), buf, count, datatype,
                             dest, tag, comm, request, ierror);
}

static void fortran_ssend_init_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                     void *dest, void *tag, void *comm, void *request, void *ierror)
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
        mpi_track_send_init(on, mpi_sent(f_count(count), f_type(datatype), f_int(dest)),
                            f_int(dest), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_ssend_init_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                         void *tag, void *comm, void *request, void *ierror)
{
    fortran_ssend_init_large(FORWARD_FORTRAN(mpi_ssend_init_f08_large_), buf, count, datatype, dest,
                             tag, comm, request, ierror);
}

SCOPE_API void mpi_ssend_init_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                           void *tag, void *comm, void *request, void *ierror)
{
    fortran_ssend_init_large(FORWARD_FORTRAN(mpi_ssend_init_f08ts_large_), buf, count, datatype,
                             dest, tag, comm, request, ierror);
}

static void fortran_rsend_init_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                     void *dest, void *tag, void *comm, void *request, void *ierror)
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
        mpi_track_send_init(on, mpi_sent(f_count(count), f_type(datatype), f_int(dest)),
                            f_int(dest), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_rsend_init_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                         void *tag, void *comm, void *request, void *ierror)
{
    fortran_rsend_init_large(FORWARD_FORTRAN(mpi_rsend_init_f08_large_), buf, count, datatype, dest,
                             tag, comm, request, ierror);
}

SCOPE_API void mpi_rsend_init_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                           void *tag, void *comm, void *request, void *ierror)
{
    fortran_rsend_init_large(FORWARD_FORTRAN(mpi_rsend_init_f08ts_large_), buf, count, datatype,
                             dest, tag, comm, request, ierror);
}

static void fortran_recv_init_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                    void *source, void *tag, void *comm, void *request,
                                    void *ierror)
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

SCOPE_API void mpi_recv_init_f08_large_(void *buf, void *count, void *datatype, void *source,
                                        void *tag, void *comm, void *request, void *ierror)
{
    fortran_recv_init_large(FORWARD_FORTRAN(mpi_recv_init_f08_large_), buf, count, datatype, source,
                            tag, comm, request, ierror);
}

SCOPE_API void mpi_recv_init_f08ts_large_(void *buf, void *count, void *datatype, void *source,
                                          void *tag, void *comm, void *request, void *ierror)
{
    fortran_recv_init_large(FORWARD_FORTRAN(mpi_recv_init_f08ts_large_), buf, count, datatype,
                            source, tag, comm, request, ierror);
}

#endif
