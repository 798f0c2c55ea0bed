/* json_text.c - a JSON array of strings, for tags.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 8 /* output bytes per input byte at most: "\\xff" and some */

/* Length of the valid UTF-8 sequence at bytes[0]; 0: none. */
static size_t utf8_length(const unsigned char *bytes, uint64_t left)
{
    if (bytes[0] < 0x80)
        return 1;
    const size_t length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2;
    if (bytes[0] < 0xC2 || bytes[0] > 0xF4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    if ((bytes[0] == 0xE0 && bytes[1] < 0xA0) || (bytes[0] == 0xED && bytes[1] > 0x9F) ||
        (bytes[0] == 0xF0 && bytes[1] < 0x90) || (bytes[0] == 0xF4 && bytes[1] > 0x8F))
        return 0;
    return length;
}

static char *put_string(char *to, scope_string text)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    *to++ = '"';
    for (uint64_t i = 0; i < text.length_bytes;) {
        const size_t length = utf8_length(bytes + i, text.length_bytes - i);
        if (length == 0) {
            to += sprintf(to, "\\\\x%02x", bytes[i++]);
        } else if (length == 1 && (bytes[i] == '"' || bytes[i] == '\\')) {
            *to++ = '\\';
            *to++ = (char)bytes[i++];
        } else if (length == 1 && bytes[i] < 0x20) {
            to += sprintf(to, "\\u%04x", bytes[i++]);
        } else {
            memcpy(to, bytes + i, length);
            to += length;
            i += length;
        }
    }
    *to++ = '"';
    return to;
}

scope_string json_tags(scope_calls *calls, const definition_tag *tags)
{
    if (!tags)
        return (scope_string){"[]", 2};
    uint64_t size = 3;
    for (const definition_tag *tag = tags; tag; tag = tag->next)
        size += tag->text.length_bytes * WIDEST + 4;
    char *text = malloc(size);
    if (!text)
        return (scope_string){NULL, 0};
    char *to = text;
    *to++ = '[';
    for (const definition_tag *tag = tags; tag; tag = tag->next) {
        if (tag != tags) {
            *to++ = ',';
            *to++ = ' ';
        }
        to = put_string(to, tag->text);
    }
    *to++ = ']';
    const scope_string result = scope_calls_string(calls, text, (uint64_t)(to - text));
    free(text);
    return result.length_bytes ? result : (scope_string){NULL, 0};
}
