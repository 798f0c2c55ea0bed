/* export_parts.h - what the export formats share: which ranks, their lanes, and calls in
 * the order in which they were on a lane.
 *
 * Ownership  export_lanes_free frees what export_lanes_make made.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_PARTS_H
#define SCOPE_EXPORT_PARTS_H

#include <scope/export.h>

#include "export_file.h"
#include "export_thin.h"
#include "id_map.h"

typedef struct export_job {
    const scope_calls *calls;
    export_file *file;
    const int32_t *ranks; /* that were asked for, or all that have rows */
    size_t rank_count;
    int all_ranks;        /* none were asked for */
    scope_string name, exporter;
    int indent, call_paths, arrows;
    export_thin thin;     /* speedscope, chrome: which calls */
    int64_t *backward;    /* messages whose arrow would lead backwards */
} export_job;

/* Pairs of a rank: [*first, *end). */
void export_pairs(const scope_calls *calls, int32_t rank, size_t *first, size_t *end);

typedef struct export_lane {
    int64_t lane;
    uint64_t first, count; /* places */
} export_lane;

typedef struct export_lane_set { /* lanes of a rank, and where each is */
    export_lane *lanes;
    size_t count, capacity;
    id_map numbers;
} export_lane_set;

/* The lanes of calls in pairs [first, end), with how many each has, as they come; of those
 * that are kept (NULL: all). */
scope_status export_lanes_find(const scope_calls *calls, const export_thin *thin, size_t first,
                               size_t end, export_lane_set *set);
scope_status export_lanes_add(export_lane_set *set, int64_t lane, uint64_t call_count);
scope_status export_lanes_sort(export_lane_set *set, int (*compare)(const void *, const void *));
void export_lane_set_free(export_lane_set *set);

/* The place of a lane that is there. */
static inline uint32_t export_lane_number(const export_lane_set *set, int64_t lane)
{
    return id_map_find(&set->numbers, (uint64_t)lane);
}

typedef struct export_lanes { /* of one rank */
    export_lane_set set; /* that have calls, ascending */
    uint64_t *rows;     /* per place, lane after lane: in the order of call ids */
    uint32_t *pairs;    /* of the table, per place */
    uint64_t *depths;   /* how many calls are around it */
} export_lanes;

/* ERR_NESTING: a call is partly outside the one around it. */
scope_status export_lanes_make(const scope_calls *calls, int32_t rank, export_lanes *lanes);
void export_lanes_free(export_lanes *lanes);

/* Walk over a lane's calls as they were: `open` at a begin, `close` at an end. Any status
 * but OK ends the walk. */
typedef struct export_visitor {
    scope_status (*open)(void *context, uint64_t row, uint32_t pair);
    void (*close)(void *context, uint64_t row, uint32_t pair);
    void *context;
} export_visitor;

scope_status export_walk(const export_lanes *lanes, const export_lane *lane,
                         const export_visitor *visitor);

/* "rank 0", "rank 0 - MainThread"; malloc'd. `prefix`: 1 with "rank 0 - ". NULL: no memory. */
char *export_lane_name(const scope_calls *calls, int32_t rank, int64_t lane, int prefix);

/* The document's name, with what is left out. */
void export_titled(export_file *file, const export_job *job);

int64_t export_end(const scope_calls *calls, uint64_t row); /* start + duration */

/* ---- one function per format: what is between opening and closing the file ---- */

scope_status export_speedscope(const export_job *job);
scope_status export_chrome(const export_job *job);
scope_status export_prof(const export_job *job);
scope_status export_json(const export_job *job);

#endif
