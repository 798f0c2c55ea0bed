/* spool_input.c - see spool_input.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spool_input.h"

#include <stdlib.h>
#include <string.h>

#include <scope/event.h>
#include <scope/recording.h>

enum { MOST_PIECES = 48 };

typedef struct pieces {
    uint16_t cut;
    size_t count;
    struct {
        uint8_t *bytes; /* SCOPE_CHUNK_UNIT_BYTES of room, zeros after the length */
        size_t length;
    } all[MOST_PIECES];
} pieces;

static size_t place_of(size_t piece)
{
    return piece == 0 ? 0 : SCOPE_HEADER_BYTES + (piece - 1) * (size_t)SCOPE_CHUNK_UNIT_BYTES;
}

static size_t room_of(size_t piece)
{
    return piece == 0 ? SCOPE_HEADER_BYTES : SCOPE_CHUNK_UNIT_BYTES;
}

static uint8_t *new_piece(void)
{
    uint8_t *bytes = calloc(1, SCOPE_CHUNK_UNIT_BYTES);
    if (!bytes)
        abort();
    return bytes;
}

static void unpack(const uint8_t *input, size_t length, pieces *to)
{
    *to = (pieces){0};
    if (length >= 2)
        memcpy(&to->cut, input, 2);
    for (size_t at = 2; at + 2 <= length && to->count < MOST_PIECES;) {
        uint16_t wanted;
        memcpy(&wanted, input + at, 2);
        at += 2;
        size_t part = wanted < length - at ? wanted : length - at;
        part = part < room_of(to->count) ? part : room_of(to->count);
        to->all[to->count].bytes = new_piece();
        memcpy(to->all[to->count].bytes, input + at, part);
        to->all[to->count++].length = part;
        at += wanted;
    }
}

/* As many pieces as there is room for. */
static size_t pack(const pieces *from, uint8_t *input, size_t most)
{
    size_t at = 2;
    if (most < 2)
        return 0;
    memcpy(input, &from->cut, 2);
    for (size_t i = 0; i < from->count && at + 2 < most; i++) {
        const size_t rest = most - at - 2;
        const uint16_t part = (uint16_t)(from->all[i].length < rest ? from->all[i].length : rest);
        memcpy(input + at, &part, 2);
        memcpy(input + at + 2, from->all[i].bytes, part);
        at += 2u + part;
    }
    return at;
}

static void release(pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        free(pieces->all[i].bytes);
}

uint8_t *spool_expand(const uint8_t *input, size_t length, size_t *expanded_length)
{
    pieces parts;
    unpack(input, length, &parts);
    size_t total = parts.count ? place_of(parts.count) : 0;
    const size_t cut = (size_t)parts.cut * 8;
    uint8_t *bytes = calloc(1, total + 1);
    if (!bytes)
        abort();
    for (size_t i = 0; i < parts.count; i++)
        memcpy(bytes + place_of(i), parts.all[i].bytes, parts.all[i].length);
    total = cut < total ? total - cut : total;
    *expanded_length = total;
    release(&parts);
    return bytes;
}

/* ---- changes ---- */

static void write_at(uint8_t *bytes, size_t at, const void *value, size_t length)
{
    memcpy(bytes + at, value, length);
}

/* A place for `length` bytes, a multiple of 8 after the chunk's header, inside of what is
 * used or just after it. */
static size_t place_in(size_t used, size_t length, uint32_t *seed)
{
    const size_t first = sizeof(scope_chunk_header);
    size_t end = used > first ? used : first;
    end = end + length + 8 > SCOPE_CHUNK_UNIT_BYTES ? SCOPE_CHUNK_UNIT_BYTES - length - 8 : end;
    return first + (fuzz_random(seed) % ((end - first) / 8 + 1)) * 8;
}

static uint64_t some_number(uint32_t *seed)
{
    const uint64_t number =
        (uint64_t)fuzz_random(seed) << 40 ^ (uint64_t)fuzz_random(seed) << 20 ^ fuzz_random(seed);
    const unsigned kind = fuzz_random(seed) % 8;
    return kind < 5    ? number % 16
           : kind == 5 ? number % 70000
           : kind == 6 ? number
                       : (uint64_t) - (int64_t)(number % 4);
}

static void change_header(scope_chunk_header *header, uint32_t *seed)
{
    const uint64_t number = some_number(seed);
    switch (fuzz_random(seed) % 10) {
    case 0:
        header->kind = (uint16_t)(1 + number % 3);
        break;
    case 1:
        header->session = (uint16_t)number;
        break;
    case 2:
        header->stream = (uint32_t)number;
        break;
    case 3:
        header->sequence = (uint32_t)number;
        break;
    case 4:
        header->generation = (uint32_t)number;
        break;
    case 5:
        header->further = (uint32_t)number;
        break;
    case 6:
        header->thread = (int64_t)number;
        break;
    case 7:
        header->task = (int64_t)number;
        break;
    case 8:
        header->ticks += number << fuzz_random(seed) % 50;
        break;
    default:
        header->monotonic_ns += (int64_t)(number << fuzz_random(seed) % 50);
    }
}

