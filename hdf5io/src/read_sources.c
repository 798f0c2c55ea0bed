/* read_sources.c - the event columns of an index, from the files that they lie in; see read.h.
 *
 * HDF5 reads zeros where it cannot open a file of a virtual dataset, and says nothing. So each
 * file is opened here, must be the one that the index was written with, and its rows must have
 * the checksums that the index has of them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "message.h"
#include "rehearse.h"

#define SOURCES "/scope/sources/"

typedef struct sources { /* /scope/sources, one row per rank */
    uint64_t count;
    uint64_t *first, *rows;
    uint32_t *ranks;
    scope_string *files, *hosts, *ids, *checksums;
    char *folder; /* of the index, with a slash */
    uint64_t bytes;
} sources;

bool scope_read_is_index(const scope_reading *reading)
{
    return scope_read_has(reading, SOURCES "rows") && scope_read_has(reading, SOURCES "files");
}

static scope_status read_list(const scope_reading *reading, sources *list)
{
    const struct {
        const char *path;
        scope_cell cell;
        void *place;
    } columns[] = {{SOURCES "first_rows", SCOPE_CELL_U64, &list->first},
                   {SOURCES "rows", SCOPE_CELL_U64, &list->rows},
                   {SOURCES "ranks", SCOPE_CELL_U32, &list->ranks},
                   {SOURCES "files", SCOPE_CELL_TEXT, &list->files},
                   {SOURCES "hosts", SCOPE_CELL_TEXT, &list->hosts},
                   {SOURCES "file_ids", SCOPE_CELL_TEXT, &list->ids},
                   {SOURCES "checksums", SCOPE_CELL_TEXT, &list->checksums}};
    scope_reading exact = *reading; /* these numbers are needed also to rehearse */
    exact.rehearsal = false;
    reading = &exact;
    scope_status status = scope_read_length(reading, SOURCES "rows", &list->count);
    for (size_t i = 0; status == SCOPE_OK && i < sizeof columns / sizeof columns[0]; i++) {
        void *cells = NULL;
        status =
            scope_read_room(reading, list->count, scope_cell_memory_bytes(columns[i].cell), &cells);
        if (status == SCOPE_OK)
            status = columns[i].cell == SCOPE_CELL_TEXT
                         ? scope_read_texts(reading, columns[i].path, list->count, cells)
                         : scope_read_cells(reading, columns[i].path, columns[i].cell, list->count,
                                            cells);
        *(void **)columns[i].place = cells;
    }
    return status;
}

/* "run.rank3.h5 (rank 3, host n7)" */
static const char *label(const sources *list, uint64_t i)
{
    static _Thread_local char text[320];
    snprintf(text, sizeof text, "%.160s (rank %u%s%.64s)", list->files[i].bytes, list->ranks[i],
             list->hosts[i].length_bytes ? ", host " : "", list->hosts[i].bytes);
    return text;
}

static char *path_of(const sources *list, uint64_t i)
{
    char *path = NULL;
    return asprintf(&path, "%s%s", list->folder, list->files[i].bytes) < 0 ? NULL : path;
}

/* In the folder of the index, as it was named or as it is. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup("./");
}

static scope_status look_for(const scope_reading *reading, sources *list, uint64_t i)
{
    struct stat status;
    const char *name = list->files[i].bytes;
    if (!*name || strchr(name, '/') || list->files[i].length_bytes > 255)
        return scope_read_corrupt(reading, "it has calls in a file that is not beside it");
    char *path = path_of(list, i);
    if (!path)
        return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
    const int error = stat(path, &status) == 0 ? 0 : errno;
    free(path);
    if (error == ENOENT)
        return scope_fail(SCOPE_ERR_MISSING,
                          "%s: its calls are in files of the ranks, and %s is not beside it: put "
                          "it there, or `scope merge` the files that there are",
                          reading->path, label(list, i));
    if (error)
        return scope_fail(scope_status_of_errno(error), "%s: its calls are in %s: %s",
                          reading->path, label(list, i), strerror(error));
    if (!S_ISREG(status.st_mode)) /* a pipe is waited for */
        return scope_fail(SCOPE_ERR_CORRUPT, "%s: its calls are in %s, which is no file",
                          reading->path, label(list, i));
    if (!i || strcmp(name, list->files[i - 1].bytes) != 0)
        list->bytes += (uint64_t)status.st_size;
    return SCOPE_OK;
}

