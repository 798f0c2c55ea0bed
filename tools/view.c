/* view.c - what `scope inspect` shows of a profile: selected, summed up, sorted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include <scope/lane.h>
#include <scope/recording.h>

#include "config.h"

/* ---- ranks ---- */

/* "0,2-5" holds `rank`; `*valid` false: that is no list of ranks. */
static bool in_ranks(const char *list, int32_t rank, bool *valid)
{
    bool found = false;
    *valid = true;
    for (const char *at = list; *at;) {
        char *end;
        const long first = strtol(at, &end, 10);
        long last = first;
        *valid = *valid && end != at && first >= 0;
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            *valid = *valid && end != at && last >= first;
        }
        *valid = *valid && (*end == '\0' || *end == ',');
        if (!*valid)
            return false;
        found = found || (rank >= first && rank <= last);
        at = end + (*end == ',');
    }
    *valid = *valid && *list;
    return found;
}

/* A table of the selected ranks alone: its pairs and sums are a part of the whole's. */
static scope_status select_ranks(const scope_calls *calls, const char *ranks, scope_calls *selected)
{
    bool valid;
    *selected = *calls;
    selected->pairs = NULL;
    selected->sums = NULL;
    selected->pair_count = selected->sum_count = 0;
    selected->pairs = calloc(calls->pair_count + 1, sizeof *selected->pairs);
    selected->sums = calloc(calls->sum_count + 1, sizeof *selected->sums);
    if (!selected->pairs || !selected->sums)
        return SCOPE_ERR_MEMORY;
    if (ranks)
        in_ranks(ranks, 0, &valid);
    if (ranks && !valid)
        return SCOPE_ERR_ARGUMENT;
    for (size_t i = 0; i < calls->pair_count; i++)
        if (!ranks || in_ranks(ranks, calls->pairs[i].rank, &valid))
            selected->pairs[selected->pair_count++] = calls->pairs[i];
    for (size_t i = 0; i < calls->sum_count; i++)
        if (!ranks || in_ranks(ranks, calls->sums[i].rank, &valid))
            selected->sums[selected->sum_count++] = calls->sums[i];
    return SCOPE_OK;
}

/* ---- order ---- */

const char view_sort_words[] =
    "exclusive total calls mean min max share imbalance bytes name start file";

static const scope_calls *sorting; /* qsort has no context */
static const char *sort_word;

static double sort_value(const scope_summary *row)
{
    switch (sort_word[0]) {
    case 't':
        return (double)row->total_ns;
    case 'c':
        return (double)row->call_count;
    case 'i':
        return row->imbalance;
    case 'b':
        return (double)row->mpi_bytes;
    case 'm':
        return sort_word[1] == 'e'   ? row->mean_ns
               : sort_word[1] == 'i' ? (double)row->minimum_ns
                                     : (double)row->maximum_ns;
    default: /* exclusive, share */
        return row->exclusive_ns >= 0 ? (double)row->exclusive_ns : (double)row->total_ns;
    }
}

/* Threads in their order (their ids go down from -2), then tasks. */
static int compare_lane_ids(int64_t left, int64_t right)
{
    if ((left >= 0) != (right >= 0))
        return left >= 0 ? 1 : -1;
    const int order = (left > right) - (left < right);
    return left < 0 ? -order : order;
}

/* Largest first; equal ones, and names and starts, ascending. Ranks stay apart. */
static int compare(const void *a, const void *b)
{
    const scope_summary *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->lane != right->lane)
        return compare_lane_ids(left->lane, right->lane);
    if (strcmp(sort_word, "name") != 0 && strcmp(sort_word, "start") != 0) {
        const double x = sort_value(left), y = sort_value(right);
        if (x != y)
            return x < y ? 1 : -1;
    }
    if (strcmp(sort_word, "name") != 0 && left->first_start_ns != right->first_start_ns)
        return left->first_start_ns < right->first_start_ns ? -1 : 1;
    const scope_string *p = &sorting->regions[left->region].name;
    const scope_string *q = &sorting->regions[right->region].name;
    const uint64_t common = p->length_bytes < q->length_bytes ? p->length_bytes : q->length_bytes;
    const int order = memcmp(p->bytes, q->bytes, common);
    return order ? order
                 : (p->length_bytes > q->length_bytes) - (p->length_bytes < q->length_bytes);
}

static void sort(scope_summaries *rows, const scope_calls *calls, const char *word)
{
    bool by_rank = true; /* the reports rely on it; a file need not be in that order */
    for (size_t i = 1; i < rows->count; i++)
        by_rank = by_rank && rows->rows[i - 1].rank <= rows->rows[i].rank;
    if (rows->count < 2 || (strcmp(word, "file") == 0 && by_rank))
        return;
    if (strcmp(word, "file") == 0)
        word = "start";
    sorting = calls;
    sort_word = word;
    qsort(rows->rows, rows->count, sizeof *rows->rows, compare);
}

