/* json_reader.c - see json_reader.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <scope/utf8.h>

#define BUFFER_BYTES (1u << 16)
#define NONE (-1) /* the end, or an error */

void reader_fail(json_reader *json, const char *format, ...)
{
    char text[160];
    va_list arguments;
    if (json->status != SCOPE_OK)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(json->message, sizeof json->message, "line %llu, column %llu: %s",
             (unsigned long long)json->line, (unsigned long long)json->column, text);
    json->status = SCOPE_ERR_CORRUPT;
}

static void fail_memory(json_reader *json)
{
    if (json->status == SCOPE_OK)
        snprintf(json->message, sizeof json->message, "out of memory");
    json->status = SCOPE_ERR_MEMORY;
}

bool reader_append(reader_text *text, const char *bytes, size_t length_bytes)
{
    if (length_bytes >= text->capacity - text->length || !text->bytes) {
        const size_t capacity = (text->length + length_bytes) * 2 + 64;
        char *larger = realloc(text->bytes, capacity);
        if (!larger)
            return false;
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length_bytes);
    text->length += length_bytes;
    text->bytes[text->length] = '\0';
    return true;
}

/* ---- characters ---- */

scope_status reader_open(json_reader *json, const char *path)
{
    struct stat status;
    *json = (json_reader){.line = 1};
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int error = fd < 0                     ? errno
                      : fstat(fd, &status) != 0  ? errno
                      : S_ISDIR(status.st_mode)  ? EISDIR
                      : !S_ISREG(status.st_mode) ? EINVAL
                                                 : 0;
    if (!error) {
        json->buffer = malloc(BUFFER_BYTES);
        json->file = json->buffer ? gzdopen(fd, "rb") : NULL;
        if (json->file)
            return SCOPE_OK;
        fail_memory(json);
    } else {
        snprintf(json->message, sizeof json->message, "%s",
                 error == EINVAL ? "not a regular file" : strerror(error));
        json->status = error == ENOENT || error == ENOTDIR ? SCOPE_ERR_MISSING : SCOPE_ERR_IO;
    }
    if (fd >= 0)
        close(fd);
    return json->status;
}

void reader_memory(json_reader *json, const char *bytes, size_t length_bytes)
{
    *json = (json_reader){.line = 1};
    json->at = (const unsigned char *)bytes;
    json->end = json->at + length_bytes;
}

void reader_close(json_reader *json)
{
    if (json->file)
        gzclose(json->file);
    free(json->buffer);
    free(json->text.bytes);
    free(json->raw.bytes);
    json->file = json->buffer = NULL;
    json->text = json->raw = (reader_text){0};
}

static bool refill(json_reader *json)
{
    if (!json->file)
        return false;
    const int got = gzread(json->file, json->buffer, BUFFER_BYTES);
    int code = Z_OK;
    const char *reason = gzerror(json->file, &code);
    if (got <= 0 && code != Z_OK && code != Z_STREAM_END)
        reader_fail(json, "%s",
                    code == Z_ERRNO       ? strerror(errno)
                    : code == Z_BUF_ERROR ? "the compressed data are cut off"
                                          : reason);
    json->at = json->buffer;
    json->end = json->buffer + (got > 0 ? got : 0);
    return got > 0;
}

/* The next byte, which stays. */
static inline int look(json_reader *json)
{
    if (json->status != SCOPE_OK || (json->at == json->end && !refill(json)))
        return NONE;
    return *json->at;
}

static inline int take(json_reader *json)
{
    const int byte = look(json);
    if (byte == NONE)
        return NONE;
    json->at++;
    json->column++;
    if (byte == '\n') {
        json->line++;
        json->column = 0;
    }
    if (json->recording) {
        const char copy = (char)byte;
        if (!reader_append(&json->raw, &copy, 1))
            fail_memory(json);
    }
    return byte;
}

