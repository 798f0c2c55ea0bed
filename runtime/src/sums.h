/* sums.h - exact sums of folded calls, and the lanes they were on.
 *
 *     fold ---lane machine---> finished calls ---> rows by (lane, region)
 *                                                    |
 *                                    copy 0 / copy 1 of the recording, in turn
 *
 * Units      ticks, but for the histogram's ns.
 * Ownership  private memory, mapped, never malloc'd: a handler may be around.
 * Threads    under the engine lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SUMS_H
#define SCOPE_SUMS_H

#include <scope/lane.h>
#include <scope/recording.h>

#include "stream.h"

typedef struct scope_fold_lane { /* one lane, as far as this stream's folded chunks tell */
    scope_lane lane;
    scope_sums_lane row;
    uint32_t stack_class; /* capacity is FIRST << class */
    bool is_over;         /* scratch of merge_ended */
    bool is_merged;       /* its rows went to another lane */
} scope_fold_lane;

typedef struct scope_sums { /* of one stream */
    scope_sum *rows;
    uint32_t row_count, row_capacity;
    uint32_t *row_index, row_slots; /* open addressing: row + 1 */
    scope_fold_lane *lanes;
    uint32_t lane_count, lane_capacity;
    uint32_t *lane_index, lane_slots;
    scope_sums_open *ends;          /* SCOPE_SUMS_END, kept as they are */
    uint32_t end_count, end_capacity;
    scope_chunk_header *copies[2];
    scope_chunk_header *left;       /* the file's last copy, when both are in memory beside it */
    uint32_t version;
    uint64_t folded_calls;
    uint64_t merge_above_bytes; /* of rows; 0: not asked yet */
} scope_sums;

/* The lane with this id, made if it is not there; NULL without memory. The pointer
 * is good until the next lane is made. */
scope_fold_lane *scope_sums_lane_of(scope_sums *sums, int64_t lane, uint64_t ticks);

/* Room for one more open call; false without memory. */
bool scope_sums_make_room(scope_fold_lane *lane);

/* The row of a region on a lane; NULL without memory. */
scope_sum *scope_sums_row_of(scope_sums *sums, int64_t lane, uint32_t region);

/* Add a finished call. */
void scope_sums_add(scope_sums *sums, int64_t lane, const scope_call *call);

/* Add calls that are a sum already. */
void scope_sums_add_sum(scope_sums *sums, int64_t lane, const scope_sum *sum);

/* What was summed so far is in a file: forget the rows, and calls that were closed by
 * implication. The lanes and their open calls stay. */
void scope_sums_forget_rows(scope_sums *sums);

/* Keep an END whose BEGIN may be in another stream; false: too many. */
bool scope_sums_keep_end(scope_sums *sums, int64_t lane, uint32_t region, uint64_t ticks);

/* Are there so many rows that those of ended lanes should become one lane's? */
bool scope_sums_is_large(scope_sums *sums);

/* Add the rows of ended lanes to those of `other`, but for the `kept` ones. Returns
 * how many lanes had rows of their own until now. */
uint32_t scope_sums_merge_ended(scope_sums *sums, int64_t other, uint64_t ticks,
                                const int64_t *kept, uint32_t kept_count);

/* Write everything into the idle copy and make it the valid one. `head` holds
 * first_unfolded, policy, thread, last_ticks, dropped_events and holes; `resumed`
 * the running tasks. false: no room; what was valid stays. */
bool scope_sums_commit(scope_sums *sums, const scope_stream *stream, scope_sums_header head,
                       const int64_t *resumed, uint32_t resumed_count);

/* Forget the private memory (the copies belong to the recording). */
void scope_sums_clear(scope_sums *sums);

#endif
