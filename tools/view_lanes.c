/* view_lanes.c - threads and tasks of a view.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view_parts.h"

#include <scope/wrap.h>

#include <stdlib.h>
#include <string.h>

int view_compare_lanes(int64_t left, int64_t right)
{
    if ((left >= 0) != (right >= 0))
        return left >= 0 ? 1 : -1;
    const int order = (left > right) - (left < right);
    return left < 0 ? -order : order;
}

static int compare_lanes(const void *a, const void *b)
{
    const view_lane *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return view_compare_lanes(left->lane, right->lane);
}

static view_lane *find_lane(const view *view, int32_t rank, int64_t lane)
{
    const view_lane key = {.rank = rank, .lane = lane};
    return bsearch(&key, view->lanes, view->lane_count, sizeof key, compare_lanes);
}

static void add(view_lane *to, int64_t call_count, int64_t region_ns)
{
    to->call_count = wrap_add(to->call_count, call_count);
    to->region_ns = wrap_add(to->region_ns, region_ns);
}

/* Every thread and task of the tables, and the lane of calls without one. */
static scope_status collect(view *view, const char *ranks)
{
    const scope_calls *calls = view->calls;
    bool valid, homeless = false;
    view->lanes = calloc(calls->thread_count + calls->task_count + view->by_lane.count + 1,
                         sizeof *view->lanes);
    if (!view->lanes)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->thread_count; i++)
        if (!ranks || view_in_ranks(ranks, calls->threads[i].rank, &valid))
            view->lanes[view->lane_count++] = (view_lane){.rank = calls->threads[i].rank,
                                                          .lane = -2 - calls->threads[i].index,
                                                          .thread = &calls->threads[i]};
    for (size_t i = 0; i < calls->task_count; i++)
        if (!ranks || view_in_ranks(ranks, calls->tasks[i].rank, &valid))
            view->lanes[view->lane_count++] = (view_lane){.rank = calls->tasks[i].rank,
                                                          .lane = calls->tasks[i].index,
                                                          .task = &calls->tasks[i]};
    qsort(view->lanes, view->lane_count, sizeof *view->lanes, compare_lanes);
    const size_t listed = view->lane_count;
    for (size_t i = 0; i < view->by_lane.count; i++) {
        const scope_summary *row = &view->by_lane.rows[i];
        view_lane *lane = find_lane(view, row->rank, row->lane);
        homeless = homeless || !lane;
        if (lane)
            add(lane, row->call_count, row->exclusive_ns > 0 ? row->exclusive_ns : 0);
    }
    /* Calls on lanes that no table lists: one lane per rank. */
    for (size_t i = 0; homeless && i < view->by_lane.count; i++) {
        const scope_summary *row = &view->by_lane.rows[i];
        const view_lane key = {.rank = row->rank, .lane = row->lane};
        if (bsearch(&key, view->lanes, listed, sizeof key, compare_lanes))
            continue;
        size_t at = listed;
        while (at < view->lane_count &&
               (view->lanes[at].rank != row->rank || view->lanes[at].lane != row->lane))
            at++;
        if (at == view->lane_count)
            view->lanes[view->lane_count++] = key;
        add(&view->lanes[at], row->call_count, row->exclusive_ns > 0 ? row->exclusive_ns : 0);
    }
    qsort(view->lanes, view->lane_count, sizeof *view->lanes, compare_lanes);
    return SCOPE_OK;
}

static int64_t thread_index(const view_lane *lane)
{
    return lane->thread->index;
}

static int compare_names(const void *a, const void *b)
{
    const view_lane *left = *(view_lane *const *)a, *right = *(view_lane *const *)b;
    const scope_string *x = &left->thread->name, *y = &right->thread->name;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (x->length_bytes != y->length_bytes)
        return x->length_bytes < y->length_bytes ? -1 : 1;
    const int order = x->length_bytes ? memcmp(x->bytes, y->bytes, x->length_bytes) : 0;
    return order ? order
                 : (thread_index(left) > thread_index(right)) -
                       (thread_index(left) < thread_index(right));
}

/* Threads are often called as their program, all of them. */
static scope_status number_namesakes(view *view)
{
    size_t count = 0;
    view_lane **named = malloc((view->lane_count + 1) * sizeof *named);
    if (!named)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < view->lane_count; i++)
        if (view->lanes[i].thread && view->lanes[i].thread->name.length_bytes)
            named[count++] = &view->lanes[i];
    qsort(named, count, sizeof *named, compare_names);
    for (size_t i = 0; i < count; i++) {
        const scope_string *name = &named[i]->thread->name;
        const scope_string *last = i ? &named[i - 1]->thread->name : NULL;
        const bool same = last && named[i - 1]->rank == named[i]->rank &&
                          last->length_bytes == name->length_bytes &&
                          memcmp(last->bytes, name->bytes, name->length_bytes) == 0;
        named[i]->namesake = same ? named[i - 1]->namesake + 1 : 1;
    }
    free(named);
    return SCOPE_OK;
}

const char *view_lane_label(const view *view, int32_t rank, int64_t lane, char *text, size_t size)
{
    scope_lane_label(view->calls, rank, lane, text, size);
    const view_lane *of = find_lane(view, rank, lane);
    if (of && of->task) /* "... on thread" */
        of = find_lane(view, rank, -2 - of->task->thread_index);
    const size_t length = strlen(text);
    if (of && of->thread && of->namesake > 1)
        snprintf(text + length, size - length, " #%lld", (long long)of->namesake);
    return text;
}

/* What tasks did, their threads did too. */
static void add_tasks_to_threads(view *view)
{
    const scope_calls *calls = view->calls;
    for (size_t i = 0; i < calls->task_count; i++) {
        const scope_task_row *task = &calls->tasks[i];
        const view_lane *from = find_lane(view, task->rank, task->index);
        view_lane *to = find_lane(view, task->rank, wrap_subtract(-2, task->thread_index));
        if (from && to)
            add(to, from->call_count, from->region_ns);
    }
}

scope_status view_collect_lanes(view *view, const char *ranks)
{
    scope_status status = collect(view, ranks);
    if (status == SCOPE_OK)
        status = number_namesakes(view);
    if (status == SCOPE_OK)
        add_tasks_to_threads(view);
    return status;
}
