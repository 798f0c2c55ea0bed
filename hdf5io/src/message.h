/* message.h - the sentence behind scope_file_message().
 *
 * Threads    one message per thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_MESSAGE_H
#define SCOPE_HDF5_MESSAGE_H

#include <scope/file.h>

/* Keep a message and return `status`: `return scope_fail(SCOPE_ERR_IO, ...)`. */
scope_status scope_fail(scope_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The status of a failed system call: ERR_SPACE, ERR_MISSING, ERR_MEMORY or ERR_IO. */
scope_status scope_status_of_errno(int error);

#endif
