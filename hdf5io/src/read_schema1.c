/* read_schema1.c - files of the oldest releases; see read.h.
 *
 *     /rank<r>/regions/<region>   start_times end_times [gpu_durations call_ids parent_ids]
 *                                 attributes source_file source_lineno source_text tags
 *
 * A region's name may hold slashes: then it is a path of groups.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <scope/wrap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

typedef struct old_region {
    char *path; /* of its group */
    size_t name_at;
    int32_t rank;
    uint64_t count;
} old_region;

typedef struct old_file {
    const scope_reading *reading;
    old_region *regions;
    size_t count, capacity;
    int32_t rank_count;
    scope_status status;
} old_file;

static scope_status no_memory(const scope_reading *reading)
{
    return scope_fail(SCOPE_ERR_MEMORY, "%s: out of memory", reading->path);
}

/* ---- which regions there are ---- */

typedef struct children { /* of one group, by name */
    char **names;
    size_t count, capacity;
    bool failed;
} children;

static herr_t keep_child(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    children *children = context;
    (void)group;
    if (info->type != H5L_TYPE_HARD) /* may be in any file */
        return 0;
    if (children->count == children->capacity) {
        const size_t capacity = children->capacity ? children->capacity * 2 : 16;
        char **more = realloc(children->names, capacity * sizeof *more);
        children->failed |= !more;
        children->names = more ? more : children->names;
        children->capacity = more ? capacity : children->capacity;
    }
    char *copy = children->failed ? NULL : strdup(name);
    children->failed |= !copy;
    if (copy)
        children->names[children->count++] = copy;
    return children->failed ? -1 : 0;
}

static bool list_children(const scope_reading *reading, const char *path, children *children)
{
    hsize_t index = 0;
    *children = (struct children){0};
    return H5Literate_by_name(reading->file, path, H5_INDEX_NAME, H5_ITER_INC, &index, keep_child,
                              children, H5P_DEFAULT) >= 0;
}

static void free_children(children *children)
{
    for (size_t i = 0; i < children->count; i++)
        free(children->names[i]);
    free(children->names);
}

static bool is_group(const scope_reading *reading, const char *path)
{
    H5O_info_t info;
    return H5Oget_info_by_name(reading->file, path, &info, H5P_DEFAULT) >= 0 &&
           info.type == H5O_TYPE_GROUP;
}

static void add_region(old_file *file, const char *path, size_t name_at, int32_t rank)
{
    if (file->count == file->capacity) {
        const size_t capacity = file->capacity ? file->capacity * 2 : 64;
        old_region *more = realloc(file->regions, capacity * sizeof *more);
        if (!more) {
            file->status = no_memory(file->reading);
            return;
        }
        file->regions = more;
        file->capacity = capacity;
    }
    old_region *region = &file->regions[file->count];
    *region = (old_region){strdup(path), name_at, rank, 0};
    file->status = region->path ? SCOPE_OK : no_memory(file->reading);
    file->count += region->path != NULL;
}

/* A group that holds times is a region; it may hold others whose names go on with a slash. */
static void find_regions(old_file *file, const char *path, size_t name_at, int32_t rank, int depth)
{
    children children;
    char child[SCOPE_READ_PATH_MAX];
    if (!list_children(file->reading, path, &children) && file->status == SCOPE_OK)
        file->status = scope_read_corrupt(file->reading, "%s cannot be read", path);
    for (size_t i = 0; file->status == SCOPE_OK && i < children.count; i++) {
        const int length = snprintf(child, sizeof child, "%s/%s", path, children.names[i]);
        if (length < 0 || (size_t)length >= sizeof child - 16 || depth > 64)
            file->status = scope_read_corrupt(file->reading, "the name of a region is too long");
        else if (is_group(file->reading, child)) {
            snprintf(child + length, 16, "/start_times");
            const bool has_times = scope_read_has(file->reading, child);
            child[length] = '\0';
            if (has_times)
                add_region(file, child, name_at, rank);
            if (file->status == SCOPE_OK)
                find_regions(file, child, name_at, rank, depth + 1);
        }
    }
    free_children(&children);
}

/* rank<digits>: its number, else -1. */
static int32_t rank_of(const char *name)
{
    char *end;
    if (strncmp(name, "rank", 4) != 0 || name[4] < '0' || name[4] > '9')
        return -1;
    const unsigned long rank = strtoul(name + 4, &end, 10);
    return *end == '\0' && strlen(name) <= 12 && rank < 1 << 24 ? (int32_t)rank : -1;
}

