/* libfuzzer.c - the target of fuzz.h for clang's -fsanitize=fuzzer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "fuzz.h"

#define EXPORTED __attribute__((visibility("default")))

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most);
EXPORTED int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
EXPORTED size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t expanded_length = length;
    uint8_t *expanded = fuzz.expand ? fuzz.expand(bytes, length, &expanded_length) : NULL;
    fuzz.check(expanded ? expanded : bytes, expanded_length);
    free(expanded);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    return fuzz.mutate ? fuzz.mutate(bytes, length, most, seed, LLVMFuzzerMutate)
                       : LLVMFuzzerMutate(bytes, length, most);
}
