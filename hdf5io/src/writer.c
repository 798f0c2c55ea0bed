/* writer.c - a whole call table into a file, by one process.
 *
 * The way of file_direct.c with one rank in it, so that there is one layout.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include "file_direct.h"
#include "message.h"

scope_status scope_file_write(const char *path, const scope_calls *calls,
                              const scope_file_options *options)
{
    if (!path || !calls)
        return scope_fail(SCOPE_ERR_ARGUMENT, "scope_file_write: no path or no table");
    scope_world alone = *scope_world_serial();
    return scope_file_write_direct(path, calls, &alone, options, NULL, NULL);
}
