/* sums.c - what was folded of the recording's streams.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sums.h"

int sums_have_region(const scope_cursor *cursor, uint32_t slot)
{
    (void)cursor;
    (void)slot;
    return 0;
}

scope_status sums_rows(table_maker *maker)
{
    (void)maker;
    return SCOPE_OK;
}
