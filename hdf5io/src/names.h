/* names.h - one numbering for the regions of all ranks.
 *
 *     0 .. shown - 1     regions with a row in the index: /region_table/names
 *     shown ..           regions that only misuse or folded sums know: 0.7.5 fails
 *                        on a name without a row, so these are in /scope alone
 *
 * Ownership  names are malloc'd (scope_strings_free), ids are the caller's.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_NAMES_H
#define SCOPE_HDF5_NAMES_H

#include <scope/calls.h>
#include <scope/world.h>

/* How many regions of the table have no row in its index. */
uint64_t scope_names_unlisted(const scope_calls *calls);

/* Collective; the same status on every rank. ids[i] is the number of my region i.
 * `unlisted`: the sum of scope_names_unlisted over all ranks. On rank 0 `names` are
 * the exact names, `shown` of them with a row. */
scope_status scope_names_agree(scope_world *world, const scope_calls *calls, uint64_t unlisted,
                               uint32_t *ids, scope_strings *names, uint64_t *shown);

#endif