static void skip_blanks(json_reader *json)
{
    for (int byte; (byte = look(json)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t';)
        take(json);
}

/* What stands here, for messages. */
static const char *shown(int byte, char text[8])
{
    if (byte == NONE)
        return "the end of the file";
    snprintf(text, 8, byte > 0x20 && byte < 0x7f ? "'%c'" : "\\x%02x", byte);
    return text;
}

static void unexpected(json_reader *json, const char *wanted)
{
    char text[8];
    const int byte = look(json);
    reader_fail(json, "expected %s, not %s", wanted, shown(byte, text));
}

/* ---- structure ---- */

int reader_peek(json_reader *json)
{
    skip_blanks(json);
    const int byte = look(json);
    return byte == NONE ? 0 : byte;
}

void reader_begin(json_reader *json, char bracket)
{
    if (reader_peek(json) != bracket) {
        unexpected(json, bracket == '{' ? "an object" : "an array");
        return;
    }
    take(json);
    json->first = true;
    if (++json->depth > JSON_DEEPEST)
        reader_fail(json, "nested too deeply");
}

bool reader_next(json_reader *json, char closing)
{
    const int byte = reader_peek(json);
    if (byte == closing) {
        take(json);
        json->first = false;
        json->depth--;
        return false;
    }
    if (!json->first) {
        if (byte != ',') {
            unexpected(json, closing == '}' ? "',' or '}'" : "',' or ']'");
            return false;
        }
        take(json);
    }
    json->first = false;
    return json->status == SCOPE_OK;
}

void reader_key(json_reader *json)
{
    reader_string(json);
    if (reader_peek(json) == ':')
        take(json);
    else
        unexpected(json, "':'");
}

void reader_end(json_reader *json)
{
    if (reader_peek(json) != 0)
        unexpected(json, "the end of the file");
}

bool reader_is(const json_reader *json, const char *text)
{
    return json->status == SCOPE_OK && strlen(text) == json->text.length &&
           memcmp(json->text.bytes, text, json->text.length) == 0;
}

/* ---- strings ---- */

static uint32_t four_digits(json_reader *json)
{
    uint32_t code = 0;
    for (int i = 0; i < 4; i++) {
        const int byte = take(json);
        if (byte >= '0' && byte <= '9')
            code = code << 4 | (uint32_t)(byte - '0');
        else if ((byte | 32) >= 'a' && (byte | 32) <= 'f')
            code = code << 4 | (uint32_t)((byte | 32) - 'a' + 10);
        else
            reader_fail(json, "\\u needs four hexadecimal digits");
    }
    return code;
}

static void append_code(json_reader *json, uint32_t code)
{
    char bytes[4];
    size_t length;
    if (code >= 0xDC80 && code <= 0xDCFF) { /* a byte that is not UTF-8, as Python says it */
        bytes[0] = (char)(code - 0xDC00);
        length = 1;
    } else {
        code = code >= 0xD800 && code < 0xE000 ? 0xFFFD : code;
        length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = length; i-- > 1; code >>= 6)
            bytes[i] = (char)(0x80 | (code & 0x3F));
        bytes[0] = (char)(length == 1 ? code : (0xF00u >> length & 0xFFu) | code);
    }
    if (!reader_append(&json->text, bytes, length))
        fail_memory(json);
}

static void escape(json_reader *json)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const int byte = take(json);
    const char *known = byte > 0 ? strchr(from, byte) : NULL;
    if (known) {
        append_code(json, (uint32_t)to[known - from]);
    } else if (byte == 'u') {
        uint32_t code = four_digits(json);
        while (code >= 0xD800 && code < 0xDC00) { /* the first half of a pair */
            uint32_t second = 0;
            if (look(json) != '\\')
                break;
            take(json);
            if (look(json) != 'u') {
                append_code(json, code);
                escape(json);
                return;
            }
            take(json);
            second = four_digits(json);
            if (second >= 0xDC00 && second < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
                break;
            }
            append_code(json, code);
            code = second;
        }
        append_code(json, code);
    } else {
        reader_fail(json, "unknown escape in a string");
    }
}

void reader_string(json_reader *json)
{
    if (reader_peek(json) != '"') {
        unexpected(json, "a string");
        return;
    }
    take(json);
    json->text.length = 0;
    if (!reader_append(&json->text, "", 0))
        fail_memory(json);
    for (;;) {
        const int byte = take(json);
        if (byte == '"')
            return;
        if (byte == NONE)
            reader_fail(json, "a string does not end");
        else if (byte < 0x20)
            reader_fail(json, "a control character in a string");
        if (json->status != SCOPE_OK)
            return;
        if (byte == '\\') {
            escape(json);
            continue;
        }
        char bytes[4] = {(char)byte};
        size_t length = 1;
        uint32_t code;
        for (const size_t whole = byte < 0xC0   ? 1
                                  : byte < 0xE0 ? 2
                                  : byte < 0xF0 ? 3
                                                : 4;
             length < whole && (look(json) & 0xC0) == 0x80 && look(json) != NONE; length++)
            bytes[length] = (char)take(json);
        if (scope_utf8_character(bytes, length, &code) != length)
            reader_fail(json, "a string is not UTF-8");
        else if (!reader_append(&json->text, bytes, length))
            fail_memory(json);
    }
}

/* ---- numbers and words ---- */

