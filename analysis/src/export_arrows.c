/* export_arrows.c - see export_arrows.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_arrows.h"

#include <stdlib.h>

#include "message_pairs.h"

/* A bit per row that is in the document; NULL in *rows: all are. */
static scope_status find_written(const export_job *job, uint64_t **rows)
{
    const scope_calls *calls = job->calls;
    *rows = NULL;
    if (job->all_ranks && !job->thin.kept)
        return SCOPE_OK;
    *rows = calloc(calls->count / 64 + 1, sizeof **rows);
    if (!*rows)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < job->rank_count; i++) {
        size_t first, end;
        export_pairs(calls, job->ranks[i], &first, &end);
        for (size_t p = first; p < end; p++) {
            const uint64_t from = calls->pairs[p].first;
            const uint64_t to = from + scope_calls_pair_rows(calls, &calls->pairs[p]);
            for (uint64_t row = from; row < to; row++)
                if (export_keeps(&job->thin, row))
                    (*rows)[row / 64] |= UINT64_C(1) << row % 64;
        }
    }
    return SCOPE_OK;
}

static int is_written(const uint64_t *rows, uint64_t row)
{
    return !rows || rows[row / 64] >> row % 64 & 1;
}

static int compare_ends(const void *left, const void *right)
{
    const export_arrow_end *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->arrow < b->arrow ? -1 : a->arrow > b->arrow;
}

int64_t export_arrow_ns(const scope_calls *calls, const export_arrow_end *end)
{
    const int64_t start = calls->start_ns[end->row];
    return end->arrow & 1 && calls->duration_ns[end->row] > 0 ? export_end(calls, end->row) - 1
                                                              : start;
}

scope_status export_arrows_make(const export_job *job, export_arrows *arrows)
{
    message_pairs pairs = {0};
    uint64_t *written = NULL;
    *arrows = (export_arrows){0};
    scope_status status = message_pairs_find(job->calls, &pairs);
    if (status == SCOPE_OK)
        status = find_written(job, &written);
    if (status == SCOPE_OK) {
        arrows->ends = malloc((pairs.count + 1) * 2 * sizeof *arrows->ends);
        status = arrows->ends ? SCOPE_OK : SCOPE_ERR_MEMORY;
    }
    arrows->backward = pairs.backward;
    for (size_t i = 0; status == SCOPE_OK && i < pairs.count; i++) {
        const export_arrow_end from = {pairs.rows[i].send, arrows->count};
        const export_arrow_end to = {pairs.rows[i].receive, arrows->count | 1};
        if (!is_written(written, from.row) || !is_written(written, to.row))
            continue;
        if (export_arrow_ns(job->calls, &from) > export_arrow_ns(job->calls, &to)) {
            arrows->backward++;
            continue;
        }
        arrows->ends[arrows->count++] = from;
        arrows->ends[arrows->count++] = to;
    }
    if (arrows->count)
        qsort(arrows->ends, arrows->count, sizeof *arrows->ends, compare_ends);
    message_pairs_free(&pairs);
    free(written);
    if (status != SCOPE_OK)
        export_arrows_free(arrows);
    return status;
}

void export_arrows_free(export_arrows *arrows)
{
    free(arrows->ends);
    *arrows = (export_arrows){0};
}

size_t export_arrows_from(const export_arrows *arrows, uint64_t row)
{
    size_t low = 0, high = arrows->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (arrows->ends[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
