/* fortran_file_large.c - files, large counts, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static void fortran_file_read_large(fortran_6 *next, void *fh, void *buf, void *count,
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
    mpi_begin(CALL_MPI_File_read);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                        void *status, void *ierror)
{
    fortran_file_read_large(FORWARD_FORTRAN(mpi_file_read_f08_large_), fh, buf, count, datatype,
                            status, ierror);
}

SCOPE_API void mpi_file_read_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                          void *status, void *ierror)
{
    fortran_file_read_large(FORWARD_FORTRAN(mpi_file_read_f08ts_large_), fh, buf, count, datatype,
                            status, ierror);
}

static void fortran_file_iread_large(fortran_6 *next, void *fh, void *buf, void *count,
                                     void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                         void *request, void *ierror)
{
    fortran_file_iread_large(FORWARD_FORTRAN(mpi_file_iread_f08_large_), fh, buf, count, datatype,
                             request, ierror);
}

SCOPE_API void mpi_file_iread_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                           void *request, void *ierror)
{
    fortran_file_iread_large(FORWARD_FORTRAN(mpi_file_iread_f08ts_large_), fh, buf, count, datatype,
                             request, ierror);
}

static void fortran_file_write_large(fortran_6 *next, void *fh, void *buf, void *count,
                                     void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                         void *status, void *ierror)
{
    fortran_file_write_large(FORWARD_FORTRAN(mpi_file_write_f08_large_), fh, buf, count, datatype,
                             status, ierror);
}

SCOPE_API void mpi_file_write_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                           void *status, void *ierror)
{
    fortran_file_write_large(FORWARD_FORTRAN(mpi_file_write_f08ts_large_), fh, buf, count, datatype,
                             status, ierror);
}

static void fortran_file_iwrite_large(fortran_6 *next, void *fh, void *buf, void *count,
                                      void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                          void *request, void *ierror)
{
    fortran_file_iwrite_large(FORWARD_FORTRAN(mpi_file_iwrite_f08_large_), fh, buf, count, datatype,
                              request, ierror);
}

SCOPE_API void mpi_file_iwrite_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                            void *request, void *ierror)
{
    fortran_file_iwrite_large(FORWARD_FORTRAN(mpi_file_iwrite_f08ts_large_), fh, buf, count,
                              datatype, request, ierror);
}

static void fortran_file_read_at_large(fortran_7 *next, void *fh, void *offset, void *buf,
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
    mpi_begin(CALL_MPI_File_read_at);
    next(fh, offset, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_at_f08_large_(void *fh, void *offset, void *buf, void *count,
                                           void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_large(FORWARD_FORTRAN(mpi_file_read_at_f08_large_), fh, offset, buf, count,
                               datatype, status, ierror);
}

SCOPE_API void mpi_file_read_at_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                             void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_large(FORWARD_FORTRAN(mpi_file_read_at_f08ts_large_), fh, offset, buf,
                               count, datatype, status, ierror);
}

static void fortran_file_iread_at_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                        void *count, void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_at);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_at_f08_large_(void *fh, void *offset, void *buf, void *count,
                                            void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_large(FORWARD_FORTRAN(mpi_file_iread_at_f08_large_), fh, offset, buf,
                                count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_at_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                              void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_large(FORWARD_FORTRAN(mpi_file_iread_at_f08ts_large_), fh, offset, buf,
                                count, datatype, request, ierror);
}

static void fortran_file_write_at_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                        void *count, void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at);
    next(fh, offset, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_f08_large_(void *fh, void *offset, void *buf, void *count,
                                            void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_large(FORWARD_FORTRAN(mpi_file_write_at_f08_large_), fh, offset, buf,
                                count, datatype, status, ierror);
}

SCOPE_API void mpi_file_write_at_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                              void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_large(FORWARD_FORTRAN(mpi_file_write_at_f08ts_large_), fh, offset, buf,
                                count, datatype, status, ierror);
}

static void fortran_file_iwrite_at_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                         void *count, void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_at);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_at_f08_large_(void *fh, void *offset, void *buf, void *count,
                                             void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_large(FORWARD_FORTRAN(mpi_file_iwrite_at_f08_large_), fh, offset, buf,
                                 count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                               void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_large(FORWARD_FORTRAN(mpi_file_iwrite_at_f08ts_large_), fh, offset, buf,
                                 count, datatype, request, ierror);
}

static void fortran_file_read_shared_large(fortran_6 *next, void *fh, void *buf, void *count,
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

SCOPE_API void mpi_file_read_shared_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                               void *status, void *ierror)
{
    fortran_file_read_shared_large(FORWARD_FORTRAN(mpi_file_read_shared_f08_large_), fh, buf, count,
                                   datatype, status, ierror);
}

SCOPE_API void mpi_file_read_shared_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                 void *status, void *ierror)
{
    fortran_file_read_shared_large(FORWARD_FORTRAN(mpi_file_read_shared_f08ts_large_), fh, buf,
                                   count, datatype, status, ierror);
}

static void fortran_file_iread_shared_large(fortran_6 *next, void *fh, void *buf, void *count,
                                            void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_shared);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_shared_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                void *request, void *ierror)
{
    fortran_file_iread_shared_large(FORWARD_FORTRAN(mpi_file_iread_shared_f08_large_), fh, buf,
                                    count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_shared_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                  void *request, void *ierror)
{
    fortran_file_iread_shared_large(FORWARD_FORTRAN(mpi_file_iread_shared_f08ts_large_), fh, buf,
                                    count, datatype, request, ierror);
}

static void fortran_file_write_shared_large(fortran_6 *next, void *fh, void *buf, void *count,
                                            void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_shared);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_shared_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                void *status, void *ierror)
{
    fortran_file_write_shared_large(FORWARD_FORTRAN(mpi_file_write_shared_f08_large_), fh, buf,
                                    count, datatype, status, ierror);
}

SCOPE_API void mpi_file_write_shared_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                  void *status, void *ierror)
{
    fortran_file_write_shared_large(FORWARD_FORTRAN(mpi_file_write_shared_f08ts_large_), fh, buf,
                                    count, datatype, status, ierror);
}

static void fortran_file_iwrite_shared_large(fortran_6 *next, void *fh, void *buf, void *count,
                                             void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_shared);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_shared_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                 void *request, void *ierror)
{
    fortran_file_iwrite_shared_large(FORWARD_FORTRAN(mpi_file_iwrite_shared_f08_large_), fh, buf,
                                     count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_shared_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                   void *request, void *ierror)
{
    fortran_file_iwrite_shared_large(FORWARD_FORTRAN(mpi_file_iwrite_shared_f08ts_large_), fh, buf,
                                     count, datatype, request, ierror);
}

static void fortran_file_read_all_large(fortran_6 *next, void *fh, void *buf, void *count,
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
    mpi_begin(CALL_MPI_File_read_all);
    next(fh, buf, count, datatype, status, ierror);
    if (f_succeeded(ierror))
        mpi_read(&moved, status);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_read_all_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                            void *status, void *ierror)
{
    fortran_file_read_all_large(FORWARD_FORTRAN(mpi_file_read_all_f08_large_), fh, buf, count,
                                datatype, status, ierror);
}

SCOPE_API void mpi_file_read_all_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                              void *status, void *ierror)
{
    fortran_file_read_all_large(FORWARD_FORTRAN(mpi_file_read_all_f08ts_large_), fh, buf, count,
                                datatype, status, ierror);
}

static void fortran_file_iread_all_large(fortran_6 *next, void *fh, void *buf, void *count,
                                         void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_all);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_all_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                             void *request, void *ierror)
{
    fortran_file_iread_all_large(FORWARD_FORTRAN(mpi_file_iread_all_f08_large_), fh, buf, count,
                                 datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_all_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                               void *request, void *ierror)
{
    fortran_file_iread_all_large(FORWARD_FORTRAN(mpi_file_iread_all_f08ts_large_), fh, buf, count,
                                 datatype, request, ierror);
}

static void fortran_file_read_all_begin_large(fortran_5 *next, void *fh, void *buf, void *count,
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

SCOPE_API void mpi_file_read_all_begin_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                  void *ierror)
{
    fortran_file_read_all_begin_large(FORWARD_FORTRAN(mpi_file_read_all_begin_f08_large_), fh, buf,
                                      count, datatype, ierror);
}

SCOPE_API void mpi_file_read_all_begin_f08ts_large_(void *fh, void *buf, void *count,
                                                    void *datatype, void *ierror)
{
    fortran_file_read_all_begin_large(FORWARD_FORTRAN(mpi_file_read_all_begin_f08ts_large_), fh,
                                      buf, count, datatype, ierror);
}

static void fortran_file_write_all_large(fortran_6 *next, void *fh, void *buf, void *count,
                                         void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_all);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_all_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                             void *status, void *ierror)
{
    fortran_file_write_all_large(FORWARD_FORTRAN(mpi_file_write_all_f08_large_), fh, buf, count,
                                 datatype, status, ierror);
}

SCOPE_API void mpi_file_write_all_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                               void *status, void *ierror)
{
    fortran_file_write_all_large(FORWARD_FORTRAN(mpi_file_write_all_f08ts_large_), fh, buf, count,
                                 datatype, status, ierror);
}

static void fortran_file_iwrite_all_large(fortran_6 *next, void *fh, void *buf, void *count,
                                          void *datatype, void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_all);
    next(fh, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_all_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                              void *request, void *ierror)
{
    fortran_file_iwrite_all_large(FORWARD_FORTRAN(mpi_file_iwrite_all_f08_large_), fh, buf, count,
                                  datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_all_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                void *request, void *ierror)
{
    fortran_file_iwrite_all_large(FORWARD_FORTRAN(mpi_file_iwrite_all_f08ts_large_), fh, buf, count,
                                  datatype, request, ierror);
}

static void fortran_file_write_all_begin_large(fortran_5 *next, void *fh, void *buf, void *count,
                                               void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_all_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_all_begin_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                   void *ierror)
{
    fortran_file_write_all_begin_large(FORWARD_FORTRAN(mpi_file_write_all_begin_f08_large_), fh,
                                       buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_write_all_begin_f08ts_large_(void *fh, void *buf, void *count,
                                                     void *datatype, void *ierror)
{
    fortran_file_write_all_begin_large(FORWARD_FORTRAN(mpi_file_write_all_begin_f08ts_large_), fh,
                                       buf, count, datatype, ierror);
}

static void fortran_file_read_at_all_large(fortran_7 *next, void *fh, void *offset, void *buf,
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

SCOPE_API void mpi_file_read_at_all_f08_large_(void *fh, void *offset, void *buf, void *count,
                                               void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_all_large(FORWARD_FORTRAN(mpi_file_read_at_all_f08_large_), fh, offset,
                                   buf, count, datatype, status, ierror);
}

SCOPE_API void mpi_file_read_at_all_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                                 void *datatype, void *status, void *ierror)
{
    fortran_file_read_at_all_large(FORWARD_FORTRAN(mpi_file_read_at_all_f08ts_large_), fh, offset,
                                   buf, count, datatype, status, ierror);
}

static void fortran_file_iread_at_all_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                            void *count, void *datatype, void *request,
                                            void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_reading(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iread_at_all);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iread_at_all_f08_large_(void *fh, void *offset, void *buf, void *count,
                                                void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_all_large(FORWARD_FORTRAN(mpi_file_iread_at_all_f08_large_), fh, offset,
                                    buf, count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iread_at_all_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                                  void *datatype, void *request, void *ierror)
{
    fortran_file_iread_at_all_large(FORWARD_FORTRAN(mpi_file_iread_at_all_f08ts_large_), fh, offset,
                                    buf, count, datatype, request, ierror);
}

static void fortran_file_read_at_all_begin_large(fortran_6 *next, void *fh, void *offset, void *buf,
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

SCOPE_API void mpi_file_read_at_all_begin_f08_large_(void *fh, void *offset, void *buf, void *count,
                                                     void *datatype, void *ierror)
{
    fortran_file_read_at_all_begin_large(FORWARD_FORTRAN(mpi_file_read_at_all_begin_f08_large_), fh,
                                         offset, buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_read_at_all_begin_f08ts_large_(void *fh, void *offset, void *buf,
                                                       void *count, void *datatype, void *ierror)
{
    fortran_file_read_at_all_begin_large(FORWARD_FORTRAN(mpi_file_read_at_all_begin_f08ts_large_),
                                         fh, offset, buf, count, datatype, ierror);
}

static void fortran_file_write_at_all_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                            void *count, void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at_all);
    next(fh, offset, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_all_f08_large_(void *fh, void *offset, void *buf, void *count,
                                                void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_all_large(FORWARD_FORTRAN(mpi_file_write_at_all_f08_large_), fh, offset,
                                    buf, count, datatype, status, ierror);
}

SCOPE_API void mpi_file_write_at_all_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                                  void *datatype, void *status, void *ierror)
{
    fortran_file_write_at_all_large(FORWARD_FORTRAN(mpi_file_write_at_all_f08ts_large_), fh, offset,
                                    buf, count, datatype, status, ierror);
}

static void fortran_file_iwrite_at_all_large(fortran_7 *next, void *fh, void *offset, void *buf,
                                             void *count, void *datatype, void *request,
                                             void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_iwrite_at_all);
    next(fh, offset, buf, count, datatype, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_iwrite_at_all_f08_large_(void *fh, void *offset, void *buf, void *count,
                                                 void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_all_large(FORWARD_FORTRAN(mpi_file_iwrite_at_all_f08_large_), fh, offset,
                                     buf, count, datatype, request, ierror);
}

SCOPE_API void mpi_file_iwrite_at_all_f08ts_large_(void *fh, void *offset, void *buf, void *count,
                                                   void *datatype, void *request, void *ierror)
{
    fortran_file_iwrite_at_all_large(FORWARD_FORTRAN(mpi_file_iwrite_at_all_f08ts_large_), fh,
                                     offset, buf, count, datatype, request, ierror);
}

static void fortran_file_write_at_all_begin_large(fortran_6 *next, void *fh, void *offset,
                                                  void *buf, void *count, void *datatype,
                                                  void *ierror)
{
    if (!mpi_enter()) {
        next(fh, offset, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_at_all_begin);
    next(fh, offset, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_at_all_begin_f08_large_(void *fh, void *offset, void *buf,
                                                      void *count, void *datatype, void *ierror)
{
    fortran_file_write_at_all_begin_large(FORWARD_FORTRAN(mpi_file_write_at_all_begin_f08_large_),
                                          fh, offset, buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_write_at_all_begin_f08ts_large_(void *fh, void *offset, void *buf,
                                                        void *count, void *datatype, void *ierror)
{
    fortran_file_write_at_all_begin_large(FORWARD_FORTRAN(mpi_file_write_at_all_begin_f08ts_large_),
                                          fh, offset, buf, count, datatype, ierror);
}

static void fortran_file_read_ordered_large(fortran_6 *next, void *fh, void *buf, void *count,
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

SCOPE_API void mpi_file_read_ordered_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                void *status, void *ierror)
{
    fortran_file_read_ordered_large(FORWARD_FORTRAN(mpi_file_read_ordered_f08_large_), fh, buf,
                                    count, datatype, status, ierror);
}

SCOPE_API void mpi_file_read_ordered_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                  void *status, void *ierror)
{
    fortran_file_read_ordered_large(FORWARD_FORTRAN(mpi_file_read_ordered_f08ts_large_), fh, buf,
                                    count, datatype, status, ierror);
}

static void fortran_file_read_ordered_begin_large(fortran_5 *next, void *fh, void *buf, void *count,
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

SCOPE_API void mpi_file_read_ordered_begin_f08_large_(void *fh, void *buf, void *count,
                                                      void *datatype, void *ierror)
{
    fortran_file_read_ordered_begin_large(FORWARD_FORTRAN(mpi_file_read_ordered_begin_f08_large_),
                                          fh, buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_read_ordered_begin_f08ts_large_(void *fh, void *buf, void *count,
                                                        void *datatype, void *ierror)
{
    fortran_file_read_ordered_begin_large(FORWARD_FORTRAN(mpi_file_read_ordered_begin_f08ts_large_),
                                          fh, buf, count, datatype, ierror);
}

static void fortran_file_write_ordered_large(fortran_6 *next, void *fh, void *buf, void *count,
                                             void *datatype, void *status, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, status, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_ordered);
    next(fh, buf, count, datatype, status, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_ordered_f08_large_(void *fh, void *buf, void *count, void *datatype,
                                                 void *status, void *ierror)
{
    fortran_file_write_ordered_large(FORWARD_FORTRAN(mpi_file_write_ordered_f08_large_), fh, buf,
                                     count, datatype, status, ierror);
}

SCOPE_API void mpi_file_write_ordered_f08ts_large_(void *fh, void *buf, void *count, void *datatype,
                                                   void *status, void *ierror)
{
    fortran_file_write_ordered_large(FORWARD_FORTRAN(mpi_file_write_ordered_f08ts_large_), fh, buf,
                                     count, datatype, status, ierror);
}

static void fortran_file_write_ordered_begin_large(fortran_5 *next, void *fh, void *buf,
                                                   void *count, void *datatype, void *ierror)
{
    if (!mpi_enter()) {
        next(fh, buf, count, datatype, ierror);
        return;
    }
    const mpi_comm *on = mpi_file_of(f_file(fh));
    const mpi_message moved = mpi_writing(on, mpi_bytes(f_count(count), f_type(datatype)));
    mpi_begin(CALL_MPI_File_write_ordered_begin);
    next(fh, buf, count, datatype, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_file_write_ordered_begin_f08_large_(void *fh, void *buf, void *count,
                                                       void *datatype, void *ierror)
{
    fortran_file_write_ordered_begin_large(FORWARD_FORTRAN(mpi_file_write_ordered_begin_f08_large_),
                                           fh, buf, count, datatype, ierror);
}

SCOPE_API void mpi_file_write_ordered_begin_f08ts_large_(void *fh, void *buf, void *count,
                                                         void *datatype, void *ierror)
{
    fortran_file_write_ordered_begin_large(FORWARD_FORTRAN(mpi_file_write_ordered_begin_f08ts_large_),
                                           fh, buf, count, datatype, ierror);
}

#endif
