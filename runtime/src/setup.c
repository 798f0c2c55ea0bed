/* setup.c - what happens when libscope is loaded.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/session.h>

#include "clock.h"
#include "exit.h"
#include "fork.h"
#include "identity.h"
#include "intercept.h"
#include "openmp.h"
#include "thread.h"

/* Before main, and before the constructors of the program. Nothing is recorded,
 * unless `scope run` made this process. */
__attribute__((constructor)) static void setup(void)
{
    scope_clock_setup();
    scope_identity_setup();
    scope_intercept_setup();
    scope_exit_setup();
    scope_threads_setup();
    scope_fork_setup();
    scope_openmp_setup();
    if (scope_identity_is_preloaded())
        scope_init(NULL);
}
