/* metadata.h - what a file says about the run: attributes of /metadata.
 *
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_METADATA_H
#define SCOPE_HDF5_METADATA_H

#include "rows.h"

/* Add what this process knows about its machine and environment; keys that the
 * table already has stay. */
scope_status scope_metadata_machine(scope_calls *calls);

/* Write the attributes: the table's, and every key that a reader may expect. */
scope_status scope_metadata_write(hid_t file, const scope_calls *calls, const scope_plan *plan);

uint64_t scope_metadata_hash(const char *bytes, uint64_t length_bytes);

/* Hosts, by hashes of their names: of one rank (0 unknown), how many different ones
 * (sorts them; at least 1), and how many a table's ranks have. */
uint64_t scope_metadata_host(const scope_rank_row *row);
int32_t scope_metadata_distinct(uint64_t *hashes, size_t count);
int32_t scope_metadata_nodes(const scope_calls *calls);

#endif
