/* read_attributes.c - see read.h: attributes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static int is_integer(hid_t attribute)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const int yes = H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1;
    H5Tclose(type);
    H5Sclose(space);
    return yes;
}

static bool has_attribute(const scope_reading *reading, const char *object, const char *name)
{
    return (strcmp(object, "/") == 0 || scope_read_has(reading, object)) &&
           H5Aexists_by_name(reading->file, object, name, H5P_DEFAULT) > 0;
}

bool scope_read_integer_attribute(const scope_reading *reading, const char *object,
                                  const char *name, int64_t *value, bool *exists)
{
    *exists = has_attribute(reading, object, name);
    if (!*exists)
        return false;
    const hid_t attribute = H5Aopen_by_name(reading->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    const bool good =
        attribute >= 0 && is_integer(attribute) && H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return good;
}

/* All strings of an attribute, each followed by NUL; malloc'd, NULL: it has none. */
static char *read_strings(const scope_reading *reading, hid_t attribute, size_t *length,
                          hsize_t *count)
{
    const hid_t file_type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const bool variable = H5Tis_variable_str(file_type) > 0;
    const size_t width = variable ? sizeof(char *) : H5Tget_size(file_type);
    char *joined = NULL, *room = NULL;
    *length = 0;
    *count = points > 0 ? (hsize_t)points : 0;
    if (H5Tget_class(file_type) == H5T_STRING && points >= 0 && width &&
        *count <= reading->file_bytes &&
        width <= reading->file_bytes / (*count + 1) + sizeof(char *))
        room = calloc(*count + 1, width);
    const hid_t type = scope_text_type(variable ? 0 : width);
    const bool good = room && (!*count || H5Aread(attribute, type, room) >= 0);
    for (int pass = 0; good && pass < 2; pass++) { /* measure, then copy */
        size_t at = 0;
        for (hsize_t i = 0; i < *count; i++) {
            const char *text = variable ? ((char **)(void *)room)[i] : room + i * width;
            const size_t bytes = !text ? 0 : variable ? strlen(text) : strnlen(text, width);
            if (joined && bytes)
                memcpy(joined + at, text, bytes);
            at += bytes + 1;
        }
        *length = at;
        if (!pass && !(joined = calloc(1, at + 1)))
            break;
    }
    if (good && variable) {
#if H5_VERSION_GE(1, 12, 0)
        H5Treclaim(type, space, H5P_DEFAULT, room);
#else
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, room);
#endif
    }
    free(room);
    H5Tclose(type);
    H5Tclose(file_type);
    H5Sclose(space);
    return joined;
}

bool scope_read_text_attribute(const scope_reading *reading, const char *object, const char *name,
                               scope_string *text)
{
    if (!has_attribute(reading, object, name))
        return false;
    const hid_t attribute = H5Aopen_by_name(reading->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    size_t length;
    hsize_t count;
    char *joined = read_strings(reading, attribute, &length, &count);
    H5Aclose(attribute);
    const bool good = joined && count == 1;
    if (good)
        *text = scope_calls_string(reading->calls, joined, length - 1);
    free(joined);
    return good;
}

char *scope_read_texts_attribute(const scope_reading *reading, const char *object, const char *name,
                                 uint64_t *length_bytes)
{
    size_t length = 0;
    hsize_t count;
    *length_bytes = 0;
    if (!has_attribute(reading, object, name))
        return NULL;
    const hid_t attribute = H5Aopen_by_name(reading->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return NULL;
    char *joined = read_strings(reading, attribute, &length, &count);
    H5Aclose(attribute);
    *length_bytes = length;
    return joined;
}

static scope_status keep_strings(const scope_reading *reading, hid_t attribute, const char *name)
{
    size_t length;
    hsize_t count;
    const hid_t space = H5Aget_space(attribute);
    const bool scalar = H5Sget_simple_extent_type(space) == H5S_SCALAR;
    H5Sclose(space);
    char *joined = read_strings(reading, attribute, &length, &count);
    if (!joined)
        return scope_read_corrupt(reading, "the attribute %s cannot be read: %s", name,
                                  scope_h5_reason());
    scope_status status = scope_calls_set_text(reading->calls, name, joined,
                                               (int64_t)(scalar && length ? length - 1 : length));
    if (status == SCOPE_OK && !scalar) {
        scope_metadata_row *rows = reading->calls->metadata;
        for (size_t i = 0; i < reading->calls->metadata_count; i++)
            if (strcmp(rows[i].key.bytes, name) == 0)
                rows[i].kind = SCOPE_VALUE_TEXTS;
    }
    free(joined);
    return status;
}

static scope_status keep_attribute(const scope_reading *reading, hid_t attribute, const char *name)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const H5T_class_t class = H5Tget_class(type);
    const bool one = H5Sget_simple_extent_npoints(space) == 1;
    H5Tclose(type);
    H5Sclose(space);
    int64_t integer;
    double number;
    char text[32];
    if (class == H5T_INTEGER && one && H5Aread(attribute, H5T_NATIVE_INT64, &integer) >= 0)
        return scope_calls_set_integer(reading->calls, name, integer);
    if (class == H5T_FLOAT && one && H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0) {
        snprintf(text, sizeof text, "%.17g", number);
        return scope_calls_set_text(reading->calls, name, text, -1);
    }
    if (class == H5T_STRING)
        return keep_strings(reading, attribute, name);
    return SCOPE_OK; /* not ours to know */
}

typedef struct visit {
    const scope_reading *reading;
    scope_status status;
} visit;

static herr_t visit_attribute(hid_t group, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    visit *at = context;
    const hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0) {
        at->status = scope_read_corrupt(at->reading, "the attribute %s cannot be read: %s", name,
                                        scope_h5_reason());
        return -1;
    }
    at->status = keep_attribute(at->reading, attribute, name);
    H5Aclose(attribute);
    return at->status == SCOPE_OK ? 0 : -1;
}

scope_status scope_read_metadata(const scope_reading *reading)
{
    if (!scope_read_has(reading, SCOPE_GROUP_METADATA))
        return SCOPE_OK;
    const hid_t group = H5Oopen(reading->file, SCOPE_GROUP_METADATA, H5P_DEFAULT);
    visit at = {reading, SCOPE_OK};
    hsize_t index = 0;
    const bool good = group >= 0 && H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &index,
                                                visit_attribute, &at) >= 0;
    if (at.status == SCOPE_OK && !good)
        at.status =
            scope_read_corrupt(reading, "the metadata cannot be read: %s", scope_h5_reason());
    if (group >= 0)
        H5Oclose(group);
    return at.status;
}
