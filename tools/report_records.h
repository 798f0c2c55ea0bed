/* report_records.h - sums of messages, one by one, for programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_REPORT_RECORDS_H
#define SCOPE_REPORT_RECORDS_H

#include "json.h"
#include "view.h"

/* "communication": what Python's results.communication() has, with the same keys. */
void report_json_comm(json *json, const view *view);

/* Lines by function; `peers`: by peer and size. */
void report_csv_comm(const view *view, bool peers, FILE *out);

/* A field in quotes: a name may hold anything. */
void report_csv_field(FILE *out, const char *bytes, size_t length_bytes);

#endif
