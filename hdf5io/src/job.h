/* job.h - what every way of writing one file from many ranks has in common.
 *
 *     every rank                                  rank 0 alone
 *     begin     count rows, look at texts
 *     agree     sums: totals and what lies before me; the most of all facts
 *                                                 make the plan
 *               broadcast the plan; unify names
 *     open                                        a draft
 *     create                                      lay out the file; write names
 *               wide and chunked columns to rank 0    write them; close
 *     slices    broadcast offsets; pwrite my slices; fsync
 *     publish                                     rename
 *     end       report, or what failed where
 *
 * A step that can fail ends with scope_job_all_well(); false: go to the end.
 *
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_JOB_H
#define SCOPE_HDF5_JOB_H

#include <limits.h>

#include <scope/file.h>
#include <scope/sink.h>

#include "maker.h"
#include "plan.h"
#include "publish.h"
#include "slices.h"

typedef struct scope_job {
    const char *path;
    scope_world *world;
    const scope_file_options *options;
    scope_mode mode;
    scope_status status; /* this rank's own */
    scope_rows rows;
    scope_plan plan;
    scope_strings names; /* rank 0: of all ranks */
    scope_draft draft;   /* rank 0 */
    bool is_apart;       /* by a helper: the HDF5 of this process is not ours */
    bool is_quiet;       /* HDF5's errors are not shown */
    scope_maker maker;
    scope_h5_errors errors;
    scope_size_guard guard;
} scope_job;

typedef struct scope_news { /* of rank 0, once the file is laid out */
    scope_node node;
    uint64_t offset[SCOPE_COLUMN_MAX];
    uint64_t file_id_offset;
    uint8_t file_id[SCOPE_FILE_ID_BYTES];
    char path[PATH_MAX]; /* the draft's */
} scope_news;

/* `path`, `calls` (NULL: no rows), `options` and `world` must outlive the job. */
void scope_job_begin(scope_job *job, const char *path, const scope_calls *calls, scope_world *world,
                     const scope_file_options *options, const scope_mode *mode);

/* Everybody learns whether all is well; true: go on. */
bool scope_job_all_well(scope_job *job);

/* A world function failed: on every rank alike. */
bool scope_job_connected(scope_job *job, scope_status status);

bool scope_job_agree(scope_job *job);
bool scope_job_open(scope_job *job);
bool scope_job_create(scope_job *job, const scope_pieces *pieces); /* pieces: of an index */
bool scope_job_announce(scope_job *job, scope_news *news);
bool scope_job_write_slices(scope_job *job);
bool scope_job_sync(scope_job *job); /* before the first of several is published */
bool scope_job_publish(scope_job *job);

/* The status of every rank but for ERR_RANK. */
scope_status scope_job_end(scope_job *job, scope_sink_report *report);

#endif
