/* plan.h - what all ranks agree on before a byte is written.
 *
 *     every rank: its rows per table, its times, its widest texts
 *     rank 0:     totals, columns that anybody has, earliest start -> everybody
 *
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_PLAN_H
#define SCOPE_HDF5_PLAN_H

#include <scope/file.h>

#include "rows.h"

/* Collective; the same status on every rank. offset and file_id_offset are not
 * filled in yet: that is known when the file is laid out. */
scope_status scope_plan_agree(scope_world *world, const scope_rows *rows,
                              const scope_file_options *options, scope_plan *plan);

#endif
