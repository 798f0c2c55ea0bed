/* message_pairs.h - which call received what which call sent: messages as waits.c matches them.
 *
 * Cost       as scope_waits_find, and 16 bytes for each message.
 * Ownership  the caller frees the result; it does not need the table any more.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MESSAGE_PAIRS_H
#define SCOPE_MESSAGE_PAIRS_H

#include <scope/calls.h>

typedef struct message_pair { /* rows of the table */
    uint64_t send, receive;   /* what sent or began to; what had it at its end */
} message_pair;

typedef struct message_pairs { /* in no order; what has no partner for sure is not there */
    message_pair *rows;
    size_t count, room;
    int64_t backward; /* messages left out: some of their kind arrive before they are sent */
} message_pairs;

scope_status message_pairs_find(const scope_calls *calls, message_pairs *pairs);
void message_pairs_free(message_pairs *pairs);

#endif
