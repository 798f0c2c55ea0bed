/* view.c - what `scope inspect` shows of a profile: selected, summed up, sorted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include <scope/lane.h>
#include <scope/overhead.h>
#include <scope/recording.h>
#include <scope/wrap.h>

#include "config.h"
#include "view_comm.h"
#include "view_parts.h"
#include "view_waits.h"

/* ---- ranks ---- */

bool view_in_ranks(const char *list, int32_t rank, bool *valid)
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
        view_in_ranks(ranks, 0, &valid);
    if (ranks && !valid)
        return SCOPE_ERR_ARGUMENT;
    for (size_t i = 0; i < calls->pair_count; i++)
        if (!ranks || view_in_ranks(ranks, calls->pairs[i].rank, &valid))
            selected->pairs[selected->pair_count++] = calls->pairs[i];
    for (size_t i = 0; i < calls->sum_count; i++)
        if (!ranks || view_in_ranks(ranks, calls->sums[i].rank, &valid))
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
        return sort_word[1] == 'e'   ? view_mean_ns(row)
               : sort_word[1] == 'i' ? view_minimum_ns(row)
                                     : (double)row->maximum_ns;
    default: /* exclusive, share */
        return row->exclusive_ns >= 0 ? (double)row->exclusive_ns : (double)row->total_ns;
    }
}

/* Largest first; equal ones, and names and starts, ascending. Ranks stay apart. */
static int compare(const void *a, const void *b)
{
    const scope_summary *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->lane != right->lane)
        return view_compare_lanes(left->lane, right->lane);
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

static bool is_any_shown(const scope_calls *calls, const scope_filter *filter)
{
    for (size_t i = 0; i < calls->region_count; i++)
        if (scope_filter_accepts(filter, calls->regions[i].name.bytes,
                                 calls->regions[i].name.length_bytes))
            return true;
    return false;
}

/* ---- ranks and warnings ---- */

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
        if (!ranks || view_in_ranks(ranks, (int32_t)rank, &valid)) {
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
        to->call_count = wrap_add(to->call_count, row->call_count);
        to->exclusive_ns =
            wrap_add(to->exclusive_ns, row->exclusive_ns > 0 ? row->exclusive_ns : 0);
        to->mpi_bytes = wrap_add(to->mpi_bytes, row->mpi_bytes);
        if (view_is_mpi(calls, row->region) && row->exclusive_ns > 0)
            to->mpi_ns = wrap_add(to->mpi_ns, row->exclusive_ns);
    }
    free(at);
    return SCOPE_OK;
}

bool view_has_mpi(const view *view)
{
    for (size_t i = 0; i < view->rank_count; i++)
        if (view->ranks[i].mpi_ns > 0)
            return true;
    return false;
}

/* How long a rank worked: who waits in MPI for others was fast. */
static int64_t work_ns(const view_rank *rank, bool mpi)
{
    const scope_rank_row *row = rank->row;
    const bool known = mpi && row && row->end_ns > row->start_ns;
    return (known ? row->end_ns - row->start_ns : rank->exclusive_ns) - rank->mpi_ns;
}

typedef struct ranked {
    const view_rank *rank;
    int64_t ns;
} ranked;

static int slowest_first(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? 1 : -1;
    return left->rank->rank < right->rank->rank ? -1 : 1;
}

const view_rank **view_extreme_ranks(const view *view, size_t count)
{
    const bool mpi = view_has_mpi(view);
    ranked *all = malloc((view->rank_count + 1) * sizeof *all);
    const view_rank **chosen = malloc((count + 1) * sizeof *chosen);
    if (!all || !chosen || count > view->rank_count) {
        free(all);
        free(chosen);
        return NULL;
    }
    for (size_t i = 0; i < view->rank_count; i++)
        all[i] = (ranked){&view->ranks[i], work_ns(&view->ranks[i], mpi)};
    qsort(all, view->rank_count, sizeof *all, slowest_first);
    for (size_t i = 0; i < count; i++)
        chosen[i] = all[i < (count + 1) / 2 ? i : view->rank_count - count + i].rank;
    free(all);
    return chosen;
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
        to->unfinished_ranks += row->end_kind == SCOPE_END_OPEN ||
                                row->end_kind == SCOPE_END_KILLED ||
                                row->end_kind == SCOPE_END_RUNNING;
        to->ended_early_ranks +=
            row->end_kind == SCOPE_END_EXIT_FAST || row->end_kind == SCOPE_END_MPI_ABORT;
    }
    for (size_t i = 0; i < calls->pair_count; i++)
        to->overlapping = to->overlapping || calls->pairs[i].exclusive_ns < 0;
}

/* ---- the recorder's part ---- */

static scope_status fill_overheads(view *view, const view_options *options)
{
    if (!scope_overhead_is_known(&view->selected))
        return SCOPE_OK;
    scope_status status = scope_overhead_fill(&view->selected, SCOPE_BY_REGION, &view->by_region);
    if (status == SCOPE_OK)
        status = scope_overhead_fill(&view->selected, SCOPE_BY_RANK, &view->by_rank);
    if (status == SCOPE_OK && options->lanes)
        status = scope_overhead_fill(&view->selected, SCOPE_BY_LANE, &view->by_lane);
    return status;
}

size_t view_costly(const view *view, const scope_summary **rows, size_t room)
{
    double all_ns = 0;
    size_t count = 0;
    for (size_t i = 0; i < view->by_region.count; i++)
        if (view->by_region.rows[i].exclusive_ns > 0)
            all_ns += (double)view->by_region.rows[i].exclusive_ns;
    for (size_t i = 0; i < view->by_region.count; i++) {
        const scope_summary *row = &view->by_region.rows[i];
        const double cost_ns = (double)row->overhead_ns;
        if (cost_ns < 1e6 || cost_ns <= 0.01 * all_ns || cost_ns <= 0.05 * (double)row->total_ns)
            continue;
        size_t at = count < room ? count++ : room;
        for (; at && rows[at - 1]->overhead_ns < row->overhead_ns; at--)
            if (at < room)
                rows[at] = rows[at - 1];
        if (at < room)
            rows[at] = row;
    }
    return count;
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
        status = fill_overheads(view, options);
    if (status == SCOPE_OK)
        status = view_collect_lanes(view, options->ranks);
    if (status == SCOPE_OK)
        status = collect_ranks(view, options->ranks);
    if (status == SCOPE_OK)
        status = collect_pairs(view);
    if (status == SCOPE_OK)
        status = view_collect_open(view);
    if (status == SCOPE_OK)
        status = view_collect_counters(view, options->ranks);
    if (status == SCOPE_OK && (options->comm || options->matrix))
        status = view_comm_new(view, options->regions, &view->comm);
    if (status != SCOPE_OK)
        goto done;
    if (options->waits)
        status = view_waits_new(view, options->ranks, options->regions, &view->waits);
    else if (!options->comm && !options->matrix)
        view_waits_glance(view, &view->waits);
    if (status != SCOPE_OK)
        goto done;
    collect_warnings(view);
    view->no_region = options->regions && !is_any_shown(calls, filter);
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
    free(view->open);
    free(view->counters);
    view_waits_free(view->waits);
    view_comm_free(view->comm);
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
