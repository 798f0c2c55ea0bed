/* report_waits_records.h - who waited for whom, for programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_REPORT_WAITS_RECORDS_H
#define SCOPE_REPORT_WAITS_RECORDS_H

#include "json.h"
#include "view.h"

/* "waits": what Python's results.waits() has, with the same keys. */
void report_json_waits(json *json, const view *view);

/* A line for each rank's call and kind, for each rank's region, for each cause. */
void report_csv_waits(const view *view, FILE *out);

#endif
