/* driver.c - see driver.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "driver.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "publish.h"

typedef struct driver_file {
    H5FD_t base; /* HDF5's part comes first */
    scope_driver *driver;
    pid_t owner; /* a child forked meanwhile has a copy, which its exit handler would flush */
    haddr_t eoa, eof;
} driver_file;

typedef struct driver_info {
    scope_driver *driver;
} driver_info;

static hid_t driver_id = H5I_INVALID_HID;

static bool is_foreign(const driver_file *file)
{
    return file->owner != getpid();
}

static void keep_error(driver_file *file, int error)
{
    if (!file->driver->error)
        file->driver->error = error ? error : EIO;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t maxaddr)
{
    (void)name, (void)flags, (void)maxaddr;
    const driver_info *info = H5Pget_driver_info(access);
    driver_file *file = calloc(1, sizeof *file);
    struct stat status;
    if (!info || !file || fstat(info->driver->fd, &status) != 0) {
        free(file);
        return NULL;
    }
    file->driver = info->driver;
    file->owner = getpid();
    file->eof = (haddr_t)status.st_size;
    return &file->base;
}

static herr_t close_file(H5FD_t *base)
{
    free(base);
    return 0;
}

static int compare_files(const H5FD_t *left, const H5FD_t *right)
{
    const int a = ((const driver_file *)left)->driver->fd;
    const int b = ((const driver_file *)right)->driver->fd;
    return (a > b) - (a < b);
}

static herr_t query_features(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                 H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->eoa;
}

static herr_t set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((driver_file *)base)->eoa = address;
    return 0;
}

static haddr_t get_eof(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->eof;
}

static herr_t read_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, void *buffer)
{
    (void)type, (void)transfer;
    driver_file *file = (driver_file *)base;
    char *at = buffer;
    if (is_foreign(file)) {
        memset(at, 0, size);
        return 0;
    }
    while (size) {
        const ssize_t got = pread(file->driver->fd, at, size, (off_t)address);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) { /* beyond the end: zeros, as in a sparse file */
            if (got < 0)
                keep_error(file, errno);
            memset(at, 0, size);
            break;
        }
        at += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t write_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, const void *buffer)
{
    (void)type, (void)transfer;
    driver_file *file = (driver_file *)base;
    if (!is_foreign(file) && !file->driver->error) {
        const int error = scope_write_all(file->driver->fd, buffer, size, address);
        if (error)
            keep_error(file, error);
    }
    if (address + size > file->eof)
        file->eof = address + size;
    return 0;
}

static herr_t truncate_file(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    driver_file *file = (driver_file *)base;
    if (!is_foreign(file) && file->eoa != file->eof && !file->driver->error &&
        ftruncate(file->driver->fd, (off_t)file->eoa) != 0)
        keep_error(file, errno);
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)604, /* of the range for drivers that are not registered */
#endif
    .name = "scope",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_info),
    .open = open_file,
    .close = close_file,
    .cmp = compare_files,
    .query = query_features,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t scope_driver_access(scope_driver *driver)
{
    if (driver_id < 0 || H5Iget_type(driver_id) != H5I_VFL) /* HDF5 may have been shut down since */
        driver_id = H5FDregister(&driver_class);
    const driver_info info = {driver};
    const hid_t access = driver_id < 0 ? H5I_INVALID_HID : H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    /* V18: object headers with checksums, which every HDF5 since 2008 reads. */
    if (H5Pset_driver(access, driver_id, &info) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}
