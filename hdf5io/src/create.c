/* create.c - see create.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "create.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "message.h"
#include "metadata.h"
#include "text.h"

scope_status scope_creation_begin(scope_creation *creation, int fd, bool is_index)
{
    *creation = (scope_creation){{fd, 0}, H5I_INVALID_HID};
    const hid_t access = scope_driver_access(&creation->driver);
    if (access >= 0) {
        if (is_index)
            H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
        creation->file = H5Fcreate("scope", H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
    }
    return creation->file < 0
               ? scope_fail(SCOPE_ERR_IO, "cannot start an HDF5 file: %s", scope_h5_reason())
               : SCOPE_OK;
}

scope_status scope_creation_end(scope_creation *creation)
{
    scope_status status = SCOPE_OK;
    if (creation->file >= 0 && H5Fclose(creation->file) < 0)
        status = scope_fail(SCOPE_ERR_IO, "cannot close the HDF5 file: %s", scope_h5_reason());
    creation->file = H5I_INVALID_HID;
    const int error = creation->driver.error; /* says more than what HDF5 made of it */
    return error ? scope_fail(scope_status_of_errno(error), "%s", strerror(error)) : status;
}

static scope_status no_dataset(const char *path)
{
    return scope_fail(SCOPE_ERR_IO, "cannot create %s: %s", path, scope_h5_reason());
}

/* How a dataset is stored. `early`: allocated now. */
static hid_t storage(int early)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0)
        return list;
    int failed = 0;
    if (early) {
        failed = H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) < 0 ||
                 H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) < 0;
    }
    if (failed) {
        H5Pclose(list);
        return H5I_INVALID_HID;
    }
    return list;
}

static scope_status chunked_storage(const scope_plan *plan, hid_t *list)
{
    const hsize_t chunk = plan->chunk_rows;
    *list = H5Pcreate(H5P_DATASET_CREATE);
    if (*list < 0 || H5Pset_chunk(*list, 1, &chunk) < 0)
        return scope_fail(SCOPE_ERR_IO, "cannot use chunks: %s", scope_h5_reason());
    return scope_filter_set(*list, (scope_filter)plan->filter, plan->filter_level);
}

static hid_t create_dataset(hid_t file, const char *path, hid_t type, int rank, const hsize_t *dims,
                            hid_t stored)
{
    /* only what is chunked can grow, and chunks longer than the rows need it */
    const hsize_t endless[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const bool extendible = stored != H5P_DEFAULT && H5Pget_layout(stored) == H5D_CHUNKED;
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    const hid_t space =
        rank ? H5Screate_simple(rank, dims, extendible ? endless : NULL) : H5Screate(H5S_SCALAR);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t dataset = H5Dcreate2(file, path, type, space, links, stored, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(links);
    return dataset;
}

static scope_status create_column(hid_t file, scope_plan *plan, size_t index,
                                  const scope_pieces *pieces)
{
    const scope_column *column = &scope_columns[index];
    const bool wide = scope_plan_is_wide(plan, index);
    const bool chunked = scope_plan_is_chunked(plan, index);
    const bool elsewhere = scope_plan_is_virtual(plan, index);
    const bool placed = !wide && !chunked && !elsewhere && plan->total[column->table];
    const hsize_t dims[2] = {plan->total[column->table], SCOPE_HISTOGRAM_LENGTH};
    const uint32_t width = plan->width[index] ? plan->width[index] : 1;
    const hid_t type = scope_cell_type(column->file, wide ? 0 : width);
    hid_t stored = H5I_INVALID_HID;
    scope_status status = chunked     ? chunked_storage(plan, &stored)
                          : elsewhere ? scope_virtual_storage(plan, index, pieces, &stored)
                                      : SCOPE_OK;
    if (!chunked && !elsewhere)
        stored = storage(!wide);
    const hid_t dataset =
        status == SCOPE_OK
            ? create_dataset(file, column->path, type, column->file == SCOPE_CELL_HISTOGRAM ? 2 : 1,
                             dims, stored)
            : H5I_INVALID_HID;
    const haddr_t offset = dataset < 0 || !placed ? HADDR_UNDEF : H5Dget_offset(dataset);
    if (status == SCOPE_OK && dataset < 0)
        status = no_dataset(column->path);
    if (status == SCOPE_OK && placed && offset == HADDR_UNDEF)
        status = no_dataset(column->path);
    plan->offset[index] = offset == HADDR_UNDEF ? SCOPE_NO_OFFSET : (uint64_t)offset;
    if (dataset >= 0)
        H5Dclose(dataset);
    if (stored >= 0)
        H5Pclose(stored);
    H5Tclose(type);
    return status;
}

/* A small array of fixed-size values, written now. */
static scope_status write_array(hid_t file, const char *path, hid_t type, hsize_t count,
                                const void *values, uint64_t *offset)
{
    const hid_t stored = storage(1);
    const hid_t dataset = create_dataset(file, path, type, 1, &count, stored);
    const int failed = dataset < 0 || (count && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL,
                                                         H5P_DEFAULT, values) < 0);
    if (!failed && offset)
        *offset = H5Dget_offset(dataset);
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Pclose(stored);
    return failed ? no_dataset(path) : SCOPE_OK;
}

/* Variable-length strings of `display`, some at a time. */
static int write_names(hid_t dataset, hid_t type, const scope_strings *display)
{
    enum { BATCH = 65536 };
    const char **texts = malloc(BATCH * sizeof *texts);
    const hsize_t total = display->count;
    const hid_t space = H5Screate_simple(1, &total, NULL);
    int failed = !texts || space < 0;
    for (hsize_t first = 0; !failed && first < total; first += BATCH) {
        const hsize_t count = total - first < BATCH ? total - first : BATCH;
        for (hsize_t i = 0; i < count; i++)
            texts[i] = scope_text_display_name(display, first + i);
        const hid_t memory = H5Screate_simple(1, &count, NULL);
        failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0 ||
                 H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, texts) < 0;
        H5Sclose(memory);
    }
    if (space >= 0)
        H5Sclose(space);
    free(texts);
    return failed;
}

