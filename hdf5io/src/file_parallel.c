/* file_parallel.c - one file of many ranks, its rows written together by parallel HDF5
 * (parallel.h).
 *
 * The file is laid out as ever (job.h): by rank 0, on a driver that no full disk confuses.
 * Then all ranks open the draft together and each writes its rows of each column.
 *
 * HDF5 does not get over an error of one rank inside a collective call: the others may wait
 * for ever. So what can fail on one rank alone is tried before the first of them: does every
 * rank see the draft, has it the filter, is there room for everything? What fails all the same
 * is held back from HDF5 (held_errors.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "filter.h"
#include "held_errors.h"
#include "job.h"
#include "lzf.h"
#include "message.h"
#include "parallel.h"

#define ROWS_AT_ONCE (UINT64_C(1) << 24) /* of a column, by a rank: MPI counts in int */

/* ---- before ---- */

static void look_at_library(const scope_parallel_request *request, char declined[256])
{
    if (request->size_bytes != sizeof *request || request->build != scope_parallel_build())
        snprintf(declined, 256, "its plug-in is of another version");
    else if (scope_h5_check() != SCOPE_OK)
        snprintf(declined, 256, "%.250s", scope_file_message());
    else if (scope_errors_last())
        snprintf(declined, 256, "MPI-IO does not get over an error that it had before");
}

static bool filter_is_there(const scope_plan *plan)
{
    if (plan->filter == SCOPE_FILTER_LZF)
        scope_lzf_register();
    return plan->filter != SCOPE_FILTER_ZSTD || H5Zfilter_avail(SCOPE_FILTER_ID_ZSTD) > 0;
}

/* What the file may take: rows as they are, and what HDF5 adds to chunks of them. */
static uint64_t most_bytes(const scope_plan *plan, uint64_t laid_out)
{
    uint64_t bytes = laid_out + (1 << 20);
    for (size_t i = 0; i < scope_column_count; i++)
        if (plan->present[i] && scope_plan_is_chunked(plan, i)) {
            const uint64_t rows = plan->total[SCOPE_TABLE_EVENTS];
            const uint64_t chunks = rows / plan->chunk_rows + 1;
            const uint64_t chunk_bytes = plan->chunk_rows * scope_plan_row_bytes(plan, i);
            bytes += chunks * (chunk_bytes + chunk_bytes / 64 + 256);
        }
    return bytes;
}

/* Rank 0 takes the room on the disk; what stays unused goes back at the end. */
static int take_room(int fd, uint64_t bytes)
{
    struct statvfs disk;
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
    return fstatvfs(fd, &disk) == 0 && disk.f_bavail * disk.f_frsize < bytes ? ENOSPC : 0;
}

/* As many as MPI-IO may want, and some. */
static bool has_descriptors(int fd)
{
    int copies[8], count = 0;
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE;
    while (count < 8 && (copies[count] = fcntl(fd, F_DUPFD_CLOEXEC, 0)) >= 0)
        count++;
    const bool all = count == 8;
    while (count)
        close(copies[--count]);
    return all;
}

static void look_at_room(scope_job *job, const scope_news *news, char declined[256])
{
    struct stat status;
    struct rlimit limit;
    const int fd = open(news->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (strchr(news->path, ':')) {
        snprintf(declined, 256, "MPI-IO takes what is before a ':' for a kind of file system");
    } else if (!has_descriptors(fd)) {
        snprintf(declined, 256, "there are too few file descriptors");
    } else if (fd < 0 || !scope_slices_sees(fd, &job->plan) || fstat(fd, &status) != 0) {
        snprintf(declined, 256, "the folder of the file is not seen everywhere");
    } else {
        const uint64_t bytes = most_bytes(&job->plan, (uint64_t)status.st_size);
        const int error = job->world->rank == 0 ? take_room(fd, bytes) : 0;
        if (error || (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes))
            snprintf(declined, 256, "no room for the %llu bytes that it can become: %s",
                     (unsigned long long)bytes, strerror(error ? error : EFBIG));
        else if (!filter_is_there(&job->plan))
            snprintf(declined, 256, "HDF5 has no filter for this compression");
        else if (!scope_hold_errors())
            snprintf(declined, 256, "the calls by which HDF5 uses MPI-IO cannot be reached");
    }
    if (fd >= 0)
        close(fd);
}

/* ---- rows ---- */

/* ROMIO reads, changes and writes back what has gaps, under a lock; a rank whose write fails
 * keeps the lock, and the others wait for it. */
static MPI_Info without_locks(void)
{
    MPI_Info info;
    if (PMPI_Info_create(&info) != MPI_SUCCESS)
        return MPI_INFO_NULL;
    PMPI_Info_set(info, "romio_ds_write", "disable");
    return info;
}

/* A chunk that ranks share is read by the one that writes it: where that failed, nothing can be
 * unpacked, and HDF5 would leave this rank's H5Dwrite alone. What it goes on with is thrown away.
 */
static H5Z_cb_return_t go_on(H5Z_filter_t filter, void *bytes, size_t size, void *context)
{
    (void)filter, (void)bytes, (void)size, (void)context;
    scope_hold_error("a chunk cannot be unpacked");
    return H5Z_CB_CONT;
}

static hid_t transfer_together(void)
{
    const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    if (transfer >= 0 && H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) >= 0 &&
        H5Pset_filter_callback(transfer, go_on, NULL) >= 0)
        return transfer;
    if (transfer >= 0)
        H5Pclose(transfer);
    return H5I_INVALID_HID;
}

