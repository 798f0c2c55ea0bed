/* json_text.c - a JSON array of strings, for tags.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/utf8.h>

#define WIDEST 8 /* output bytes per input byte at most: "\\xff" and some */

static char *put_string(char *to, scope_string text)
{
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    *to++ = '"';
    for (uint64_t i = 0; i < text.length_bytes;) {
        uint32_t code;
        const size_t length = scope_utf8_character(bytes + i, text.length_bytes - i, &code);
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
