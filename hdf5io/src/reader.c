/* reader.c - a file becomes a call table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter.h"
#include "lzf.h"
#include "message.h"
#include "read.h"
#include "rehearse.h"

struct scope_file {
    scope_calls *calls;
};

/* The first bytes: is it HDF5 at all? A user block may come before the signature. */
static bool has_signature(int fd, uint64_t length)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[8];
    for (uint64_t at = 0; at + sizeof bytes <= length; at = at ? at * 2 : 512)
        if (pread(fd, bytes, sizeof bytes, (off_t)at) == (ssize_t)sizeof bytes &&
            memcmp(bytes, signature, sizeof bytes) == 0)
            return true;
    return false;
}

static scope_status look_at(const char *path, uint64_t *length)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return scope_fail(scope_status_of_errno(errno), "%s: %s", path, strerror(errno));
    const bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    *length = regular ? (uint64_t)status.st_size : 0;
    const bool hdf5 = regular && has_signature(fd, *length);
    close(fd);
    return hdf5 ? SCOPE_OK : scope_fail(SCOPE_ERR_CORRUPT, "%s: not an HDF5 file", path);
}

/* ERR_VERSION: a number that is none of ours. */
static scope_status check_schema(const scope_reading *reading, int64_t *schema)
{
    bool exists;
    *schema = 1;
    if (!scope_read_integer_attribute(reading, "/", SCOPE_ATTRIBUTE_SCHEMA, schema, &exists) &&
        exists)
        return scope_fail(SCOPE_ERR_VERSION, "%s: its schema is not a number", reading->path);
    if (*schema > SCOPE_SCHEMA)
        return scope_fail(
            SCOPE_ERR_VERSION,
            "%s: schema %lld is newer than this version knows; upgrade scope-profiler",
            reading->path, (long long)*schema);
    if (*schema < 1)
        return scope_fail(SCOPE_ERR_VERSION, "%s: schema %lld does not exist", reading->path,
                          (long long)*schema);
    if (!exists && scope_read_has(reading, SCOPE_DATASET_NAMES))
        *schema = SCOPE_SCHEMA; /* what its columns are called says the rest */
    else if (!exists && !scope_read_has(reading, SCOPE_GROUP_RANK_0) &&
             !scope_read_has(reading, SCOPE_GROUP_METADATA))
        return scope_read_corrupt(reading,
                                  "not a profile (no attribute " SCOPE_ATTRIBUTE_SCHEMA ")");
    return SCOPE_OK;
}

_Static_assert(sizeof(scope_region_row) == sizeof(scope_string), "regions are an array of names");

static scope_status read_shown_names(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    uint64_t count;
    void *rows = NULL;
    scope_status status = scope_read_length(reading, SCOPE_DATASET_NAMES, &count);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, sizeof(scope_region_row), &rows);
    if (status != SCOPE_OK)
        return status;
    calls->regions = rows;
    calls->region_count = (size_t)count;
    return scope_read_texts(reading, SCOPE_DATASET_NAMES, count, &calls->regions[0].name);
}

/* Exact names: also of regions that have no row in the index. */
static scope_status read_exact_names(const scope_reading *reading)
{
    scope_calls *calls = reading->calls;
    uint64_t count, bytes = 0, shown = 0;
    void *rows = NULL, *ends = NULL, *blob = NULL;
    scope_status status = scope_read_length(reading, SCOPE_DATASET_EXACT_ENDS, &count);
    if (status == SCOPE_OK)
        status = scope_read_length(reading, SCOPE_DATASET_EXACT_NAMES, &bytes);
    if (status == SCOPE_OK)
        status = scope_read_length(reading, SCOPE_DATASET_NAMES, &shown);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, sizeof(scope_region_row), &rows);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, bytes, 1, &blob);
    if (status == SCOPE_OK)
        status = scope_read_cells(reading, SCOPE_DATASET_EXACT_NAMES, SCOPE_CELL_U8, bytes, blob);
    if (status == SCOPE_OK)
        status = scope_read_room(reading, count, sizeof(uint64_t), &ends);
    if (status == SCOPE_OK)
        status = scope_read_cells(reading, SCOPE_DATASET_EXACT_ENDS, SCOPE_CELL_U64, count, ends);
    if (status == SCOPE_OK && shown > count)
        status = scope_read_corrupt(reading, "names of regions are missing");
    if (status != SCOPE_OK)
        return status;
    calls->regions = rows;
    calls->region_count = (size_t)count;
    const uint64_t *end = ends;
    for (uint64_t i = 0, start = 0; i < count; start = end[i++]) {
        if (end[i] < start || end[i] > bytes)
            return scope_read_corrupt(reading, "the names of the regions are damaged");
        calls->regions[i].name =
            scope_calls_string(calls, (const char *)blob + start, end[i] - start);
        if (calls->regions[i].name.length_bytes != end[i] - start)
            return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    }
    return SCOPE_OK;
}

static scope_status read_names(const scope_reading *reading)
{
    return scope_read_has(reading, SCOPE_DATASET_EXACT_NAMES) &&
                   scope_read_has(reading, SCOPE_DATASET_EXACT_ENDS)
               ? read_exact_names(reading)
               : read_shown_names(reading);
}

