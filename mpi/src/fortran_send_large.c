/* fortran_send_large.c - sends, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_send_large(fortran_7 *next, void *buf, void *count, void *datatype, void *dest,
                               void *tag, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    const mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Send);
    next(buf, count, datatype, dest, tag, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_send_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                   void *comm, void *ierror)
{
    fortran_send_large(FORWARD_FORTRAN(mpi_send_f08_large_), buf, count, datatype, dest, tag, comm,
                       ierror);
}

SCOPE_API void mpi_send_f08ts_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *ierror)
{
    fortran_send_large(FORWARD_FORTRAN(mpi_send_f08ts_large_), buf, count, datatype, dest, tag,
                       comm, ierror);
}

static void fortran_bsend_large(fortran_7 *next, void *buf, void *count, void *datatype, void *dest,
                                void *tag, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    const mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Bsend);
    next(buf, count, datatype, dest, tag, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_bsend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                    void *comm, void *ierror)
{
    fortran_bsend_large(FORWARD_FORTRAN(mpi_bsend_f08_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

SCOPE_API void mpi_bsend_f08ts_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                      void *comm, void *ierror)
{
    fortran_bsend_large(FORWARD_FORTRAN(mpi_bsend_f08ts_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

static void fortran_ssend_large(fortran_7 *next, void *buf, void *count, void *datatype, void *dest,
                                void *tag, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    const mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Ssend);
    next(buf, count, datatype, dest, tag, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ssend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                    void *comm, void *ierror)
{
    fortran_ssend_large(FORWARD_FORTRAN(mpi_ssend_f08_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

SCOPE_API void mpi_ssend_f08ts_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                      void *comm, void *ierror)
{
    fortran_ssend_large(FORWARD_FORTRAN(mpi_ssend_f08ts_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

static void fortran_rsend_large(fortran_7 *next, void *buf, void *count, void *datatype, void *dest,
                                void *tag, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    const mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Rsend);
    next(buf, count, datatype, dest, tag, comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_rsend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                    void *comm, void *ierror)
{
    fortran_rsend_large(FORWARD_FORTRAN(mpi_rsend_f08_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

SCOPE_API void mpi_rsend_f08ts_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                      void *comm, void *ierror)
{
    fortran_rsend_large(FORWARD_FORTRAN(mpi_rsend_f08ts_large_), buf, count, datatype, dest, tag,
                        comm, ierror);
}

static void fortran_isend_large(fortran_8 *next, void *buf, void *count, void *datatype, void *dest,
                                void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Isend);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror) && mpi_is_large(&moved))
        mpi_track_send(&moved, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_isend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                    void *comm, void *request, void *ierror)
{
    fortran_isend_large(FORWARD_FORTRAN(mpi_isend_f08_large_), buf, count, datatype, dest, tag,
                        comm, request, ierror);
}

SCOPE_API void mpi_isend_f08ts_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                      void *comm, void *request, void *ierror)
{
    fortran_isend_large(FORWARD_FORTRAN(mpi_isend_f08ts_large_), buf, count, datatype, dest, tag,
                        comm, request, ierror);
}

static void fortran_ibsend_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                 void *dest, void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    const mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Ibsend);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_ibsend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_ibsend_large(FORWARD_FORTRAN(mpi_ibsend_f08_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

SCOPE_API void mpi_ibsend_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                       void *tag, void *comm, void *request, void *ierror)
{
    fortran_ibsend_large(FORWARD_FORTRAN(mpi_ibsend_f08ts_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

static void fortran_issend_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                 void *dest, void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Issend);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror) && moved.kind == SCOPE_MESSAGE_SENT)
        mpi_track_send(&moved, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_issend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_issend_large(FORWARD_FORTRAN(mpi_issend_f08_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

SCOPE_API void mpi_issend_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                       void *tag, void *comm, void *request, void *ierror)
{
    fortran_issend_large(FORWARD_FORTRAN(mpi_issend_f08ts_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

static void fortran_irsend_large(fortran_8 *next, void *buf, void *count, void *datatype,
                                 void *dest, void *tag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, tag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(tag));
    mpi_begin(CALL_MPI_Irsend);
    next(buf, count, datatype, dest, tag, comm, request, ierror);
    if (f_succeeded(ierror) && mpi_is_large(&moved))
        mpi_track_send(&moved, f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_irsend_f08_large_(void *buf, void *count, void *datatype, void *dest, void *tag,
                                     void *comm, void *request, void *ierror)
{
    fortran_irsend_large(FORWARD_FORTRAN(mpi_irsend_f08_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

SCOPE_API void mpi_irsend_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                       void *tag, void *comm, void *request, void *ierror)
{
    fortran_irsend_large(FORWARD_FORTRAN(mpi_irsend_f08ts_large_), buf, count, datatype, dest, tag,
                         comm, request, ierror);
}

static void fortran_sendrecv_large(fortran_13 *next, void *sendbuf, void *sendcount, void *sendtype,
                                   void *dest, void *sendtag, void *recvbuf, void *recvcount,
                                   void *recvtype, void *source, void *recvtag, void *comm,
                                   void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
             recvtag, comm, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    const int64_t bytes = mpi_sent(f_count(sendcount), f_type(sendtype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(sendtag));
    mpi_begin(CALL_MPI_Sendrecv);
    next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
         comm, status, ierror);
    if (f_succeeded(ierror))
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_sendrecv_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *dest,
                                       void *sendtag, void *recvbuf, void *recvcount,
                                       void *recvtype, void *source, void *recvtag, void *comm,
                                       void *status, void *ierror)
{
    fortran_sendrecv_large(FORWARD_FORTRAN(mpi_sendrecv_f08_large_), sendbuf, sendcount, sendtype,
                           dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                           status, ierror);
}

SCOPE_API void mpi_sendrecv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype, void *dest,
                                         void *sendtag, void *recvbuf, void *recvcount,
                                         void *recvtype, void *source, void *recvtag, void *comm,
                                         void *status, void *ierror)
{
    fortran_sendrecv_large(FORWARD_FORTRAN(mpi_sendrecv_f08ts_large_), sendbuf, sendcount, sendtype,
                           dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                           status, ierror);
}

static void fortran_sendrecv_replace_large(fortran_10 *next, void *buf, void *count, void *datatype,
                                           void *dest, void *sendtag, void *source, void *recvtag,
                                           void *comm, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(sendtag));
    mpi_begin(CALL_MPI_Sendrecv_replace);
    next(buf, count, datatype, dest, sendtag, source, recvtag, comm, status, ierror);
    if (f_succeeded(ierror))
        mpi_received_too(&moved, on, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_sendrecv_replace_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                               void *sendtag, void *source, void *recvtag,
                                               void *comm, void *status, void *ierror)
{
    fortran_sendrecv_replace_large(FORWARD_FORTRAN(mpi_sendrecv_replace_f08_large_), buf, count,
                                   datatype, dest, sendtag, source, recvtag, comm, status, ierror);
}

SCOPE_API void mpi_sendrecv_replace_f08ts_large_(void *buf, void *count, void *datatype, void *dest,
                                                 void *sendtag, void *source, void *recvtag,
                                                 void *comm, void *status, void *ierror)
{
    fortran_sendrecv_replace_large(FORWARD_FORTRAN(mpi_sendrecv_replace_f08ts_large_), buf, count,
                                   datatype, dest, sendtag, source, recvtag, comm, status, ierror);
}

static void fortran_isendrecv_large(fortran_13 *next, void *sendbuf, void *sendcount,
                                    void *sendtype, void *dest, void *sendtag, void *recvbuf,
                                    void *recvcount, void *recvtype, void *source, void *recvtag,
                                    void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
             recvtag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(sendcount), f_type(sendtype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(sendtag));
    mpi_begin(CALL_MPI_Isendrecv);
    next(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
         comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_posted_too(&moved, on, f_int(source), f_int(recvtag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_isendrecv_f08_large_(void *sendbuf, void *sendcount, void *sendtype, void *dest,
                                        void *sendtag, void *recvbuf, void *recvcount,
                                        void *recvtype, void *source, void *recvtag, void *comm,
                                        void *request, void *ierror)
{
    fortran_isendrecv_large(FORWARD_FORTRAN(mpi_isendrecv_f08_large_), sendbuf, sendcount, sendtype,
                            dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
                            request, ierror);
}

SCOPE_API void mpi_isendrecv_f08ts_large_(void *sendbuf, void *sendcount, void *sendtype,
                                          void *dest, void *sendtag, void *recvbuf, void *recvcount,
                                          void *recvtype, void *source, void *recvtag, void *comm,
                                          void *request, void *ierror)
{
    fortran_isendrecv_large(FORWARD_FORTRAN(mpi_isendrecv_f08ts_large_), sendbuf, sendcount,
                            sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
                            comm, request, ierror);
}

static void fortran_isendrecv_replace_large(fortran_10 *next, void *buf, void *count,
                                            void *datatype, void *dest, void *sendtag, void *source,
                                            void *recvtag, void *comm, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const int64_t bytes = mpi_sent(f_count(count), f_type(datatype), f_int(dest));
    mpi_message moved = mpi_sending(on, bytes, f_int(dest), f_int(sendtag));
    mpi_begin(CALL_MPI_Isendrecv_replace);
    next(buf, count, datatype, dest, sendtag, source, recvtag, comm, request, ierror);
    if (f_succeeded(ierror))
        mpi_posted_too(&moved, on, f_int(source), f_int(recvtag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_isendrecv_replace_f08_large_(void *buf, void *count, void *datatype, void *dest,
                                                void *sendtag, void *source, void *recvtag,
                                                void *comm, void *request, void *ierror)
{
    fortran_isendrecv_replace_large(FORWARD_FORTRAN(mpi_isendrecv_replace_f08_large_), buf, count,
                                    datatype, dest, sendtag, source, recvtag, comm, request,
                                    ierror);
}

SCOPE_API void mpi_isendrecv_replace_f08ts_large_(void *buf, void *count, void *datatype,
                                                  void *dest, void *sendtag, void *source,
                                                  void *recvtag, void *comm, void *request,
                                                  void *ierror)
{
    fortran_isendrecv_replace_large(FORWARD_FORTRAN(mpi_isendrecv_replace_f08ts_large_), buf, count,
                                    datatype, dest, sendtag, source, recvtag, comm, request,
                                    ierror);
}

#endif
