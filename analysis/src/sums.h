/* sums.h - what was folded of the recording's streams.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SUMS_H
#define SCOPE_SUMS_H

#include "table.h"

/* 1: the region of this slot has folded calls. */
int sums_have_region(const scope_cursor *cursor, uint32_t slot);

/* Fill the table's sums and the rank's count of folded calls. */
scope_status sums_rows(table_maker *maker);

#endif