static hid_t open_together(scope_job *job, const char *path)
{
    MPI_Comm comm = *(MPI_Comm *)job->world->mpi_comm;
    MPI_Info info = without_locks(); /* HDF5 makes a copy */
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_fapl_mpio(access, comm, info) >= 0 &&
        H5Pset_all_coll_metadata_ops(access, true) >= 0 &&
        H5Pset_coll_metadata_write(access, true) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        file = H5Fopen(path, H5F_ACC_RDWR, access);
    if (access >= 0)
        H5Pclose(access);
    if (info != MPI_INFO_NULL)
        PMPI_Info_free(&info);
    if (file < 0)
        job->status =
            scope_fail(SCOPE_ERR_IO, "cannot open the file together: %s", scope_h5_reason());
    return file;
}

/* Rows [first, first + count) of mine; 0: I only take part. */
static int write_rows(const scope_job *job, hid_t dataset, hid_t type, hid_t transfer,
                      size_t column, size_t first, size_t count, void *room)
{
    const scope_column *at = &scope_columns[column];
    const int rank = at->file == SCOPE_CELL_HISTOGRAM ? 2 : 1;
    const hsize_t start[2] = {job->plan.before[at->table] + first, 0};
    const hsize_t size[2] = {count ? count : 1, SCOPE_HISTOGRAM_LENGTH};
    const hid_t memory = H5Screate_simple(rank, size, NULL), space = H5Dget_space(dataset);
    int failed = memory < 0 || space < 0;
    if (!failed && count)
        failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) < 0;
    else if (!failed)
        failed = H5Sselect_none(memory) < 0 || H5Sselect_none(space) < 0;
    const void *bytes =
        count ? scope_rows_encode(&job->rows, &job->plan, column, first, count, room) : room;
    failed = H5Dwrite(dataset, type, memory, space, transfer, bytes) < 0 || failed;
    if (space >= 0)
        H5Sclose(space);
    if (memory >= 0)
        H5Sclose(memory);
    return failed;
}

/* What one rank could not write another may read in HDF5's next step, and fail at it alone. */
static bool all_wrote(scope_job *job)
{
    const char *error = scope_held_error();
    if (error)
        job->status = scope_fail(SCOPE_ERR_IO, "cannot write: %s", error);
    return scope_job_all_well(job);
}

/* Rank 0 reads for all, so that what it cannot read fails on all alike. The property of the file
 * does not do that. */
static hid_t open_dataset(hid_t file, const char *path)
{
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t dataset = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_all_coll_metadata_ops(access, true) >= 0)
        dataset = H5Dopen2(file, path, access);
    if (access >= 0)
        H5Pclose(access);
    return dataset;
}

/* Memory and file have one type, so that HDF5 converts nothing and writes together. false, on
 * all ranks: it went wrong before. */
static bool write_column(scope_job *job, hid_t file, hid_t transfer, size_t column, uint64_t most,
                         void *room)
{
    const scope_column *at = &scope_columns[column];
    const size_t mine = scope_rows_count(&job->rows, at->table);
    const uint32_t width = job->plan.width[column] ? job->plan.width[column] : 1;
    const hid_t type = scope_cell_type(at->file, width);
    const hid_t dataset = open_dataset(file, at->path);
    int failed = dataset < 0;
    bool good = true;
    for (uint64_t first = 0; first < most && (good = all_wrote(job)); first += ROWS_AT_ONCE) {
        const size_t left = mine > first ? mine - (size_t)first : 0;
        const size_t now = left < ROWS_AT_ONCE ? left : (size_t)ROWS_AT_ONCE;
        failed |= write_rows(job, dataset, type, transfer, column, (size_t)first, now, room);
    }
    if (failed && job->status == SCOPE_OK)
        job->status = scope_fail(SCOPE_ERR_IO, "cannot write %s: %s", at->path, scope_h5_reason());
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Tclose(type);
    return good;
}