static bool is_sort_word(const char *word)
{
    const char *at = strstr(view_sort_words, word);
    const size_t length = strlen(word);
    return length && at && (at == view_sort_words || at[-1] == ' ') &&
           (at[length] == ' ' || at[length] == '\0');
}

/* ---- regions ---- */

bool view_is_mpi(const scope_calls *calls, uint32_t region)
{
    const scope_string *name = &calls->regions[region].name;
    return name->length_bytes > 4 && memcmp(name->bytes, "MPI_", 4) == 0;
}

static void keep_shown(scope_summaries *rows, const scope_calls *calls, const scope_filter *filter)
{
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const scope_string *name = &calls->regions[rows->rows[i].region].name;
        if (scope_filter_accepts(filter, name->bytes, name->length_bytes))
            rows->rows[kept++] = rows->rows[i];
    }
    rows->count = kept;
}

/* ---- lanes and ranks ---- */

static int compare_lanes(const void *a, const void *b)
{
    const view_lane *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return compare_lane_ids(left->lane, right->lane);
}

static view_lane *find_lane(view *view, int32_t rank, int64_t lane)
{
    const view_lane key = {.rank = rank, .lane = lane};
    return bsearch(&key, view->lanes, view->lane_count, sizeof key, compare_lanes);
}

/* Every thread and task of the tables, and the lane of calls without one. */
static scope_status collect_lanes(view *view, const char *ranks)
{
    const scope_calls *calls = view->calls;
    bool valid, homeless = false;
    view->lanes = calloc(calls->thread_count + calls->task_count + view->by_lane.count + 1,
                         sizeof *view->lanes);
    if (!view->lanes)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < calls->thread_count; i++)
        if (!ranks || in_ranks(ranks, calls->threads[i].rank, &valid))
            view->lanes[view->lane_count++] = (view_lane){.rank = calls->threads[i].rank,
                                                          .lane = -2 - calls->threads[i].index,
                                                          .thread = &calls->threads[i]};
    for (size_t i = 0; i < calls->task_count; i++)
        if (!ranks || in_ranks(ranks, calls->tasks[i].rank, &valid))
            view->lanes[view->lane_count++] = (view_lane){.rank = calls->tasks[i].rank,
                                                          .lane = calls->tasks[i].index,
                                                          .task = &calls->tasks[i]};
    qsort(view->lanes, view->lane_count, sizeof *view->lanes, compare_lanes);
    const size_t listed = view->lane_count;
    for (size_t i = 0; i < view->by_lane.count; i++) {
        const scope_summary *row = &view->by_lane.rows[i];
        view_lane *lane = find_lane(view, row->rank, row->lane);
        homeless = homeless || !lane;
        if (lane) {
            lane->call_count += row->call_count;
            lane->region_ns += row->exclusive_ns > 0 ? row->exclusive_ns : 0;
        }
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
        view->lanes[at].call_count += row->call_count;
        view->lanes[at].region_ns += row->exclusive_ns > 0 ? row->exclusive_ns : 0;
    }
    qsort(view->lanes, view->lane_count, sizeof *view->lanes, compare_lanes);
    return SCOPE_OK;
}

/* What tasks did, their threads did too. */
static void add_tasks_to_threads(view *view)
{
    const scope_calls *calls = view->calls;
    for (size_t i = 0; i < calls->task_count; i++) {
        const scope_task_row *task = &calls->tasks[i];
        const view_lane *from = find_lane(view, task->rank, task->index);
        view_lane *to = find_lane(view, task->rank, -2 - task->thread_index);
        if (from && to) {
            to->call_count += from->call_count;
            to->region_ns += from->region_ns;
        }
    }
}

static scope_status collect_ranks(view *view, const char *ranks)
{
    const scope_calls *calls = view->calls;
    bool valid;
    const size_t size = calls->rank_count > 0 ? (size_t)calls->rank_count : 0;
    view->ranks = calloc(size + 1, sizeof *view->ranks);
    view_rank **at = calloc(size + 1, sizeof *at);
    if (!view->ranks || !at) {
        free(at);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t rank = 0; rank < size; rank++)
        if (!ranks || in_ranks(ranks, (int32_t)rank, &valid)) {
            at[rank] = &view->ranks[view->rank_count++];
            at[rank]->rank = (int32_t)rank;
        }
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const int32_t rank = calls->ranks[i].rank;
        if (rank >= 0 && (size_t)rank < size && at[rank])
            at[rank]->row = &calls->ranks[i];
    }
    for (size_t i = 0; i < view->by_rank.count; i++) {
        const scope_summary *row = &view->by_rank.rows[i];
        view_rank *to = row->rank >= 0 && (size_t)row->rank < size ? at[row->rank] : NULL;
        if (!to)
            continue;
        to->call_count += row->call_count;
        to->exclusive_ns += row->exclusive_ns > 0 ? row->exclusive_ns : 0;
        to->mpi_bytes += row->mpi_bytes;
        if (view_is_mpi(calls, row->region) && row->exclusive_ns > 0)
            to->mpi_ns += row->exclusive_ns;
    }
    free(at);
    return SCOPE_OK;
}

