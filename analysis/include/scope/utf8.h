/* utf8.h - one character of UTF-8 in text that may hold any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_UTF8_H
#define SCOPE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length of the valid character at `at`, whose number goes to *code; 0 when there
 * is none: a stray byte, a cut or overlong sequence, a surrogate. length_bytes > 0. */
static inline size_t scope_utf8_character(const void *at, uint64_t length_bytes, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)at;
    const size_t length = byte[0] < 0x80             ? 1
                          : (byte[0] & 0xE0) == 0xC0 ? 2
                          : (byte[0] & 0xF0) == 0xE0 ? 3
                          : (byte[0] & 0xF8) == 0xF0 ? 4
                                                     : 0;
    if (!length || length > length_bytes)
        return 0;
    *code = length == 1 ? byte[0] : byte[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (byte[i] & 0x3F);
    }
    return *code < least[length] || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000)
               ? 0
               : length;
}

#endif
