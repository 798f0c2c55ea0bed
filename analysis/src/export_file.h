/* export_file.h - a text file that appears whole or not at all, written fast.
 *
 *     export_file file;
 *     export_open(&file, path, gzip);
 *     export_literal(&file, "{\"a\": ");
 *     export_integer(&file, 5);
 *     status = export_close(&file, status);
 *
 * Nothing has to be checked on the way: an error is kept, and export_close returns it.
 *
 * Ownership  export_close frees all, also after an error of export_open.
 * Threads    one thread per file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_FILE_H
#define SCOPE_EXPORT_FILE_H

#include <string.h>

#include <scope/calls.h>
#include <scope/draft.h>

typedef struct export_file {
    scope_status status;
    scope_draft draft;
    unsigned char *buffer;
    size_t used;
    void *zip; /* a z_stream, or NULL */
    unsigned char *packed;
} export_file;

/* A draft of `path`. `gzip`: without name and time, so the same bytes each
 * time. ERR_MISSING: no such directory. */
scope_status export_open(export_file *file, const char *path, int gzip);

/* Rename it to its name if `status` and every write are SCOPE_OK, else remove it. */
scope_status export_close(export_file *file, scope_status status);

void export_bytes(export_file *file, const void *bytes, size_t length_bytes);
void export_integer(export_file *file, int64_t value);

/* value / 10^digits, exactly, with at least one digit after the point: 1500, 3 -> 1.5 */
void export_decimal(export_file *file, int64_t value, int digits);

/* The shortest text that reads back the same; null for what JSON does not have. */
void export_number(export_file *file, double value);

/* A JSON string of any bytes: what is not UTF-8 becomes the text \xNN. */
void export_string(export_file *file, scope_string text);
void export_string_of(export_file *file, const char *text);

static inline void export_literal(export_file *file, const char *text)
{
    export_bytes(file, text, strlen(text));
}

#endif
