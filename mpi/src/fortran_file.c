/* fortran_file.c - files, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_file_open(fortran_7 *next, void *comm, void *filename, void *amode, void *info,
                              void *fh, void *ierror, void *length)
{
    if (!mpi_enter()) {
        next(comm, filename, amode, info, fh, ierror, length);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_open);
    next(comm, filename, amode, info, fh, ierror, length);
    if (f_succeeded(ierror))
        mpi_track_file(on, f_file(fh));
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_open_(void *comm, void *filename, void *amode, void *info, void *fh,
                              void *ierror, void *length)
{
    fortran_file_open(FORWARD_FORTRAN(mpi_file_open_), comm, filename, amode, info, fh, ierror,
                      length);
}

SCOPE_API void mpi_file_open_f08_(void *comm, void *filename, void *amode, void *info, void *fh,
                                  void *ierror, void *length)
{
    fortran_file_open(FORWARD_FORTRAN(mpi_file_open_f08_), comm, filename, amode, info, fh, ierror,
                      length);
}

static void fortran_file_close(fortran_2 *next, void *fh, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    mpi_untrack_file(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_close);
    next(fh, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_close_(void *fh, void *ierror)
{
    fortran_file_close(FORWARD_FORTRAN(mpi_file_close_), fh, ierror);
}

SCOPE_API void mpi_file_close_f08_(void *fh, void *ierror)
{
    fortran_file_close(FORWARD_FORTRAN(mpi_file_close_f08_), fh, ierror);
}

static void fortran_file_delete(fortran_4 *next, void *filename, void *info, void *ierror,
                                void *length)
{
    if (!mpi_enter()) {
        next(filename, info, ierror, length);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_File_delete);
    next(filename, info, ierror, length);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_delete_(void *filename, void *info, void *ierror, void *length)
{
    fortran_file_delete(FORWARD_FORTRAN(mpi_file_delete_), filename, info, ierror, length);
}

SCOPE_API void mpi_file_delete_f08_(void *filename, void *info, void *ierror, void *length)
{
    fortran_file_delete(FORWARD_FORTRAN(mpi_file_delete_f08_), filename, info, ierror, length);
}

static void fortran_file_sync(fortran_2 *next, void *fh, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_sync);
    next(fh, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_sync_(void *fh, void *ierror)
{
    fortran_file_sync(FORWARD_FORTRAN(mpi_file_sync_), fh, ierror);
}

SCOPE_API void mpi_file_sync_f08_(void *fh, void *ierror)
{
    fortran_file_sync(FORWARD_FORTRAN(mpi_file_sync_f08_), fh, ierror);
}

static void fortran_file_set_size(fortran_3 *next, void *fh, void *size, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, size, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_size);
    next(fh, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_set_size_(void *fh, void *size, void *ierror)
{
    fortran_file_set_size(FORWARD_FORTRAN(mpi_file_set_size_), fh, size, ierror);
}

SCOPE_API void mpi_file_set_size_f08_(void *fh, void *size, void *ierror)
{
    fortran_file_set_size(FORWARD_FORTRAN(mpi_file_set_size_f08_), fh, size, ierror);
}

static void fortran_file_preallocate(fortran_3 *next, void *fh, void *size, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, size, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_preallocate);
    next(fh, size, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_preallocate_(void *fh, void *size, void *ierror)
{
    fortran_file_preallocate(FORWARD_FORTRAN(mpi_file_preallocate_), fh, size, ierror);
}

SCOPE_API void mpi_file_preallocate_f08_(void *fh, void *size, void *ierror)
{
    fortran_file_preallocate(FORWARD_FORTRAN(mpi_file_preallocate_f08_), fh, size, ierror);
}

static void fortran_file_set_info(fortran_3 *next, void *fh, void *info, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, info, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_info);
    next(fh, info, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_set_info_(void *fh, void *info, void *ierror)
{
    fortran_file_set_info(FORWARD_FORTRAN(mpi_file_set_info_), fh, info, ierror);
}

SCOPE_API void mpi_file_set_info_f08_(void *fh, void *info, void *ierror)
{
    fortran_file_set_info(FORWARD_FORTRAN(mpi_file_set_info_f08_), fh, info, ierror);
}

static void fortran_file_set_view(fortran_8 *next, void *fh, void *disp, void *etype,
                                  void *filetype, void *datarep, void *info, void *ierror,
                                  void *length)
{
    if (!mpi_enter()) {
        next(fh, disp, etype, filetype, datarep, info, ierror, length);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_view);
    next(fh, disp, etype, filetype, datarep, info, ierror, length);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_set_view_(void *fh, void *disp, void *etype, void *filetype, void *datarep,
                                  void *info, void *ierror, void *length)
{
    fortran_file_set_view(FORWARD_FORTRAN(mpi_file_set_view_), fh, disp, etype, filetype, datarep,
                          info, ierror, length);
}

SCOPE_API void mpi_file_set_view_f08_(void *fh, void *disp, void *etype, void *filetype,
                                      void *datarep, void *info, void *ierror, void *length)
{
    fortran_file_set_view(FORWARD_FORTRAN(mpi_file_set_view_f08_), fh, disp, etype, filetype,
                          datarep, info, ierror, length);
}

static void fortran_file_seek_shared(fortran_4 *next, void *fh, void *offset, void *whence,
                                     void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, whence, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_seek_shared);
    next(fh, offset, whence, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_seek_shared_(void *fh, void *offset, void *whence, void *ierror)
{
    fortran_file_seek_shared(FORWARD_FORTRAN(mpi_file_seek_shared_), fh, offset, whence, ierror);
}

SCOPE_API void mpi_file_seek_shared_f08_(void *fh, void *offset, void *whence, void *ierror)
{
    fortran_file_seek_shared(FORWARD_FORTRAN(mpi_file_seek_shared_f08_), fh, offset, whence,
                             ierror);
}

static void fortran_file_set_atomicity(fortran_3 *next, void *fh, void *flag, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, flag, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_atomicity);
    next(fh, flag, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_set_atomicity_(void *fh, void *flag, void *ierror)
{
    fortran_file_set_atomicity(FORWARD_FORTRAN(mpi_file_set_atomicity_), fh, flag, ierror);
}

SCOPE_API void mpi_file_set_atomicity_f08_(void *fh, void *flag, void *ierror)
{
    fortran_file_set_atomicity(FORWARD_FORTRAN(mpi_file_set_atomicity_f08_), fh, flag, ierror);
}

static void fortran_file_read(fortran_6 *next, void *fh, void *buf, void *count, void *datatype,
                              void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_(void *fh, void *buf, void *count, void *datatype, void *status,
                              void *ierror)
{
    fortran_file_read(FORWARD_FORTRAN(mpi_file_read_), fh, buf, count, datatype, status, ierror);
}

SCOPE_API void mpi_file_read_f08_(void *fh, void *buf, void *count, void *datatype, void *status,
                                  void *ierror)
{
    fortran_file_read(FORWARD_FORTRAN(mpi_file_read_f08_), fh, buf, count, datatype, status,
                      ierror);
}

SCOPE_API void mpi_file_read_f08ts_(void *fh, void *buf, void *count, void *datatype, void *status,
                                    void *ierror)
{
    fortran_file_read(FORWARD_FORTRAN(mpi_file_read_f08ts_), fh, buf, count, datatype, status,
                      ierror);
}

static void fortran_file_iread(fortran_6 *next, void *fh, void *buf, void *count, void *datatype,
                               void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_(void *fh, void *buf, void *count, void *datatype, void *request,
                               void *ierror)
{
    fortran_file_iread(FORWARD_FORTRAN(mpi_file_iread_), fh, buf, count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_f08_(void *fh, void *buf, void *count, void *datatype, void *request,
                                   void *ierror)
{
    fortran_file_iread(FORWARD_FORTRAN(mpi_file_iread_f08_), fh, buf, count, datatype, request,
                       ierror);
}

SCOPE_API void mpi_file_iread_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                     void *request, void *ierror)
{
    fortran_file_iread(FORWARD_FORTRAN(mpi_file_iread_f08ts_), fh, buf, count, datatype, request,
                       ierror);
}

static void fortran_file_write(fortran_6 *next, void *fh, void *buf, void *count, void *datatype,
                               void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_(void *fh, void *buf, void *count, void *datatype, void *status,
                               void *ierror)
{
    fortran_file_write(FORWARD_FORTRAN(mpi_file_write_), fh, buf, count, datatype, status, ierror);
}

SCOPE_API void mpi_file_write_f08_(void *fh, void *buf, void *count, void *datatype, void *status,
                                   void *ierror)
{
    fortran_file_write(FORWARD_FORTRAN(mpi_file_write_f08_), fh, buf, count, datatype, status,
                       ierror);
}

SCOPE_API void mpi_file_write_f08ts_(void *fh, void *buf, void *count, void *datatype, void *status,
                                     void *ierror)
{
    fortran_file_write(FORWARD_FORTRAN(mpi_file_write_f08ts_), fh, buf, count, datatype, status,
                       ierror);
}

static void fortran_file_iwrite(fortran_6 *next, void *fh, void *buf, void *count, void *datatype,
                                void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_(void *fh, void *buf, void *count, void *datatype, void *request,
                                void *ierror)
{
    fortran_file_iwrite(FORWARD_FORTRAN(mpi_file_iwrite_), fh, buf, count, datatype, request,
                        ierror);
}

SCOPE_API void mpi_file_iwrite_f08_(void *fh, void *buf, void *count, void *datatype, void *request,
                                    void *ierror)
{
    fortran_file_iwrite(FORWARD_FORTRAN(mpi_file_iwrite_f08_), fh, buf, count, datatype, request,
                        ierror);
}

SCOPE_API void mpi_file_iwrite_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                      void *request, void *ierror)
{
    fortran_file_iwrite(FORWARD_FORTRAN(mpi_file_iwrite_f08ts_), fh, buf, count, datatype, request,
                        ierror);
}

static void fortran_file_read_at(fortran_7 *next, void *fh, void *offset, void *buf, void *count,
                                 void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at);
    next(fh, offset, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_at_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                 void *status, void *ierror)
{
    fortran_file_read_at(FORWARD_FORTRAN(mpi_file_read_at_), fh, offset, buf, count, datatype,
                         status, ierror);
}

SCOPE_API void mpi_file_read_at_f08_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                     void *status, void *ierror)
{
    fortran_file_read_at(FORWARD_FORTRAN(mpi_file_read_at_f08_), fh, offset, buf, count, datatype,
                         status, ierror);
}

SCOPE_API void mpi_file_read_at_f08ts_(void *fh, void *offset, void *buf, void *count,
                                       void *datatype, void *status, void *ierror)
{
    fortran_file_read_at(FORWARD_FORTRAN(mpi_file_read_at_f08ts_), fh, offset, buf, count, datatype,
                         status, ierror);
}

static void fortran_file_iread_at(fortran_7 *next, void *fh, void *offset, void *buf, void *count,
                                  void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_at);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_at_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                  void *request, void *ierror)
{
    fortran_file_iread_at(FORWARD_FORTRAN(mpi_file_iread_at_), fh, offset, buf, count, datatype,
                          request, ierror);
}

SCOPE_API void mpi_file_iread_at_f08_(void *fh, void *offset, void *buf, void *count,
                                      void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at(FORWARD_FORTRAN(mpi_file_iread_at_f08_), fh, offset, buf, count, datatype,
                          request, ierror);
}

SCOPE_API void mpi_file_iread_at_f08ts_(void *fh, void *offset, void *buf, void *count,
                                        void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at(FORWARD_FORTRAN(mpi_file_iread_at_f08ts_), fh, offset, buf, count,
                          datatype, request, ierror);
}

static void fortran_file_write_at(fortran_7 *next, void *fh, void *offset, void *buf, void *count,
                                  void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at);
    next(fh, offset, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                  void *status, void *ierror)
{
    fortran_file_write_at(FORWARD_FORTRAN(mpi_file_write_at_), fh, offset, buf, count, datatype,
                          status, ierror);
}

SCOPE_API void mpi_file_write_at_f08_(void *fh, void *offset, void *buf, void *count,
                                      void *datatype, void *status, void *ierror)
{
    fortran_file_write_at(FORWARD_FORTRAN(mpi_file_write_at_f08_), fh, offset, buf, count, datatype,
                          status, ierror);
}

SCOPE_API void mpi_file_write_at_f08ts_(void *fh, void *offset, void *buf, void *count,
                                        void *datatype, void *status, void *ierror)
{
    fortran_file_write_at(FORWARD_FORTRAN(mpi_file_write_at_f08ts_), fh, offset, buf, count,
                          datatype, status, ierror);
}

static void fortran_file_iwrite_at(fortran_7 *next, void *fh, void *offset, void *buf, void *count,
                                   void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_at);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_at_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                   void *request, void *ierror)
{
    fortran_file_iwrite_at(FORWARD_FORTRAN(mpi_file_iwrite_at_), fh, offset, buf, count, datatype,
                           request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_f08_(void *fh, void *offset, void *buf, void *count,
                                       void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at(FORWARD_FORTRAN(mpi_file_iwrite_at_f08_), fh, offset, buf, count,
                           datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_f08ts_(void *fh, void *offset, void *buf, void *count,
                                         void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at(FORWARD_FORTRAN(mpi_file_iwrite_at_f08ts_), fh, offset, buf, count,
                           datatype, request, ierror);
}

static void fortran_file_read_shared(fortran_6 *next, void *fh, void *buf, void *count,
                                     void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_shared);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_shared_(void *fh, void *buf, void *count, void *datatype, void *status,
                                     void *ierror)
{
    fortran_file_read_shared(FORWARD_FORTRAN(mpi_file_read_shared_), fh, buf, count, datatype,
                             status, ierror);
}

SCOPE_API void mpi_file_read_shared_f08_(void *fh, void *buf, void *count, void *datatype,
                                         void *status, void *ierror)
{
    fortran_file_read_shared(FORWARD_FORTRAN(mpi_file_read_shared_f08_), fh, buf, count, datatype,
                             status, ierror);
}

SCOPE_API void mpi_file_read_shared_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                           void *status, void *ierror)
{
    fortran_file_read_shared(FORWARD_FORTRAN(mpi_file_read_shared_f08ts_), fh, buf, count, datatype,
                             status, ierror);
}

static void fortran_file_iread_shared(fortran_6 *next, void *fh, void *buf, void *count,
                                      void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_shared);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_shared_(void *fh, void *buf, void *count, void *datatype,
                                      void *request, void *ierror)
{
    fortran_file_iread_shared(FORWARD_FORTRAN(mpi_file_iread_shared_), fh, buf, count, datatype,
                              request, ierror);
}

SCOPE_API void mpi_file_iread_shared_f08_(void *fh, void *buf, void *count, void *datatype,
                                          void *request, void *ierror)
{
    fortran_file_iread_shared(FORWARD_FORTRAN(mpi_file_iread_shared_f08_), fh, buf, count, datatype,
                              request, ierror);
}

SCOPE_API void mpi_file_iread_shared_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                            void *request, void *ierror)
{
    fortran_file_iread_shared(FORWARD_FORTRAN(mpi_file_iread_shared_f08ts_), fh, buf, count,
                              datatype, request, ierror);
}

static void fortran_file_write_shared(fortran_6 *next, void *fh, void *buf, void *count,
                                      void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_shared);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_shared_(void *fh, void *buf, void *count, void *datatype,
                                      void *status, void *ierror)
{
    fortran_file_write_shared(FORWARD_FORTRAN(mpi_file_write_shared_), fh, buf, count, datatype,
                              status, ierror);
}

SCOPE_API void mpi_file_write_shared_f08_(void *fh, void *buf, void *count, void *datatype,
                                          void *status, void *ierror)
{
    fortran_file_write_shared(FORWARD_FORTRAN(mpi_file_write_shared_f08_), fh, buf, count, datatype,
                              status, ierror);
}

SCOPE_API void mpi_file_write_shared_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                            void *status, void *ierror)
{
    fortran_file_write_shared(FORWARD_FORTRAN(mpi_file_write_shared_f08ts_), fh, buf, count,
                              datatype, status, ierror);
}

static void fortran_file_iwrite_shared(fortran_6 *next, void *fh, void *buf, void *count,
                                       void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_shared);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_shared_(void *fh, void *buf, void *count, void *datatype,
                                       void *request, void *ierror)
{
    fortran_file_iwrite_shared(FORWARD_FORTRAN(mpi_file_iwrite_shared_), fh, buf, count, datatype,
                               request, ierror);
}

SCOPE_API void mpi_file_iwrite_shared_f08_(void *fh, void *buf, void *count, void *datatype,
                                           void *request, void *ierror)
{
    fortran_file_iwrite_shared(FORWARD_FORTRAN(mpi_file_iwrite_shared_f08_), fh, buf, count,
                               datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_shared_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                             void *request, void *ierror)
{
    fortran_file_iwrite_shared(FORWARD_FORTRAN(mpi_file_iwrite_shared_f08ts_), fh, buf, count,
                               datatype, request, ierror);
}

static void fortran_file_read_all(fortran_6 *next, void *fh, void *buf, void *count, void *datatype,
                                  void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_all_(void *fh, void *buf, void *count, void *datatype, void *status,
                                  void *ierror)
{
    fortran_file_read_all(FORWARD_FORTRAN(mpi_file_read_all_), fh, buf, count, datatype, status,
                          ierror);
}

SCOPE_API void mpi_file_read_all_f08_(void *fh, void *buf, void *count, void *datatype,
                                      void *status, void *ierror)
{
    fortran_file_read_all(FORWARD_FORTRAN(mpi_file_read_all_f08_), fh, buf, count, datatype, status,
                          ierror);
}

SCOPE_API void mpi_file_read_all_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                        void *status, void *ierror)
{
    fortran_file_read_all(FORWARD_FORTRAN(mpi_file_read_all_f08ts_), fh, buf, count, datatype,
                          status, ierror);
}

static void fortran_file_iread_all(fortran_6 *next, void *fh, void *buf, void *count,
                                   void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_all);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_all_(void *fh, void *buf, void *count, void *datatype, void *request,
                                   void *ierror)
{
    fortran_file_iread_all(FORWARD_FORTRAN(mpi_file_iread_all_), fh, buf, count, datatype, request,
                           ierror);
}

SCOPE_API void mpi_file_iread_all_f08_(void *fh, void *buf, void *count, void *datatype,
                                       void *request, void *ierror)
{
    fortran_file_iread_all(FORWARD_FORTRAN(mpi_file_iread_all_f08_), fh, buf, count, datatype,
                           request, ierror);
}

SCOPE_API void mpi_file_iread_all_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                         void *request, void *ierror)
{
    fortran_file_iread_all(FORWARD_FORTRAN(mpi_file_iread_all_f08ts_), fh, buf, count, datatype,
                           request, ierror);
}

static void fortran_file_read_all_begin(fortran_5 *next, void *fh, void *buf, void *count,
                                        void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_all_begin_(void *fh, void *buf, void *count, void *datatype,
                                        void *ierror)
{
    fortran_file_read_all_begin(FORWARD_FORTRAN(mpi_file_read_all_begin_), fh, buf, count, datatype,
                                ierror);
}

SCOPE_API void mpi_file_read_all_begin_f08_(void *fh, void *buf, void *count, void *datatype,
                                            void *ierror)
{
    fortran_file_read_all_begin(FORWARD_FORTRAN(mpi_file_read_all_begin_f08_), fh, buf, count,
                                datatype, ierror);
}

SCOPE_API void mpi_file_read_all_begin_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                              void *ierror)
{
    fortran_file_read_all_begin(FORWARD_FORTRAN(mpi_file_read_all_begin_f08ts_), fh, buf, count,
                                datatype, ierror);
}

static void fortran_file_read_all_end(fortran_4 *next, void *fh, void *buf, void *status,
                                      void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all_end);
    next(fh, buf, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_all_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_all_end(FORWARD_FORTRAN(mpi_file_read_all_end_), fh, buf, status, ierror);
}

SCOPE_API void mpi_file_read_all_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_all_end(FORWARD_FORTRAN(mpi_file_read_all_end_f08_), fh, buf, status, ierror);
}

SCOPE_API void mpi_file_read_all_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_all_end(FORWARD_FORTRAN(mpi_file_read_all_end_f08ts_), fh, buf, status,
                              ierror);
}

static void fortran_file_write_all(fortran_6 *next, void *fh, void *buf, void *count,
                                   void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_all);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_all_(void *fh, void *buf, void *count, void *datatype, void *status,
                                   void *ierror)
{
    fortran_file_write_all(FORWARD_FORTRAN(mpi_file_write_all_), fh, buf, count, datatype, status,
                           ierror);
}

SCOPE_API void mpi_file_write_all_f08_(void *fh, void *buf, void *count, void *datatype,
                                       void *status, void *ierror)
{
    fortran_file_write_all(FORWARD_FORTRAN(mpi_file_write_all_f08_), fh, buf, count, datatype,
                           status, ierror);
}

SCOPE_API void mpi_file_write_all_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                         void *status, void *ierror)
{
    fortran_file_write_all(FORWARD_FORTRAN(mpi_file_write_all_f08ts_), fh, buf, count, datatype,
                           status, ierror);
}

static void fortran_file_iwrite_all(fortran_6 *next, void *fh, void *buf, void *count,
                                    void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_all);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_all_(void *fh, void *buf, void *count, void *datatype, void *request,
                                    void *ierror)
{
    fortran_file_iwrite_all(FORWARD_FORTRAN(mpi_file_iwrite_all_), fh, buf, count, datatype,
                            request, ierror);
}

SCOPE_API void mpi_file_iwrite_all_f08_(void *fh, void *buf, void *count, void *datatype,
                                        void *request, void *ierror)
{
    fortran_file_iwrite_all(FORWARD_FORTRAN(mpi_file_iwrite_all_f08_), fh, buf, count, datatype,
                            request, ierror);
}

SCOPE_API void mpi_file_iwrite_all_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                          void *request, void *ierror)
{
    fortran_file_iwrite_all(FORWARD_FORTRAN(mpi_file_iwrite_all_f08ts_), fh, buf, count, datatype,
                            request, ierror);
}

static void fortran_file_write_all_begin(fortran_5 *next, void *fh, void *buf, void *count,
                                         void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_all_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_all_begin_(void *fh, void *buf, void *count, void *datatype,
                                         void *ierror)
{
    fortran_file_write_all_begin(FORWARD_FORTRAN(mpi_file_write_all_begin_), fh, buf, count,
                                 datatype, ierror);
}

SCOPE_API void mpi_file_write_all_begin_f08_(void *fh, void *buf, void *count, void *datatype,
                                             void *ierror)
{
    fortran_file_write_all_begin(FORWARD_FORTRAN(mpi_file_write_all_begin_f08_), fh, buf, count,
                                 datatype, ierror);
}

SCOPE_API void mpi_file_write_all_begin_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                               void *ierror)
{
    fortran_file_write_all_begin(FORWARD_FORTRAN(mpi_file_write_all_begin_f08ts_), fh, buf, count,
                                 datatype, ierror);
}

static void fortran_file_write_all_end(fortran_4 *next, void *fh, void *buf, void *status,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_all_end);
    next(fh, buf, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_all_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_all_end(FORWARD_FORTRAN(mpi_file_write_all_end_), fh, buf, status, ierror);
}

SCOPE_API void mpi_file_write_all_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_all_end(FORWARD_FORTRAN(mpi_file_write_all_end_f08_), fh, buf, status,
                               ierror);
}

SCOPE_API void mpi_file_write_all_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_all_end(FORWARD_FORTRAN(mpi_file_write_all_end_f08ts_), fh, buf, status,
                               ierror);
}

static void fortran_file_read_at_all(fortran_7 *next, void *fh, void *offset, void *buf,
                                     void *count, void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all);
    next(fh, offset, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_at_all_(void *fh, void *offset, void *buf, void *count, void *datatype,
                                     void *status, void *ierror)
{
    fortran_file_read_at_all(FORWARD_FORTRAN(mpi_file_read_at_all_), fh, offset, buf, count,
                             datatype, status, ierror);
}

SCOPE_API void mpi_file_read_at_all_f08_(void *fh, void *offset, void *buf, void *count,
                                         void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_all(FORWARD_FORTRAN(mpi_file_read_at_all_f08_), fh, offset, buf, count,
                             datatype, status, ierror);
}

SCOPE_API void mpi_file_read_at_all_f08ts_(void *fh, void *offset, void *buf, void *count,
                                           void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_all(FORWARD_FORTRAN(mpi_file_read_at_all_f08ts_), fh, offset, buf, count,
                             datatype, status, ierror);
}

static void fortran_file_iread_at_all(fortran_7 *next, void *fh, void *offset, void *buf,
                                      void *count, void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_at_all);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_at_all_(void *fh, void *offset, void *buf, void *count,
                                      void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_all(FORWARD_FORTRAN(mpi_file_iread_at_all_), fh, offset, buf, count,
                              datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_at_all_f08_(void *fh, void *offset, void *buf, void *count,
                                          void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_all(FORWARD_FORTRAN(mpi_file_iread_at_all_f08_), fh, offset, buf, count,
                              datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_at_all_f08ts_(void *fh, void *offset, void *buf, void *count,
                                            void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_all(FORWARD_FORTRAN(mpi_file_iread_at_all_f08ts_), fh, offset, buf, count,
                              datatype, request, ierror);
}

static void fortran_file_read_at_all_begin(fortran_6 *next, void *fh, void *offset, void *buf,
                                           void *count, void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all_begin);
    next(fh, offset, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_at_all_begin_(void *fh, void *offset, void *buf, void *count,
                                           void *datatype, void *ierror)
{
    fortran_file_read_at_all_begin(FORWARD_FORTRAN(mpi_file_read_at_all_begin_), fh, offset, buf,
                                   count, datatype, ierror);
}

SCOPE_API void mpi_file_read_at_all_begin_f08_(void *fh, void *offset, void *buf, void *count,
                                               void *datatype, void *ierror)
{
    fortran_file_read_at_all_begin(FORWARD_FORTRAN(mpi_file_read_at_all_begin_f08_), fh, offset,
                                   buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_read_at_all_begin_f08ts_(void *fh, void *offset, void *buf, void *count,
                                                 void *datatype, void *ierror)
{
    fortran_file_read_at_all_begin(FORWARD_FORTRAN(mpi_file_read_at_all_begin_f08ts_), fh, offset,
                                   buf, count, datatype, ierror);
}

static void fortran_file_read_at_all_end(fortran_4 *next, void *fh, void *buf, void *status,
                                         void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all_end);
    next(fh, buf, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_at_all_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_at_all_end(FORWARD_FORTRAN(mpi_file_read_at_all_end_), fh, buf, status,
                                 ierror);
}

SCOPE_API void mpi_file_read_at_all_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_at_all_end(FORWARD_FORTRAN(mpi_file_read_at_all_end_f08_), fh, buf, status,
                                 ierror);
}

SCOPE_API void mpi_file_read_at_all_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_at_all_end(FORWARD_FORTRAN(mpi_file_read_at_all_end_f08ts_), fh, buf, status,
                                 ierror);
}

static void fortran_file_write_at_all(fortran_7 *next, void *fh, void *offset, void *buf,
                                      void *count, void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at_all);
    next(fh, offset, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_all_(void *fh, void *offset, void *buf, void *count,
                                      void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_all(FORWARD_FORTRAN(mpi_file_write_at_all_), fh, offset, buf, count,
                              datatype, status, ierror);
}

SCOPE_API void mpi_file_write_at_all_f08_(void *fh, void *offset, void *buf, void *count,
                                          void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_all(FORWARD_FORTRAN(mpi_file_write_at_all_f08_), fh, offset, buf, count,
                              datatype, status, ierror);
}

SCOPE_API void mpi_file_write_at_all_f08ts_(void *fh, void *offset, void *buf, void *count,
                                            void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_all(FORWARD_FORTRAN(mpi_file_write_at_all_f08ts_), fh, offset, buf, count,
                              datatype, status, ierror);
}

static void fortran_file_iwrite_at_all(fortran_7 *next, void *fh, void *offset, void *buf,
                                       void *count, void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_at_all);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_at_all_(void *fh, void *offset, void *buf, void *count,
                                       void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_all(FORWARD_FORTRAN(mpi_file_iwrite_at_all_), fh, offset, buf, count,
                               datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_all_f08_(void *fh, void *offset, void *buf, void *count,
                                           void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_all(FORWARD_FORTRAN(mpi_file_iwrite_at_all_f08_), fh, offset, buf, count,
                               datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_all_f08ts_(void *fh, void *offset, void *buf, void *count,
                                             void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_all(FORWARD_FORTRAN(mpi_file_iwrite_at_all_f08ts_), fh, offset, buf,
                               count, datatype, request, ierror);
}

static void fortran_file_write_at_all_begin(fortran_6 *next, void *fh, void *offset, void *buf,
                                            void *count, void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at_all_begin);
    next(fh, offset, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_all_begin_(void *fh, void *offset, void *buf, void *count,
                                            void *datatype, void *ierror)
{
    fortran_file_write_at_all_begin(FORWARD_FORTRAN(mpi_file_write_at_all_begin_), fh, offset, buf,
                                    count, datatype, ierror);
}

SCOPE_API void mpi_file_write_at_all_begin_f08_(void *fh, void *offset, void *buf, void *count,
                                                void *datatype, void *ierror)
{
    fortran_file_write_at_all_begin(FORWARD_FORTRAN(mpi_file_write_at_all_begin_f08_), fh, offset,
                                    buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_write_at_all_begin_f08ts_(void *fh, void *offset, void *buf, void *count,
                                                  void *datatype, void *ierror)
{
    fortran_file_write_at_all_begin(FORWARD_FORTRAN(mpi_file_write_at_all_begin_f08ts_), fh, offset,
                                    buf, count, datatype, ierror);
}

static void fortran_file_write_at_all_end(fortran_4 *next, void *fh, void *buf, void *status,
                                          void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_at_all_end);
    next(fh, buf, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_all_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_at_all_end(FORWARD_FORTRAN(mpi_file_write_at_all_end_), fh, buf, status,
                                  ierror);
}

SCOPE_API void mpi_file_write_at_all_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_at_all_end(FORWARD_FORTRAN(mpi_file_write_at_all_end_f08_), fh, buf, status,
                                  ierror);
}

SCOPE_API void mpi_file_write_at_all_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_at_all_end(FORWARD_FORTRAN(mpi_file_write_at_all_end_f08ts_), fh, buf,
                                  status, ierror);
}

static void fortran_file_read_ordered(fortran_6 *next, void *fh, void *buf, void *count,
                                      void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_ordered_(void *fh, void *buf, void *count, void *datatype,
                                      void *status, void *ierror)
{
    fortran_file_read_ordered(FORWARD_FORTRAN(mpi_file_read_ordered_), fh, buf, count, datatype,
                              status, ierror);
}

SCOPE_API void mpi_file_read_ordered_f08_(void *fh, void *buf, void *count, void *datatype,
                                          void *status, void *ierror)
{
    fortran_file_read_ordered(FORWARD_FORTRAN(mpi_file_read_ordered_f08_), fh, buf, count, datatype,
                              status, ierror);
}

SCOPE_API void mpi_file_read_ordered_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                            void *status, void *ierror)
{
    fortran_file_read_ordered(FORWARD_FORTRAN(mpi_file_read_ordered_f08ts_), fh, buf, count,
                              datatype, status, ierror);
}

static void fortran_file_read_ordered_begin(fortran_5 *next, void *fh, void *buf, void *count,
                                            void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_ordered_begin_(void *fh, void *buf, void *count, void *datatype,
                                            void *ierror)
{
    fortran_file_read_ordered_begin(FORWARD_FORTRAN(mpi_file_read_ordered_begin_), fh, buf, count,
                                    datatype, ierror);
}

SCOPE_API void mpi_file_read_ordered_begin_f08_(void *fh, void *buf, void *count, void *datatype,
                                                void *ierror)
{
    fortran_file_read_ordered_begin(FORWARD_FORTRAN(mpi_file_read_ordered_begin_f08_), fh, buf,
                                    count, datatype, ierror);
}

SCOPE_API void mpi_file_read_ordered_begin_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                                  void *ierror)
{
    fortran_file_read_ordered_begin(FORWARD_FORTRAN(mpi_file_read_ordered_begin_f08ts_), fh, buf,
                                    count, datatype, ierror);
}

static void fortran_file_read_ordered_end(fortran_4 *next, void *fh, void *buf, void *status,
                                          void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    MPI_Status own = {0};
    if (f_ignored(status))
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered_end);
    next(fh, buf, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_ordered_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_ordered_end(FORWARD_FORTRAN(mpi_file_read_ordered_end_), fh, buf, status,
                                  ierror);
}

SCOPE_API void mpi_file_read_ordered_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_ordered_end(FORWARD_FORTRAN(mpi_file_read_ordered_end_f08_), fh, buf, status,
                                  ierror);
}

SCOPE_API void mpi_file_read_ordered_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_read_ordered_end(FORWARD_FORTRAN(mpi_file_read_ordered_end_f08ts_), fh, buf,
                                  status, ierror);
}

static void fortran_file_write_ordered(fortran_6 *next, void *fh, void *buf, void *count,
                                       void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_ordered);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_ordered_(void *fh, void *buf, void *count, void *datatype,
                                       void *status, void *ierror)
{
    fortran_file_write_ordered(FORWARD_FORTRAN(mpi_file_write_ordered_), fh, buf, count, datatype,
                               status, ierror);
}

SCOPE_API void mpi_file_write_ordered_f08_(void *fh, void *buf, void *count, void *datatype,
                                           void *status, void *ierror)
{
    fortran_file_write_ordered(FORWARD_FORTRAN(mpi_file_write_ordered_f08_), fh, buf, count,
                               datatype, status, ierror);
}

SCOPE_API void mpi_file_write_ordered_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                             void *status, void *ierror)
{
    fortran_file_write_ordered(FORWARD_FORTRAN(mpi_file_write_ordered_f08ts_), fh, buf, count,
                               datatype, status, ierror);
}

static void fortran_file_write_ordered_begin(fortran_5 *next, void *fh, void *buf, void *count,
                                             void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_int(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_ordered_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_ordered_begin_(void *fh, void *buf, void *count, void *datatype,
                                             void *ierror)
{
    fortran_file_write_ordered_begin(FORWARD_FORTRAN(mpi_file_write_ordered_begin_), fh, buf, count,
                                     datatype, ierror);
}

SCOPE_API void mpi_file_write_ordered_begin_f08_(void *fh, void *buf, void *count, void *datatype,
                                                 void *ierror)
{
    fortran_file_write_ordered_begin(FORWARD_FORTRAN(mpi_file_write_ordered_begin_f08_), fh, buf,
                                     count, datatype, ierror);
}

SCOPE_API void mpi_file_write_ordered_begin_f08ts_(void *fh, void *buf, void *count, void *datatype,
                                                   void *ierror)
{
    fortran_file_write_ordered_begin(FORWARD_FORTRAN(mpi_file_write_ordered_begin_f08ts_), fh, buf,
                                     count, datatype, ierror);
}

static void fortran_file_write_ordered_end(fortran_4 *next, void *fh, void *buf, void *status,
                                           void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_ordered_end);
    next(fh, buf, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_ordered_end_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_ordered_end(FORWARD_FORTRAN(mpi_file_write_ordered_end_), fh, buf, status,
                                   ierror);
}

SCOPE_API void mpi_file_write_ordered_end_f08_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_ordered_end(FORWARD_FORTRAN(mpi_file_write_ordered_end_f08_), fh, buf,
                                   status, ierror);
}

SCOPE_API void mpi_file_write_ordered_end_f08ts_(void *fh, void *buf, void *status, void *ierror)
{
    fortran_file_write_ordered_end(FORWARD_FORTRAN(mpi_file_write_ordered_end_f08ts_), fh, buf,
                                   status, ierror);
}
