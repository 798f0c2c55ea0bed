/* apart.h - lay the file out in a process of our own, scope-hdf5-writer.
 *
 * For a program in which another HDF5 took the place of ours: the helper is
 * started with an empty environment, so it finds the HDF5 that it was linked with.
 *
 *     rank 0                                    helper
 *     LAYOUT parcel (parcel.h)       ------>    create.c on the draft's descriptor
 *                                    <------    status, offsets
 *     COLUMN c, BYTES ..., COLUMN_END ----->    wide.c, chunked.c
 *                                    <------    status
 *     END                            ------>    close the file
 *                                    <------    status
 *
 * Ownership  the draft's descriptor stays the caller's; the helper has a copy.
 * Threads    none.
 * Errors     a scope_status with the helper's message. A helper that ends early is
 *            an error; one whose caller dies reads an end of file and ends, too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_APART_H
#define SCOPE_HDF5_APART_H

#include <limits.h>
#include <sys/types.h>

#include "rows.h"
#include "virtual.h"

#define SCOPE_APART_PROGRAM "scope-hdf5-writer"
#define SCOPE_APART_SOCKET 0 /* the helper's descriptors */
#define SCOPE_APART_FILE 3

typedef enum scope_apart_kind {
    SCOPE_APART_LAYOUT = 1,
    SCOPE_APART_COLUMN,
    SCOPE_APART_BYTES,
    SCOPE_APART_COLUMN_END,
    SCOPE_APART_END,
} scope_apart_kind;

typedef struct scope_apart_request { /* `length_bytes` bytes follow */
    uint32_t kind;
    uint32_t column;
    uint64_t length_bytes;
} scope_apart_request;

typedef struct scope_apart_reply { /* to all but COLUMN and BYTES */
    int32_t status;
    char message[508];
    uint64_t file_id_offset; /* LAYOUT */
    uint64_t offset[SCOPE_COLUMN_MAX];
} scope_apart_reply;

bool scope_apart_send(int fd, const void *bytes, size_t length_bytes);
bool scope_apart_receive(int fd, void *bytes, size_t length_bytes);

typedef struct scope_apart { /* rank 0's end */
    pid_t helper;
    int socket; /* -1: not started, or lost */
} scope_apart;

/* Beside our own shared object (a plug-in) or in scope/ there, and `mode` (access(2)) holds. */
bool scope_apart_beside(const char *file, int mode, char path[PATH_MAX]);

/* ERR_LIBRARY: there is no helper, or it cannot be started. */
scope_status scope_apart_start(scope_apart *apart, int fd);

/* Fills plan->offset and plan->file_id_offset. */
scope_status scope_apart_layout(scope_apart *apart, scope_plan *plan, const scope_calls *calls,
                                const scope_strings *names, const scope_pieces *pieces);
void scope_apart_column(scope_apart *apart, size_t column);
void scope_apart_bytes(scope_apart *apart, const void *bytes, size_t length_bytes);
scope_status scope_apart_column_end(scope_apart *apart);

/* Close the file and let the helper end. Harmless when it was not started. */
scope_status scope_apart_end(scope_apart *apart);

#endif
