/* cursor_streams.h - events of all streams of a session, in the order of their runs.
 *
 *     chunks of each stream -> decoder -> a heap of streams, the earliest event first
 *
 * Ownership  of the cursor: copied words only while runs are taken.
 * Threads    none.
 * Errors     ERR_MEMORY. What is damaged or gone is counted, and the rest goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CURSOR_STREAMS_H
#define SCOPE_CURSOR_STREAMS_H

#include "cursor.h"

typedef struct cursor_look { /* one look at a recording */
    const chunk_index *index;
    int live;       /* chunks may change while we read */
    int everything; /* no later look will come */
    uint64_t cut;   /* take only what is not later, in ticks */
} cursor_look;

/* Streams that the cursor does not know yet. */
scope_status cursor_find_streams(scope_cursor *cursor, const chunk_index *index);

/* Take in what there is. cursor->torn: a chunk was used again meanwhile. */
scope_status cursor_take_runs(scope_cursor *cursor, const cursor_look *look);

/* Chunks behind the place where their stream stops. */
uint64_t cursor_count_missing(scope_cursor *cursor, const chunk_index *index);

/* A chunk that was written anew in another place while we looked for it was seen in
 * neither: is one that is missing there now? */
int cursor_is_there_now(const scope_cursor *cursor, const scope_recording *recording);

#endif
