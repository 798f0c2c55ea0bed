/* file_large.c - files, large counts.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"
#include "wrappers.h"

#if MPI_VERSION >= 4

static int narrow_MPI_File_read_c(MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                                  MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                          MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_c, narrow_MPI_File_read_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read);
    const int rc = FORWARD_OR(MPI_File_read_c, narrow_MPI_File_read_c)(
        fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iread_c(MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                                   MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iread)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iread_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                           MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iread_c, narrow_MPI_File_iread_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread);
    const int rc = FORWARD_OR(MPI_File_iread_c, narrow_MPI_File_iread_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_c(MPI_File fh, const void *buf, MPI_Count count,
                                   wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_c, (MPI_File fh, const void *buf, MPI_Count count, wide_Datatype datatype,
                           MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_c, narrow_MPI_File_write_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write);
    const int rc = FORWARD_OR(MPI_File_write_c, narrow_MPI_File_write_c)(
        fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iwrite_c(MPI_File fh, const void *buf, MPI_Count count,
                                    wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iwrite)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iwrite_c, (MPI_File fh, const void *buf, MPI_Count count, wide_Datatype datatype,
                            MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iwrite_c, narrow_MPI_File_iwrite_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite);
    const int rc = FORWARD_OR(MPI_File_iwrite_c, narrow_MPI_File_iwrite_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                     wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_at)(fh, offset, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_at_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                             wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_at_c, narrow_MPI_File_read_at_c)(
            fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at);
    const int rc = FORWARD_OR(MPI_File_read_at_c, narrow_MPI_File_read_at_c)(
        fh, offset, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iread_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                      wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iread_at)(fh, offset, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iread_at_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                              wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iread_at_c, narrow_MPI_File_iread_at_c)(
            fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_at);
    const int rc = FORWARD_OR(MPI_File_iread_at_c, narrow_MPI_File_iread_at_c)(
        fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_at_c(MPI_File fh, MPI_Offset offset, const void *buf,
                                      MPI_Count count, wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_at)(fh, offset, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                              wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_at_c, narrow_MPI_File_write_at_c)(
            fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at);
    const int rc = FORWARD_OR(MPI_File_write_at_c, narrow_MPI_File_write_at_c)(
        fh, offset, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iwrite_at_c(MPI_File fh, MPI_Offset offset, const void *buf,
                                       MPI_Count count, wide_Datatype datatype,
                                       MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iwrite_at)(fh, offset, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iwrite_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                               wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iwrite_at_c, narrow_MPI_File_iwrite_at_c)(
            fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_at);
    const int rc = FORWARD_OR(MPI_File_iwrite_at_c, narrow_MPI_File_iwrite_at_c)(
        fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_shared_c(MPI_File fh, void *buf, MPI_Count count,
                                         wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_shared)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_shared_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                                 MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_shared_c, narrow_MPI_File_read_shared_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_shared);
    const int rc = FORWARD_OR(MPI_File_read_shared_c, narrow_MPI_File_read_shared_c)(
        fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iread_shared_c(MPI_File fh, void *buf, MPI_Count count,
                                          wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iread_shared)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iread_shared_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iread_shared_c, narrow_MPI_File_iread_shared_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_shared);
    const int rc = FORWARD_OR(MPI_File_iread_shared_c, narrow_MPI_File_iread_shared_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_shared_c(MPI_File fh, const void *buf, MPI_Count count,
                                          wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_shared)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_shared_c, (MPI_File fh, const void *buf, MPI_Count count,
                                  wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_shared_c, narrow_MPI_File_write_shared_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_shared);
    const int rc = FORWARD_OR(MPI_File_write_shared_c, narrow_MPI_File_write_shared_c)(
        fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iwrite_shared_c(MPI_File fh, const void *buf, MPI_Count count,
                                           wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iwrite_shared)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iwrite_shared_c, (MPI_File fh, const void *buf, MPI_Count count,
                                   wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iwrite_shared_c, narrow_MPI_File_iwrite_shared_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_shared);
    const int rc = FORWARD_OR(MPI_File_iwrite_shared_c, narrow_MPI_File_iwrite_shared_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_all_c(MPI_File fh, void *buf, MPI_Count count,
                                      wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_all)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_all_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                              MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_all_c, narrow_MPI_File_read_all_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all);
    const int rc = FORWARD_OR(MPI_File_read_all_c, narrow_MPI_File_read_all_c)(
        fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iread_all_c(MPI_File fh, void *buf, MPI_Count count,
                                       wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iread_all)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iread_all_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                               MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iread_all_c, narrow_MPI_File_iread_all_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_all);
    const int rc = FORWARD_OR(MPI_File_iread_all_c, narrow_MPI_File_iread_all_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_all_begin_c(MPI_File fh, void *buf, MPI_Count count,
                                            wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_all_begin)(fh, buf, (int)count, datatype);
}

WRAPPER(MPI_File_read_all_begin_c, (MPI_File fh, void *buf, MPI_Count count,
                                    wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_all_begin_c, narrow_MPI_File_read_all_begin_c)(
            fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_all_begin);
    const int rc = FORWARD_OR(MPI_File_read_all_begin_c, narrow_MPI_File_read_all_begin_c)(
        fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_all_c(MPI_File fh, const void *buf, MPI_Count count,
                                       wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_all)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_all_c, (MPI_File fh, const void *buf, MPI_Count count,
                               wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_all_c, narrow_MPI_File_write_all_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_all);
    const int rc = FORWARD_OR(MPI_File_write_all_c, narrow_MPI_File_write_all_c)(
        fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iwrite_all_c(MPI_File fh, const void *buf, MPI_Count count,
                                        wide_Datatype datatype, MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iwrite_all)(fh, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iwrite_all_c, (MPI_File fh, const void *buf, MPI_Count count,
                                wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iwrite_all_c, narrow_MPI_File_iwrite_all_c)(
            fh, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_all);
    const int rc = FORWARD_OR(MPI_File_iwrite_all_c, narrow_MPI_File_iwrite_all_c)(
        fh, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_all_begin_c(MPI_File fh, const void *buf, MPI_Count count,
                                             wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_all_begin)(fh, buf, (int)count, datatype);
}

WRAPPER(MPI_File_write_all_begin_c, (MPI_File fh, const void *buf, MPI_Count count,
                                     wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_all_begin_c, narrow_MPI_File_write_all_begin_c)(
            fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_all_begin);
    const int rc = FORWARD_OR(MPI_File_write_all_begin_c, narrow_MPI_File_write_all_begin_c)(
        fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_at_all_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                         wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_at_all)(fh, offset, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_at_all_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                 wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_at_all_c, narrow_MPI_File_read_at_all_c)(
            fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all);
    const int rc = FORWARD_OR(MPI_File_read_at_all_c, narrow_MPI_File_read_at_all_c)(
        fh, offset, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iread_at_all_c(MPI_File fh, MPI_Offset offset, void *buf,
                                          MPI_Count count, wide_Datatype datatype,
                                          MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iread_at_all)(fh, offset, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iread_at_all_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                  wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iread_at_all_c, narrow_MPI_File_iread_at_all_c)(
            fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_reading(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iread_at_all);
    const int rc = FORWARD_OR(MPI_File_iread_at_all_c, narrow_MPI_File_iread_at_all_c)(
        fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_at_all_begin_c(MPI_File fh, MPI_Offset offset, void *buf,
                                               MPI_Count count, wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_at_all_begin)(fh, offset, buf, (int)count, datatype);
}

WRAPPER(MPI_File_read_at_all_begin_c, (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count,
                                       wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_at_all_begin_c, narrow_MPI_File_read_at_all_begin_c)(
            fh, offset, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_at_all_begin);
    const int rc = FORWARD_OR(MPI_File_read_at_all_begin_c, narrow_MPI_File_read_at_all_begin_c)(
        fh, offset, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf,
                                          MPI_Count count, wide_Datatype datatype,
                                          MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_at_all)(fh, offset, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                  wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_at_all_c, narrow_MPI_File_write_at_all_c)(
            fh, offset, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at_all);
    const int rc = FORWARD_OR(MPI_File_write_at_all_c, narrow_MPI_File_write_at_all_c)(
        fh, offset, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_iwrite_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf,
                                           MPI_Count count, wide_Datatype datatype,
                                           MPI_Request *request)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_iwrite_at_all)(fh, offset, buf, (int)count, datatype, request);
}

WRAPPER(MPI_File_iwrite_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                   wide_Datatype datatype, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_iwrite_at_all_c, narrow_MPI_File_iwrite_at_all_c)(
            fh, offset, buf, count, datatype, request);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_iwrite_at_all);
    const int rc = FORWARD_OR(MPI_File_iwrite_at_all_c, narrow_MPI_File_iwrite_at_all_c)(
        fh, offset, buf, count, datatype, request);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_at_all_begin_c(MPI_File fh, MPI_Offset offset, const void *buf,
                                                MPI_Count count, wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_at_all_begin)(fh, offset, buf, (int)count, datatype);
}

WRAPPER(MPI_File_write_at_all_begin_c, (MPI_File fh, MPI_Offset offset, const void *buf,
                                        MPI_Count count, wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_at_all_begin_c, narrow_MPI_File_write_at_all_begin_c)(
            fh, offset, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_at_all_begin);
    const int rc = FORWARD_OR(MPI_File_write_at_all_begin_c, narrow_MPI_File_write_at_all_begin_c)(
        fh, offset, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_ordered_c(MPI_File fh, void *buf, MPI_Count count,
                                          wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_ordered)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_read_ordered_c, (MPI_File fh, void *buf, MPI_Count count, wide_Datatype datatype,
                                  MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_ordered_c, narrow_MPI_File_read_ordered_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    MPI_Status own = {0};
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered);
    const int rc = FORWARD_OR(MPI_File_read_ordered_c, narrow_MPI_File_read_ordered_c)(
        fh, buf, count, datatype, status);
    if (rc == MPI_SUCCESS)
        mpi_read(&moved, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_read_ordered_begin_c(MPI_File fh, void *buf, MPI_Count count,
                                                wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_read_ordered_begin)(fh, buf, (int)count, datatype);
}

WRAPPER(MPI_File_read_ordered_begin_c, (MPI_File fh, void *buf, MPI_Count count,
                                        wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_read_ordered_begin_c, narrow_MPI_File_read_ordered_begin_c)(
            fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_File_read_ordered_begin);
    const int rc = FORWARD_OR(MPI_File_read_ordered_begin_c, narrow_MPI_File_read_ordered_begin_c)(
        fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_ordered_c(MPI_File fh, const void *buf, MPI_Count count,
                                           wide_Datatype datatype, MPI_Status *status)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_ordered)(fh, buf, (int)count, datatype, status);
}

WRAPPER(MPI_File_write_ordered_c, (MPI_File fh, const void *buf, MPI_Count count,
                                   wide_Datatype datatype, MPI_Status *status))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_ordered_c, narrow_MPI_File_write_ordered_c)(
            fh, buf, count, datatype, status);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_ordered);
    const int rc = FORWARD_OR(MPI_File_write_ordered_c, narrow_MPI_File_write_ordered_c)(
        fh, buf, count, datatype, status);
    mpi_leave(&moved);
    return rc;
}

static int narrow_MPI_File_write_ordered_begin_c(MPI_File fh, const void *buf, MPI_Count count,
                                                 wide_Datatype datatype)
{
    if (!mpi_fits_int(count))
        return MPI_ERR_COUNT;
    return PLAIN(MPI_File_write_ordered_begin)(fh, buf, (int)count, datatype);
}

WRAPPER(MPI_File_write_ordered_begin_c, (MPI_File fh, const void *buf, MPI_Count count,
                                         wide_Datatype datatype))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_File_write_ordered_begin_c, narrow_MPI_File_write_ordered_begin_c)(
            fh, buf, count, datatype);
    const mpi_comm *on = mpi_file_of(fh);
    const mpi_message moved = mpi_writing(on, mpi_bytes(count, datatype));
    mpi_begin(CALL_MPI_File_write_ordered_begin);
    const int rc = FORWARD_OR(MPI_File_write_ordered_begin_c, narrow_MPI_File_write_ordered_begin_c)(
        fh, buf, count, datatype);
    mpi_leave(&moved);
    return rc;
}

#endif
