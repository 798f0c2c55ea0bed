/* sums.h - folded calls as rows of the table.
 *
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SUMS_H
#define SCOPE_SUMS_H

#include "table.h"

/* Fill the table's sums, one row per region and lane. */
scope_status sums_rows(table_maker *maker);

#endif
