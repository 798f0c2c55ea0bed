/* world_serial.c - the world of one process: every function is the identity.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/world.h>

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
    (void)world;
    (void)bytes;
    (void)length_bytes;
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

static uint64_t hash_of(const char *bytes, size_t length_bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length_bytes; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static const char *string_at(const scope_strings *strings, size_t i, size_t *length_bytes)
{
    const uint64_t start = i ? strings->ends[i - 1] : 0;
    *length_bytes = (size_t)(strings->ends[i] - start);
    return strings->bytes + start;
}

/* The number of string i among `all` so far; strings->count: it is new. */
static size_t known(const scope_strings *all, const uint32_t *slots, size_t mask, const char *bytes,
                    size_t length_bytes, size_t *slot)
{
    size_t length;
    for (*slot = hash_of(bytes, length_bytes) & mask; slots[*slot]; *slot = (*slot + 1) & mask) {
        const char *other = string_at(all, slots[*slot] - 1, &length);
        if (length == length_bytes && memcmp(other, bytes, length) == 0)
            return slots[*slot] - 1;
    }
    return all->count;
}

static scope_status unify(scope_world *world, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids)
{
    size_t slot, length, mask = 15;
    (void)world;
    while (mask < 2 * (all->count + mine->count))
        mask = 2 * mask + 1;
    const uint64_t used = all->count ? all->ends[all->count - 1] : 0;
    const uint64_t added = mine->count ? mine->ends[mine->count - 1] : 0;
    uint32_t *slots = calloc(mask + 1, sizeof *slots);
    char *bytes = realloc(all->bytes, used + added + 1);
    all->bytes = bytes ? bytes : all->bytes;
    uint64_t *ends = realloc(all->ends, (all->count + mine->count + 1) * sizeof *ends);
    all->ends = ends ? ends : all->ends;
    if (!slots || !bytes || !ends) {
        free(slots);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < all->count; i++) {
        const char *text = string_at(all, i, &length);
        known(all, slots, mask, text, length, &slot);
        slots[slot] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < mine->count; i++) {
        const char *text = string_at(mine, i, &length);
        const size_t id = known(all, slots, mask, text, length, &slot);
        ids[i] = (uint32_t)id;
        if (id < all->count)
            continue;
        const uint64_t start = id ? all->ends[id - 1] : 0;
        memcpy(all->bytes + start, text, length);
        all->ends[id] = start + length;
        slots[slot] = (uint32_t)++all->count;
    }
    free(slots);
    return SCOPE_OK;
}

static scope_status relay(scope_world *world, const void *mine, size_t length_bytes,
                          scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                               size_t length_bytes),
                          void *context)
{
    (void)world;
    return length_bytes ? take(context, 0, mine, length_bytes) : SCOPE_OK;
}

static scope_status most(scope_world *world, const int64_t *mine, int64_t *all, size_t count)
{
    (void)world;
    if (count)
        memcpy(all, mine, count * sizeof *mine);
    return SCOPE_OK;
}

static scope_status open_node(scope_world *world, scope_world **node)
{
    *node = world;
    return SCOPE_OK;
}

static void close_node(scope_world *world, scope_world *node)
{
    (void)world;
    (void)node;
}

const scope_world *scope_world_serial(void)
{
    static const scope_world world = {
        .size_bytes = sizeof world,
        .rank = 0,
        .size = 1,
        .worst = worst,
        .sums = sums,
        .broadcast = broadcast,
        .gather = gather,
        .unify = unify,
        .relay = relay,
        .most = most,
        .node_count = 1,
        .open_node = open_node,
        .close_node = close_node,
    };
    return &world;
}
