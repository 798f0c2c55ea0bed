/* file_input.h - HDF5 files changed so that their checksums stay right.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FILE_INPUT_H
#define SCOPE_FILE_INPUT_H

#include "fuzz.h"

/* Bytes of the file are changed in place; then blocks of metadata whose checksum was right get
 * a right one again. Now and then one that is wrong. */
size_t file_mutate(uint8_t *input, size_t length, size_t most, uint32_t seed,
                   size_t (*change)(uint8_t *bytes, size_t length, size_t most));

#endif
