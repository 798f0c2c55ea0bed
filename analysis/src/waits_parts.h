/* waits_parts.h - what is known while waits are looked for; see waits.h.
 *
 *     waits.c           ranks, calls and communicators; then one step after the other
 *     waits_collect.c   rows and messages -> operations, each with the key of its partner
 *     waits_posted.c    a rank's receives: which posting each one completes; and its sends
 *     waits_match.c     operations of one key together -> waits
 *       waits_messages.c, waits_collective.c
 *     waits_place.c     where who waited was, and who was waited for
 *     waits_sum.c       the tables
 *
 * While they are looked for, `rank` and `late_rank` of a wait are places in `blocks`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_WAITS_PARTS_H
#define SCOPE_WAITS_PARTS_H

#include <scope/communication.h>
#include <scope/waits.h>

#include "message_pairs.h"
#include "mpi_calls.h"
#include "nest_sort.h"

#define WAIT_NONE UINT32_MAX

typedef struct wait_block { /* a rank */
    int32_t rank;
    uint32_t host; /* ranks of one host have the same; WAIT_NONE unknown */
    size_t first_pair, end_pair;
    int64_t bound_ns;        /* of its clock; -1 unknown */
    int64_t folded_until_ns; /* MPI calls up to here are only known as sums; INT64_MIN: none is */
    int is_lossy;            /* calls may be missing anywhere */
    int ended_early;         /* what was sent last need not have been received */
} wait_block;

/* Who belongs together. A collective: source and dest -1, tag its number. */
typedef struct wait_key {
    uint32_t communicator; /* of the joined ones */
    int32_t source, dest, tag;
} wait_key;

typedef struct wait_keys { /* key -> number, by hash; zero bytes are an empty one */
    wait_key *keys;
    uint32_t *slots; /* 1 + number; 0 free. Twice as many as there is room */
    size_t count, room;
} wait_keys;

uint32_t wait_keys_find(const wait_keys *keys,
                        const wait_key *key);                 /* WAIT_NONE: it is not there */
uint32_t wait_keys_add(wait_keys *keys, const wait_key *key); /* WAIT_NONE: no memory */
void wait_keys_free(wait_keys *keys);

typedef enum wait_op_kind {
    OP_SENT,
    OP_RECEIVED,
    OP_PROBE,
    OP_SEND_COMPLETED, /* by a call that waited for it */
    OP_COLLECTIVE,     /* from here on a key's operations are those of a collective */
    OP_COLLECTIVE_COMPLETED,
} wait_op_kind;

typedef struct wait_op {
    int64_t time_ns; /* of a receive: when it was posted; of a probe: that of the receive; of a
                        completion: when its send began */
    uint64_t row;
    uint64_t late_row; /* of a receive: what posted it; of a probe: the receive's row; of a
                          completion: the send's row, or the collective's class; of a collective:
                          the root's rank */
    uint32_t key, pair;
    uint32_t detail; /* place among the row's messages (of a probe, a completion: of that row); of
                        a collective: row of communicators */
    uint8_t kind;
    uint8_t is_unposted; /* time_ns is a guess: good to sort by, no more */
} wait_op;

typedef struct wait_hunt {
    const scope_calls *calls;
    scope_waits *to; /* counts go straight there; rows until they are whole: here */
    wait_block *blocks;
    size_t block_count;
    uint32_t *block_of_pair;
    const scope_mpi_call **mpi; /* by region; NULL: no MPI call */
    scope_joined_communicators joined;
    wait_keys keys;
    wait_op *ops;
    size_t op_count;
    scope_wait *waits;
    size_t wait_count, wait_room;
    uint64_t *seen;    /* by block: the last collective that had a call of it */
    uint32_t *seen_at; /* which of its calls that is */
    uint64_t seen_count;
    message_pairs *pairs; /* not NULL: these are wanted, not the waits of messages */
} wait_hunt;

/* The place of a rank in blocks; WAIT_NONE: nothing is here of it. */
uint32_t wait_block_of(const wait_hunt *hunt, int32_t rank);

/* Of any row; a call that ends before it begins takes no time. */
static inline int64_t wait_end(const wait_hunt *hunt, uint64_t row)
{
    const int64_t start = hunt->calls->start_ns[row], duration = hunt->calls->duration_ns[row];
    return duration > 0 ? nest_end(start, duration) : start;
}

static inline uint32_t wait_op_block(const wait_hunt *hunt, const wait_op *op)
{
    return hunt->block_of_pair[op->pair];
}

static inline const scope_mpi_call *wait_call(const wait_hunt *hunt, const wait_op *op)
{
    return hunt->mpi[hunt->calls->pairs[op->pair].region];
}

/* MPI_Waitany and MPI_Waitsome. */
int wait_is_any(const scope_mpi_call *call);

/* The array with room for one more, half as large again where it had none; NULL: no memory. */
void *wait_with_room(void *array, size_t count, size_t *room, size_t size_bytes);

scope_status wait_collect(wait_hunt *hunt);

/* A receive that was posted by one call and completed by another. */
typedef struct wait_event {
    int64_t time_ns; /* of a posting: its begin; of a receive: its end */
    uint64_t row;
    uint32_t pair, detail, communicator;
    int32_t source, tag; /* of a posting: -1 any */
    uint32_t next;       /* posting of the same pattern; of a receive: what posted it */
    uint8_t is_posting, is_sure;
} wait_event;

/* Gives each receive its posting in `next` (WAIT_NONE: there is none), and whether that is
 * sure. Sorts the events. */
scope_status wait_settle(wait_event *events, size_t count);

/* Sends of a rank that are followed, and the calls that completed them. */
typedef struct wait_followed {
    int64_t time_ns; /* its begin */
    uint64_t row;
    uint32_t detail;
    uint32_t op; /* of the hunt; WAIT_NONE: whom it is for is not known */
} wait_followed;

typedef struct wait_completion {
    int64_t since; /* so many were begun after the one that is complete */
    uint64_t row;
    uint32_t pair, communicator;
    int32_t dest, tag;
    uint32_t op; /* of its send; WAIT_NONE: not known */
} wait_completion;

/* Gives each completion its send. Sorts the sends. */
void wait_settle_sends(const wait_hunt *hunt, wait_followed *sends, size_t send_count,
                       wait_completion *completions, size_t count);

/* Operations of one key: by kind, then time. */
int wait_by_order(const void *a, const void *b);

scope_status wait_match(wait_hunt *hunt);
scope_status wait_match_messages(wait_hunt *hunt, const wait_key *key, const wait_op *ops,
                                 size_t count);
scope_status wait_match_collective(wait_hunt *hunt, const wait_op *ops, size_t count);

/* How far the clocks of two blocks may be apart; -1 unknown. */
int64_t wait_bound(const wait_hunt *hunt, uint32_t one, uint32_t other);

/* `time_ns` of the one is later than `end_ns` of the other, whatever their clocks say. */
int wait_is_behind(int64_t time_ns, int64_t end_ns, int64_t bound_ns);

/* `op` waited until `until_ns`, when `late_row` began. One that did not wait at all is kept
 * only where it decides. */
scope_status wait_add(wait_hunt *hunt, const wait_op *op, const wait_op *late, uint64_t late_row,
                      int64_t until_ns, scope_wait_kind kind);

/* The regions of those who waited; and where who was waited for was. */
scope_status wait_place(wait_hunt *hunt, int causes);
scope_status wait_sum(wait_hunt *hunt);

#endif
