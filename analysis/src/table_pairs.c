/* table_pairs.c - which regions the table has, in which order, and their rows' places.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "json_text.h"
#include "table.h"

/* Which slots are in the table: those with calls first, each of which has a pair; then
 * those that only misuse or sums name. In the caller's order, then in that of their ids. */
typedef struct region_order {
    uint64_t id;
    uint32_t slot;
    int has_calls;
    size_t wanted; /* place in the caller's order; behind its end for others */
} region_order;

static int by_region_id(const void *a, const void *b)
{
    const region_order *x = a, *y = b;
    if (x->has_calls != y->has_calls)
        return x->has_calls > y->has_calls ? -1 : 1;
    if (x->wanted != y->wanted)
        return x->wanted < y->wanted ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

scope_status table_count_rows(table_maker *maker)
{
    const scope_cursor *cursor = maker->cursor;
    maker->region_rows = calloc(cursor->defs.region_count + 1, sizeof *maker->region_rows);
    if (!maker->region_rows)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < cursor->defs.region_count; i++)
        maker->region_rows[i] = cursor->defs.regions[i].call_count;
    for (size_t i = 0; i < cursor->lane_count; i++) { /* begun, and without any end yet */
        const scope_lane *lane = &cursor->lanes[i].lane;
        for (uint32_t k = 0; k < lane->depth; k++)
            if (!table_late_of(maker, lane->stack[k].order))
                maker->region_rows[lane->stack[k].region]--;
    }
    uint64_t count = 0; /* rows that were reported are counted nowhere */
    for (size_t i = 0; i < cursor->defs.region_count; i++)
        count += maker->region_rows[i];
    maker->calls->count = count;
    return SCOPE_OK;
}

static scope_status fill_pair(table_maker *maker, uint32_t slot, uint32_t row, uint64_t first)
{
    const region_slot *region = &maker->cursor->defs.regions[slot];
    scope_calls *calls = maker->calls;
    const scope_string tags = json_tags(calls, region->tags);
    if (!tags.bytes)
        return SCOPE_ERR_MEMORY;
    calls->pairs[calls->pair_count++] =
        (scope_pair){.rank = maker->rank,
                     .region = row,
                     .first = first,
                     .count = maker->region_rows[slot],
                     .source_line = region->source_line,
                     .source_file = scope_calls_string(calls, region->source_file.bytes,
                                                       region->source_file.length_bytes),
                     .tags = tags,
                     .summed_ns = clock_map_duration_ns(&maker->cursor->clock,
                                                        region->summed_ticks),
                     .exclusive_ns = -1};
    return SCOPE_OK;
}

static scope_string region_name(scope_calls *calls, const region_slot *region)
{
    if (region->name.bytes)
        return scope_calls_string(calls, region->name.bytes, region->name.length_bytes);
    char text[48];
    const int length = snprintf(text, sizeof text, "(region %llu)", (unsigned long long)region->id);
    return scope_calls_string(calls, text, (uint64_t)length);
}

static scope_status find_wanted(const table_maker *maker, size_t **wanted)
{
    const definitions *defs = &maker->cursor->defs;
    const size_t count = maker->options->order_count;
    size_t *places = *wanted = malloc((defs->region_count + 1) * sizeof *places);
    if (!places)
        return SCOPE_ERR_MEMORY;
    for (size_t slot = 0; slot < defs->region_count; slot++)
        places[slot] = count;
    for (size_t i = count; i-- > 0;) { /* of one that is named twice the first place counts */
        const uint32_t slot = id_map_find(&defs->region_map, maker->options->order[i]);
        if (slot != ID_MAP_NONE)
            places[slot] = i;
    }
    return SCOPE_OK;
}

scope_status table_pairs(table_maker *maker)
{
    const definitions *defs = &maker->cursor->defs;
    scope_calls *calls = maker->calls;
    scope_status status = SCOPE_ERR_MEMORY;
    region_order *order = malloc((defs->region_count + 1) * sizeof *order);
    maker->region_of_slot = malloc((defs->region_count + 1) * sizeof *maker->region_of_slot);
    int64_t *late_implied = calloc(defs->region_count + 1, sizeof *late_implied);
    size_t *wanted = NULL;
    if (find_wanted(maker, &wanted) != SCOPE_OK || !order || !maker->region_of_slot ||
        !late_implied)
        goto done;
    for (size_t i = 0; i < maker->late_count; i++)
        late_implied[maker->late[i].call.region] +=
            (maker->late[i].call.flags & SCOPE_CALL_IMPLIED) != 0;
    size_t count = 0, with_calls = 0;
    for (size_t slot = 0; slot < defs->region_count; slot++) {
        const region_slot *region = &defs->regions[slot];
        const int has_calls = maker->region_rows[slot] > 0;
        maker->region_of_slot[slot] = ID_MAP_NONE;
        if (!has_calls && !region->orphans && !region->folded)
            continue;
        with_calls += has_calls;
        order[count++] = (region_order){region->id, (uint32_t)slot, has_calls, wanted[slot]};
    }
    qsort(order, count, sizeof *order, by_region_id);
    calls->regions = scope_calls_alloc(calls, count, sizeof *calls->regions);
    calls->pairs = scope_calls_alloc(calls, with_calls, sizeof *calls->pairs);
    calls->misuse = scope_calls_alloc(calls, count, sizeof *calls->misuse);
    if (!calls->regions || !calls->pairs || !calls->misuse)
        goto done;
    calls->region_count = count;
    uint64_t first = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t slot = order[i].slot;
        const region_slot *region = &defs->regions[slot];
        maker->region_of_slot[slot] = (uint32_t)i;
        calls->regions[i].name = region_name(calls, region);
        if (order[i].has_calls && fill_pair(maker, slot, (uint32_t)i, first) != SCOPE_OK)
            goto done;
        first += maker->region_rows[slot];
        const int64_t implied = region->implied + late_implied[slot];
        if (implied || region->crossed || region->orphans)
            calls->misuse[calls->misuse_count++] = (scope_misuse_row){
                maker->rank, (uint32_t)i, implied, region->crossed, region->orphans};
    }
    status = SCOPE_OK;
done:
    free(order);
    free(wanted);
    free(late_implied);
    return status;
}
