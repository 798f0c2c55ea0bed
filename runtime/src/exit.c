/* exit.c - the ends of a process: atexit writes; _exit and its like only leave a mark.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <scope/version.h>

#include "session_end.h"
#include "spool.h"

typedef void exit_fn(int);

static exit_fn *next_exit, *next_c_exit, *next_quick_exit;

void scope_exit_setup(void)
{
    next_exit = (exit_fn *)dlsym(RTLD_NEXT, "_exit");
    next_c_exit = (exit_fn *)dlsym(RTLD_NEXT, "_Exit");
    next_quick_exit = (exit_fn *)dlsym(RTLD_NEXT, "quick_exit");
    atexit(scope_end_process);
}

/* These run in signal handlers and in vfork children: a store, nothing else. */
static void leave(exit_fn *next, int code)
{
    scope_spool_mark_end(SCOPE_END_EXIT_FAST, code);
    if (next)
        next(code);
    for (;;)
        syscall(SYS_exit_group, code);
}

SCOPE_API void _exit(int code)
{
    leave(next_exit, code);
    __builtin_unreachable();
}

SCOPE_API void _Exit(int code)
{
    leave(next_c_exit, code);
    __builtin_unreachable();
}

SCOPE_API void quick_exit(int code)
{
    leave(next_quick_exit, code);
    __builtin_unreachable();
}