static scope_status find_all(const scope_reading *reading, sources *list)
{
    scope_status status = SCOPE_OK;
    for (uint64_t i = 0; status == SCOPE_OK && i < list->count; i++)
        if (list->rows[i])
            status = look_for(reading, list, i);
    return status;
}

/* ---- one file ---- */

typedef struct source {
    scope_reading reading; /* of the file */
    char *path;
} source;

static scope_status other_file(const scope_reading *reading, const sources *list, uint64_t i,
                               const char *what)
{
    return scope_fail(SCOPE_ERR_CORRUPT,
                      "%s: %s %s: bring the one of the same run, or `scope merge` the files that "
                      "there are",
                      reading->path, label(list, i), what);
}

static scope_status check_id(const scope_reading *reading, const sources *list, uint64_t i,
                             const source *source)
{
    uint8_t bytes[SCOPE_FILE_ID_BYTES] = {0};
    char text[2 * sizeof bytes + 1];
    uint64_t length = 0;
    scope_reading exact = source->reading;
    exact.rehearsal = false;
    if (!scope_read_has(&exact, SCOPE_DATASET_FILE_ID) ||
        scope_read_length(&exact, SCOPE_DATASET_FILE_ID, &length) != SCOPE_OK ||
        length != sizeof bytes ||
        scope_read_cells(&exact, SCOPE_DATASET_FILE_ID, SCOPE_CELL_U8, length, bytes) != SCOPE_OK)
        return other_file(reading, list, i, "is not a file of this run");
    for (size_t b = 0; b < sizeof bytes; b++)
        snprintf(text + 2 * b, 3, "%02x", bytes[b]);
    return strcmp(text, list->ids[i].bytes) == 0
               ? SCOPE_OK
               : other_file(reading, list, i, "is of another run than this index");
}

