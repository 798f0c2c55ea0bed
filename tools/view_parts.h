/* view_parts.h - what the parts of a view share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_VIEW_PARTS_H
#define SCOPE_VIEW_PARTS_H

#include "view.h"

/* "0,2-5" holds `rank`; `*valid` false: that is no list of ranks. */
bool view_in_ranks(const char *list, int32_t rank, bool *valid);

/* Threads in their order (their ids go down from -2), then tasks. */
int view_compare_lanes(int64_t left, int64_t right);

/* Lanes of the selected ranks, from the tables and from by_lane of all regions. */
scope_status view_collect_lanes(view *view, const char *ranks);

scope_status view_collect_open(view *view);
scope_status view_collect_counters(view *view, const char *ranks);

#endif
