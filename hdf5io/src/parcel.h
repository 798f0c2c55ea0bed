/* parcel.h - what laying out a file needs, as bytes for another process.
 *
 *     uint64 check | scope_plan | names | topology | start in real time | metadata | pieces
 *
 * Both ends are of one build: structs go as they are, `check` says whether they do.
 *
 * Ownership  packed bytes and names are malloc'd; the table is a new one. The caller
 *            frees them, also when unpack failed. Pieces are in the table's memory.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_PARCEL_H
#define SCOPE_HDF5_PARCEL_H

#include "relay.h"
#include "virtual.h"

/* `pieces`: of an index, else NULL; unpacked, they have a count of 0 then. */
scope_status scope_parcel_pack(const scope_plan *plan, const scope_calls *calls,
                               const scope_strings *names, const scope_pieces *pieces,
                               scope_buffer *packed);

/* ERR_CORRUPT: not a parcel of this version. */
scope_status scope_parcel_unpack(const void *bytes, size_t length_bytes, scope_plan *plan,
                                 scope_calls **calls, scope_strings *names, scope_pieces *pieces);

#endif