static size_t put_event(uint8_t *bytes, size_t used, uint32_t *seed)
{
    const size_t words = 1 + fuzz_random(seed) % 4;
    const size_t at = place_in(used, words * 8, seed);
    uint64_t before = 0;
    if (at >= sizeof(scope_chunk_header) + 8)
        memcpy(&before, bytes + at - 8, 8);
    const uint64_t ticks = scope_word_ticks(before) + some_number(seed) % 200;
    uint32_t id = (uint32_t)some_number(seed) % 24;
    if (fuzz_random(seed) % 16 == 0)
        id = (uint32_t)some_number(seed) & SCOPE_ID_ESCAPE;
    uint64_t word = scope_event(ticks, id, (scope_event_kind)(fuzz_random(seed) % 16));
    write_at(bytes, at, &word, 8);
    for (size_t i = 1; i < words; i++) {
        word = scope_payload(some_number(seed));
        write_at(bytes, at + i * 8, &word, 8);
    }
    return at + words * 8;
}

static size_t put_definition(uint8_t *bytes, size_t used, uint32_t *seed)
{
    const size_t at = place_in(used, 64, seed);
    const scope_definition head = {(uint32_t)(8 + fuzz_random(seed) % 12 * 8),
                                   (uint16_t)(fuzz_random(seed) % 15), (uint16_t)some_number(seed)};
    write_at(bytes, at, &head, sizeof head);
    const uint64_t number = some_number(seed);
    write_at(bytes, at + 8 + fuzz_random(seed) % 12 * 4, &number, 4 + fuzz_random(seed) % 2 * 4);
    return at + 64;
}

static void change_piece(pieces *parts, uint32_t *seed, size_t (*change)(uint8_t *, size_t, size_t))
{
    const size_t i = fuzz_random(seed) % parts->count;
    uint8_t *bytes = parts->all[i].bytes;
    size_t length = parts->all[i].length, used = length;
    switch (fuzz_random(seed) % 4) {
    case 0:
        change_header((scope_chunk_header *)(void *)bytes, seed);
        used = used < sizeof(scope_chunk_header) ? sizeof(scope_chunk_header) : used;
        break;
    case 1:
        used = put_event(bytes, length, seed);
        break;
    case 2:
        used = put_definition(bytes, length, seed);
        break;
    default:
        used = change(bytes, length, room_of(i));
        if (used < length)
            memset(bytes + used, 0, length - used);
        length = 0;
    }
    used = used > length ? used : length;
    parts->all[i].length = used < room_of(i) ? used : room_of(i);
}

static void change_order(pieces *parts, uint32_t *seed)
{
    const size_t from = fuzz_random(seed) % parts->count, to = fuzz_random(seed) % parts->count;
    if (fuzz_random(seed) % 2 && parts->count < MOST_PIECES) {
        uint8_t *bytes = new_piece();
        memcpy(bytes, parts->all[from].bytes, SCOPE_CHUNK_UNIT_BYTES);
        parts->all[parts->count].bytes = bytes;
        parts->all[parts->count++].length = parts->all[from].length;
    } else if (fuzz_random(seed) % 2) {
        uint8_t *bytes = parts->all[from].bytes;
        const size_t length = parts->all[from].length;
        parts->all[from] = parts->all[to];
        parts->all[to].bytes = bytes;
        parts->all[to].length = length;
    } else if (from) {
        free(parts->all[from].bytes);
        parts->all[from] = parts->all[--parts->count];
    }
}

/* Make the headers pass the first look. */
static void mend(pieces *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        uint8_t *bytes = parts->all[i].bytes;
        size_t least = 0;
        if (i == 0) {
            scope_recording_header *header = (scope_recording_header *)(void *)bytes;
            header->magic = SCOPE_RECORDING_MAGIC;
            header->version = SCOPE_RECORDING_VERSION;
            header->header_bytes = SCOPE_HEADER_BYTES;
            least = 24;
        } else if (i == 1) {
            scope_segment_header *header = (scope_segment_header *)(void *)bytes;
            header->magic = SCOPE_SEGMENT_MAGIC;
            header->length_bytes = parts->count * (uint64_t)SCOPE_CHUNK_UNIT_BYTES;
            least = 16;
        } else {
            scope_chunk_header *header = (scope_chunk_header *)(void *)bytes;
            header->magic = SCOPE_CHUNK_MAGIC;
            header->size_bytes = header->size_bytes / SCOPE_CHUNK_UNIT_BYTES % 4
                                     ? header->size_bytes & ~(SCOPE_CHUNK_UNIT_BYTES - 1)
                                     : SCOPE_CHUNK_UNIT_BYTES;
            header->generation += header->generation == 0;
            least = sizeof *header;
        }
        if (parts->all[i].length < least)
            parts->all[i].length = least;
    }
}

size_t spool_mutate(uint8_t *input, size_t length, size_t most, uint32_t seed,
                    size_t (*change)(uint8_t *bytes, size_t length, size_t most))
{
    pieces parts;
    unpack(input, length, &parts);
    if (!parts.count || fuzz_random(&seed) % 64 == 0) {
        release(&parts);
        return change(input, length, most);
    }
    for (unsigned times = 1 + fuzz_random(&seed) % 4; times; times--) {
        if (fuzz_random(&seed) % 8 == 0)
            change_order(&parts, &seed);
        else if (fuzz_random(&seed) % 16 == 0)
            parts.cut = (uint16_t)(fuzz_random(&seed) % 2 ? 0 : fuzz_random(&seed) % 2100);
        else
            change_piece(&parts, &seed, change);
    }
    if (fuzz_random(&seed) % 16)
        mend(&parts);
    const size_t used = pack(&parts, input, most);
    release(&parts);
    return used;
}
