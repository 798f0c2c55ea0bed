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

#if MPI_VERSION >= 4

static void fortran_psend_init(fortran_10 *next, void *buf, void *partitions, void *count,
                               void *datatype, void *dest, void *tag, void *comm, void *info,
                               void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, partitions, count, datatype, dest, tag, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(dest));
    mpi_begin(CALL_MPI_Psend_init);
    next(buf, partitions, count, datatype, dest, tag, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_send_init(on,
                            mpi_sent(f_int(partitions) * f_count(count), f_type(datatype), f_int(dest)),
                            f_int(dest), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_psend_init_(void *buf, void *partitions, void *count, void *datatype, void *dest,
                               void *tag, void *comm, void *info, void *request, void *ierror)
{
    fortran_psend_init(FORWARD_FORTRAN(mpi_psend_init_), buf, partitions, count, datatype, dest,
                       tag, comm, info, request, ierror);
}

SCOPE_API void mpi_psend_init_f08_(void *buf, void *partitions, void *count, void *datatype,
                                   void *dest, void *tag, void *comm, void *info, void *request,
                                   void *ierror)
{
    fortran_psend_init(FORWARD_FORTRAN(mpi_psend_init_f08_), buf, partitions, count, datatype, dest,
                       tag, comm, info, request, ierror);
}

SCOPE_API void mpi_psend_init_f08ts_(void *buf, void *partitions, void *count, void *datatype,
                                     void *dest, void *tag, void *comm, void *info, void *request,
                                     void *ierror)
{
    fortran_psend_init(FORWARD_FORTRAN(mpi_psend_init_f08ts_), buf, partitions, count, datatype,
                       dest, tag, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_precv_init(fortran_10 *next, void *buf, void *partitions, void *count,
                               void *datatype, void *source, void *tag, void *comm, void *info,
                               void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(buf, partitions, count, datatype, source, tag, comm, info, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_naming(on, f_int(source));
    mpi_begin(CALL_MPI_Precv_init);
    next(buf, partitions, count, datatype, source, tag, comm, info, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_receive_init(on, f_int(source), f_int(tag), f_request(request));
    mpi_leave(&moved);
}

SCOPE_API void mpi_precv_init_(void *buf, void *partitions, void *count, void *datatype,
                               void *source, void *tag, void *comm, void *info, void *request,
                               void *ierror)
{
    fortran_precv_init(FORWARD_FORTRAN(mpi_precv_init_), buf, partitions, count, datatype, source,
                       tag, comm, info, request, ierror);
}

SCOPE_API void mpi_precv_init_f08_(void *buf, void *partitions, void *count, void *datatype,
                                   void *source, void *tag, void *comm, void *info, void *request,
                                   void *ierror)
{
    fortran_precv_init(FORWARD_FORTRAN(mpi_precv_init_f08_), buf, partitions, count, datatype,
                       source, tag, comm, info, request, ierror);
}

SCOPE_API void mpi_precv_init_f08ts_(void *buf, void *partitions, void *count, void *datatype,
                                     void *source, void *tag, void *comm, void *info, void *request,
                                     void *ierror)
{
    fortran_precv_init(FORWARD_FORTRAN(mpi_precv_init_f08ts_), buf, partitions, count, datatype,
                       source, tag, comm, info, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_pready(fortran_3 *next, void *partition, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(partition, request, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready);
    next(partition, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_pready_(void *partition, void *request, void *ierror)
{
    fortran_pready(FORWARD_FORTRAN(mpi_pready_), partition, request, ierror);
}

SCOPE_API void mpi_pready_f08_(void *partition, void *request, void *ierror)
{
    fortran_pready(FORWARD_FORTRAN(mpi_pready_f08_), partition, request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_pready_range(fortran_4 *next, void *partition_low, void *partition_high,
                                 void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(partition_low, partition_high, request, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready_range);
    next(partition_low, partition_high, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_pready_range_(void *partition_low, void *partition_high, void *request,
                                 void *ierror)
{
    fortran_pready_range(FORWARD_FORTRAN(mpi_pready_range_), partition_low, partition_high, request,
                         ierror);
}

SCOPE_API void mpi_pready_range_f08_(void *partition_low, void *partition_high, void *request,
                                     void *ierror)
{
    fortran_pready_range(FORWARD_FORTRAN(mpi_pready_range_f08_), partition_low, partition_high,
                         request, ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_pready_list(fortran_4 *next, void *length, void *array_of_partitions,
                                void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(length, array_of_partitions, request, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Pready_list);
    next(length, array_of_partitions, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_pready_list_(void *length, void *array_of_partitions, void *request,
                                void *ierror)
{
    fortran_pready_list(FORWARD_FORTRAN(mpi_pready_list_), length, array_of_partitions, request,
                        ierror);
}

SCOPE_API void mpi_pready_list_f08_(void *length, void *array_of_partitions, void *request,
                                    void *ierror)
{
    fortran_pready_list(FORWARD_FORTRAN(mpi_pready_list_f08_), length, array_of_partitions, request,
                        ierror);
}

#endif

#if MPI_VERSION >= 4

static void fortran_parrived(fortran_4 *next, void *request, void *partition, void *flag,
                             void *ierror)
{
    if (!mpi_enter()) {
        next(request, partition, flag, ierror);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Parrived);
    next(request, partition, flag, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_parrived_(void *request, void *partition, void *flag, void *ierror)
{
    fortran_parrived(FORWARD_FORTRAN(mpi_parrived_), request, partition, flag, ierror);
}

SCOPE_API void mpi_parrived_f08_(void *request, void *partition, void *flag, void *ierror)
{
    fortran_parrived(FORWARD_FORTRAN(mpi_parrived_f08_), request, partition, flag, ierror);
}

#endif
