/* names.c - see names.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "metadata.h"
#include "text.h"

static scope_string string_at(const scope_strings *strings, size_t index)
{
    const uint64_t start = index ? strings->ends[index - 1] : 0;
    return (scope_string){strings->bytes + start, strings->ends[index] - start};
}

/* Slots hold index + 1. */
static uint32_t *slot_of(uint32_t *slots, size_t mask, const scope_strings *all, scope_string text)
{
    for (size_t at = scope_metadata_hash(text.bytes, text.length_bytes);; at++) {
        uint32_t *slot = &slots[at & mask];
        if (!*slot)
            return slot;
        const scope_string other = string_at(all, *slot - 1);
        if (other.length_bytes == text.length_bytes &&
            (!text.length_bytes || memcmp(other.bytes, text.bytes, text.length_bytes) == 0))
            return slot;
    }
}

scope_status scope_names_join(scope_strings *all, const scope_strings *more, uint32_t *ids)
{
    const uint64_t used = all->count ? all->ends[all->count - 1] : 0;
    const uint64_t added = more->count ? more->ends[more->count - 1] : 0;
    size_t mask = 15;
    while (mask < (all->count + more->count) * 2)
        mask = mask * 2 + 1;
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    char *bytes = realloc(all->bytes, used + added + 1);
    all->bytes = bytes ? bytes : all->bytes;
    uint64_t *ends = realloc(all->ends, (all->count + more->count + 1) * sizeof *ends);
    all->ends = ends ? ends : all->ends;
    if (!slots || !bytes || !ends) {
        free(slots);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < all->count; i++)
        *slot_of(slots, mask, all, string_at(all, i)) = (uint32_t)i + 1;
    for (size_t i = 0; i < more->count; i++) {
        const scope_string text = string_at(more, i);
        uint32_t *slot = slot_of(slots, mask, all, text);
        if (!*slot) {
            const uint64_t start = all->count ? all->ends[all->count - 1] : 0;
            if (text.length_bytes)
                memcpy(all->bytes + start, text.bytes, text.length_bytes);
            all->ends[all->count++] = start + text.length_bytes;
            *slot = (uint32_t)all->count;
        }
        ids[i] = *slot - 1;
    }
    free(slots);
    return SCOPE_OK;
}

/* Which regions have a row in the index; calloc'd, NULL without memory. */
static uint8_t *listed_regions(const scope_calls *calls)
{
    uint8_t *listed = calloc(calls->region_count + 1, 1);
    for (size_t i = 0; listed && i < calls->pair_count; i++)
        listed[calls->pairs[i].region] = 1;
    return listed;
}

uint64_t scope_names_unlisted(const scope_calls *calls)
{
    uint8_t *listed = listed_regions(calls);
    uint64_t count = 0;
    for (size_t i = 0; listed && i < calls->region_count; i++)
        count += !listed[i];
    free(listed);
    return count;
}

/* The names of the regions that are (or are not) listed. */
static scope_status pack(const scope_calls *calls, const uint8_t *listed, uint8_t wanted,
                         scope_strings *strings)
{
    uint64_t bytes = 0;
    *strings = (scope_strings){NULL, calloc(calls->region_count + 1, sizeof *strings->ends), 0};
    for (size_t i = 0; i < calls->region_count; i++)
        bytes += listed[i] == wanted ? calls->regions[i].name.length_bytes : 0;
    strings->bytes = malloc(bytes + 1);
    if (!strings->bytes || !strings->ends)
        return SCOPE_ERR_MEMORY;
    bytes = 0;
    for (size_t i = 0; i < calls->region_count; i++) {
        const scope_string name = calls->regions[i].name;
        if (listed[i] != wanted)
            continue;
        if (name.length_bytes)
            memcpy(strings->bytes + bytes, name.bytes, name.length_bytes);
        strings->ends[strings->count++] = bytes += name.length_bytes;
    }
    return SCOPE_OK;
}

/* Give my listed (or other) regions their numbers. */
static void spread(const uint8_t *listed, uint8_t wanted, size_t count, const uint32_t *from,
                   uint32_t *ids)
{
    for (size_t i = 0; i < count; i++)
        if (listed[i] == wanted)
            ids[i] = *from++;
}

/* The names that are not listed somewhere: after the listed ones, unless they are
 * listed elsewhere. */
static scope_status agree_on_others(scope_world *world, const scope_strings *mine, uint32_t *own,
                                    scope_strings *names)
{
    scope_strings others = {NULL, NULL, 0};
    scope_status status = world->unify(world, mine, &others, own);
    if (status != SCOPE_OK)
        return status;
    uint32_t *places = calloc(others.count + 1, sizeof *places);
    status = places ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK && world->rank == 0)
        status = scope_names_join(names, &others, places);
    status = world->worst(world, status);
    if (status == SCOPE_OK)
        status = world->broadcast(world, places, others.count * sizeof *places);
    for (size_t i = 0; status == SCOPE_OK && i < mine->count; i++)
        own[i] = places[own[i]];
    free(places);
    scope_strings_free(&others);
    return status;
}

scope_status scope_names_agree(scope_world *world, const scope_calls *calls, uint64_t unlisted,
                               uint32_t *ids, scope_strings *names, uint64_t *shown)
{
    scope_strings listed_names = {NULL, NULL, 0}, other_names = {NULL, NULL, 0};
    uint8_t *listed = listed_regions(calls);
    uint32_t *own = calloc(calls->region_count + 1, sizeof *own);
    scope_status status = listed && own ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK)
        status = pack(calls, listed, 1, &listed_names);
    if (status == SCOPE_OK)
        status = pack(calls, listed, 0, &other_names);
    status = world->worst(world, status);
    if (status == SCOPE_OK)
        status = world->unify(world, &listed_names, names, own);
    if (status == SCOPE_OK) {
        *shown = names->count;
        spread(listed, 1, calls->region_count, own, ids);
        if (unlisted)
            status = agree_on_others(world, &other_names, own, names);
        spread(listed, 0, calls->region_count, own, ids);
    }
    scope_strings_free(&listed_names);
    scope_strings_free(&other_names);
    free(listed);
    free(own);
    return status;
}