static scope_status create_names(hid_t file, const scope_strings *names, uint64_t shown)
{
    const scope_strings listed = {names->bytes, names->ends, shown};
    scope_strings display;
    scope_status status = scope_text_display_names(&listed, &display);
    if (status != SCOPE_OK)
        return scope_fail(status, "out of memory for the names of the regions");
    const hsize_t count = names->count, rows = shown;
    const hid_t type = scope_text_type(0), stored = storage(0);
    const hid_t dataset = create_dataset(file, SCOPE_DATASET_NAMES, type, 1, &rows, stored);
    if (dataset < 0 || write_names(dataset, type, &display))
        status = no_dataset(SCOPE_DATASET_NAMES);
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Pclose(stored);
    H5Tclose(type);
    scope_strings_free(&display);
    if (status == SCOPE_OK)
        status = write_array(file, SCOPE_DATASET_EXACT_NAMES, H5T_NATIVE_UINT8,
                             count ? names->ends[count - 1] : 0, names->bytes, NULL);
    if (status == SCOPE_OK)
        status = write_array(file, SCOPE_DATASET_EXACT_ENDS, H5T_NATIVE_UINT64, count, names->ends,
                             NULL);
    return status;
}

static scope_status create_topology(hid_t file, scope_string topology)
{
    if (!topology.length_bytes)
        return SCOPE_OK;
    char *text = calloc(1, scope_text_display(topology.bytes, topology.length_bytes, NULL) + 1);
    if (!text)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    scope_text_display(topology.bytes, topology.length_bytes, text);
    const hid_t type = scope_text_type(0);
    const hid_t dataset = create_dataset(file, SCOPE_DATASET_TOPOLOGY, type, 0, NULL, H5P_DEFAULT);
    const int failed =
        dataset < 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Tclose(type);
    free(text);
    return failed ? no_dataset(SCOPE_DATASET_TOPOLOGY) : SCOPE_OK;
}

static int write_attribute(hid_t object, const char *name, hid_t type, const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int failed = attribute < 0 || H5Awrite(attribute, type, value) < 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return failed;
}

static scope_status create_roots(hid_t file, const scope_plan *plan)
{
    const int64_t schema = SCOPE_SCHEMA, format = SCOPE_FORMAT_VERSION;
    const char *layout = plan->is_aggregate ? SCOPE_LAYOUT_AGGREGATE : SCOPE_LAYOUT_COLUMNAR;
    const hid_t type = scope_text_type(0);
    int failed = write_attribute(file, SCOPE_ATTRIBUTE_SCHEMA, H5T_NATIVE_INT64, &schema) ||
                 write_attribute(file, SCOPE_ATTRIBUTE_LAYOUT, type, &layout);
    H5Tclose(type);
    const hid_t own = H5Gcreate2(file, SCOPE_GROUP_OWN, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    failed = failed || own < 0 ||
             write_attribute(own, SCOPE_ATTRIBUTE_FORMAT, H5T_NATIVE_INT64, &format);
    if (own >= 0)
        H5Gclose(own);
    return failed ? scope_fail(SCOPE_ERR_IO, "cannot start the HDF5 file: %s", scope_h5_reason())
                  : SCOPE_OK;
}

scope_status scope_creation_layout(const scope_creation *creation, scope_plan *plan,
                                   const scope_calls *calls, const scope_strings *names,
                                   const scope_pieces *pieces)
{
    const hid_t file = creation->file;
    scope_status status = create_roots(file, plan);
    if (status == SCOPE_OK)
        status = scope_metadata_write(file, calls, plan);
    if (status == SCOPE_OK)
        status = create_names(file, names, plan->shown_names);
    if (status == SCOPE_OK)
        status = create_topology(file, calls->topology);
    if (status == SCOPE_OK)
        status = write_array(file, SCOPE_DATASET_FILE_ID, H5T_NATIVE_UINT8, SCOPE_FILE_ID_BYTES,
                             plan->file_id, &plan->file_id_offset);
    for (size_t i = 0; status == SCOPE_OK && i < scope_column_count; i++)
        if (plan->present[i])
            status = create_column(file, plan, i, pieces);
    return status;
}
