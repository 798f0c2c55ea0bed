/* fuzz_filter.c - SCOPE_FILTER: patterns up to the first NUL, then names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "fuzz.h"

static void check(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    if (!text)
        abort();
    memcpy(text, bytes, length);
    text[length] = '\0';
    scope_filter *filter = scope_filter_new(text);
    for (size_t at = strlen(text) + 1; at < length; at += strlen(text + at) + 1)
        scope_filter_accepts(filter, text + at, strlen(text + at));
    scope_filter_accepts(filter, (const char *)bytes, length);
    scope_filter_free(filter);
    free(text);
}

const fuzz_target fuzz = {.name = "filter", .check = check};
