/* array.h - room for one more in a growing array.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ARRAY_H
#define SCOPE_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

#include "id_map.h"

/* The array of elements of size_bytes, larger if `count` fill *capacity; its places fit into
 * an id_map. NULL: no memory, and the array is as it was. */
static inline void *array_grown(void *array, size_t count, size_t *capacity, size_t size_bytes)
{
    if (count < *capacity)
        return array;
    const size_t larger = *capacity ? *capacity * 2 : 8;
    if (larger >= ID_MAP_NONE || larger > SIZE_MAX / size_bytes)
        return NULL;
    void *grown = realloc(array, larger * size_bytes);
    if (grown)
        *capacity = larger;
    return grown;
}

#endif
