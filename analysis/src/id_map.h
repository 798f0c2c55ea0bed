/* id_map.h - ids of a recording to dense places: an array for the ids in use,
 * a hash table for what a damaged file or an id beyond 20 bits may hold.
 *
 * Ownership  the map owns its memory; start from zero bytes, end with id_map_free.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ID_MAP_H
#define SCOPE_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

#define ID_MAP_NONE UINT32_MAX
#define ID_MAP_DENSE_MAX (UINT64_C(1) << 20)

typedef struct id_map {
    uint32_t *dense; /* place of ids below dense_count; ID_MAP_NONE: none */
    size_t dense_count;
    uint64_t *keys; /* the others: open addressing */
    uint32_t *places;
    size_t used, capacity;
} id_map;

uint32_t id_map_find_sparse(const id_map *map, uint64_t id);

/* The place of `id`, ID_MAP_NONE if it has none. */
static inline uint32_t id_map_find(const id_map *map, uint64_t id)
{
    return id < map->dense_count ? map->dense[id] : id_map_find_sparse(map, id);
}

/* Give `id`, which has no place, this one. 0: no memory. */
int id_map_add(id_map *map, uint64_t id, uint32_t place);

void id_map_free(id_map *map);

#endif
