/* read.c - see read.h: datasets.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "message.h"
#include "rehearse.h"

#define LARGEST_RATIO 2000u  /* deflate packs at most 1032 : 1 */
#define LARGEST_OTHER 65536u /* Zstandard more */

scope_status scope_read_corrupt(const scope_reading *reading, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return scope_fail(SCOPE_ERR_CORRUPT, "%s: %s", reading->path, text);
}

static scope_status no_memory(const scope_reading *reading)
{
    return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
}

static bool fits(const scope_reading *reading, uint64_t count, size_t size_bytes)
{
    uint64_t bytes;
    return !__builtin_mul_overflow(count, size_bytes, &bytes) &&
           bytes / (reading->is_packed_more ? LARGEST_OTHER : LARGEST_RATIO) <=
               reading->file_bytes + 4096;
}

/* A rehearsal is given time and memory for what the file unpacks to: deflated columns can be
 * a thousand times longer than the file. 20 MB in a second is far less than it takes; a chunk
 * may be in memory three times while it is unpacked. */
static void allow_for(const scope_reading *reading, uint64_t count, size_t size_bytes)
{
    if (reading->rehearsal && fits(reading, count, size_bytes))
        scope_rehearse_allow((unsigned)(count * size_bytes / 20000000), 3 * count * size_bytes);
}

scope_status scope_read_room(const scope_reading *reading, uint64_t count, size_t size_bytes,
                             void **room)
{
    if (!fits(reading, count, size_bytes))
        return scope_read_corrupt(reading, "a dataset is longer than the file can hold");
    if (reading->rehearsal)
        scope_rehearse_allow(0, count * size_bytes);
    *room = scope_calls_alloc(reading->calls, (size_t)count, size_bytes);
    return *room ? SCOPE_OK : no_memory(reading);
}

/* HDF5 follows links to whatever file they name, a pipe too; we and 0.7.5 write none. So every
 * part of a path has to be in this file. */
