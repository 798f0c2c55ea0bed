/* nest_sort.h - rows of one rank in the order of call ids, part after part.
 *
 * Start ascending, end descending, then as they lie: parents before children. The
 * order is given out in parts that fit into the caches, so that it is never
 * written to memory as a whole:
 *
 *     few sorted runs (regions of few threads)   windows of all runs are merged
 *     many (very many lanes at a time)           radix by the highest bits, then each part
 *
 * Units      places count the rows over the slices: 0, 1, 2 ...
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_NEST_SORT_H
#define SCOPE_NEST_SORT_H

#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

typedef struct nest_rows {
    const int64_t *start_ns, *duration_ns; /* columns of the table */
    const uint64_t *rows; /* row of each place; NULL: base + place */
    uint64_t base, count;
} nest_rows;

/* Takes the next places in order; an error ends the sorting. */
typedef scope_status nest_take(void *context, const uint64_t *places, size_t count);

#define NEST_RUNS_MAX 64 /* more are not merged */

typedef struct nest_run { /* starts do not decrease */
    uint64_t next, end;   /* places that are left */
} nest_run;

typedef struct nest_scan { /* how the rows lie */
    nest_run runs[NEST_RUNS_MAX];
    size_t run_count;
    int64_t earliest, latest;
} nest_scan;

void nest_scan_rows(const nest_rows *rows, nest_scan *scan);

/* Uses the scan up. */
scope_status nest_sort(const nest_rows *rows, nest_scan *scan, nest_take *take, void *context);

static inline uint64_t nest_row(const nest_rows *rows, uint64_t place)
{
    return rows->rows ? rows->rows[place] : rows->base + place;
}

/* start + duration; a damaged file may hold any values. */
static inline int64_t nest_end(int64_t start_ns, int64_t duration_ns)
{
    int64_t end;
    return __builtin_add_overflow(start_ns, duration_ns, &end) ? INT64_MAX : end;
}

#endif
