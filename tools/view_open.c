/* view_open.c - which calls had not ended.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <scope/lane.h>

#include "view_parts.h"

static const scope_calls *sorting; /* qsort has no context */

/* Outermost first. */
static int compare(const void *a, const void *b)
{
    const view_open *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (sorting->start_ns[x->row] != sorting->start_ns[y->row])
        return sorting->start_ns[x->row] < sorting->start_ns[y->row] ? -1 : 1;
    if (sorting->call_ids && sorting->call_ids[x->row] != sorting->call_ids[y->row])
        return sorting->call_ids[x->row] < sorting->call_ids[y->row] ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Each open row of the selected ranks; counted where `to` is NULL. */
static size_t each_open(const scope_calls *calls, view_open *to)
{
    size_t count = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        const uint64_t end = pair->first + scope_calls_pair_rows(calls, pair);
        for (uint64_t row = pair->first; row < end; row++) {
            if (!(calls->flags[row] & SCOPE_CALL_OPEN))
                continue;
            if (to)
                to[count] = (view_open){pair->rank, pair->region, row};
            count++;
        }
    }
    return count;
}

scope_status view_collect_open(view *view)
{
    const scope_calls *calls = &view->selected;
    const size_t count = calls->flags ? each_open(calls, NULL) : 0;
    view->open = malloc((count + 1) * sizeof *view->open);
    if (!view->open)
        return SCOPE_ERR_MEMORY;
    view->open_count = count;
    if (!count)
        return SCOPE_OK;
    each_open(calls, view->open);
    sorting = calls;
    qsort(view->open, count, sizeof *view->open, compare);
    return SCOPE_OK;
}

const view_open *view_open_of(const view *view, int32_t rank, size_t *count)
{
    size_t low = 0, high = view->open_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (view->open[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < view->open_count && view->open[end].rank == rank)
        end++;
    *count = end - low;
    return view->open + low;
}

double view_minimum_ns(const scope_summary *row)
{
    return row->call_count > row->open_count ? (double)row->ended_minimum_ns : -1;
}

double view_mean_ns(const scope_summary *row)
{
    if (!row->open_count)
        return row->call_count > 0 ? row->mean_ns : -1;
    const double count = (double)row->call_count - (double)row->open_count;
    return count > 0 ? ((double)row->total_ns - (double)row->open_ns) / count : -1;
}
