/* fuzz_names.c - any bytes as names: shown as UTF-8, all different.
 *
 * The input is names, each ended by 0xFF 0x00.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/utf8.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "text.h"

static void check_shown(const char *text, size_t length)
{
    uint32_t code;
    for (size_t at = 0, step; at < length; at += step) {
        step = scope_utf8_character(text + at, length - at, &code);
        FUZZ_CHECK(step && code);
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check(const uint8_t *bytes, size_t length)
{
    char *joined = malloc(length + 1);
    uint64_t *ends = malloc((length + 1) * sizeof *ends);
    scope_strings names = {.bytes = joined, .ends = ends}, shown = {0};
    size_t used = 0;
    if (!joined || !ends)
        abort();
    for (size_t at = 0; at < length; at++) {
        if (bytes[at] == 0xFF && at + 1 < length && bytes[at + 1] == 0) {
            ends[names.count++] = used;
            at++;
        } else {
            joined[used++] = (char)bytes[at];
        }
    }
    ends[names.count++] = used;
    if (scope_text_display_names(&names, &shown) == SCOPE_OK) {
        const char **sorted = malloc(names.count * sizeof *sorted);
        FUZZ_CHECK(shown.count == names.count && sorted);
        for (size_t i = 0; i < names.count; i++) {
            sorted[i] = scope_text_display_name(&shown, i);
            check_shown(sorted[i], strlen(sorted[i]));
        }
        qsort(sorted, names.count, sizeof *sorted, compare);
        for (size_t i = 1; i < names.count; i++)
            FUZZ_CHECK(strcmp(sorted[i - 1], sorted[i]) != 0);
        free(sorted);
        scope_strings_free(&shown);
    }
    free(joined);
    free(ends);
}

const fuzz_target fuzz = {.name = "names", .check = check};
