/* apart_check.c - a process whose HDF5 is not ours: test_file_direct.c once more, with
 * every file laid out by the helper.
 *
 * The forked ranks are such processes; the test itself, which reads the files, is not.
 *
 * SPDX-License-Identifier: MIT
 */
#include <unistd.h>

#include "h5.h"
#include "message.h"

static pid_t test;

__attribute__((constructor)) static void remember(void)
{
    test = getpid();
}

scope_status __real_scope_h5_check(void);
scope_status __wrap_scope_h5_check(void);

scope_status __wrap_scope_h5_check(void)
{
    return getpid() == test ? __real_scope_h5_check()
                            : scope_fail(SCOPE_ERR_LIBRARY, "another HDF5 is in the way");
}
