/* slices.h - a rank's own rows into a laid-out file, by offset.
 *
 * Threads    none.
 * Errors     a scope_status with a message.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_SLICES_H
#define SCOPE_HDF5_SLICES_H

#include "rows.h"

typedef struct scope_node { /* who can share a page cache with whom */
    char boot_id[40];
    char host[72];
} scope_node;

void scope_node_here(scope_node *node);

/* Is this the file that rank 0 laid out? */
bool scope_slices_sees(int fd, const scope_plan *plan);

/* Open the file that rank 0 laid out, for writing. Returns -1 where it is not
 * seen, or where a rank of another node must not write into it: NFS lets two
 * clients undo each other's page-sized writes. */
int scope_slices_open(const char *path, const scope_plan *plan, const scope_node *owner);

/* pwrite every slice of this rank, in slabs. */
scope_status scope_slices_write(int fd, const scope_rows *rows, const scope_plan *plan);

/* For ranks that do not see the file: collective, column by column through rank
 * 0, which writes to `fd`. `blind`: this rank sends. */
scope_status scope_slices_relay(int fd, bool blind, const scope_rows *rows, const scope_plan *plan,
                                scope_world *world);

#endif
