/* top.h - a run that is watched while it goes on: what `scope top` shows.
 *
 *     top_open() -> top_read() each interval -> top_text() or top_json()
 *
 * Only files are read: the run's processes are not asked, stopped or signalled.
 *
 * Units      ns. "before" is what was known one interval ago.
 * Ownership  top_close frees all.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TOP_H
#define SCOPE_TOP_H

#include <stdbool.h>
#include <stdio.h>

#include <scope/watch.h>
#include <scope/wrap.h>

typedef struct top_options {
    const char *ranks; /* "0,2-5"; NULL: all */
    const char *sort;
    double interval_s;
    long rows;       /* of regions; 0: all, -1: as many as fit */
    long iterations; /* blocks to print; 0: until the run ends */
    bool batch, json, threads, newest;
} top_options;

typedef struct top_sum {
    int64_t calls, total_ns, exclusive_ns, bytes;
} top_sum;

typedef struct top_region {
    char *name; /* as recorded, with its length */
    size_t length_bytes;
    bool mpi;
    int64_t open;
    top_sum now, before;
} top_region;

typedef struct top_part { /* of a rank, or of all */
    int64_t calls, mpi_ns, bytes, lane_ns, events, time_ns;
} top_part;

typedef struct top_rank { /* one process with its spool */
    char *path;
    scope_spool *spool;
    const scope_recording_header *header;
    scope_watch *watch;
    const scope_watch_state *state;
    uint32_t *region_of; /* place in the run's regions + 1, by place in the state's; 0: not yet */
    size_t region_room;
    uint32_t resets;
    bool running;  /* it records */
    bool gone;     /* its file is: what it recorded was written elsewhere */
    bool executes; /* its process lives, and is another program, which may record yet */
    bool waits;    /* it stands in an MPI call for long */
    bool awaited;  /* others stand in one that it is not in */
    top_part now, before;
} top_rank;

typedef struct top_absent { /* who others wait for, and what it does instead */
    const top_rank *rank;
    const scope_watch_open *open; /* NULL: in no region */
    int64_t since_ns;
} top_absent;

typedef struct top_wait {           /* ranks of one communicator that stand in a collective call */
    const scope_watch_region *call; /* of the first of them */
    const scope_watch_communicator *communicator; /* NULL: not known which */
    const top_rank **waiting;
    top_absent *absent;
    size_t waiting_count, absent_count;
    int64_t since_ns;  /* how long the last one has waited */
    int64_t elsewhere; /* ranks of the communicator that are not seen here; -1 unknown */
} top_wait;

typedef struct top_run {
    uint8_t id[16];
    bool single; /* one spool file was named */
    top_rank *ranks;
    size_t rank_count, rank_room;
    top_region *regions;
    size_t region_count, region_room;
    uint32_t *by_name; /* hash of the name -> region + 1 */
    size_t by_name_room;
    top_wait *waits;
    size_t wait_count;
    top_part now, before;
    int64_t start_realtime_ns, opened_realtime_ns;
    int64_t read_ns, interval_ns; /* when it was read last, and how long after the read before */
    uint64_t reads;
    bool ended;
} top_run;

/* How much more there is now than one interval ago; 0: less, as when a recording began anew. */
static inline int64_t top_more(int64_t now, int64_t before)
{
    const int64_t more = wrap_subtract(now, before);
    return more > 0 ? more : 0;
}

/* ---- top_run.c ---- */

/* Which run `what` names: a run id, a folder, a spool file; NULL: the one that runs here.
 * Else what there is to choose from is shown, and an exit code returned; -1: it is open. */
int top_open(top_run *run, const char *what, const top_options *options);
void top_close(top_run *run);

/* ---- top_read.c ---- */

/* Add a process's spool. The path is copied. */
bool top_add(top_run *run, const char *path);

/* Take in what was recorded since the last time; false: out of memory. */
bool top_read(top_run *run, const top_options *options);

/* The rank is asked for. */
bool top_shows(const top_rank *rank, const top_options *options);

/* ---- top_waits.c ---- */

bool top_find_waits(top_run *run, const top_options *options);
void top_free_waits(top_run *run);

/* Calls that a rank's main thread, or this thread, stands in: the innermost; NULL: none.
 * *since_ns: for how long. */
const scope_watch_open *top_innermost(const top_rank *rank, size_t thread, int64_t *since_ns);

/* ---- top_text.c, top_json.c ---- */

extern const char top_sort_words[];
bool top_knows_sort(const char *word);
const char *top_next_sort(const char *word);

/* Places of the regions to show, the first ones first; malloc'd. */
size_t *top_order(const top_run *run, const top_options *options, size_t *count);

/* `lines`: at most so many; 0: no limit. */
void top_text(const top_run *run, const top_options *options, size_t lines, FILE *out);
void top_json(const top_run *run, const top_options *options, FILE *out);

/* "running", "finished", "killed" ... */
const char *top_end(const top_rank *rank, char *text, size_t size);

/* "run 12345678 has ended: 2 finished, 1 killed" */
void top_say_end(const top_run *run, FILE *out);

#endif
