/* file_input.c - see file_input.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "file_input.h"

#include <stdlib.h>
#include <string.h>

uint32_t H5_checksum_metadata(const void *bytes, size_t length, uint32_t initial); /* HDF5's own */

enum { MOST_BLOCKS = 1024, LONGEST_SEARCH = 600 };

typedef struct block { /* bytes [start, end), then 4 of checksum */
    size_t start, end;
} block;

static uint32_t number_at(const uint8_t *bytes, size_t at, size_t width)
{
    uint32_t number = 0;
    for (size_t i = 0; i < width; i++)
        number |= (uint32_t)bytes[at + i] << 8 * i;
    return number;
}

static bool is_right(const uint8_t *bytes, size_t start, size_t end)
{
    return H5_checksum_metadata(bytes + start, end - start, 0) == number_at(bytes, end, 4);
}

/* Where an object header ends, which says so itself. */
static size_t header_end(const uint8_t *bytes, size_t start, size_t length)
{
    const uint8_t flags = bytes[start + 5];
    const size_t width = (size_t)1 << (flags & 3);
    const size_t at = start + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    return at + width + 4 <= length ? at + width + number_at(bytes, at, width < 4 ? width : 4)
                                    : length;
}

static bool has_block(const uint8_t *bytes, size_t at, size_t length)
{
    static const char names[][5] = {"OHDR", "OCHK", "BTHD", "BTLF", "BTIN", "FRHP",
                                    "FHDB", "FHIB", "FSHD", "FSSE", "FAHD", "EAHD"};
    for (size_t i = 0; at + 16 < length && i < sizeof names / sizeof *names; i++)
        if (memcmp(bytes + at, names[i], 4) == 0)
            return true;
    return length > 52 && memcmp(bytes + at, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static size_t find_blocks(const uint8_t *bytes, size_t length, block *blocks)
{
    size_t count = 0;
    for (size_t at = 0; at + 16 < length && count < MOST_BLOCKS; at++) {
        if (!has_block(bytes, at, length))
            continue;
        size_t end = memcmp(bytes + at, "OHDR", 4) == 0 ? header_end(bytes, at, length) : at + 8;
        const size_t last = bytes[at] == 'O' && bytes[at + 1] == 'H' ? end : at + LONGEST_SEARCH;
        while (end + 4 <= length && end <= last && !is_right(bytes, at, end))
            end++;
        if (end + 4 <= length && end <= last)
            blocks[count++] = (block){at, end};
    }
    return count;
}

/* Numbers that lengths and offsets are afraid of. */
static void put_number(uint8_t *bytes, size_t at, size_t room, uint32_t *seed)
{
    static const uint64_t numbers[] = {0,          1,          2,          0xFF,
                                       0xFFFF,     0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
                                       1ull << 32, 1ull << 40, 1ull << 62, UINT64_MAX};
    const uint64_t number = numbers[fuzz_random(seed) % (sizeof numbers / sizeof *numbers)];
    const size_t width = (size_t)1 << fuzz_random(seed) % 4;
    memcpy(bytes + at, &number, width < room ? width : room);
}

size_t file_mutate(uint8_t *input, size_t length, size_t most, uint32_t seed,
                   size_t (*change)(uint8_t *bytes, size_t length, size_t most))
{
    block *blocks = malloc(MOST_BLOCKS * sizeof *blocks);
    if (!blocks)
        abort();
    const size_t count = find_blocks(input, length, blocks);
    for (unsigned times = 1 + fuzz_random(&seed) % 3; times; times--) {
        size_t at = length ? fuzz_random(&seed) % length : 0, end = length;
        if (count && fuzz_random(&seed) % 4) { /* metadata are few among many zeros */
            const block *one = &blocks[fuzz_random(&seed) % count];
            at = one->start + 4 + fuzz_random(&seed) % (one->end - one->start - 4);
            end = one->end;
        }
        const size_t part = end - at < 16 ? end - at : 16;
        switch (part ? fuzz_random(&seed) % 4 : 3) {
        case 0:
            input[at] ^= (uint8_t)(1u << fuzz_random(&seed) % 8);
            break;
        case 1:
            put_number(input, at, part, &seed);
            break;
        case 2:
            change(input + at, part, part);
            break;
        default:
            if (fuzz_random(&seed) % 32 == 0)
                length = change(input, length, most);
            else if (part)
                input[at] = (uint8_t)(input[at] + fuzz_random(&seed) % 7 - 3);
        }
    }
    for (size_t i = 0; i < count && fuzz_random(&seed) % 32; i++) {
        if (blocks[i].end + 4 > length)
            continue;
        const uint32_t sum =
            H5_checksum_metadata(input + blocks[i].start, blocks[i].end - blocks[i].start, 0);
        for (size_t k = 0; k < 4; k++)
            input[blocks[i].end + k] = (uint8_t)(sum >> 8 * k);
    }
    free(blocks);
    return length;
}