static int compare_ranks(const void *left, const void *right)
{
    const int32_t a = rank_of(*(char *const *)left), b = rank_of(*(char *const *)right);
    return (a > b) - (a < b);
}

static void find_ranks(old_file *file)
{
    children children;
    char path[64];
    if (!list_children(file->reading, "/", &children))
        file->status = scope_read_corrupt(file->reading, "its groups cannot be read");
    if (children.count > 1)
        qsort(children.names, children.count, sizeof *children.names, compare_ranks);
    for (size_t i = 0; file->status == SCOPE_OK && i < children.count; i++) {
        const int32_t rank = rank_of(children.names[i]);
        if (rank < 0)
            continue;
        file->rank_count++;
        const int length = snprintf(path, sizeof path, "/%s/regions", children.names[i]);
        if (scope_read_has(file->reading, path) && is_group(file->reading, path))
            find_regions(file, path, (size_t)length + 1, rank, 0);
    }
    free_children(&children);
}

/* ---- columns ---- */

typedef struct old_column {
    const char *name;
    size_t offset; /* of the pointer in scope_calls */
    int64_t missing;
    bool required;
} old_column;

static const old_column columns[] = {
    {"start_times", offsetof(scope_calls, start_ns), 0, true},
    {"end_times", offsetof(scope_calls, duration_ns), 0, true}, /* ends, until all is read */
    {"gpu_durations", offsetof(scope_calls, gpu_ns), -1, false},
    {"call_ids", offsetof(scope_calls, call_ids), -1, false},
    {"parent_ids", offsetof(scope_calls, parent_ids), -1, false},
};

static const char *column_path(char *text, const old_region *region, const old_column *column)
{
    snprintf(text, SCOPE_READ_PATH_MAX, "%s/%s", region->path, column->name);
    return text;
}

static scope_status read_column(const old_file *file, const old_column *column)
{
    const scope_reading *reading = file->reading;
    char path[SCOPE_READ_PATH_MAX];
    void *cells = NULL;
    bool any = column->required;
    for (size_t i = 0; !any && i < file->count; i++)
        any = scope_read_has(reading, column_path(path, &file->regions[i], column));
    scope_status status =
        any ? scope_read_room(reading, reading->calls->count, sizeof(int64_t), &cells) : SCOPE_OK;
    if (!any || status != SCOPE_OK)
        return status;
    int64_t *at = cells;
    for (size_t i = 0; status == SCOPE_OK && i < file->count; i++) {
        const old_region *region = &file->regions[i];
        column_path(path, region, column);
        if (column->required || scope_read_has(reading, path))
            status = scope_read_cells(reading, path, SCOPE_CELL_I64, region->count, at);
        else
            for (uint64_t k = 0; k < region->count; k++)
                at[k] = column->missing;
        at += region->count;
    }
    *(void **)(void *)((char *)reading->calls + column->offset) = cells;
    return status;
}

/* ---- rows ---- */

static scope_string quoted(const scope_reading *reading, const char *texts, uint64_t length_bytes)
{
    char *json = malloc((size_t)length_bytes * 6 + 4), *to = json;
    if (!json)
        return (scope_string){"[]", 2};
    *to++ = '[';
    for (uint64_t i = 0, start = 0; i < length_bytes; i++) {
        if (i == start)
            to += sprintf(to, i ? ", \"" : "\"");
        const unsigned char byte = (unsigned char)texts[i];
        if (byte == '\0') {
            *to++ = '"';
            start = i + 1;
        } else if (byte < 0x20) {
            to += sprintf(to, "\\u%04x", byte);
        } else {
            if (byte == '"' || byte == '\\')
                *to++ = '\\';
            *to++ = (char)byte;
        }
    }
    *to++ = ']';
    const scope_string kept = scope_calls_string(reading->calls, json, (uint64_t)(to - json));
    free(json);
    return kept;
}

static void read_attributes(const old_file *file, size_t i)
{
    const scope_reading *reading = file->reading;
    const old_region *region = &file->regions[i];
    scope_pair *pair = &reading->calls->pairs[i];
    bool exists;
    scope_read_text_attribute(reading, region->path, "source_file", &pair->source_file);
    scope_read_text_attribute(reading, region->path, "source_text",
                              &reading->calls->source_texts[i]);
    scope_read_integer_attribute(reading, region->path, "source_lineno", &pair->source_line,
                                 &exists);
    uint64_t length;
    char *tags = scope_read_texts_attribute(reading, region->path, "tags", &length);
    if (tags && length)
        pair->tags = quoted(reading, tags, length);
    free(tags);
}

