/* view_counters.c - what each counter was, over all ranks and threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "view_parts.h"

static const scope_calls *sorting; /* qsort has no context */

static int compare_names(const scope_string *a, const scope_string *b)
{
    const uint64_t common = a->length_bytes < b->length_bytes ? a->length_bytes : b->length_bytes;
    const int order = common ? memcmp(a->bytes, b->bytes, common) : 0;
    return order ? order
                 : (a->length_bytes > b->length_bytes) - (a->length_bytes < b->length_bytes);
}

/* By name, then by time. */
static int compare(const void *a, const void *b)
{
    const scope_point_row *x = &sorting->counters[*(const size_t *)a];
    const scope_point_row *y = &sorting->counters[*(const size_t *)b];
    const int order = compare_names(&x->name, &y->name);
    if (order)
        return order;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void add(view *view, const scope_point_row *row)
{
    view_counter *last = view->counter_count ? &view->counters[view->counter_count - 1] : NULL;
    if (!last || compare_names(last->name, &row->name) != 0) {
        view->counters[view->counter_count++] =
            (view_counter){&row->name, 1, row->value, row->value, row->value, row->value};
        return;
    }
    last->count++;
    last->last = row->value;
    last->least = row->value < last->least ? row->value : last->least;
    last->most = row->value > last->most ? row->value : last->most;
}

scope_status view_collect_counters(view *view, const char *ranks)
{
    const scope_calls *calls = view->calls;
    size_t count = 0;
    bool valid;
    size_t *order = malloc((calls->counter_count + 1) * sizeof *order);
    view->counters = malloc((calls->counter_count + 1) * sizeof *view->counters);
    if (!order || !view->counters) {
        free(order);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < calls->counter_count; i++)
        if (!ranks || view_in_ranks(ranks, calls->counters[i].rank, &valid))
            order[count++] = i;
    sorting = calls;
    if (count)
        qsort(order, count, sizeof *order, compare);
    for (size_t i = 0; i < count; i++)
        add(view, &calls->counters[order[i]]);
    free(order);
    return SCOPE_OK;
}
