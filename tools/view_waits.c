/* view_waits.c - see view_waits.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "view_waits.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "view_parts.h"

enum { CALLS_AT_ONCE = 1000000 }; /* some tenths of a second */

static void add(int64_t *to, int64_t value)
{
    if (__builtin_add_overflow(*to, value, to))
        *to = INT64_MAX;
}

static void add_sum(scope_wait_sum *to, const scope_wait_sum *from)
{
    add(&to->count, from->count);
    add(&to->total_ns, from->total_ns);
    add(&to->bound_ns, from->bound_ns);
    add(&to->short_count, from->short_count);
    add(&to->short_ns, from->short_ns);
    add(&to->unknown_count, from->unknown_count);
    add(&to->unknown_ns, from->unknown_ns);
    to->maximum_ns = from->maximum_ns > to->maximum_ns ? from->maximum_ns : to->maximum_ns;
}

/* ---- the selected ranks ---- */

/* Rows of others are taken out of a table: `rank` is an int32_t at the front of each. */
#define KEEP_SHOWN(rows, count, list)                                                              \
    do {                                                                                           \
        size_t kept = 0;                                                                           \
        bool valid;                                                                                \
        for (size_t i = 0; i < (count); i++)                                                       \
            if (!(list) || view_in_ranks((list), (rows)[i].rank, &valid))                          \
                (rows)[kept++] = (rows)[i];                                                        \
        (count) = kept;                                                                            \
    } while (0)

static void select_ranks(scope_waits *found, const char *ranks)
{
    if (!ranks)
        return;
    KEEP_SHOWN(found->calls, found->call_count, ranks);
    KEEP_SHOWN(found->regions, found->region_count, ranks);
    KEEP_SHOWN(found->causes, found->cause_count, ranks);
    KEEP_SHOWN(found->ranks, found->rank_count, ranks);
}

/* ---- over all ranks ---- */

