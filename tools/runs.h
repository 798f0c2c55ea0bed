/* runs.h - which spool files make one run, and what it was to write.
 *
 * Ownership  a run points into the spools it was made of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RUNS_H
#define SCOPE_RUNS_H

#include "run_id.h"
#include "spools.h"

typedef struct run { /* one start of one program: each rank at most once */
    spool_found **items;
    size_t count;
    int32_t size; /* of the job; 0 unknown */
    bool guessed; /* its ranks may be of several starts: some left fewer spools than others */
} run;

/* All runs of sorted spools, malloc'd; NULL without memory. */
run *runs_find(spools *spools, size_t *run_count);

void runs_free(run *runs, size_t count); /* NULL and 0 do */

/* All spools as one run, whatever their ids. */
run run_of_all(spools *spools);

/* CLOCK_REALTIME of its first process. */
int64_t run_start(const run *run);

/* How the process of a spool ended, and the first digits of its run id. */
void run_item_end(const spool_found *item, char *text, unsigned size);
void run_item_id(const spool_found *item, char text[SCOPE_RUN_ID_TEXT_BYTES]);

/* The file that the run was to write with all ranks; malloc'd; NULL: none, or no memory. */
char *run_output(const run *run);

/* What `rank` makes of a pattern where nobody gathers. malloc'd; NULL without memory. */
char *run_own_output(const run *run, const char *pattern, const scope_recording_header *header,
                     int rank);

/* `calls` is what `rank` of this run wrote by itself, when it could not gather. */
bool run_wrote(const run *run, const scope_calls *calls, int rank);

/* `calls` is the file of the whole run: it was killed between its last two steps. */
bool run_wrote_all(const run *run, const scope_calls *calls);

/* `calls` is a recovered file of this run. */
bool run_was_recovered(const run *run, const scope_calls *calls);

bool run_same_id(const run *a, const run *b);

#endif
