/* names.c - see names.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

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
        if (unlisted) /* after the listed ones, unless they are listed elsewhere */
            status = world->unify(world, &other_names, names, own);
        spread(listed, 0, calls->region_count, own, ids);
    }
    scope_strings_free(&listed_names);
    scope_strings_free(&other_names);
    free(listed);
    free(own);
    return status;
}
