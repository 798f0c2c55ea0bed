/* json_writer.h - JSON with commas and indentation in the right places.
 *
 *     json_writer json = {&file, 2, 0, 1};
 *     put_open(&json, NULL, '{');
 *     put_integer(&json, "version", 1);
 *     put_close(&json, '}');
 *
 * A key is NULL inside an array. indent: spaces per level, -1: one line.
 *
 * Ownership  the file stays the caller's, and keeps the first error (export_file.h).
 * Threads    one thread per writer.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_WRITER_H
#define SCOPE_JSON_WRITER_H

#include "export_file.h"

typedef struct json_writer {
    export_file *file;
    int indent, depth;
    int first; /* nothing yet on this level */
} json_writer;

/* Comma, new line and key: what comes before any value. */
void put_item(json_writer *json, const char *key);

static inline void put_open(json_writer *json, const char *key, char bracket)
{
    put_item(json, key);
    export_bytes(json->file, &bracket, 1);
    json->depth++;
    json->first = 1;
}

void put_close(json_writer *json, char bracket);

static inline void put_integer(json_writer *json, const char *key, int64_t value)
{
    put_item(json, key);
    export_integer(json->file, value);
}

static inline void put_text(json_writer *json, const char *key, scope_string text)
{
    put_item(json, key);
    export_string(json->file, text);
}

static inline void put_literal(json_writer *json, const char *key, const char *text)
{
    put_item(json, key);
    export_literal(json->file, text);
}

#endif
