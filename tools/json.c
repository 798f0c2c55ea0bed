/* json.c - write JSON, nothing else.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <scope/utf8.h>

json json_start(FILE *out)
{
    return (json){.out = out, .first = {true}};
}

static void string(FILE *out, const char *bytes, size_t length_bytes)
{
    fputc('"', out);
    for (size_t i = 0; i < length_bytes;) {
        uint32_t code = 0;
        const size_t length = scope_utf8_character(bytes + i, length_bytes - i, &code);
        if (!length || code == 0)
            fprintf(out, "\\\\x%02x", (unsigned char)bytes[i]);
        else if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (int)code);
        else if (code == '\n')
            fputs("\\n", out);
        else if (code < 0x20 || code == 0x7F)
            fprintf(out, "\\u%04x", (unsigned)code);
        else
            fwrite(bytes + i, 1, length, out);
        i += length ? length : 1;
    }
    fputc('"', out);
}

/* The comma, the line and the key before a value. */
static void begin(json *json, const char *key)
{
    if (!json->first[json->depth])
        fputc(',', json->out);
    json->first[json->depth] = false;
    if (json->depth)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    if (key) {
        string(json->out, key, strlen(key));
        fputs(": ", json->out);
    }
}

void json_open(json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->first[json->depth] = true;
    json->closing[json->depth] = bracket == '{' ? '}' : ']';
}

void json_close(json *json)
{
    const int depth = json->depth--;
    if (!json->first[depth])
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(json->closing[depth], json->out);
    if (!json->depth)
        fputc('\n', json->out);
}

void json_text(json *json, const char *key, const char *bytes, size_t length_bytes)
{
    begin(json, key);
    string(json->out, bytes, length_bytes);
}

void json_integer(json *json, const char *key, int64_t value)
{
    begin(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_boolean(json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(json *json, const char *key)
{
    begin(json, key);
    fputs("null", json->out);
}

void json_number(json *json, const char *key, double value)
{
    begin(json, key);
    if (isfinite(value))
        fprintf(json->out, "%.17g", value);
    else
        fputs("null", json->out);
}

void json_seconds(json *json, const char *key, int64_t ns)
{
    const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    begin(json, key);
    fprintf(json->out, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "", size / 1000000000,
            size % 1000000000);
}

void json_raw(json *json, const char *key, const char *bytes, size_t length_bytes)
{
    begin(json, key);
    fwrite(bytes, 1, length_bytes, json->out);
}