static scope_status collect_pairs(view *view)
{
    const scope_calls *calls = &view->selected;
    view->first_pairs = calloc(calls->region_count + 1, sizeof *view->first_pairs);
    for (size_t i = 0; view->first_pairs && i < calls->pair_count; i++)
        if (!view->first_pairs[calls->pairs[i].region])
            view->first_pairs[calls->pairs[i].region] = &calls->pairs[i];
    return view->first_pairs ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

static void collect_warnings(view *view)
{
    const scope_calls *calls = view->calls;
    view_warnings *to = &view->warnings;
    for (size_t i = 0; i < calls->misuse_count; i++) {
        to->implied += calls->misuse[i].implied;
        to->crossed += calls->misuse[i].crossed;
        to->orphans += calls->misuse[i].orphans;
    }
    for (uint64_t i = 0; calls->flags && i < calls->count; i++)
        to->open_calls += (calls->flags[i] & SCOPE_CALL_OPEN) != 0;
    for (size_t i = 0; i < calls->sum_count; i++)
        to->folded += calls->sums[i].count;
    to->recovered = scope_calls_metadata(calls, "recovered") != NULL;
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const scope_rank_row *row = &calls->ranks[i];
        to->dropped += row->dropped;
        to->dropped_in_handlers += row->dropped_in_handlers;
        to->holes += row->holes;
        to->filtered += row->filtered > 0 ? row->filtered : 0;
        to->unfinished_ranks += row->end_kind != SCOPE_END_FINISHED;
    }
    for (size_t i = 0; i < calls->pair_count; i++)
        to->overlapping = to->overlapping || calls->pairs[i].exclusive_ns < 0;
}

/* ---- all of it ---- */

scope_status view_make(const scope_calls *calls, const view_options *options, view *view,
                       const char **problem)
{
    *view = (struct view){.calls = calls, .all_ranks = !options->ranks};
    *problem = "";
    const char *word = options->sort ? options->sort : "exclusive";
    scope_filter *filter = scope_filter_new(options->regions);
    scope_status status = SCOPE_ERR_ARGUMENT;
    if (!is_sort_word(word)) {
        *problem = "--sort";
        goto done;
    }
    status = select_ranks(calls, options->ranks, &view->selected);
    if (status == SCOPE_ERR_ARGUMENT)
        *problem = "--rank";
    if (status == SCOPE_OK)
        status = scope_summarize(&view->selected, SCOPE_BY_REGION, &view->by_region);
    if (status == SCOPE_OK)
        status = scope_summarize(&view->selected, SCOPE_BY_RANK, &view->by_rank);
    if (status == SCOPE_OK)
        status = scope_summarize(&view->selected, SCOPE_BY_LANE, &view->by_lane);
    if (status == SCOPE_OK)
        status = collect_lanes(view, options->ranks);
    if (status == SCOPE_OK)
        status = collect_ranks(view, options->ranks);
    if (status == SCOPE_OK)
        status = collect_pairs(view);
    if (status != SCOPE_OK)
        goto done;
    add_tasks_to_threads(view);
    collect_warnings(view);
    keep_shown(&view->by_region, calls, filter);
    keep_shown(&view->by_rank, calls, filter);
    keep_shown(&view->by_lane, calls, filter);
    sort(&view->by_region, calls, word);
    sort(&view->by_rank, calls, word);
    sort(&view->by_lane, calls, word);
done:
    scope_filter_free(filter);
    if (status != SCOPE_OK)
        view_free(view);
    return status;
}

void view_free(view *view)
{
    free(view->selected.pairs);
    free(view->selected.sums);
    scope_summaries_free(&view->by_region);
    scope_summaries_free(&view->by_rank);
    scope_summaries_free(&view->by_lane);
    free(view->ranks);
    free(view->lanes);
    free(view->first_pairs);
    *view = (struct view){0};
}

int64_t view_integer(const scope_calls *calls, const char *key, int64_t missing)
{
    const scope_metadata_row *row = scope_calls_metadata(calls, key);
    return row && row->kind == SCOPE_VALUE_INTEGER ? row->integer : missing;
}

int64_t view_node_count(const scope_calls *calls)
{
    const int64_t hosts = scope_calls_host_count(calls);
    return hosts ? hosts : view_integer(calls, "num_nodes", 0);
}
