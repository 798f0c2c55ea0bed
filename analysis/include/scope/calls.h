/* calls.h - the call table: what replay makes, what a file holds, what is read.
 *
 * Columns, one row per call. The rows of one (rank, region) pair lie together,
 * in order of entry (thread after thread where there are several), and `pairs`
 * says where: the same order as in the HDF5 file.
 *
 *     pairs        rank 0 solve | rank 0 MPI_Bcast | rank 1 solve ...
 *                      |    \          |    \
 *     start_ns     [ s s s s s   b b b   s s s ... ]
 *     duration_ns  [ . . . . .   . . .   . . . ... ]
 *
 * Units      int64_t ns of CLOCK_MONOTONIC of rank 0's node once mapped (raw of
 *            the own node before); end = start + duration. -1 is "unknown" in
 *            columns of ids and in lane times.
 * Ownership  the table owns every array and string in it; scope_calls_free frees
 *            them all. Optional columns are NULL when not recorded.
 * Threads    none: a table is used by one thread at a time; reading is free.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CALLS_H
#define SCOPE_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a damaged file claims beyond these is refused: nobody shall allocate or walk over it. */
#define SCOPE_RANKS_MAX (1 << 24)           /* ranks are below */
#define SCOPE_TIME_MAX_NS (INT64_C(1) << 62) /* starts and durations, from minus that */

typedef struct scope_string { /* any bytes; not terminated, but a NUL follows */
    const char *bytes;
    uint64_t length_bytes;
} scope_string;

typedef struct scope_region_row { /* names, shared by all ranks */
    scope_string name;
} scope_region_row;

typedef struct scope_statistics { /* the file's summary_statistics, in ns */
    int64_t total, minimum, maximum, first, last, start_minimum, end_maximum;
    double mean, m2; /* m2: sum of squared deviations from the mean */
} scope_statistics;

typedef struct scope_pair { /* one region on one rank */
    int32_t rank;
    uint32_t region;       /* row of regions */
    uint64_t first, count; /* rows of the columns */
    int64_t source_line;   /* -1 unknown */
    scope_string source_file;
    scope_string tags;     /* JSON array text, "[]" when none */
    int64_t exclusive_ns;  /* -1 not computed */
    int64_t summed_ns;     /* in calls directly inside its rows that are only known as sums; taken
                              off exclusive_ns. Not in files */
    scope_statistics statistics;
} scope_pair;

typedef struct scope_thread_row {
    int32_t rank;
    int32_t daemon;        /* 0 or 1 */
    int64_t index;         /* dense per rank: what the thread column holds */
    int64_t ident, native_id;
    int64_t start_ns, end_ns; /* absolute here (files: relative to start_time_ns); end -1: alive */
    int64_t cpu_ns;
    int32_t last_cpu;      /* -1 unknown */
    int32_t flags;         /* scope_thread_flags of recording.h: 1 exact start, 2 main */
    scope_string name, binding;
} scope_thread_row;

typedef struct scope_task_row {
    int32_t rank;
    int64_t index, thread_index;
    int64_t created_ns, done_ns; /* absolute; done -1: unfinished */
    int64_t steps, running_ns, suspended_ns;
    scope_string kind, name, coro_name;
} scope_task_row;

typedef struct scope_point_row { /* a mark or a counter value */
    int32_t rank;
    int64_t thread, task;
    int64_t time_ns;
    double value;          /* 0 for marks */
    scope_string name;
} scope_point_row;

typedef struct scope_communicator_row {
    int32_t rank;          /* whose view */
    int32_t id, parent;    /* ids of that rank; parent -1 unknown */
    int32_t size, rank_in;
    int32_t serial;        /* among those with its members; both are the same on all its ranks */
    int64_t members;       /* hash of its ranks in MPI_COMM_WORLD, in order; 0 unknown */
    scope_string name;
} scope_communicator_row;

/* One message of a call that has several: a wait that completes many receives, a sendrecv. What
 * a call with one moved stands in its row's columns. In order of `row`, then as they were
 * recorded. */
typedef struct scope_message_row {
    uint64_t row;          /* of the columns */
    int64_t bytes;
    int32_t rank, peer;
    int32_t communicator;  /* row of communicators; -1 none */
    int32_t tag, kind;     /* as mpi_tags, mpi_kinds */
} scope_message_row;

