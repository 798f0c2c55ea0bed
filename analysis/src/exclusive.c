/* exclusive.c - the exclusive time of every row, from call ids.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exclusive.h"

#include <stdlib.h>
#include <string.h>

#include <scope/wrap.h>

/* exclusive = duration minus the durations of the calls whose parent it is. Rows
 * are found by id: ids of a rank are dense but for damaged files, which get NULL. */
scope_status exclusive_of_rows(const scope_calls *calls, int64_t **result)
{
    *result = NULL;
    if (!calls->call_ids || !calls->parent_ids || calls->is_aggregate)
        return SCOPE_OK;
    int64_t *exclusive = malloc((calls->count + 1) * sizeof *exclusive);
    uint64_t *row_of_id = malloc((calls->count + 1) * sizeof *row_of_id);
    scope_status status = exclusive && row_of_id ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t first = 0, end; status == SCOPE_OK && first < calls->pair_count; first = end) {
        uint64_t count = 0;
        int64_t least = INT64_MAX;
        for (end = first;
             end < calls->pair_count && calls->pairs[end].rank == calls->pairs[first].rank; end++) {
            const scope_pair *pair = &calls->pairs[end];
            count += pair->count;
            for (uint64_t row = pair->first; row < pair->first + pair->count; row++)
                if (calls->call_ids[row] < least)
                    least = calls->call_ids[row];
        }
        int dense = least >= 0;
        memset(row_of_id, 0xff, count * sizeof *row_of_id);
        for (size_t i = first; i < end; i++)
            for (uint64_t k = 0; k < calls->pairs[i].count; k++) {
                const uint64_t row = calls->pairs[i].first + k;
                const uint64_t id = (uint64_t)calls->call_ids[row] - (uint64_t)least;
                exclusive[row] = calls->duration_ns[row];
                if (id < count)
                    row_of_id[id] = row;
                else
                    dense = 0;
            }
        for (size_t i = first; i < end; i++)
            for (uint64_t k = 0; k < calls->pairs[i].count; k++) {
                const uint64_t row = calls->pairs[i].first + k;
                const uint64_t id = (uint64_t)calls->parent_ids[row] - (uint64_t)least;
                if (!dense)
                    exclusive[row] = -1;
                else if (calls->parent_ids[row] >= 0 && id < count && row_of_id[id] != UINT64_MAX)
                    exclusive[row_of_id[id]] =
                        wrap_add(exclusive[row_of_id[id]], -calls->duration_ns[row]);
            }
    }
    free(row_of_id);
    if (status != SCOPE_OK)
        free(exclusive);
    else
        *result = exclusive;
    return status;
}
