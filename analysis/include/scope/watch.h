/* watch.h - follow a recording while it is written: sums, and what is open now.
 *
 *     scope_watch *watch;
 *     scope_watch_new(&watch);
 *     for (;;) {
 *         scope_spool_refresh(spool);
 *         scope_watch_read(watch, scope_spool_recording(spool), scope_spool_was_alive(spool));
 *         const scope_watch_state *state = scope_watch_now(watch);
 *         ...                            the difference to the last state is the interval
 *     }
 *
 * Each read takes in only what is new, and keeps no calls: memory grows with regions and
 * lanes, not with time. It follows the process session that was started last, else the last
 * one that has events. What was written anew since (tiny calls, recording's compact form) is
 * taken again from where it begins; where the reader has fallen behind a fold, the folded sums
 * take the place of what it had counted: totals are exact, but for a ring and for what a host
 * has cut off, where what was not seen is counted in `missed_chunks`.
 *
 * Units      ns of CLOCK_MONOTONIC of that node.
 * Ownership  the state belongs to the watch, until the next read or its end.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_WATCH_H
#define SCOPE_WATCH_H

#include <scope/replay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scope_watch scope_watch;

typedef struct scope_watch_region {
    scope_string name;    /* bytes NULL: not defined (yet) */
    int is_mpi;           /* tagged so by the MPI wrappers */
    int blocks;           /* an MPI call that may wait for others */
    int is_collective;    /* and for those of its communicator */
    uint64_t call_count;  /* that ended */
    int64_t total_ns;     /* of these */
    int64_t exclusive_ns; /* of all, open ones up to now */
    int64_t bytes;        /* in messages, but those of receives that are only posted */
    uint64_t open_count;
} scope_watch_region;

typedef struct scope_watch_open { /* a call that has not ended */
    uint32_t region;
    int64_t begin_ns;
    int32_t communicator;  /* place: of that region's last call on this thread; -1 none yet */
} scope_watch_open;

typedef struct scope_watch_thread { /* one that has recorded and has not ended */
    int64_t id;                /* -1: not known which */
    scope_string name;         /* bytes NULL: none */
    int is_main;
    int64_t first_ns, last_ns; /* of its events */
    size_t first_open, open_count; /* in `opens`, outermost first; its running task's behind */
} scope_watch_thread;

typedef struct scope_watch_communicator {
    scope_string name;
    uint64_t members;  /* of what this and serial are: calls.h */
    int32_t serial, size, rank;
    int32_t last_number; /* of its last collective that ended; -1 none, or not said */
} scope_watch_communicator;

typedef struct scope_watch_state {
    uint16_t session; /* 0: nothing recorded yet */
    int has_ended;    /* the session; what it has may not be in a file yet */
    int64_t start_ns, now_ns; /* now: its end; of a process that is gone when it was seen last */
    scope_watch_region *regions; /* a place stays a region's */
    scope_watch_thread *threads; /* the main one first, then by id */
    scope_watch_open *opens;
    scope_watch_communicator *communicators;
    size_t region_count, thread_count, open_count, communicator_count;
    uint64_t event_count;  /* taken in, folded ones included */
    uint64_t folded_count; /* calls of which only sums are left in the recording */
    uint64_t orphan_count; /* ENDs that close nothing */
    uint64_t missed_chunks;
    uint64_t waiting_tasks; /* tasks that are suspended in a call */
    int64_t lane_ns;       /* sum of the lives of all threads so far */
    uint32_t reset_count;  /* totals began anew: another session is followed */
} scope_watch_state;

SCOPE_API scope_status scope_watch_new(scope_watch **watch);
SCOPE_API void scope_watch_free(scope_watch *watch);

/* Take in what was recorded since the last time. `alive`: the process runs, so calls that
 * are open are open until now. */
SCOPE_API scope_status scope_watch_read(scope_watch *watch, const scope_recording *recording,
                                        int alive);

SCOPE_API const scope_watch_state *scope_watch_now(const scope_watch *watch);

#ifdef __cplusplus
}
#endif
#endif
