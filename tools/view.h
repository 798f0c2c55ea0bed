/* view.h - what `scope inspect` shows of a profile: selected, summed up, sorted.
 *
 * The three reports (text, JSON, CSV) print a view; none of them computes.
 *
 * Units      ns, as in calls.h.
 * Ownership  a view refers to the calls it was made from.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_VIEW_H
#define SCOPE_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include <scope/calls.h>
#include <scope/results.h>

typedef struct view_options {
    const char *ranks;   /* "0,2-5"; NULL: all */
    const char *regions; /* name patterns, as SCOPE_FILTER; NULL: all */
    const char *sort;    /* NULL: exclusive (text), order of the file (JSON, CSV) */
    int64_t limit;       /* rows per table of the text report; 0: all, -1: the default */
    bool by_rank, lanes, overhead, comm, matrix, waits; /* asked for */
} view_options;

typedef struct view_lane { /* a thread, or a task */
    int32_t rank;
    int64_t lane;                   /* as in results.h */
    const scope_thread_row *thread; /* NULL for tasks, and where no table lists it */
    const scope_task_row *task;
    int64_t call_count;
    int64_t region_ns; /* in outermost calls, tasks on a thread included */
    int64_t namesake;  /* of a thread: n-th of its rank with that name */
} view_lane;

typedef struct view_rank { /* a rank of the job, with or without calls */
    int32_t rank;
    const scope_rank_row *row; /* NULL: the file says nothing of it */
    int64_t call_count, exclusive_ns, mpi_ns, mpi_bytes;
} view_rank;

typedef struct view_open { /* a call that had not ended */
    int32_t rank;
    uint32_t region;
    uint64_t row;
} view_open;

typedef struct view_counter { /* all values of that name, in the order of time */
    const scope_string *name;
    int64_t count;
    double first, last, least, most;
} view_counter;

typedef struct view_warnings {
    int64_t implied, crossed, orphans, open_calls, dropped, dropped_in_handlers, folded, holes,
        filtered, unfinished_ranks, ended_early_ranks;
    bool recovered, overlapping; /* of some rank the calls do not nest */
} view_warnings;

typedef struct view {
    const scope_calls *calls; /* all of the profile */
    scope_calls selected;     /* of the ranks that were asked for; shares the columns */
    scope_summaries by_region, by_rank, by_lane; /* shown regions only, sorted */
    view_rank *ranks;
    size_t rank_count;
    view_lane *lanes;
    size_t lane_count;
    view_open *open; /* by rank, and outermost first */
    size_t open_count;
    view_counter *counters; /* by name */
    size_t counter_count;
    view_warnings warnings;
    struct view_comm *comm; /* view_comm.h; NULL: not asked for */
    const scope_pair **first_pairs; /* of each region, on the first rank that has it; or NULL */
    struct view_waits *waits; /* view_waits.h; NULL: not looked for */
    bool all_ranks;
    bool no_region; /* no name of the profile is among the regions that were asked for */
    bool alive; /* set by who opened it: the process still records */
} view;

/* ERR_ARGUMENT: `*problem` says which option cannot be used. */
scope_status view_make(const scope_calls *calls, const view_options *options, view *view,
                       const char **problem);
void view_free(view *view);

/* The words for --sort. */
extern const char view_sort_words[];

/* The text of a lane, as scope_lane_label; the second thread of a rank with the same name
 * is called "name #2". Returns text. */
const char *view_lane_label(const view *view, int32_t rank, int64_t lane, char *text, size_t size);

/* The `count` slowest and fastest ranks, slowest first (as many of each, one more slow
 * one if it is odd), by their time outside MPI, else in regions. malloc'd. */
const view_rank **view_extreme_ranks(const view *view, size_t count);

/* The open calls of a rank. */
const view_open *view_open_of(const view *view, int32_t rank, size_t *count);

/* Of the calls that ended; -1 where none did. An open one may have been as long as it likes. */
double view_minimum_ns(const scope_summary *row);
double view_mean_ns(const scope_summary *row);

/* Some rank called MPI. */
bool view_has_mpi(const view *view);

/* Whether the name of a region says that it is an MPI call. */
bool view_is_mpi(const scope_calls *calls, uint32_t region);

/* Regions of which the recorder's part is more than 5 % of their time and worth a word: over
 * 1 ms, and over 1 % of all time in regions. Those with most of it first, at most `room`. */
size_t view_costly(const view *view, const scope_summary **rows, size_t room);

/* Nodes of the job: distinct hosts, else what the metadata say, else 0. */
int64_t view_node_count(const scope_calls *calls);

/* Metadata as an integer; `missing` where there is none. */
int64_t view_integer(const scope_calls *calls, const char *key, int64_t missing);

/* ---- the reports ---- */

void report_text(const view *view, const view_options *options, const char *path, FILE *out);
void report_json(const view *view, const char *path, FILE *out);
void report_csv(const view *view, const view_options *options, FILE *out);

#endif