bool scope_read_has(const scope_reading *reading, const char *path)
{
    char part[SCOPE_READ_PATH_MAX];
    H5L_info_t info;
    for (const char *slash = path; slash;) {
        slash = strchr(slash + 1, '/');
        const size_t length = slash ? (size_t)(slash - path) : strlen(path);
        if (length >= sizeof part)
            return false;
        memcpy(part, path, length);
        part[length] = '\0';
        if (H5Lexists(reading->file, part, H5P_DEFAULT) <= 0 ||
            H5Lget_info(reading->file, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

/* Of a dataset whose rows HDF5 would take from other files: refused, but for the columns of an
 * index, whose shape is asked for (`shape`): known without a look at those files. */
static bool is_in_file(hid_t dataset, bool shape, hid_t *space)
{
    const hid_t stored = H5Dget_create_plist(dataset);
    const bool is_virtual = stored >= 0 && H5Pget_layout(stored) == H5D_VIRTUAL;
    const bool inside = stored >= 0 && (is_virtual ? shape : H5Pget_external_count(stored) <= 0);
    *space = H5I_INVALID_HID;
    if (inside)
        *space = is_virtual ? H5Pget_virtual_vspace(stored, 0) : H5Dget_space(dataset);
    if (stored >= 0)
        H5Pclose(stored);
    return inside;
}

/* Shape of a dataset, at most two dimensions. */
static scope_status open_dataset(const scope_reading *reading, const char *path, bool shape,
                                 hid_t *dataset, int *rank, hsize_t dims[2])
{
    *dataset = H5I_INVALID_HID;
    if (!scope_read_has(reading, path))
        return scope_read_corrupt(reading, "%s is missing", path);
    *dataset = H5Dopen2(reading->file, path, H5P_DEFAULT);
    if (*dataset < 0)
        return scope_read_corrupt(reading, "%s cannot be opened: %s", path, scope_h5_reason());
    dims[0] = dims[1] = 1;
    hid_t space;
    const bool inside = is_in_file(*dataset, shape, &space);
    *rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    const bool good = *rank >= 0 && *rank <= 2 && H5Sget_simple_extent_dims(space, dims, NULL) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (good)
        return SCOPE_OK;
    H5Dclose(*dataset);
    return scope_read_corrupt(reading,
                              inside ? "%s has an unknown shape" : "%s is not in this file", path);
}

scope_status scope_read_length(const scope_reading *reading, const char *path, uint64_t *length)
{
    hid_t dataset;
    int rank = 0;
    hsize_t dims[2];
    const scope_status status = open_dataset(reading, path, true, &dataset, &rank, dims);
    if (status != SCOPE_OK)
        return status;
    H5Dclose(dataset);
    *length = dims[0];
    return rank >= 1 ? SCOPE_OK : scope_read_corrupt(reading, "%s is not a column", path);
}

/* summary_statistics as they lie in memory; the GPU's members are derived. */
static hid_t statistics_in_memory(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(scope_statistics));
#define MEMBER(name) H5Tinsert(type, #name, offsetof(scope_statistics, name), H5T_NATIVE_INT64)
    MEMBER(total);
    MEMBER(minimum);
    MEMBER(maximum);
    MEMBER(first);
    MEMBER(last);
    MEMBER(start_minimum);
    MEMBER(end_maximum);
#undef MEMBER
    H5Tinsert(type, "mean", offsetof(scope_statistics, mean), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "m2", offsetof(scope_statistics, m2), H5T_NATIVE_DOUBLE);
    return type;
}

static bool class_fits(hid_t dataset, scope_cell cell)
{
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    if (type >= 0)
        H5Tclose(type);
    switch (cell) {
    case SCOPE_CELL_TEXT:
        return class == H5T_STRING;
    case SCOPE_CELL_STATISTICS:
        return class == H5T_COMPOUND;
    case SCOPE_CELL_F64:
        return class == H5T_FLOAT || class == H5T_INTEGER;
    default:
        return class == H5T_INTEGER || class == H5T_ENUM; /* h5py's bool is an enum */
    }
}

/* Contiguous numbers that need no conversion: one read(2) of a place that HDF5
 * has checked. */
static bool is_plain(hid_t dataset, hid_t type)
{
    const hid_t stored = H5Dget_create_plist(dataset), own = H5Dget_type(dataset);
    const H5T_class_t class = own < 0 ? H5T_NO_CLASS : H5Tget_class(own);
    const bool plain = stored >= 0 && H5Pget_layout(stored) == H5D_CONTIGUOUS &&
                       (class == H5T_INTEGER || class == H5T_FLOAT) && H5Tequal(own, type) > 0;
    if (own >= 0)
        H5Tclose(own);
    if (stored >= 0)
        H5Pclose(stored);
    return plain;
}

static herr_t read_rows(hid_t dataset, hid_t type, const hsize_t dims[2], uint64_t first,
                        uint64_t count, void *out)
{
    if (count == dims[0])
        return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
    const hsize_t start = first, rows = count;
    const hid_t memory = H5Screate_simple(1, &rows, NULL), space = H5Dget_space(dataset);
    herr_t result = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &rows, NULL);
    if (result >= 0)
        result = H5Dread(dataset, type, memory, space, H5P_DEFAULT, out);
    H5Sclose(space);
    H5Sclose(memory);
    return result;
}

/* `whole`: the column has no other rows. */
static scope_status read_cells(const scope_reading *reading, const char *path, scope_cell cell,
                               uint64_t first, uint64_t count, bool whole, void *out)
{
    hid_t dataset;
    int rank;
    hsize_t dims[2];
    scope_status status = open_dataset(reading, path, false, &dataset, &rank, dims);
    if (status != SCOPE_OK)
        return status;
    const bool histogram = cell == SCOPE_CELL_HISTOGRAM;
    if (!whole && rank == 1 && (first > dims[0] || count > dims[0] - first))
        status = scope_read_corrupt(reading, "%s has %llu rows: those from %llu on are missing",
                                    path, (unsigned long long)dims[0], (unsigned long long)first);
    else if (rank != (histogram ? 2 : 1) || (whole && dims[0] != count) ||
             (histogram && dims[1] != SCOPE_HISTOGRAM_LENGTH))
        status = scope_read_corrupt(reading, "%s has %llu rows instead of %llu", path,
                                    (unsigned long long)dims[0], (unsigned long long)count);
    else if (!class_fits(dataset, cell))
        status = scope_read_corrupt(reading, "%s has an unknown type", path);
    const hid_t type =
        cell == SCOPE_CELL_STATISTICS ? statistics_in_memory() : scope_cell_type(cell, 1);
    const bool skip = reading->rehearsal && is_plain(dataset, type);
    if (status == SCOPE_OK && !skip)
        allow_for(reading, count, scope_cell_memory_bytes(cell));
    if (status == SCOPE_OK && count && !skip &&
        read_rows(dataset, type, dims, first, count, out) < 0) {
        char reason[256];
        snprintf(reason, sizeof reason, "%s", scope_h5_reason());
        const char *filter = scope_filter_missing(dataset);
        status = filter ? scope_fail(SCOPE_ERR_LIBRARY,
                                     "%s: compressed with %s, which this HDF5 does not have "
                                     "(HDF5_PLUGIN_PATH can name a folder with it)",
                                     reading->path, filter)
                        : scope_read_corrupt(reading, "%s cannot be read: %s", path, reason);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    return status;
}

scope_status scope_read_cells(const scope_reading *reading, const char *path, scope_cell cell,
                              uint64_t count, void *out)
{
    return read_cells(reading, path, cell, 0, count, true, out);
}

scope_status scope_read_slice(const scope_reading *reading, const char *path, scope_cell cell,
                              uint64_t first, uint64_t count, void *out)
{
    return read_cells(reading, path, cell, first, count, false, out);
}

static scope_status keep_text(const scope_reading *reading, const char *bytes, size_t length,
                              scope_string *out)
{
    *out = scope_calls_string(reading->calls, bytes, length);
    return out->length_bytes == length ? SCOPE_OK : no_memory(reading);
}

/* Rows [first, first + count) of a string dataset. */
static scope_status read_some(const scope_reading *reading, hid_t dataset, int rank, hsize_t first,
                              hsize_t count, size_t width, H5T_str_t pad, void *room,
                              scope_string *out)
{
    const hid_t type = scope_text_type(width), memory = H5Screate_simple(1, &count, NULL);
    const hid_t space = rank ? H5Dget_space(dataset) : H5S_ALL;
    scope_status status = SCOPE_OK;
    if (width) /* padded as it is in the file, or HDF5 would convert */
        H5Tset_strpad(type, pad);
    if ((rank && H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0) ||
        H5Dread(dataset, type, rank ? memory : H5S_ALL, space, H5P_DEFAULT, room) < 0)
        status = scope_read_corrupt(reading, "strings cannot be read: %s", scope_h5_reason());
    const bool whole = status == SCOPE_OK;
    for (hsize_t i = 0; status == SCOPE_OK && i < count; i++) {
        const char *text = width ? (const char *)room + i * width : ((char **)room)[i];
        size_t length = !text ? 0 : width ? strnlen(text, width) : strlen(text);
        while (pad == H5T_STR_SPACEPAD && width && length && text[length - 1] == ' ')
            length--;
        status = keep_text(reading, text ? text : "", length, &out[first + i]);
    }
    if (whole && !width) {
#if H5_VERSION_GE(1, 12, 0)
        H5Treclaim(type, memory, H5P_DEFAULT, room);
#else
        H5Dvlen_reclaim(type, memory, H5P_DEFAULT, room);
#endif
    }
    if (rank)
        H5Sclose(space);
    H5Sclose(memory);
    H5Tclose(type);
    return status;
}

scope_status scope_read_texts(const scope_reading *reading, const char *path, uint64_t count,
                              scope_string *out)
{
    enum { BATCH = 16384 };
    hid_t dataset;
    int rank;
    hsize_t dims[2];
    scope_status status = open_dataset(reading, path, false, &dataset, &rank, dims);
    if (status != SCOPE_OK)
        return status;
    const hid_t type = H5Dget_type(dataset);
    const bool variable = H5Tis_variable_str(type) > 0;
    const size_t width = variable ? 0 : H5Tget_size(type);
    const H5T_str_t pad = H5Tget_strpad(type);
    const uint64_t at_once = count < BATCH ? count : BATCH;
    void *room = NULL;
    H5Tclose(type);
    if (rank > 1 || dims[0] != count)
        status = scope_read_corrupt(reading, "%s has %llu rows instead of %llu", path,
                                    (unsigned long long)dims[0], (unsigned long long)count);
    else if (!class_fits(dataset, SCOPE_CELL_TEXT) || (!variable && !width))
        status = scope_read_corrupt(reading, "%s does not hold text", path);
    else if (!fits(reading, count, variable ? 1 : width))
        status = scope_read_corrupt(reading, "%s is longer than the file can hold", path);
    else if (!(room = calloc(at_once ? at_once : 1, variable ? sizeof(char *) : width)))
        status = no_memory(reading);
    allow_for(reading, count, variable ? 1 : width);
    for (uint64_t first = 0; status == SCOPE_OK && first < count; first += BATCH)
        status = read_some(reading, dataset, rank, first,
                           count - first < BATCH ? count - first : BATCH, width, pad, room, out);
    free(room);
    H5Dclose(dataset);
    return status;
}
