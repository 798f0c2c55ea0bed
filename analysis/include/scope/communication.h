/* communication.h - who moved how many bytes to whom, on which communicator: sums of the
 * messages in a call table.
 *
 * Of each message its rank's recorder said what it is to the call that has it
 * (scope_message_kind of event.h). Names are only looked at for what is untold.
 *
 *     functions   rank, communicator, region, kind     calls, messages, bytes, time
 *     peers       rank, communicator, kind, peer,
 *                 size class                           messages, bytes
 *
 * `functions` has every message: collective calls, and all others by the function that moved
 * them; completions move nothing and are in neither list. `peers` has what went from one rank
 * to another (SENT, RECEIVED, REMOTE: the target) and to and from files (READ, WRITTEN; peer
 * -1). A message that arrives is one of the call that completed it: of the MPI_Wait, not of the
 * MPI_Irecv, which is POSTED and has no bytes. A collective's bytes are those that this rank
 * passed as its data argument, whatever the library sent for them.
 *
 * Calls that are only known as sums (folded, throttled, aggregation mode) are in neither list:
 * of their messages only the bytes are known, all together. `untold` says how many they are.
 *
 * Sizes      a message of n bytes is in the first class c with n <= scope_size_limit(c):
 *            0, 64, 1 KiB, 16 KiB, 256 KiB, 4 MiB, 64 MiB, any.
 * Units      bytes, ns. Sums stop at INT64_MAX; bytes below 0, of a damaged file, count as 0.
 * Ownership  the caller frees the results; names in them are the table's.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ANALYSIS_COMMUNICATION_H
#define SCOPE_ANALYSIS_COMMUNICATION_H

#include <scope/calls.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SCOPE_SIZE_CLASSES = 8 };

/* The largest size of a class; INT64_MAX for the last. */
static inline int64_t scope_size_limit(int size_class)
{
    return size_class <= 0                        ? 0
           : size_class >= SCOPE_SIZE_CLASSES - 1 ? INT64_MAX
                                                  : INT64_C(4) << 4 * size_class;
}

SCOPE_API int scope_size_class(int64_t bytes);

/* "other" "sent" "received" "posted" "collective" "read" "written" "remote" "send completed"
 * "collective completed" */
SCOPE_API const char *scope_message_word(int32_t kind);

typedef struct scope_function_row { /* what a function moved on a communicator */
    int32_t rank;
    int32_t communicator; /* row of the table's communicators; -1 none, or not known */
    uint32_t region;
    int32_t kind;         /* scope_message_kind */
    int64_t call_count;   /* calls that have such a message */
    int64_t message_count;
    int64_t bytes;
    int64_t total_ns;     /* of these calls; one with messages of several kinds counts in each */
} scope_function_row;

typedef struct scope_peer_row { /* messages of one size class to or from one peer, or a file */
    int32_t rank;
    int32_t communicator; /* as above */
    int32_t kind;         /* SENT, RECEIVED, REMOTE, READ or WRITTEN */
    int32_t peer;         /* rank in MPI_COMM_WORLD; -1: a file, or not of this job */
    int32_t size_class;
    int64_t message_count, bytes;
} scope_peer_row;

typedef struct scope_untold_row { /* what the lists lack of a rank; only where there is something */
    int32_t rank;
    int64_t call_count;   /* MPI calls that are only known as sums */
    int64_t bytes;        /* of their messages, sent and received and all others together */
    int64_t lost_count;   /* events that could not be kept or read: of any calls */
} scope_untold_row;

typedef struct scope_communication { /* rows are sorted by their first members */
    size_t function_count, peer_count, untold_count;
    scope_function_row *functions;
    scope_peer_row *peers;
    scope_untold_row *untold;
} scope_communication;

SCOPE_API scope_status scope_communication_list(const scope_calls *calls,
                                                scope_communication *communication);
SCOPE_API void scope_communication_free(scope_communication *communication);

/* ---- communicators of the job ---- */

/* A communicator as it is: the rows that its ranks have of it, put together. Where no rank told
 * its members, or ranks made it of different ones, it is the view of one rank. */
typedef struct scope_joined_communicator {
    scope_string name;     /* the first rank's that has one */
    int32_t size;          /* of an intercommunicator both sides'; -1 unknown */
    int32_t parent;        /* of the joined ones; -1 none, or not known */
    int32_t serial;
    int64_t members;       /* as in scope_communicator_row */
    size_t first, count;   /* of `ranks`: those with a row of it, in order of their rank in it */
} scope_joined_communicator;

typedef struct scope_joined_communicators {
    size_t count;
    scope_joined_communicator *rows; /* in the order of the table's, the lowest rank's first */
    int32_t *ranks;        /* in MPI_COMM_WORLD */
    int32_t *of_row;       /* for each row of the table's communicators: which */
} scope_joined_communicators;

SCOPE_API scope_status scope_communicators_join(const scope_calls *calls,
                                                scope_joined_communicators *joined);
SCOPE_API void scope_communicators_free(scope_joined_communicators *joined);

#ifdef __cplusplus
}
#endif
#endif
