/* fuzz_trace.c - `.spt` traces of scope-profiler 0.7.5.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>
#include <string.h>

#include "fuzz.h"

static void check(const uint8_t *bytes, size_t length)
{
    char message[512];
    scope_calls *calls = NULL;
    if (scope_import_trace(fuzz_path(bytes, length), &calls, message) != SCOPE_OK) {
        FUZZ_CHECK(strstr(message, fuzz_folder()) && strlen(message) < sizeof message);
        return;
    }
    fuzz_use_table(calls);
    scope_calls_free(calls);
}

const fuzz_target fuzz = {.name = "trace", .check = check};
