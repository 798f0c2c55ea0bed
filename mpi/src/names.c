/* names.c - a set of byte strings that keeps the order in which they came.
 *
 * SPDX-License-Identifier: MIT
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* Open addressing: slots[] holds place + 1, 0 is empty; at most half are used. */
struct mpi_names {
    scope_strings strings;
    uint64_t *hashes; /* of strings[i] */
    size_t room, bytes_room;
    uint32_t *slots;
    size_t slot_count; /* a power of two */
};

#define SEED_A UINT64_C(0x9E3779B97F4A7C15)
#define SEED_B UINT64_C(0xC2B2AE3D27D4EB4F)

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
    return hash ^ hash >> 32;
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length_bytes)
{
    hash = mix(hash, length_bytes);
    while (length_bytes) {
        uint64_t word = 0;
        const size_t part = length_bytes < sizeof word ? length_bytes : sizeof word;
        memcpy(&word, bytes, part);
        hash = mix(hash, word);
        bytes += part;
        length_bytes -= part;
    }
    return mix(hash, SEED_A);
}

mpi_names *mpi_names_new(void)
{
    mpi_names *names = calloc(1, sizeof *names);
    if (!names)
        return NULL;
    names->slot_count = 64;
    names->room = 32;
    names->bytes_room = 1024;
    names->slots = calloc(names->slot_count, sizeof *names->slots);
    names->hashes = malloc(names->room * sizeof *names->hashes);
    names->strings.ends = malloc(names->room * sizeof *names->strings.ends);
    names->strings.bytes = malloc(names->bytes_room);
    if (names->slots && names->hashes && names->strings.ends && names->strings.bytes)
        return names;
    mpi_names_free(names);
    return NULL;
}

void mpi_names_free(mpi_names *names)
{
    if (!names)
        return;
    free(names->strings.bytes);
    free(names->strings.ends);
    free(names->hashes);
    free(names->slots);
    free(names);
}

static bool grow_bytes(mpi_names *names, size_t needed)
{
    size_t room = names->bytes_room;
    while (room < needed)
        room *= 2;
    char *bytes = realloc(names->strings.bytes, room);
    if (!bytes)
        return false;
    names->strings.bytes = bytes;
    names->bytes_room = room;
    return true;
}

/* Twice the room for names, and slots to match. */
static bool grow_names(mpi_names *names)
{
    const size_t room = names->room * 2, slot_count = names->slot_count * 2;
    uint64_t *ends = realloc(names->strings.ends, room * sizeof *ends);
    if (ends)
        names->strings.ends = ends;
    uint64_t *hashes = realloc(names->hashes, room * sizeof *hashes);
    if (hashes)
        names->hashes = hashes;
    uint32_t *slots = ends && hashes ? calloc(slot_count, sizeof *slots) : NULL;
    if (!slots)
        return false;
    for (size_t i = 0; i < names->strings.count; i++) {
        size_t slot = names->hashes[i] & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)i + 1;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    names->room = room;
    return true;
}

bool mpi_names_add(mpi_names *names, const char *bytes, size_t length_bytes, uint32_t *place)
{
    scope_strings *strings = &names->strings;
    const uint64_t hash = hash_bytes(SEED_B, bytes, length_bytes);
    size_t slot = hash & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1)) {
        const uint32_t i = names->slots[slot] - 1;
        const uint64_t start = i ? strings->ends[i - 1] : 0;
        if (names->hashes[i] == hash && strings->ends[i] - start == length_bytes &&
            (!length_bytes || !memcmp(strings->bytes + start, bytes, length_bytes))) {
            *place = i;
            return true;
        }
    }
    const uint64_t used = strings->count ? strings->ends[strings->count - 1] : 0;
    if (strings->count >= UINT32_MAX - 1)
        return false;
    if (used + length_bytes > names->bytes_room && !grow_bytes(names, used + length_bytes))
        return false;
    if (strings->count == names->room) {
        if (!grow_names(names))
            return false;
        slot = hash & (names->slot_count - 1);
        while (names->slots[slot])
            slot = (slot + 1) & (names->slot_count - 1);
    }
    if (length_bytes)
        memcpy(strings->bytes + used, bytes, length_bytes);
    strings->ends[strings->count] = used + length_bytes;
    names->hashes[strings->count] = hash;
    *place = (uint32_t)strings->count++;
    names->slots[slot] = *place + 1;
    return true;
}

size_t mpi_names_count(const mpi_names *names)
{
    return names->strings.count;
}

void mpi_names_hash(const mpi_names *names, uint64_t hash[2])
{
    hash[0] = SEED_A;
    hash[1] = SEED_B;
    uint64_t start = 0;
    for (size_t i = 0; i < names->strings.count; i++) {
        const uint64_t end = names->strings.ends[i];
        hash[0] = mix(hash[0], names->hashes[i]);
        hash[1] = hash_bytes(hash[1], names->strings.bytes + start, end - start);
        start = end;
    }
}

scope_strings mpi_names_strings(const mpi_names *names)
{
    return names->strings;
}

scope_strings mpi_names_take(mpi_names *names)
{
    const scope_strings taken = names->strings;
    names->strings = (scope_strings){0};
    names->room = names->bytes_room = 0;
    return taken;
}
