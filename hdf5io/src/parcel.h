/* parcel.h - what laying out a file needs, as bytes for another process.
 *
 *     uint64 check | scope_plan | names | topology | start in real time | metadata
 *
 * Both ends are of one build: structs go as they are, `check` says whether they do.
 *
 * Ownership  packed bytes and names are malloc'd; the table is a new one. The caller
 *            frees them, also when unpack failed.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_PARCEL_H
#define SCOPE_HDF5_PARCEL_H

#include "relay.h"

scope_status scope_parcel_pack(const scope_plan *plan, const scope_calls *calls,
                               const scope_strings *names, scope_buffer *packed);

/* ERR_CORRUPT: not a parcel of this version. */
scope_status scope_parcel_unpack(const void *bytes, size_t length_bytes, scope_plan *plan,
                                 scope_calls **calls, scope_strings *names);

#endif