static bool is_written(const scope_plan *plan, size_t column)
{
    return plan->present[column] && plan->total[scope_columns[column].table] &&
           !scope_plan_is_wide(plan, column);
}

/* Room for the rows of a column that a rank writes at once. */
static size_t room_bytes(const scope_job *job)
{
    size_t most = 1;
    for (size_t i = 0; i < scope_column_count; i++)
        if (is_written(&job->plan, i)) {
            const size_t count = scope_rows_count(&job->rows, scope_columns[i].table);
            const size_t now = count < ROWS_AT_ONCE ? count : (size_t)ROWS_AT_ONCE;
            const size_t bytes = now * scope_plan_row_bytes(&job->plan, i);
            most = bytes > most ? bytes : most;
        }
    return most;
}

/* Of the rank that has most: so often all have to write. */
static bool most_rows(scope_job *job, int64_t most[SCOPE_TABLE_COUNT])
{
    int64_t mine[SCOPE_TABLE_COUNT];
    for (int t = 0; t < SCOPE_TABLE_COUNT; t++)
        mine[t] = (int64_t)scope_rows_count(&job->rows, (scope_table)t);
    return scope_job_connected(job, job->world->most(job->world, mine, most, SCOPE_TABLE_COUNT));
}

static bool write_together(scope_job *job, const scope_news *news)
{
    int64_t most[SCOPE_TABLE_COUNT];
    void *room = malloc(room_bytes(job));
    const hid_t transfer = transfer_together();
    if (!room || transfer < 0)
        job->status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    bool good = scope_job_all_well(job) && most_rows(job, most);
    const hid_t file = good ? open_together(job, news->path) : H5I_INVALID_HID;
    good = good && scope_job_all_well(job); /* else nobody closes it: that would be collective */
    bool goes_on = good;
    for (size_t i = 0; goes_on && i < scope_column_count; i++)
        if (is_written(&job->plan, i))
            goes_on =
                write_column(job, file, transfer, i, (uint64_t)most[scope_columns[i].table], room);
    if (good && !(job->options && job->options->no_sync) && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 &&
        job->status == SCOPE_OK)
        job->status = scope_fail(SCOPE_ERR_IO, "cannot write: %s", scope_h5_reason());
    if (good && H5Fclose(file) < 0 && job->status == SCOPE_OK)
        job->status = scope_fail(SCOPE_ERR_IO, "cannot close the file: %s", scope_h5_reason());
    if (transfer >= 0)
        H5Pclose(transfer);
    free(room);
    scope_release_errors();
    return all_wrote(job) && good;
}

/* Room that was taken and not used. */
static void trim(scope_job *job)
{
    struct stat status;
    if (job->world->rank == 0 &&
        (fstat(job->draft.fd, &status) != 0 || ftruncate(job->draft.fd, status.st_size) != 0))
        job->status = scope_fail(scope_status_of_errno(errno), "%s", strerror(errno));
}

/* false: failed, or declined. */
static bool write_rows_of_all(scope_job *job, char declined[256])
{
    scope_news *news = malloc(sizeof *news);
    if (!news)
        job->status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    bool good = scope_job_all_well(job) && scope_job_announce(job, news);
    if (good) {
        look_at_room(job, news, declined);
        good =
            scope_job_connected(job, scope_mode_object(job->world, declined, 256)) && !declined[0];
    }
    good = good && write_together(job, news);
    scope_release_errors(); /* of a rank that others declined */
    free(news);
    return good;
}

SCOPE_API scope_status scope_hdf5_write_parallel(const scope_parallel_request *request,
                                                 scope_sink_report *report, char declined[256])
{
    scope_job job;
    declined[0] = '\0';
    look_at_library(request, declined);
    scope_status status = scope_mode_object(request->world, declined, 256);
    if (status != SCOPE_OK || declined[0])
        return status;
    scope_job_begin(&job, request->path, request->calls, request->world, request->options,
                    request->mode);
    if (scope_job_agree(&job) && scope_job_open(&job) && scope_job_create(&job, NULL) &&
        write_rows_of_all(&job, declined)) {
        trim(&job);
        if (scope_job_all_well(&job))
            scope_job_publish(&job);
    }
    return scope_job_end(&job, report);
}
