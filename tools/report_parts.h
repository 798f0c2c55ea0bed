/* report_parts.h - what the tables of the text report are made of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_REPORT_PARTS_H
#define SCOPE_REPORT_PARTS_H

#include "table.h"
#include "view.h"

void report_name(FILE *out, const char *bytes, size_t length_bytes);
void report_heading(FILE *out, const char *text);
void report_plural(FILE *out, int64_t count, const char *one, const char *many);

/* "12 more regions: --limit=0 shows all", where something is hidden; what: "region". */
void report_more(FILE *out, int64_t hidden, const char *what);

void report_time_cell(table *table, double ns);

/* Instead of times: the recorder's part, and times without it. */
void report_overhead_columns(table *table);
void report_overhead_row(table *table, const view *view, const scope_summary *row);

/* A note for sums of calls whose cost is taken off no region around them. */
void report_unplaced(const view *view, FILE *out);

/* A note that names the regions that recording changed most; `asked`: their corrected times
 * were shown. */
void report_costly(const view *view, bool asked, FILE *out);

/* Waiting in MPI: instead of regions. */
void report_waits(const view *view, int64_t limit, FILE *out);

/* A note that much was waited, where nobody asked. */
void report_waits_note(const view *view, FILE *out);

/* What to mind. `overhead`: corrected times were asked for. */
void report_notes(const view *view, bool overhead, FILE *out);

/* Communication: instead of regions. */
void report_comm(const view *view, int64_t limit, FILE *out);
void report_matrix(const view *view, int64_t limit, FILE *out);

/* Notes on what of it is not known. */
void report_untold(const view *view, FILE *out);

/* At most `limit` rows each. */
void report_counters(const view *view, int64_t limit, FILE *out);
void report_threads(const view *view, int64_t limit, FILE *out);
void report_tasks(const view *view, int64_t limit, FILE *out);

#endif
