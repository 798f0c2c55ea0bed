/* exported.h - a call table written in another format, as text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef EXPORTED_H
#define EXPORTED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scope/export.h>

#include "folder.h"
#include "unit.h"

static inline scope_export_options plain(void)
{
    return (scope_export_options){
        .size_bytes = sizeof(scope_export_options), .indent = -1, .call_paths = 1};
}

typedef struct text {
    char *bytes;
    size_t length;
} text;

static inline text content(const char *path)
{
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, 0, SEEK_END);
    text text = {NULL, (size_t)ftell(file)};
    rewind(file);
    text.bytes = calloc(1, text.length + 1);
    CU_ASSERT_EQUAL(fread(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    return text;
}

static inline size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static inline text exported(const scope_calls *calls, scope_export_format format,
                     const scope_export_options *options)
{
    const char *path = folder_path("out");
    CU_ASSERT_EQUAL_FATAL(scope_export(calls, format, path, options), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 1);
    const text text = content(path);
    unlink(path);
    return text;
}

#endif
