/* h5.h - the one way to include HDF5.
 *
 * HDF5 prints its error stack and, when header and library differ, aborts the
 * process. Neither may happen in somebody's program: the stack is silenced
 * between scope_h5_quiet and scope_h5_restore, the abort macro is emptied, and
 * scope_h5_check looks at the library before its first use instead.
 *
 * Threads    none: HDF5 itself is used by one thread at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_H5_H
#define SCOPE_HDF5_H5_H

#include <hdf5.h>

#include <scope/status.h>

#undef H5CHECK
#define H5CHECK

typedef struct scope_h5_errors { /* what the program had set */
    H5E_auto2_t function;
    void *data;
} scope_h5_errors;

/* ERR_LIBRARY, with a message, unless the HDF5 that this process gave us is the
 * one we were built for. */
scope_status scope_h5_check(void);

void scope_h5_quiet(scope_h5_errors *errors);
void scope_h5_restore(const scope_h5_errors *errors);

/* The innermost reason on HDF5's error stack, "" if there is none. Static text. */
const char *scope_h5_reason(void);

#endif