static int by_name(const void *a, const void *b)
{
    const view_wait_row *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int longest_first(const void *a, const void *b)
{
    const view_wait_row *x = a, *y = b;
    if (x->sum.total_ns != y->sum.total_ns)
        return x->sum.total_ns < y->sum.total_ns ? 1 : -1;
    return by_name(a, b);
}

/* Rows of one rank each, to those of all; imbalance is the longest of one rank until the end. */
static size_t pool(view_wait_row *rows, size_t count, size_t ranks)
{
    size_t kept = 0;
    if (count)
        qsort(rows, count, sizeof *rows, by_name);
    for (size_t i = 0; i < count; i++) {
        const view_wait_row row = rows[i];
        view_wait_row *to = kept ? &rows[kept - 1] : NULL;
        if (!to || by_name(to, &row) != 0) {
            to = &rows[kept++];
            *to = (view_wait_row){.region = row.region, .kind = row.kind};
        }
        add_sum(&to->sum, &row.sum);
        to->rank_count++;
        if ((double)row.sum.total_ns > to->imbalance)
            to->imbalance = (double)row.sum.total_ns;
    }
    for (size_t i = 0; i < kept; i++)
        rows[i].imbalance = rows[i].sum.total_ns > 0
                                ? rows[i].imbalance * (double)ranks / (double)rows[i].sum.total_ns
                                : 0;
    if (kept)
        qsort(rows, kept, sizeof *rows, longest_first);
    return kept;
}

static int most_first(const void *a, const void *b)
{
    const scope_wait_cause_row *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns < y->total_ns ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static int most_waited_for_first(const void *a, const void *b)
{
    const scope_wait_rank_row *x = a, *y = b;
    if (x->caused.total_ns != y->caused.total_ns)
        return x->caused.total_ns < y->caused.total_ns ? 1 : -1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void *copy_of(const void *rows, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    if (copy && count)
        memcpy(copy, rows, count * size);
    return copy;
}

static void sum_ranks(view_waits *waits)
{
    const scope_waits *found = &waits->found;
    int64_t longest = 0;
    for (size_t i = 0; i < found->rank_count; i++) {
        const scope_wait_rank_row *row = &found->ranks[i];
        add_sum(&waits->total, &row->waited);
        add(&waits->mpi_ns, row->mpi_ns);
        add(&waits->span_ns, row->span_ns);
        longest = row->waited.total_ns > longest ? row->waited.total_ns : longest;
    }
    if (waits->total.total_ns > 0)
        waits->imbalance =
            (double)longest * (double)found->rank_count / (double)waits->total.total_ns;
}

static scope_status make_rows(view_waits *waits)
{
    scope_waits *found = &waits->found;
    waits->calls = calloc(found->call_count + 1, sizeof *waits->calls);
    waits->regions = calloc(found->region_count + 1, sizeof *waits->regions);
    waits->causes = copy_of(found->causes, found->cause_count, sizeof *waits->causes);
    waits->ranks = copy_of(found->ranks, found->rank_count, sizeof *waits->ranks);
    if (!waits->calls || !waits->regions || !waits->causes || !waits->ranks)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < found->call_count; i++)
        waits->calls[i] = (view_wait_row){.region = found->calls[i].call,
                                          .kind = found->calls[i].kind,
                                          .sum = found->calls[i].sum};
    for (size_t i = 0; i < found->region_count; i++)
        waits->regions[i] =
            (view_wait_row){.region = found->regions[i].region, .sum = found->regions[i].sum};
    waits->call_count = pool(waits->calls, found->call_count, found->rank_count);
    waits->region_count = pool(waits->regions, found->region_count, found->rank_count);
    qsort(waits->causes, found->cause_count, sizeof *waits->causes, most_first);
    qsort(waits->ranks, found->rank_count, sizeof *waits->ranks, most_waited_for_first);
    sum_ranks(waits);
    return SCOPE_OK;
}

/* ---- the selected regions ---- */

typedef struct selection {
    const scope_calls *calls;
    scope_filter *filter;
} selection;

static bool accepts(const selection *of, uint32_t region)
{
    const scope_string none = {"", 0};
    const scope_string *name =
        region == SCOPE_WAIT_NO_REGION ? &none : &of->calls->regions[region].name;
    return scope_filter_accepts(of->filter, name->bytes, name->length_bytes);
}

static int is_selected(void *context, uint32_t call, uint32_t region)
{
    const selection *of = context;
    const bool only_excludes = accepts(of, SCOPE_WAIT_NO_REGION);
    return only_excludes ? accepts(of, call) && accepts(of, region)
                         : accepts(of, call) || accepts(of, region);
}

static scope_status find(const view *view, const char *regions, scope_waits *found)
{
    if (!regions)
        return scope_waits_find(view->calls, found);
    selection of = {view->calls, scope_filter_new(regions)};
    const scope_wait_choice choice = {is_selected, &of};
    const scope_status status = scope_waits_find_some(view->calls, &choice, found);
    scope_filter_free(of.filter);
    return status;
}

scope_status view_waits_new(const view *view, const char *ranks, const char *regions,
                            view_waits **waits)
{
    view_waits *made = calloc(1, sizeof *made);
    scope_status status = made ? find(view, regions, &made->found) : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK) {
        free(made->found.rows); /* nobody asks for each of them */
        made->found.rows = NULL;
        made->found.count = 0;
        made->asked = true;
        select_ranks(&made->found, ranks);
        status = make_rows(made);
    }
    if (status != SCOPE_OK) {
        view_waits_free(made);
        made = NULL;
    }
    *waits = made;
    return status;
}

void view_waits_free(view_waits *waits)
{
    if (!waits)
        return;
    scope_waits_free(&waits->found);
    free(waits->calls);
    free(waits->regions);
    free(waits->causes);
    free(waits->ranks);
    free(waits);
}

bool view_waits_unknown(const view_waits *waits)
{
    const scope_waits *found = &waits->found;
    return !found->sent_count && !found->received_count && !found->collective_count;
}

void view_waits_glance(const view *view, view_waits **waits)
{
    *waits = NULL;
    if (view->all_ranks && view->calls->rank_count > 1 && view->calls->count <= CALLS_AT_ONCE)
        (void)view_waits_new(view, NULL, NULL, waits);
    if (*waits)
        (*waits)->asked = false;
}

bool view_waits_matter(const view_waits *waits)
{
    return waits && !waits->asked && waits->found.cause_count && waits->total.total_ns > 1000000 &&
           (double)waits->total.total_ns > 0.05 * (double)waits->span_ns;
}
