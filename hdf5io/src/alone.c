/* alone.c - see alone.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "alone.h"

#include <stdlib.h>
#include <string.h>

static scope_status worst(scope_world *world, scope_status mine)
{
    (void)world;
    return mine;
}

static scope_status sums(scope_world *world, const int64_t *mine, int64_t *before, int64_t *total,
                         size_t count)
{
    (void)world;
    for (size_t i = 0; i < count; i++) {
        before[i] = 0;
        total[i] = mine[i];
    }
    return SCOPE_OK;
}

static scope_status broadcast(scope_world *world, void *bytes, size_t length_bytes)
{
    (void)world, (void)bytes, (void)length_bytes;
    return SCOPE_OK;
}

static scope_status gather(scope_world *world, const void *mine, size_t length_bytes, void **all,
                           uint64_t *ends)
{
    (void)world;
    *all = malloc(length_bytes ? length_bytes : 1);
    if (!*all)
        return SCOPE_ERR_MEMORY;
    if (length_bytes)
        memcpy(*all, mine, length_bytes);
    ends[0] = length_bytes;
    return SCOPE_OK;
}

static scope_status unify(scope_world *world, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids)
{
    (void)world;
    const uint64_t bytes = mine->count ? mine->ends[mine->count - 1] : 0;
    all->bytes = malloc(bytes + 1);
    all->ends = malloc((mine->count + 1) * sizeof *all->ends);
    all->count = mine->count;
    if (!all->bytes || !all->ends)
        return SCOPE_ERR_MEMORY; /* the caller frees what there is */
    if (bytes)
        memcpy(all->bytes, mine->bytes, bytes);
    for (size_t i = 0; i < mine->count; i++) {
        all->ends[i] = mine->ends[i];
        ids[i] = (uint32_t)i;
    }
    return SCOPE_OK;
}

static scope_status relay(scope_world *world, const void *mine, size_t length_bytes,
                          scope_status (*take)(void *, int32_t, const void *, size_t),
                          void *context)
{
    (void)world;
    return length_bytes ? take(context, 0, mine, length_bytes) : SCOPE_OK;
}

scope_world scope_world_alone(void)
{
    return (scope_world){.size_bytes = sizeof(scope_world),
                         .rank = 0,
                         .size = 1,
                         .worst = worst,
                         .sums = sums,
                         .broadcast = broadcast,
                         .gather = gather,
                         .unify = unify,
                         .relay = relay};
}
