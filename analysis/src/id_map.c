/* id_map.c - ids to dense places.
 *
 * SPDX-License-Identifier: MIT
 */
#include "id_map.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const id_map *map, uint64_t id)
{
    size_t slot = (size_t)(id * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (map->capacity - 1);
    while (map->places[slot] != ID_MAP_NONE && map->keys[slot] != id)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

uint32_t id_map_find_sparse(const id_map *map, uint64_t id)
{
    return map->capacity ? map->places[slot_of(map, id)] : ID_MAP_NONE;
}

static int grow_sparse(id_map *map)
{
    id_map larger = *map;
    larger.capacity = map->capacity ? map->capacity * 2 : 64;
    larger.keys = malloc(larger.capacity * sizeof *larger.keys);
    larger.places = malloc(larger.capacity * sizeof *larger.places);
    if (!larger.keys || !larger.places) {
        free(larger.keys);
        free(larger.places);
        return 0;
    }
    memset(larger.places, 0xff, larger.capacity * sizeof *larger.places);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->places[i] != ID_MAP_NONE) {
            const size_t slot = slot_of(&larger, map->keys[i]);
            larger.keys[slot] = map->keys[i];
            larger.places[slot] = map->places[i];
        }
    free(map->keys);
    free(map->places);
    *map = larger;
    return 1;
}

static int grow_dense(id_map *map, uint64_t id)
{
    size_t count = map->dense_count ? map->dense_count : 256;
    while (count <= id)
        count *= 2;
    uint32_t *dense = realloc(map->dense, count * sizeof *dense);
    if (!dense)
        return 0;
    memset(dense + map->dense_count, 0xff, (count - map->dense_count) * sizeof *dense);
    map->dense = dense;
    map->dense_count = count;
    return 1;
}

int id_map_add(id_map *map, uint64_t id, uint32_t place)
{
    if (id < ID_MAP_DENSE_MAX) {
        if (id >= map->dense_count && !grow_dense(map, id))
            return 0;
        map->dense[id] = place;
        return 1;
    }
    if (map->used * 2 >= map->capacity && !grow_sparse(map))
        return 0;
    const size_t slot = slot_of(map, id);
    map->keys[slot] = id;
    map->places[slot] = place;
    map->used++;
    return 1;
}

void id_map_free(id_map *map)
{
    free(map->dense);
    free(map->keys);
    free(map->places);
    *map = (id_map){0};
}