typedef struct scope_misuse_row { /* only where something is not zero */
    int32_t rank;
    uint32_t region;
    int64_t implied, crossed, orphans;
} scope_misuse_row;

typedef struct scope_sum_row { /* folded calls: exact sums per region and lane */
    int32_t rank;
    uint32_t region;
    int64_t lane;          /* task index, or -2 - thread index */
    int64_t count, total_ns, minimum_ns, maximum_ns, exclusive_ns, await_ns;
    int64_t first_ns, last_ns, bytes;
    uint32_t histogram[64]; /* bucket b: [2^b, 2^(b+1)) ns, 0 in bucket 0 */
} scope_sum_row;

typedef struct scope_rank_row { /* one per rank, also for a rank without calls */
    int32_t rank;
    int32_t end_kind, end_value; /* scope_end_kind of recording.h */
    int64_t pid;
    int64_t start_ns, end_ns;    /* of its recording, on its own node's clock */
    int64_t realtime_ns;         /* CLOCK_REALTIME at start */
    int64_t offset_ns, at_ns, bound_ns; /* t0 = t + offset + drift * (t - at); bound -1 unknown */
    double drift;
    int64_t last_event_ns;       /* own clock */
    int64_t dropped, dropped_in_handlers, folded, holes, filtered;
    double overhead_pair_ns, overhead_inside_ns; /* of a call, measured (overhead.h); 0 unknown */
    double overhead_long_pair_ns, overhead_long_inside_ns; /* of a long call */
    scope_string host, program;
} scope_rank_row;

typedef enum scope_value_kind {
    SCOPE_VALUE_TEXT,
    SCOPE_VALUE_INTEGER,
    SCOPE_VALUE_TEXTS,
} scope_value_kind;

typedef struct scope_metadata_row {
    scope_string key;
    scope_value_kind kind;
    int64_t integer;
    scope_string text;     /* SCOPE_VALUE_TEXTS: strings, each followed by NUL */
} scope_metadata_row;

typedef struct scope_calls {
    int32_t rank_count; /* size of the job, ranks without rows included */
    int64_t start_time_ns; /* the run's start: no event is before it */
    int64_t end_time_ns;
    int32_t is_aggregate;  /* 1: no rows, each pair has one row of sums (or one per lane) */

    /* columns, `count` long */
    uint64_t count;
    int64_t *start_ns, *duration_ns; /* always */
    int64_t *call_ids, *parent_ids;  /* per rank; NULL when a rank's calls do not nest */
    int64_t *thread_ids, *task_ids;  /* index in the rank's tables; -1 none */
    int64_t *await_ns;
    uint8_t *flags;                  /* scope_call_flags & 7; NULL when all are 0 */
    int64_t *mpi_bytes;
    int32_t *mpi_peers, *mpi_comms;  /* comms: row of communicators */
    int32_t *mpi_tags;               /* of a collective: its number on the communicator; -1 none */
    uint8_t *mpi_kinds;              /* scope_message_kind of event.h */
    int64_t *gpu_ns;                 /* files of 0.7.5 only */

    /* tables */
    size_t region_count, pair_count, thread_count, task_count, mark_count, counter_count;
    size_t communicator_count, message_count, misuse_count, sum_count, rank_row_count;
    size_t metadata_count;
    scope_region_row *regions;
    scope_pair *pairs; /* ranks ascending; within a rank in its own region order */
    scope_thread_row *threads;
    scope_task_row *tasks;
    scope_point_row *marks, *counters;
    scope_communicator_row *communicators;
    scope_message_row *messages;
    scope_misuse_row *misuse;
    scope_sum_row *sums;
    scope_rank_row *ranks;
    scope_metadata_row *metadata;
    scope_string *event_metadata; /* per pair, JSON text, or NULL */
    scope_string *source_texts;   /* per pair, or NULL */
    scope_string topology;        /* JSON text, or "" */

    struct scope_arena *arena; /* owns it all */
} scope_calls;

SCOPE_API scope_status scope_calls_new(scope_calls **calls);
SCOPE_API void scope_calls_free(scope_calls *calls);

/* Memory that lives as long as the table: zeroed bytes, and a copy of a string. */
SCOPE_API void *scope_calls_alloc(scope_calls *calls, size_t count, size_t size_bytes);
SCOPE_API scope_string scope_calls_string(scope_calls *calls, const char *bytes,
                                          uint64_t length_bytes);

