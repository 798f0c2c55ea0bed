/* fuzz.h - what the targets of this folder have in common.
 *
 *     const fuzz_target fuzz = {.name = "json", .check = check};
 *
 * A target reads bytes as the reader it is named after would read a file, and aborts if it
 * was told something that cannot be. libFuzzer calls it with inputs that it makes
 * (libfuzzer.c); replay.c calls it with the files of the corpus, cut at each byte and with
 * a bit of each byte flipped.
 *
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_FUZZ_H
#define SCOPE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <scope/calls.h>

typedef struct fuzz_target {
    const char *name;
    void (*check)(const uint8_t *bytes, size_t length);

    /* Inputs that stand for something larger: malloc'd. NULL: they stand for themselves. */
    uint8_t *(*expand)(const uint8_t *input, size_t length, size_t *expanded_length);

    /* Change an input so that it stays worth reading; `change` is what libFuzzer would do with
     * bytes. NULL: only that. Returns the new length. */
    size_t (*mutate)(uint8_t *input, size_t length, size_t most, uint32_t seed,
                     size_t (*change)(uint8_t *bytes, size_t length, size_t most));

    unsigned tries; /* cuts and flips of replay.c at most; 0: as many as usual */
} fuzz_target;

extern const fuzz_target fuzz; /* of the program */

/* A file of these bytes; the next call changes it. It lies in a folder of the program, which
 * goes at its end. */
const char *fuzz_path(const uint8_t *bytes, size_t length);
const char *fuzz_folder(void);

/* Do with a table what tools do: everything in it is looked at, nested, summed, merged. */
void fuzz_use_table(scope_calls *calls);

/* A condition that holds whatever is read. */
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(#condition, __FILE__, __LINE__);                                             \
    } while (0)
_Noreturn void fuzz_fail(const char *what, const char *file, int line);

/* Cheap pseudo-random numbers. */
static inline uint32_t fuzz_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

#endif
