/* waits.h - which MPI call waited for which rank, and in what that rank was meanwhile.
 *
 * From a whole table: all ranks, times on one line.
 *
 *     late sender    rank 0  MPI_Recv  |========|--|     waits until the send is entered
 *                    rank 1  solve ------------|MPI_Send|
 *     late receiver  rank 0  MPI_Send  |========|--|     waits until the receive is posted,
 *                    rank 1  solve ------------|MPI_Recv|   if it ends only after that
 *     collective     all to all: until the last is entered; one to all: others for the root;
 *                    all to one: the root for the last; prefix: for the last of the lower ranks
 *
 * A wait is never longer than its call. A call that completes several receives waits for the
 * latest of their senders (MPI_Waitany and MPI_Waitsome for the earliest); a probe for the
 * message that its rank receives next from there. What a nonblocking or persistent send or
 * collective waits for, the call waits for that completes it (sends: SCOPE_FOLLOWED_BYTES).
 * Not seen: waiting for neighbours, in one-sided and file calls; polling with MPI_Test.
 *
 * Matching   messages by (communicator, source, destination, tag), in the order of their sends
 *            and of the postings of their receives; a receive that a wait completes takes the
 *            first posting that fits. Collectives by (communicator, number). What has no partner
 *            for sure is left out and counted: scope_unmatched.
 * Causes     an instant at which n calls wait for a rank counts n times for the region in which
 *            that rank is then, innermost, MPI calls too; so the causes add up to the waits.
 * Exactness  as exact as the clocks of the two ranks agree: bound_ns, 0 on one host.
 *
 * Units      ns; bounds are sums over waits.
 * Cost       time n log n, some seconds for 10 million calls. Memory while it runs: up to 100 bytes
 *            for each message of an MPI call, 130 for each call that waits, 8 for each call of
 *            the rank with most of them.
 * Ownership  the caller frees the result; it does not need the table any more.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ANALYSIS_WAITS_H
#define SCOPE_ANALYSIS_WAITS_H

#include <scope/calls.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scope_wait_kind {
    SCOPE_WAIT_LATE_SENDER,
    SCOPE_WAIT_LATE_RECEIVER,
    SCOPE_WAIT_ALL_TO_ALL,
    SCOPE_WAIT_ONE_TO_ALL,
    SCOPE_WAIT_ALL_TO_ONE,
    SCOPE_WAIT_PREFIX,
    SCOPE_WAIT_KINDS,
} scope_wait_kind;

#define SCOPE_WAIT_NO_REGION UINT32_MAX /* outside all, or the rank's calls do not nest */

typedef struct scope_wait { /* a call that waited */
    uint64_t row,
        late_row; /* the call waited for: a send, what posted the receive, the last to come */
    int64_t ns;
    int64_t bound_ns; /* how wrong ns may be; -1 unknown */
    int32_t rank, late_rank;
    uint32_t call;   /* region of row, of regions */
    uint32_t region; /* the innermost around it that is no MPI call */
    int32_t kind;
} scope_wait;

typedef struct scope_wait_sum {
    int64_t count, total_ns, maximum_ns;
    int64_t bound_ns;                  /* of those where it is known */
    int64_t short_count, short_ns;     /* not longer than their bound: perhaps none */
    int64_t unknown_count, unknown_ns; /* bound unknown */
} scope_wait_sum;

typedef struct scope_wait_call_row { /* by rank, then call, then kind */
    int32_t rank;
    uint32_t call;
    int32_t kind;
    scope_wait_sum sum;
} scope_wait_call_row;

typedef struct scope_wait_region_row { /* where ranks waited; by rank, then region */
    int32_t rank;
    uint32_t region;
    scope_wait_sum sum;
} scope_wait_region_row;

typedef struct scope_wait_cause_row { /* where a rank was while others waited for it; by rank, most
                                         first */
    int32_t rank;
    uint32_t region;
    int64_t total_ns; /* of all who waited */
} scope_wait_cause_row;

typedef struct scope_wait_rank_row { /* of each rank with calls */
    int32_t rank;
    int64_t mpi_ns;        /* in MPI calls */
    int64_t span_ns;       /* from its first call to the end of its last; both without MPI_Init and
                              MPI_Finalize */
    scope_wait_sum waited; /* for others */
    scope_wait_sum caused; /* by others, for it */
} scope_wait_rank_row;

/* Why a message or a call of a collective has no partner. */
typedef enum scope_unmatched {
    SCOPE_UNMATCHED_UNTOLD, /* who takes part is not known: another job's rank, an old recording */
    SCOPE_UNMATCHED_RANK,   /* of the other rank there is nothing here */
    SCOPE_UNMATCHED_COUNT,  /* sent and received differ in number: folded, filtered, paused, dropped
                             */
    SCOPE_UNMATCHED_ORDER,  /* it would arrive before it is sent */
    SCOPE_UNMATCHED_MISSING, /* the collective lacks calls of some ranks */
    SCOPE_UNMATCHED_OTHER,   /* its calls do not belong together */
    SCOPE_UNMATCHED_GROUPS,  /* between two groups: these are not looked at */
    SCOPE_UNMATCHED_REASONS,
} scope_unmatched;

typedef struct scope_waits {
    size_t count;
    scope_wait *rows; /* by rank, then row */
    scope_wait_sum total, by_kind[SCOPE_WAIT_KINDS];
    size_t call_count, region_count, cause_count, rank_count;
    scope_wait_call_row *calls;
    scope_wait_region_row *regions;
    scope_wait_cause_row *causes;
    scope_wait_rank_row *ranks;
    int64_t sent_count, received_count;              /* messages that were looked at, */
    int64_t collective_count;                        /* calls of collectives, */
    int64_t unmatched_sent[SCOPE_UNMATCHED_REASONS]; /* and those without partner */
    int64_t unmatched_received[SCOPE_UNMATCHED_REASONS];
    int64_t unmatched_collective[SCOPE_UNMATCHED_REASONS];
    int64_t nonblocking_count; /* collective calls that only begin one whose end is not here */
    int64_t unposted_count;    /* messages: when the receive was posted, or which send a call
                                  completed, is not known: no late receiver */
} scope_waits;

SCOPE_API scope_status scope_waits_find(const scope_calls *calls, scope_waits *waits);

/* Of all waits those that are wanted: of that call, within that region (SCOPE_WAIT_NO_REGION), as
 * in scope_wait. Sums and causes are of these alone; times of ranks and what has no partner are of
 * all. */
typedef struct scope_wait_choice {
    int (*takes)(void *context, uint32_t call, uint32_t region);
    void *context;
} scope_wait_choice;

SCOPE_API scope_status scope_waits_find_some(const scope_calls *calls,
                                             const scope_wait_choice *choice, scope_waits *waits);
SCOPE_API void scope_waits_free(scope_waits *waits);

/* "late sender", "all to all" ...; "" for any other number. */
SCOPE_API const char *scope_wait_kind_name(int32_t kind);

/* "numbers differ" ...: as above. */
SCOPE_API const char *scope_unmatched_name(int reason);

/* Unmatched of all reasons: messages sent and received, calls of collectives. */
SCOPE_API int64_t scope_waits_unmatched(const scope_waits *waits);

#ifdef __cplusplus
}
#endif
#endif
