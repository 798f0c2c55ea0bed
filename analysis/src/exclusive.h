/* exclusive.h - the exclusive time of every row, from call ids.
 *
 * Units      ns.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXCLUSIVE_H
#define SCOPE_EXCLUSIVE_H

#include <scope/calls.h>

/* One value per row, -1 unknown; the caller frees them. NULL: the table has no ids. */
scope_status exclusive_of_rows(const scope_calls *calls, int64_t **exclusive);

#endif
