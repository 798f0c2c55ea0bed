/* driver.h - HDF5 writes to a descriptor of ours, and never sees an error.
 *
 * A full disk in the middle of H5Fclose leaves HDF5 with a file that it can
 * neither close nor forget, and its exit handler with an endless loop. This
 * driver keeps the first error for us instead and lets HDF5 finish; who opened
 * the file looks at `error` after closing it. In a forked child it touches nothing.
 *
 * Ownership  the descriptor stays the caller's.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_DRIVER_H
#define SCOPE_HDF5_DRIVER_H

#include "h5.h"

typedef struct scope_driver {
    int fd;
    int error; /* errno of the first failed read or write; 0 none */
} scope_driver;

/* An access property list that creates or opens the file on driver->fd; the
 * driver must outlive the file. Negative: HDF5 failed. */
hid_t scope_driver_access(scope_driver *driver);

#endif
