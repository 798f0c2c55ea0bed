/* results.h - statistics of a call table: per rank, region and lane.
 *
 * Detailed calls and folded sums are added; percentiles are of detailed calls.
 *
 * Units      ns; shares and imbalance are plain ratios.
 * Ownership  the caller frees the result; it does not need the table any more.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RESULTS_H
#define SCOPE_RESULTS_H

#include <scope/calls.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scope_summary { /* of a region: on one lane, on one rank, or over all ranks */
    uint32_t region;
    int32_t rank;            /* -1: over all ranks */
    int64_t lane;            /* INT64_MIN: over all lanes */
    int32_t rank_count;      /* ranks that have the region */
    int64_t call_count;      /* folded ones included */
    int64_t folded_count;
    int64_t total_ns;        /* sum of durations; recursion counts once per level */
    int64_t exclusive_ns;    /* -1 unknown */
    int64_t minimum_ns, maximum_ns, await_ns;
    double mean_ns;
    /* of the calls that are not folded; 0 where there are none */
    int64_t first_ns, last_ns;
    double deviation_ns;     /* population standard deviation */
    double p50_ns, p95_ns, p99_ns; /* linear interpolation, as numpy's default */
    double share;            /* exclusive / sum of exclusives of the rank (of all ranks) */
    double imbalance;        /* max / mean of rank totals over ranks that have it; 0.0 for one */
    int64_t first_start_ns;  /* earliest start */
    int64_t mpi_bytes;
    /* -1 until scope_overhead_fill (overhead.h) */
    int64_t overhead_ns;     /* of the recorder, for all these calls */
    int64_t corrected_total_ns, corrected_exclusive_ns;
    int64_t unplaced_count;  /* folded calls that count in no call around them */
    /* calls that had not ended count above with the time that they had so far */
    int64_t open_count, open_ns;
    int64_t ended_minimum_ns; /* of the others; 0 where there are none */
} scope_summary;

typedef struct scope_summaries {
    size_t count;
    scope_summary *rows;
} scope_summaries;

typedef enum scope_summary_by {
    SCOPE_BY_REGION, /* one row per region, pooled over ranks */
    SCOPE_BY_RANK,   /* one row per (rank, region) */
    SCOPE_BY_LANE,   /* one row per (rank, region, lane) */
} scope_summary_by;

/* Rows in order of the table's pairs. */
SCOPE_API scope_status scope_summarize(const scope_calls *calls, scope_summary_by by,
                                       scope_summaries *summaries);
SCOPE_API void scope_summaries_free(scope_summaries *summaries);

/* Linear interpolation between the two nearest, as numpy's default; `quantile` from 0 to 1,
 * `count` > 0. The values are reordered. */
SCOPE_API double scope_percentile(int64_t *values, uint64_t count, double quantile);

/* The row of a thread; NULL: none. */
SCOPE_API const scope_thread_row *scope_calls_thread(const scope_calls *calls, int32_t rank,
                                                     int64_t index);

/* Text for a lane: "MainThread", "Task-1 (fetch) on MainThread", "unknown lane".
 * Writes at most size_bytes with its NUL; returns the full length. */
SCOPE_API size_t scope_lane_label(const scope_calls *calls, int32_t rank, int64_t lane, char *text,
                                  size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif
