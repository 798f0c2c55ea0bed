/* nest.c - nesting of calls that are in no table.
 *
 * The calls in the order of their ids; of each lane the innermost call that is open.
 * Parents make the stack: what is below a call on its lane's stack is its parent.
 *
 *     top[lane] -> call -> parent[call] -> ... -> -1
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>
#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

#include "id_map.h"
#include "nest_sort.h"

typedef struct lanes_seen {
    uint32_t *of_call; /* number of the call's lane, by its place in the input; NULL: one lane */
    size_t count;
} lanes_seen;

static scope_status number_lanes(const int64_t *lanes, uint64_t count, lanes_seen *seen)
{
    id_map map = {0};
    scope_status status = SCOPE_ERR_MEMORY;
    seen->count = 1;
    if (!lanes)
        return SCOPE_OK;
    if (count >= ID_MAP_NONE)
        return SCOPE_ERR_MEMORY;
    seen->count = 0;
    seen->of_call = malloc((count + 1) * sizeof *seen->of_call);
    if (!seen->of_call)
        goto done;
    for (uint64_t i = 0; i < count; i++) {
        if (i && lanes[i] == lanes[i - 1]) {
            seen->of_call[i] = seen->of_call[i - 1];
            continue;
        }
        uint32_t number = id_map_find(&map, (uint64_t)lanes[i]);
        if (number == ID_MAP_NONE) {
            number = (uint32_t)seen->count++;
            if (!id_map_add(&map, (uint64_t)lanes[i], number))
                goto done;
        }
        seen->of_call[i] = number;
    }
    status = SCOPE_OK;
done:
    id_map_free(&map);
    return status;
}

typedef struct order_filler {
    int64_t *next;
} order_filler;

static scope_status take_places(void *context, const uint64_t *places, size_t count)
{
    order_filler *to = context;
    for (size_t i = 0; i < count; i++)
        *to->next++ = (int64_t)places[i];
    return SCOPE_OK;
}

static scope_status find_parents(const int64_t *start_ns, const int64_t *duration_ns,
                                 const lanes_seen *lanes, scope_nesting *nesting)
{
    int64_t *top = malloc((lanes->count + 1) * sizeof *top);
    scope_status status = top ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (top)
        memset(top, 0xff, (lanes->count + 1) * sizeof *top); /* -1: nothing open */
    for (uint64_t i = 0; i < nesting->count && status == SCOPE_OK; i++) {
        const uint64_t call = (uint64_t)nesting->order[i];
        const int64_t start = start_ns[call], duration = duration_ns[call];
        int64_t *open = &top[lanes->of_call ? lanes->of_call[call] : 0];
        int64_t around = *open;
        while (around >= 0) { /* touching calls are siblings; a zero-length one is inside one
                                 of the same start */
            const uint64_t other = (uint64_t)nesting->order[around];
            const int64_t end = nest_end(start_ns[other], duration_ns[other]);
            if (end > start || start_ns[other] >= start) {
                if (duration >= 0 && nest_end(start, duration) > end) {
                    nesting->clash[0] = other;
                    nesting->clash[1] = call;
                    status = SCOPE_ERR_NESTING;
                }
                break;
            }
            around = nesting->parent[around];
        }
        if (duration < 0) {
            nesting->clash[0] = nesting->clash[1] = call;
            status = SCOPE_ERR_NESTING;
        }
        nesting->parent[i] = around;
        nesting->exclusive_ns[i] = duration;
        nesting->depth[i] = around < 0 ? 0 : nesting->depth[around] + 1;
        if (around >= 0)
            nesting->exclusive_ns[around] = wrap_subtract(nesting->exclusive_ns[around], duration);
        *open = (int64_t)i;
    }
    free(top);
    return status;
}

scope_status scope_nest(const int64_t *start_ns, const int64_t *duration_ns, const int64_t *lanes,
                        uint64_t count, scope_nesting *nesting)
{
    lanes_seen seen = {0};
    *nesting = (scope_nesting){.count = count};
    scope_status status = SCOPE_ERR_MEMORY;
    if (count >= SIZE_MAX / sizeof(int64_t))
        goto done;
    nesting->order = malloc((count + 1) * sizeof(int64_t));
    nesting->depth = malloc((count + 1) * sizeof(int64_t));
    nesting->parent = malloc((count + 1) * sizeof(int64_t));
    nesting->exclusive_ns = malloc((count + 1) * sizeof(int64_t));
    if (!nesting->order || !nesting->depth || !nesting->parent || !nesting->exclusive_ns)
        goto done;
    status = number_lanes(lanes, count, &seen);
    if (status != SCOPE_OK)
        goto done;
    const nest_rows rows = {.start_ns = start_ns, .duration_ns = duration_ns, .count = count};
    order_filler filler = {nesting->order};
    nest_scan scan;
    nest_scan_rows(&rows, &scan);
    status = nest_sort(&rows, &scan, take_places, &filler);
    if (status == SCOPE_OK)
        status = find_parents(start_ns, duration_ns, &seen, nesting);
done:
    free(seen.of_call);
    if (status != SCOPE_OK) {
        const scope_nesting failed = {.clash = {nesting->clash[0], nesting->clash[1]}};
        scope_nesting_free(nesting);
        *nesting = failed;
    }
    return status;
}

void scope_nesting_free(scope_nesting *nesting)
{
    if (!nesting)
        return;
    free(nesting->order);
    free(nesting->depth);
    free(nesting->parent);
    free(nesting->exclusive_ns);
    *nesting = (scope_nesting){0};
}