/* Append rows of one table to the metadata: text (length -1: strlen), integer. */
SCOPE_API scope_status scope_calls_set_text(scope_calls *calls, const char *key, const char *text,
                                            int64_t length_bytes);
SCOPE_API scope_status scope_calls_set_integer(scope_calls *calls, const char *key, int64_t value);
SCOPE_API const scope_metadata_row *scope_calls_metadata(const scope_calls *calls, const char *key);

/* Fill call_ids, parent_ids, exclusive_ns and statistics of every pair, from the
 * columns alone: per rank and lane, calls nest or are disjoint. A rank whose
 * calls overlap makes ERR_NESTING; then ids are NULL, exclusive_ns is -1 for
 * that rank, all else is filled. `exclusive` (per row, may be NULL) receives
 * exclusive ns. First call id per rank: `first_call_id`. */
SCOPE_API scope_status scope_calls_nest(scope_calls *calls, int64_t first_call_id,
                                        int64_t *exclusive);

/* The statistics of one pair, from its rows. */
SCOPE_API void scope_calls_statistics(const scope_calls *calls, scope_pair *pair);

/* The same run without its rows: each pair's calls as sums, folded ones included, over
 * all lanes or per lane. A pair's first is 0, its count that of its calls. */
SCOPE_API scope_status scope_calls_aggregate(const scope_calls *calls, int per_lane,
                                             scope_calls **aggregate);

/* Nesting of calls that are in no table. Lanes may be NULL: one stack. On success the
 * caller frees the arrays, each `count` long, in the order of call ids (start ascending,
 * end descending, then as given): order[i] is the place in the input, parent[i] a place
 * in the output, -1 for roots. ERR_NESTING: `clash` (two places in the input) do not nest;
 * the same place twice: it ends before it starts. */
typedef struct scope_nesting {
    uint64_t count;
    int64_t *order, *depth, *parent, *exclusive_ns;
    uint64_t clash[2];
} scope_nesting;

SCOPE_API scope_status scope_nest(const int64_t *start_ns, const int64_t *duration_ns,
                                  const int64_t *lanes, uint64_t count, scope_nesting *nesting);
SCOPE_API void scope_nesting_free(scope_nesting *nesting);

/* How many rows of the columns are the pair's. */
static inline uint64_t scope_calls_pair_rows(const scope_calls *calls, const scope_pair *pair)
{
    return calls->is_aggregate ? 0 : pair->count;
}

/* Place in `messages` of the first one of this row, or of a row behind it. */
SCOPE_API size_t scope_calls_first_message(const scope_calls *calls, uint64_t row);

/* The lane of a row: task id if >= 0, else -2 - thread id if >= 0, else -1. */
static inline int64_t scope_calls_lane(const scope_calls *calls, uint64_t row)
{
    if (calls->task_ids && calls->task_ids[row] >= 0)
        return calls->task_ids[row];
    if (!calls->thread_ids || calls->thread_ids[row] < 0)
        return -1;
    return (int64_t)(UINT64_MAX - 1 - (uint64_t)calls->thread_ids[row]); /* of any: no overflow */
}

/* Map every time of a one-rank table to rank 0's clock; nesting is kept. */
SCOPE_API void scope_calls_map_clock(scope_calls *calls, int64_t offset_ns, double drift,
                                     int64_t at_ns);

/* Visit the rank of every row of every table that has one; it may be changed. */
SCOPE_API void scope_calls_each_rank(scope_calls *calls,
                                     void (*visit)(int32_t *rank, void *context), void *context);

/* How many different hosts the rank rows name. */
SCOPE_API int64_t scope_calls_host_count(const scope_calls *calls);

/* Two parts have rows of one rank: they are two runs, or one given twice. */
typedef struct scope_collision {
    int32_t rank;
    size_t first, second; /* parts */
} scope_collision;

/* ERR_ARGUMENT: there is one, and *collision the first. */
SCOPE_API scope_status scope_calls_distinct(scope_calls *const *parts, size_t part_count,
                                            scope_collision *collision);

/* Join the tables of several ranks or runs into one, ranks as they are. Regions
 * are unified by name in order of first appearance, communicator rows moved.
 * ERR_ARGUMENT: they are not distinct. */
SCOPE_API scope_status scope_calls_merge(scope_calls *const *parts, size_t part_count,
                                         scope_calls **merged);

#ifdef __cplusplus
}
#endif
#endif