static void word(json_reader *json, const char *text)
{
    for (const char *at = text; *at; at++)
        if (take(json) != *at) {
            reader_fail(json, "expected %s", text);
            return;
        }
}

static size_t some_digits(json_reader *json)
{
    size_t count = 0;
    for (int byte; (byte = look(json)) >= '0' && byte <= '9'; count++)
        take(json);
    if (!count)
        unexpected(json, "a digit");
    return count;
}

/* What Python writes and JSON does not have; it is recorded as null. */
static void not_a_number(json_reader *json, const char *text)
{
    const bool recording = json->recording;
    json->recording = false;
    word(json, text);
    json->recording = recording;
    if (recording && !reader_append(&json->raw, "null", 4))
        fail_memory(json);
}

static void number(json_reader *json)
{
    if (look(json) == '-') {
        const size_t before = json->raw.length;
        take(json);
        if (look(json) == 'I') {
            json->raw.length = before;
            not_a_number(json, "Infinity");
            return;
        }
    }
    const bool zero = look(json) == '0';
    if (some_digits(json) > 1 && zero)
        reader_fail(json, "a number begins with 0");
    if (look(json) == '.') {
        take(json);
        some_digits(json);
    }
    if (look(json) == 'e' || look(json) == 'E') {
        take(json);
        if (look(json) == '+' || look(json) == '-')
            take(json);
        some_digits(json);
    }
}

/* The same for what lies in the buffer with its end: nearly every number of a column. */
static bool quick_integer(json_reader *json, int64_t *value)
{
    const unsigned char *at = json->at;
    if (json->end - at < 24 || json->recording || json->status != SCOPE_OK)
        return false;
    const bool minus = *at == '-';
    at += minus;
    const unsigned char *start = at;
    uint64_t magnitude = 0;
    while (*at >= '0' && *at <= '9' && at - start < 18)
        magnitude = magnitude * 10 + (uint64_t)(*at++ - '0');
    if (at == start || (*start == '0' && at - start > 1) || (*at != ',' && *at != ']'))
        return false;
    json->column += (uint64_t)(at - json->at);
    json->at = at;
    *value = minus ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

void reader_integer(json_reader *json, int64_t *value)
{
    reader_peek(json);
    if (quick_integer(json, value))
        return;
    const bool minus = look(json) == '-';
    if (minus)
        take(json);
    uint64_t magnitude = 0;
    int byte = look(json);
    if (byte < '0' || byte > '9') {
        unexpected(json, "an integer");
        return;
    }
    const bool zero = byte == '0';
    int count = 0;
    bool fits = true;
    for (; (byte = look(json)) >= '0' && byte <= '9'; count++) {
        fits = fits && !__builtin_mul_overflow(magnitude, 10u, &magnitude) &&
               !__builtin_add_overflow(magnitude, (uint64_t)(byte - '0'), &magnitude);
        take(json);
    }
    const uint64_t most = (uint64_t)INT64_MAX + minus;
    if (byte == '.' || byte == 'e' || byte == 'E')
        reader_fail(json, "expected an integer");
    else if ((zero && count > 1) || !fits || magnitude > most)
        reader_fail(json, zero && count > 1 ? "a number begins with 0" : "an integer is too large");
    else
        *value = minus ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
}

void reader_skip(json_reader *json)
{
    const int lowest = json->depth;
    char closing[JSON_DEEPEST + 2];
    do {
        const int byte = reader_peek(json);
        const int level = json->depth - lowest;
        if (byte == '{' || byte == '[') {
            reader_begin(json, (char)byte);
            if (json->status == SCOPE_OK)
                closing[level] = byte == '{' ? '}' : ']';
        } else if (byte == '"') {
            reader_string(json);
        } else if (byte == 't') {
            word(json, "true");
        } else if (byte == 'f') {
            word(json, "false");
        } else if (byte == 'n') {
            word(json, "null");
        } else if (byte == 'N' || byte == 'I') {
            not_a_number(json, byte == 'N' ? "NaN" : "Infinity");
        } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
            number(json);
        } else {
            unexpected(json, "a value");
        }
        while (json->status == SCOPE_OK && json->depth > lowest) {
            const char end = closing[json->depth - lowest - 1];
            if (!reader_next(json, end))
                continue; /* closed, or failed */
            if (end == '}')
                reader_key(json);
            break;
        }
    } while (json->status == SCOPE_OK && json->depth > lowest);
}

void reader_copy(json_reader *json)
{
    json->raw.length = 0;
    reader_peek(json); /* blanks before it are not part of it */
    json->recording = true;
    if (!reader_append(&json->raw, "", 0))
        fail_memory(json);
    reader_skip(json);
    json->recording = false;
}
