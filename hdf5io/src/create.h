/* create.h - rank 0 lays the file out: groups, datasets, attributes, names.
 *
 * Fixed-size columns are contiguous and allocated at once, so that any process
 * can write its slices into them later, by offset. What only HDF5 can write
 * (names, wide text, compressed columns) is written before scope_creation_end.
 *
 * Threads    none.
 * Errors     a scope_status with a message.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_CREATE_H
#define SCOPE_HDF5_CREATE_H

#include "driver.h"
#include "rows.h"
#include "virtual.h"

typedef struct scope_creation {
    scope_driver driver;
    hid_t file;
} scope_creation;

/* Start a file on a descriptor. An index needs HDF5 1.10 to be read, other files 1.8. */
scope_status scope_creation_begin(scope_creation *creation, int fd, bool is_index);

/* Everything but the rows. Fills plan->offset and plan->file_id_offset. `calls`
 * gives the metadata and the topology, `names` are the regions' exact names. */
scope_status scope_creation_layout(const scope_creation *creation, scope_plan *plan,
                                   const scope_calls *calls, const scope_strings *names,
                                   const scope_pieces *pieces);

/* Close it, also after a failure. Harmless when begin failed. */
scope_status scope_creation_end(scope_creation *creation);

#endif
