/* view_comm.h - what `scope inspect --comm` and `--matrix` show: messages of the selected ranks
 * and regions, by communicator of the job and by pairs of ranks.
 *
 * Units      bytes, ns.
 * Ownership  refers to the table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_VIEW_COMM_H
#define SCOPE_VIEW_COMM_H

#include <scope/communication.h>

#include "view.h"

typedef struct view_comm_sum {
    int64_t call_count, message_count, bytes, total_ns;
} view_comm_sum;

typedef struct view_comm_function { /* what a function did on a communicator, over all ranks */
    int32_t communicator; /* of the joined ones; -1: not known */
    uint32_t region;
    int32_t kind;
    view_comm_sum sum;
} view_comm_function;

typedef struct view_comm_total { /* of a communicator, over all ranks */
    int32_t communicator; /* of the joined ones; -1: not known */
    view_comm_sum collective, sent, received, read, written, remote, other;
    int64_t classes[SCOPE_SIZE_CLASSES]; /* messages of each size, sent; where nothing was, received */
} view_comm_total;

typedef struct view_comm_pair { /* of ranks, over all communicators */
    int32_t from, to;
    int64_t sent_count, sent_bytes;         /* as `from` said */
    int64_t received_count, received_bytes; /* as `to` said */
    int64_t remote_count, remote_bytes;     /* one-sided calls of `from` on `to` */
} view_comm_pair;

typedef struct view_comm {
    scope_communication list;          /* communicators are of the joined ones */
    scope_joined_communicators joined;
    view_comm_function *functions;     /* by communicator, most bytes first */
    size_t function_count;
    view_comm_total *totals;           /* of those with messages, most bytes first */
    size_t total_count;
    view_comm_pair *pairs;             /* by from, to */
    size_t pair_count;
    int64_t peerless_count;            /* messages whose peer is not known, or of no rank of the job */
    scope_untold_row untold;           /* over all ranks */
    size_t untold_ranks;
} view_comm;

/* `regions`: name patterns as in view_options; NULL all. */
scope_status view_comm_new(const view *view, const char *regions, view_comm **comm);
void view_comm_free(view_comm *comm); /* NULL: nothing */

/* Both know of the same messages: who has more knows more. */
int64_t view_comm_count(const view_comm_pair *pair);
int64_t view_comm_bytes(const view_comm_pair *pair);

/* "0-3", "3-0", "0-6:2", "0,2,3,9": ranks in their order; at most `size` bytes with the NUL, cut with
 * an ellipsis. Returns text. */
const char *view_comm_ranks(const view_comm *comm, const scope_joined_communicator *of, char *text,
                            size_t size);

/* Messages of a total between ranks: as many as who knows more of them says. */
view_comm_sum view_comm_moved(const view_comm_total *total);

#endif
