/* maker.h - who uses HDF5 to make the file on rank 0: this process, or a helper.
 *
 * Ownership  the draft's descriptor stays the caller's.
 * Threads    none.
 * Errors     a scope_status with a message. A column's bytes are swallowed after a
 *            failure; `column_end` tells it, so that a transfer runs to its end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_MAKER_H
#define SCOPE_HDF5_MAKER_H

#include "apart.h"
#include "create.h"
#include "relay.h"

typedef struct scope_maker {
    bool is_apart; /* the HDF5 of this process is not ours: apart.h */
    scope_apart apart;
    scope_creation here;
    scope_taker *taker;
    const scope_plan *plan;
} scope_maker;

/* Everything but the rows; fills the offsets of the plan, which must outlive the maker.
 * `pieces` are of an index, else NULL. */
scope_status scope_maker_begin(scope_maker *maker, int fd, bool is_apart, scope_plan *plan,
                               const scope_calls *calls, const scope_strings *names,
                               const scope_pieces *pieces);

/* One wide or chunked column: begin, the bytes of all ranks, end. */
scope_status scope_maker_column(scope_maker *maker, size_t column);
scope_status scope_maker_take(void *maker, int32_t rank, const void *bytes, size_t length_bytes);
scope_status scope_maker_column_end(scope_maker *maker);

/* Close the file, also when `status` says that something failed; the first failure
 * wins. */
scope_status scope_maker_end(scope_maker *maker, scope_status status);

#endif
