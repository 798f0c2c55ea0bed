/* file.c - files.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "wrapper.h"

WRAPPER(MPI_File_open, (wide_Comm comm, const char *filename, int amode, wide_Info info,
                        MPI_File *fh))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_open)(comm, filename, amode, info, fh);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_open);
    const int rc = FORWARD(MPI_File_open)(comm, filename, amode, info, fh);
    if (rc == MPI_SUCCESS)
        mpi_track_file(on, *fh);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_close, (MPI_File *fh))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_close)(fh);
    const mpi_comm *on = mpi_file_of(*fh);
    mpi_untrack_file(*fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_close);
    const int rc = FORWARD(MPI_File_close)(fh);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_delete, (const char *filename, wide_Info info))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_delete)(filename, info);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_File_delete);
    const int rc = FORWARD(MPI_File_delete)(filename, info);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_sync, (MPI_File fh))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_sync)(fh);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_sync);
    const int rc = FORWARD(MPI_File_sync)(fh);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_set_size, (MPI_File fh, MPI_Offset size))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_set_size)(fh, size);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_size);
    const int rc = FORWARD(MPI_File_set_size)(fh, size);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_preallocate, (MPI_File fh, MPI_Offset size))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_preallocate)(fh, size);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_preallocate);
    const int rc = FORWARD(MPI_File_preallocate)(fh, size);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_set_info, (MPI_File fh, wide_Info info))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_set_info)(fh, info);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_info);
    const int rc = FORWARD(MPI_File_set_info)(fh, info);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_set_view, (MPI_File fh, MPI_Offset disp, wide_Datatype etype,
                            wide_Datatype filetype, const char *datarep, wide_Info info))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_set_view)(fh, disp, etype, filetype, datarep, info);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_view);
    const int rc = FORWARD(MPI_File_set_view)(fh, disp, etype, filetype, datarep, info);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_seek_shared)(fh, offset, whence);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_seek_shared);
    const int rc = FORWARD(MPI_File_seek_shared)(fh, offset, whence);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_set_atomicity, (MPI_File fh, int flag))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_set_atomicity)(fh, flag);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_set_atomicity);
    const int rc = FORWARD(MPI_File_set_atomicity)(fh, flag);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                        MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read);
    const int rc = FORWARD(MPI_File_read)(fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iread, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                         MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iread)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread);
    const int rc = FORWARD(MPI_File_iread)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                         MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write);
    const int rc = FORWARD(MPI_File_write)(fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iwrite, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                          MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iwrite)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite);
    const int rc = FORWARD(MPI_File_iwrite)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_at, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                           wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_at)(fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at);
    const int rc = FORWARD(MPI_File_read_at)(fh, offset, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                            wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iread_at)(fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_at);
    const int rc = FORWARD(MPI_File_iread_at)(fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                            wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_at)(fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at);
    const int rc = FORWARD(MPI_File_write_at)(fh, offset, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                             wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iwrite_at)(fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_at);
    const int rc = FORWARD(MPI_File_iwrite_at)(fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_shared, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                               MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_shared)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_shared);
    const int rc = FORWARD(MPI_File_read_shared)(fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iread_shared, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                                MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iread_shared)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_shared);
    const int rc = FORWARD(MPI_File_iread_shared)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_shared, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_shared)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_shared);
    const int rc = FORWARD(MPI_File_write_shared)(fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iwrite_shared, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                 MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iwrite_shared)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_shared);
    const int rc = FORWARD(MPI_File_iwrite_shared)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_all, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                            MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_all)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all);
    const int rc = FORWARD(MPI_File_read_all)(fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iread_all, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                             MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iread_all)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_all);
    const int rc = FORWARD(MPI_File_iread_all)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_all_begin, (MPI_File fh, void *buf, int count, wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_all_begin)(fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all_begin);
    const int rc = FORWARD(MPI_File_read_all_begin)(fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_all_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all_end);
    const int rc = FORWARD(MPI_File_read_all_end)(fh, buf, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_all, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                             MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_all)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_all);
    const int rc = FORWARD(MPI_File_write_all)(fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iwrite_all, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                              MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iwrite_all)(fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_all);
    const int rc = FORWARD(MPI_File_iwrite_all)(fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_all_begin, (MPI_File fh, const void *buf, int count, wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_all_begin)(fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_all_begin);
    const int rc = FORWARD(MPI_File_write_all_begin)(fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_all_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_all_end);
    const int rc = FORWARD(MPI_File_write_all_end)(fh, buf, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                               wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_at_all)(fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all);
    const int rc = FORWARD(MPI_File_read_at_all)(fh, offset, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iread_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                                wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iread_at_all)(fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_at_all);
    const int rc = FORWARD(MPI_File_iread_at_all)(fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                                     wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_at_all_begin)(fh, offset, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all_begin);
    const int rc = FORWARD(MPI_File_read_at_all_begin)(fh, offset, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_at_all_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all_end);
    const int rc = FORWARD(MPI_File_read_at_all_end)(fh, buf, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_at_all)(fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at_all);
    const int rc = FORWARD(MPI_File_write_at_all)(fh, offset, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_iwrite_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                 wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_iwrite_at_all)(fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_at_all);
    const int rc = FORWARD(MPI_File_iwrite_at_all)(fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                      wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_at_all_begin)(fh, offset, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at_all_begin);
    const int rc = FORWARD(MPI_File_write_at_all_begin)(fh, offset, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_at_all_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_at_all_end);
    const int rc = FORWARD(MPI_File_write_at_all_end)(fh, buf, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_ordered, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                                MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_ordered)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered);
    const int rc = FORWARD(MPI_File_read_ordered)(fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_ordered_begin, (MPI_File fh, void *buf, int count, wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_ordered_begin)(fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered_begin);
    const int rc = FORWARD(MPI_File_read_ordered_begin)(fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_read_ordered_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered_end);
    const int rc = FORWARD(MPI_File_read_ordered_end)(fh, buf, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_ordered, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                 MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_ordered)(fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_ordered);
    const int rc = FORWARD(MPI_File_write_ordered)(fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_ordered_begin, (MPI_File fh, const void *buf, int count,
                                       wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_ordered_begin)(fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_ordered_begin);
    const int rc = FORWARD(MPI_File_write_ordered_begin)(fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD(MPI_File_write_ordered_end)(fh, buf, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_write_ordered_end);
    const int rc = FORWARD(MPI_File_write_ordered_end)(fh, buf, status);
    mpi_leave(&moved);
    return rc;
}