static scope_status read_all(const scope_reading *reading)
{
    scope_string layout = {"", 0};
    int64_t schema;
    scope_status status = check_schema(reading, &schema);
    if (status == SCOPE_OK)
        status = scope_read_metadata(reading);
    if (status == SCOPE_OK && schema > 1)
        status = read_names(reading);
    if (status != SCOPE_OK)
        return status;
    scope_read_text_attribute(reading, "/", SCOPE_ATTRIBUTE_LAYOUT, &layout);
    if (schema == 1)
        status = scope_read_schema1(reading);
    else
        status = strcmp(layout.bytes, SCOPE_LAYOUT_AGGREGATE) == 0 ? scope_read_aggregate(reading)
                                                                   : scope_read_tables(reading);
    if (status == SCOPE_OK && scope_read_has(reading, SCOPE_DATASET_TOPOLOGY))
        status = scope_read_texts(reading, SCOPE_DATASET_TOPOLOGY, 1, &reading->calls->topology);
    return status == SCOPE_OK && !reading->rehearsal ? scope_read_finish(reading) : status;
}

static scope_status read_file(const char *path, uint64_t length, scope_calls *calls, bool rehearsal)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG); /* whatever a damaged file left open */
    hid_t id = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (id < 0) /* the program has it open in another way */
        id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id < 0)
        return scope_fail(SCOPE_ERR_CORRUPT, "%s: truncated or damaged: %s", path,
                          scope_h5_reason());
    scope_lzf_register();
    const scope_reading reading = {.file = id,
                                   .path = path,
                                   .file_bytes = length,
                                   .calls = calls,
                                   .is_packed_more = H5Zfilter_avail(SCOPE_FILTER_ID_ZSTD) > 0,
                                   .rehearsal = rehearsal};
    const scope_status status = read_all(&reading);
    H5Fclose(id);
    return status;
}

/* What the child found, in memory that it shares: who was told what is wrong with a file
 * need not run into it himself. */
typedef struct verdict {
    int done;
    scope_status status;
    char message[1024];
} verdict;

typedef struct attempt {
    const char *path;
    uint64_t length;
    scope_calls *calls;
    verdict *verdict; /* NULL: there was no memory to share */
} attempt;

static void rehearse(void *context)
{
    const attempt *at = context;
    const bool alone = H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE) == 0;
    const scope_status status = read_file(at->path, at->length, at->calls, true);
    if (at->verdict) {
        at->verdict->status = status;
        snprintf(at->verdict->message, sizeof at->verdict->message, "%s", scope_file_message());
        at->verdict->done = 1;
    }
    if (!alone)
        return; /* the program's own files are not ours to close */
    /* HDF5 complains of a file that it cannot forget only where errors are shown; the
     * program's exit would bring that line. */
    H5Eset_auto2(H5E_DEFAULT, (H5E_auto2_t)H5Eprint2, stderr);
    H5close();
}

/* A second per 10 MB and a quarter of a gigabyte are far more than it takes; what unpacks to
 * more says so (read.c). */
static scope_rehearse_limits limits_for(uint64_t length)
{
    const uint64_t seconds = 4 + length / 10000000;
    return (scope_rehearse_limits){(unsigned)(seconds < 86400 ? seconds : 86400),
                                   (UINT64_C(256) << 20) + 8 * length};
}

/* ERR_CORRUPT and others: read_file() had better not be tried. */
static scope_status try_first(const char *path, uint64_t length, scope_calls *calls)
{
    verdict *verdict =
        mmap(NULL, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (verdict == MAP_FAILED)
        verdict = NULL;
    attempt attempt = {path, length, calls, verdict};
    const scope_rehearse_limits limits = limits_for(length);
    const bool survived = scope_rehearse(rehearse, &attempt, &limits);
    scope_status status = SCOPE_OK;
    if (verdict && verdict->done && verdict->status != SCOPE_OK) {
        verdict->message[sizeof verdict->message - 1] = '\0';
        status = scope_fail(verdict->status, "%s", verdict->message);
    } else if (!survived) {
        status = scope_fail(SCOPE_ERR_CORRUPT, "%s: damaged so that HDF5 cannot read it", path);
    }
    if (verdict)
        munmap(verdict, sizeof *verdict);
    return status;
}

scope_status scope_file_open(const char *path, scope_file **file)
{
    scope_h5_errors errors;
    uint64_t length = 0;
    scope_calls *calls = NULL;
    if (!path || !file)
        return scope_fail(SCOPE_ERR_ARGUMENT, "scope_file_open: no path");
    scope_status status = look_at(path, &length);
    if (status == SCOPE_OK)
        status = scope_h5_check();
    if (status != SCOPE_OK)
        return status;
    if (scope_calls_new(&calls) != SCOPE_OK)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", path);
    scope_h5_quiet(&errors);
    status = try_first(path, length, calls);
    if (status == SCOPE_OK)
        status = read_file(path, length, calls, false);
    scope_h5_restore(&errors);
    scope_file *opened = status == SCOPE_OK ? malloc(sizeof *opened) : NULL;
    if (status == SCOPE_OK && !opened)
        status = scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", path);
    if (status != SCOPE_OK) {
        scope_calls_free(calls);
        return status;
    }
    opened->calls = calls;
    *file = opened;
    return SCOPE_OK;
}

void scope_file_close(scope_file *file)
{
    if (!file)
        return;
    scope_calls_free(file->calls);
    free(file);
}

const scope_calls *scope_file_calls(const scope_file *file)
{
    return file->calls;
}
