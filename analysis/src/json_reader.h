/* json_reader.h - JSON from a file (gzip or not) or from memory, value by value.
 *
 *     reader_begin(&json, '{');
 *     while (reader_next(&json, '}')) {
 *         reader_key(&json);                     the key is json.text
 *         if (reader_is(&json, "version"))
 *             reader_integer(&json, &version);
 *         else
 *             reader_skip(&json);
 *     }
 *
 * Strict (RFC 8259), but for what Python's json writes too: NaN, Infinity, -Infinity, and
 * lone surrogates, of which U+DC80..U+DCFF are bytes (PEP 383) and others U+FFFD.
 * After the first error every call does nothing and every loop ends.
 *
 * Ownership  the reader owns `text` and `raw`; reader_close frees them.
 * Threads    one thread per reader.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_READER_H
#define SCOPE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

enum { JSON_DEEPEST = 512 };

typedef struct reader_text {
    char *bytes; /* a NUL follows */
    size_t length, capacity;
} reader_text;

typedef struct json_reader {
    scope_status status;
    char message[256];
    void *file; /* gzFile; NULL: memory */
    const unsigned char *at, *end;
    unsigned char *buffer;
    uint64_t line, column;
    int depth;
    bool first;       /* nothing yet in this array or object */
    bool recording;   /* reader_copy: what is read goes to `raw` */
    reader_text text; /* the last string */
    reader_text raw;
} json_reader;

/* ERR_MISSING, ERR_IO, ERR_MEMORY; the reader is to be closed in any case. */
scope_status reader_open(json_reader *json, const char *path);
void reader_memory(json_reader *json, const char *bytes, size_t length_bytes);
void reader_close(json_reader *json);

/* The first character of the next value: { [ " t f n - or a digit; 0 after an error. */
int reader_peek(json_reader *json);

void reader_begin(json_reader *json, char bracket); /* '{' or '[' */
bool reader_next(json_reader *json, char closing);  /* one more element? */
void reader_key(json_reader *json);                 /* into json->text */
void reader_string(json_reader *json);              /* the same */
void reader_integer(json_reader *json, int64_t *value);
void reader_skip(json_reader *json);

/* A value as JSON text into json->raw, NaN and infinities as null. */
void reader_copy(json_reader *json);

/* Nothing may follow. */
void reader_end(json_reader *json);

/* Say what is wrong, with the place. */
void reader_fail(json_reader *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool reader_is(const json_reader *json, const char *text);

/* Room for one more byte; false: no memory. */
bool reader_append(reader_text *text, const char *bytes, size_t length_bytes);

#endif