static scope_status open_source(const scope_reading *reading, const sources *list, uint64_t i,
                                source *source)
{
    source->reading = *reading;
    source->path = path_of(list, i);
    source->reading.file = source->path ? H5Fopen(source->path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (source->reading.file < 0) {
        char what[300];
        snprintf(what, sizeof what, "cannot be opened (%.200s)", scope_h5_reason());
        return other_file(reading, list, i, what);
    }
    source->reading.path = source->path;
    source->reading.file_bytes = list->bytes;
    return check_id(reading, list, i, source);
}

static void close_source(source *source)
{
    if (source->reading.file >= 0)
        H5Fclose(source->reading.file);
    free(source->path);
}

/* What the index says of a column of this rank; false: nothing. */
static bool find_checksum(const sources *list, uint64_t i, const char *name, uint32_t *sum)
{
    const size_t length = strlen(name);
    for (const char *at = list->checksums[i].bytes; at && *at;
         at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == ':') {
            *sum = (uint32_t)strtoul(at + length + 1, NULL, 16);
            return true;
        }
    return false;
}

static uint32_t checksum(const char *bytes, uint64_t length)
{
    uLong sum = crc32(0, NULL, 0);
    for (uint64_t at = 0; at < length; at += SCOPE_SLAB_BYTES)
        sum = crc32(sum, (const unsigned char *)bytes + at,
                    (uInt)(length - at < SCOPE_SLAB_BYTES ? length - at : SCOPE_SLAB_BYTES));
    return (uint32_t)sum;
}

/* A rank's rows of a column. */
static scope_status read_piece(const scope_reading *reading, const sources *list, uint64_t i,
                               const source *source, const scope_column *column, char *cells)
{
    char path[64];
    uint32_t said = 0;
    const char *name = strrchr(column->path, '/') + 1;
    const size_t cell_bytes = scope_cell_memory_bytes(column->memory);
    snprintf(path, sizeof path, SCOPE_GROUP_OF_JOB "/%s", name);
    if (!scope_read_has(&source->reading, path))
        snprintf(path, sizeof path, "%s", column->path);
    const scope_status status = scope_read_slice(&source->reading, path, column->memory,
                                                 list->first[i], list->rows[i], cells);
    if (status != SCOPE_OK || reading->rehearsal)
        return status;
    if (find_checksum(list, i, name, &said) && checksum(cells, list->rows[i] * cell_bytes) != said)
        return other_file(reading, list, i, "is damaged: its rows are not those that were written");
    return SCOPE_OK;
}

/* ---- all ---- */

static bool is_read(const scope_reading *reading, const scope_column *column)
{
    return column->table == SCOPE_TABLE_EVENTS && !(column->flags & SCOPE_COLUMN_WRITE_ONLY) &&
           scope_read_has(reading, column->path);
}

static scope_status make_room(const scope_reading *reading, const sources *list)
{
    scope_calls *calls = reading->calls;
    scope_reading all = *reading; /* the rows are in those files */
    uint64_t total = 0;
    scope_status status =
        scope_read_length(reading, scope_tables[SCOPE_TABLE_EVENTS].probe, &calls->count);
    for (uint64_t i = 0; status == SCOPE_OK && i < list->count; i++)
        if (__builtin_add_overflow(total, list->rows[i], &total))
            status = scope_read_corrupt(reading, "its list of files is damaged");
    if (status == SCOPE_OK && total != calls->count)
        status = scope_read_corrupt(reading, "its files have %llu calls instead of %llu",
                                    (unsigned long long)total, (unsigned long long)calls->count);
    all.file_bytes += list->bytes;
    for (size_t c = 0; status == SCOPE_OK && c < scope_column_count; c++) {
        const scope_column *column = &scope_columns[c];
        void *cells = NULL;
        if (is_read(reading, column))
            status = scope_read_room(&all, total, scope_cell_memory_bytes(column->memory), &cells);
        else if (column->table == SCOPE_TABLE_EVENTS && column->flags & SCOPE_COLUMN_REQUIRED)
            status = scope_read_corrupt(reading, "%s is missing", column->path);
        if (cells)
            *(void **)(void *)((char *)calls + column->offset) = cells;
    }
    return status;
}

static scope_status read_rank(const scope_reading *reading, const sources *list, uint64_t i,
                              uint64_t at)
{
    source source = {{0}, NULL};
    scope_status status = open_source(reading, list, i, &source);
    for (size_t c = 0; status == SCOPE_OK && c < scope_column_count; c++) {
        const scope_column *column = &scope_columns[c];
        if (!is_read(reading, column))
            continue;
        char *cells = *(char **)(void *)((char *)reading->calls + column->offset);
        status = read_piece(reading, list, i, &source, column,
                            cells + at * scope_cell_memory_bytes(column->memory));
    }
    close_source(&source);
    return status;
}

scope_status scope_read_sources(const scope_reading *reading)
{
    sources list = {0};
    scope_status status = read_list(reading, &list);
    list.folder = folder_of(reading->path);
    if (status == SCOPE_OK)
        status = list.folder ? find_all(reading, &list) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK && reading->rehearsal)
        scope_rehearse_allow((unsigned)(4 + list.bytes / 10000000), 8 * list.bytes);
    if (status == SCOPE_OK)
        status = make_room(reading, &list);
    for (uint64_t i = 0, at = 0; status == SCOPE_OK && i < list.count; at += list.rows[i++])
        if (list.rows[i])
            status = read_rank(reading, &list, i, at);
    free(list.folder);
    return status;
}