static int compare_names(const void *left, const void *right)
{
    const old_region *a = *(old_region *const *)left, *b = *(old_region *const *)right;
    const int order = strcmp(a->path + a->name_at, b->path + b->name_at);
    return order ? order : (a > b) - (a < b);
}

/* Regions in order of first appearance over the ranks. */
static scope_status name_regions(const old_file *file)
{
    scope_calls *calls = file->reading->calls;
    old_region **order = malloc((file->count + 1) * sizeof *order);
    size_t *first = malloc((file->count + 1) * sizeof *first); /* region of the same name */
    if (!order || !first) {
        free(order);
        free(first);
        return no_memory(file->reading);
    }
    for (size_t i = 0; i < file->count; i++)
        order[i] = &file->regions[i];
    if (file->count)
        qsort(order, file->count, sizeof *order, compare_names);
    for (size_t i = 0; i < file->count; i++) {
        const bool known = i && strcmp(order[i]->path + order[i]->name_at,
                                       order[i - 1]->path + order[i - 1]->name_at) == 0;
        const size_t at = (size_t)(order[i] - file->regions);
        first[at] = known ? first[order[i - 1] - file->regions] : at;
    }
    for (size_t i = 0; i < file->count; i++) {
        scope_pair *pair = &calls->pairs[i];
        if (first[i] != i) { /* the one of that name came before */
            pair->region = calls->pairs[first[i]].region;
            continue;
        }
        const char *name = file->regions[i].path + file->regions[i].name_at;
        pair->region = (uint32_t)calls->region_count;
        calls->regions[calls->region_count++].name = scope_calls_string(calls, name, strlen(name));
    }
    free(order);
    free(first);
    return SCOPE_OK;
}

static scope_status read_regions(const old_file *file)
{
    const scope_reading *reading = file->reading;
    scope_calls *calls = reading->calls;
    char path[SCOPE_READ_PATH_MAX];
    scope_status status = SCOPE_OK;
    for (size_t i = 0; status == SCOPE_OK && i < file->count; i++) {
        old_region *region = &file->regions[i];
        status = scope_read_length(reading, column_path(path, region, &columns[0]), &region->count);
        if (status == SCOPE_OK &&
            __builtin_add_overflow(calls->count, region->count, &calls->count))
            status = scope_read_corrupt(reading, "a dataset is longer than the file can hold");
    }
    for (size_t c = 0; status == SCOPE_OK && c < sizeof columns / sizeof *columns; c++)
        status = read_column(file, &columns[c]);
    calls->pairs = scope_calls_alloc(calls, file->count, sizeof *calls->pairs);
    calls->regions = scope_calls_alloc(calls, file->count, sizeof *calls->regions);
    calls->source_texts = scope_calls_alloc(calls, file->count, sizeof *calls->source_texts);
    if (status == SCOPE_OK && (!calls->pairs || !calls->regions || !calls->source_texts))
        status = no_memory(reading);
    if (status != SCOPE_OK)
        return status;
    for (uint64_t row = 0; row < calls->count; row++)
        calls->duration_ns[row] = wrap_subtract(calls->duration_ns[row], calls->start_ns[row]);
    uint64_t first = 0;
    for (size_t i = 0; i < file->count; first += file->regions[i++].count) {
        calls->pairs[i] = (scope_pair){.rank = file->regions[i].rank,
                                       .first = first,
                                       .count = file->regions[i].count,
                                       .source_line = -1,
                                       .source_file = {"", 0},
                                       .tags = {"[]", 2},
                                       .exclusive_ns = -1};
        calls->source_texts[i] = (scope_string){"", 0};
        read_attributes(file, i);
    }
    calls->pair_count = file->count;
    return name_regions(file);
}

scope_status scope_read_schema1(const scope_reading *reading)
{
    old_file file = {.reading = reading};
    find_ranks(&file);
    if (file.status == SCOPE_OK)
        file.status = read_regions(&file);
    if (file.status == SCOPE_OK && !scope_calls_metadata(reading->calls, "mpi_size"))
        reading->calls->rank_count = file.rank_count;
    for (size_t i = 0; i < file.count; i++)
        free(file.regions[i].path);
    free(file.regions);
    return file.status;
}
