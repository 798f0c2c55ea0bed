/* clash.c - which two calls of a rank do not nest.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/check.h>

#include <stdlib.h>

typedef struct rank_rows { /* the calls of one rank, pair after pair */
    uint64_t count;
    uint64_t *row;
    int64_t *start_ns, *duration_ns, *lane;
} rank_rows;

static void rank_rows_free(rank_rows *rows)
{
    free(rows->row);
    free(rows->start_ns);
    free(rows->duration_ns);
    free(rows->lane);
}

static scope_status rank_rows_find(const scope_calls *calls, int32_t rank, rank_rows *rows)
{
    *rows = (rank_rows){0};
    uint64_t count = 0;
    for (size_t i = 0; i < calls->pair_count; i++)
        count += calls->pairs[i].rank == rank ? calls->pairs[i].count : 0;
    rows->row = malloc((count + 1) * sizeof *rows->row);
    rows->start_ns = malloc((count + 1) * sizeof *rows->start_ns);
    rows->duration_ns = malloc((count + 1) * sizeof *rows->duration_ns);
    rows->lane = malloc((count + 1) * sizeof *rows->lane);
    if (!rows->row || !rows->start_ns || !rows->duration_ns || !rows->lane)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        for (uint64_t k = 0; pair->rank == rank && k < pair->count; k++) {
            const uint64_t row = pair->first + k;
            rows->row[rows->count] = row;
            rows->start_ns[rows->count] = calls->start_ns[row];
            rows->duration_ns[rows->count] = calls->duration_ns[row];
            rows->lane[rows->count++] = scope_calls_lane(calls, row);
        }
    }
    return SCOPE_OK;
}

scope_status scope_calls_clash(const scope_calls *calls, int32_t rank, uint64_t clash[2])
{
    rank_rows rows;
    scope_nesting nesting = {0};
    if (calls->is_aggregate)
        return SCOPE_OK;
    scope_status status = rank_rows_find(calls, rank, &rows);
    if (status == SCOPE_OK) {
        const int lanes = calls->thread_ids || calls->task_ids;
        status = scope_nest(rows.start_ns, rows.duration_ns, lanes ? rows.lane : NULL, rows.count,
                            &nesting);
    }
    if (status == SCOPE_ERR_NESTING)
        for (int i = 0; i < 2; i++)
            clash[i] = rows.row[nesting.clash[i]];
    scope_nesting_free(&nesting);
    rank_rows_free(&rows);
    return status;
}
