/* string_is.h - a string of a call table says what a test expects.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STRING_IS_H
#define STRING_IS_H

#include <string.h>

#include <scope/calls.h>

static inline int is(scope_string text, const char *expected)
{
    return text.length_bytes == strlen(expected) &&
           memcmp(text.bytes, expected, strlen(expected)) == 0 &&
           text.bytes[text.length_bytes] == '\0';
}

#endif
