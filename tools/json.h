/* json.h - write JSON, nothing else.
 *
 *     json json = json_start(stdout);
 *     json_open(&json, NULL, '{');
 *     json_text(&json, "name", "solve", 5);
 *     json_close(&json);
 *
 * A key is NULL inside an array. Text may be any bytes: what is no UTF-8 becomes
 * \xNN, as in the files. Seconds are written exactly, from ns.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_H
#define SCOPE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct json {
    FILE *out;
    int depth;
    bool first[JSON_DEPTH];
    char closing[JSON_DEPTH];
} json;

json json_start(FILE *out);
void json_open(json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(json *json);
void json_text(json *json, const char *key, const char *bytes, size_t length_bytes);
void json_integer(json *json, const char *key, int64_t value);
void json_boolean(json *json, const char *key, bool value);
void json_null(json *json, const char *key);

/* NaN and infinities, which JSON lacks, become null. */
void json_number(json *json, const char *key, double value);
void json_seconds(json *json, const char *key, int64_t ns);

/* Text that is JSON already. */
void json_raw(json *json, const char *key, const char *bytes, size_t length_bytes);

#endif
