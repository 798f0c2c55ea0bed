/* fuzz_elf.c - programs that `scope run` looks at before it starts them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "elf_file.h"
#include "fuzz.h"

static void check(const uint8_t *bytes, size_t length)
{
    elf_file file;
    size_t total = 0;
    if (!elf_open(fuzz_path(bytes, length), &file))
        return;
    for (const char **name = file.needed; name && *name; name++)
        total += strlen(*name);
    total += file.rpath ? strlen(file.rpath) : 0;
    total += file.runpath ? strlen(file.runpath) : 0;
    FUZZ_CHECK(!length || total < SIZE_MAX);
    elf_close(&file);
}

const fuzz_target fuzz = {.name = "elf", .check = check};
