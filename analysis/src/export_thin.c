/* export_thin.c - see export_thin.h: the longest calls, found by their digits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_thin.h"

#include <scope/wrap.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "export_parts.h"

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

static uint64_t duration_of(const scope_calls *calls, uint64_t row)
{
    return calls->duration_ns[row] > 0 ? (uint64_t)calls->duration_ns[row] : 0;
}

/* Rows of a rank's pairs lie one after the other, pairs in any order. */
typedef void visit_row(void *context, uint64_t row);

static void each_row(const scope_calls *calls, const int32_t *ranks, size_t rank_count,
                     visit_row *visit, void *context)
{
    for (size_t i = 0; i < rank_count; i++) {
        size_t first, end;
        export_pairs(calls, ranks[i], &first, &end);
        for (size_t p = first; p < end; p++) {
            const scope_pair *pair = &calls->pairs[p];
            const uint64_t last = pair->first + scope_calls_pair_rows(calls, pair);
            for (uint64_t row = pair->first; row < last; row++)
                visit(context, row);
        }
    }
}

typedef struct selection { /* of the n-th longest duration, from its highest digit down */
    const scope_calls *calls;
    uint64_t counts[DIGITS], prefix;
    unsigned shift;
    uint64_t wanted; /* of those that begin with prefix */
    uint64_t ties;   /* that are equal to it, once all digits are known */
    /* then, row after row: */
    uint64_t turn, *kept;
} selection;

static void count_digit(void *context, uint64_t row)
{
    selection *of = context;
    const uint64_t duration = duration_of(of->calls, row), digit = duration >> of->shift;
    if (of->shift + DIGIT_BITS >= 64 || digit >> DIGIT_BITS == of->prefix)
        of->counts[digit & (DIGITS - 1)]++;
}

static void find_nth(selection *of, const int32_t *ranks, size_t rank_count)
{
    for (of->shift = 64; of->shift;) {
        of->shift -= DIGIT_BITS;
        memset(of->counts, 0, sizeof of->counts);
        each_row(of->calls, ranks, rank_count, count_digit, of);
        uint64_t digit = DIGITS - 1;
        for (; of->counts[digit] < of->wanted; digit--)
            of->wanted -= of->counts[digit];
        of->prefix = of->prefix << DIGIT_BITS | digit;
        of->ties = of->counts[digit];
    }
}

static void keep_row(void *context, uint64_t row)
{
    selection *of = context;
    const uint64_t duration = duration_of(of->calls, row);
    int keep = duration > of->prefix;
    if (duration == of->prefix) { /* `wanted` of `ties`, spread evenly */
        of->turn += of->wanted;
        keep = of->turn >= of->ties;
        of->turn -= keep ? of->ties : 0;
    }
    if (keep)
        of->kept[row / 64] |= (uint64_t)1 << row % 64;
}

static void count_row(void *context, uint64_t row)
{
    (void)row;
    ++*(uint64_t *)context;
}

static size_t step_of(size_t count, uint64_t most, export_thin *thin)
{
    const size_t step = most && count > most ? (size_t)((count - 1) / most) + 1 : 1;
    thin->left.points += count;
    thin->left.left_points += count - (count + step - 1) / step;
    return step;
}

scope_status export_thin_choose(const scope_calls *calls, const int32_t *ranks, size_t rank_count,
                                uint64_t most, export_thin *thin)
{
    *thin = (export_thin){0};
    each_row(calls, ranks, rank_count, count_row, &thin->left.calls);
    thin->marks_step = step_of(calls->mark_count, most, thin);
    thin->counters_step = step_of(calls->counter_count, most, thin);
    if (!most || thin->left.calls <= most)
        return SCOPE_OK;
    selection *of = calloc(1, sizeof *of);
    thin->kept = calloc(calls->count / 64 + 1, sizeof *thin->kept);
    if (!of || !thin->kept) {
        free(of);
        export_thin_free(thin);
        return SCOPE_ERR_MEMORY;
    }
    of->calls = calls;
    of->wanted = most;
    of->kept = thin->kept;
    find_nth(of, ranks, rank_count);
    each_row(calls, ranks, rank_count, keep_row, of);
    thin->left.left_calls = thin->left.calls - most;
    thin->left.longest_ns = (int64_t)of->prefix;
    free(of);
    return SCOPE_OK;
}

void export_thin_free(export_thin *thin)
{
    free(thin->kept);
    thin->kept = NULL;
}

/* ---- what is inside a call that is kept ---- */

scope_status export_thin_sums(const scope_calls *calls, int32_t rank, const export_thin *thin,
                              export_inside **inside)
{
    size_t first, end;
    uint64_t count = 0;
    *inside = NULL;
    export_pairs(calls, rank, &first, &end);
    for (size_t p = first; p < end; p++)
        count += scope_calls_pair_rows(calls, &calls->pairs[p]);
    if (!thin->kept || !calls->call_ids || !calls->parent_ids || !count)
        return SCOPE_OK;
    export_inside *sums = calloc(count, sizeof *sums);
    uint64_t *rows = calloc(count, sizeof *rows); /* by call id; 0: none, else row + 1 */
    if (!sums || !rows) {
        free(sums);
        free(rows);
        return SCOPE_ERR_MEMORY;
    }
    int dense = 1;
    for (size_t p = first; p < end; p++)
        for (uint64_t i = 0; i < scope_calls_pair_rows(calls, &calls->pairs[p]); i++) {
            const uint64_t row = calls->pairs[p].first + i, id = (uint64_t)calls->call_ids[row];
            dense = dense && id < count;
            if (dense)
                rows[id] = row + 1;
        }
    /* a call's id is greater than that of the one around it */
    for (uint64_t id = count; dense && id--;) {
        const uint64_t row = rows[id] - 1;
        if (!rows[id] || export_keeps(thin, row))
            continue;
        const int64_t parent = calls->parent_ids[row];
        if (parent >= 0 && (uint64_t)parent < id) {
            sums[parent].count += sums[id].count + 1;
            sums[parent].time_ns =
                wrap_add(sums[parent].time_ns, (int64_t)duration_of(calls, row));
        }
    }
    free(rows);
    if (!dense) {
        free(sums);
        sums = NULL;
    }
    *inside = sums;
    return SCOPE_OK;
}

size_t scope_export_left_text(const scope_export_left *left, char *text, size_t size)
{
    char points[96] = "";
    if (size)
        *text = 0;
    if (!left->left_calls && !left->left_points)
        return 0;
    if (left->left_points)
        snprintf(points, sizeof points, "%s%" PRIu64 " of %" PRIu64 " marks and counters",
                 left->left_calls ? "; " : "", left->left_points, left->points);
    if (!left->left_calls)
        return (size_t)snprintf(text, size, "left out: %s", points);
    return (size_t)snprintf(
        text, size, "left out: %" PRIu64 " of %" PRIu64 " calls, none above %" PRId64 " ns%s",
        left->left_calls, left->calls, left->longest_ns, points);
}
