/* exit.c - the ends of a process: exit writes; _exit and its like, and exit in a signal
 * handler, only leave a mark.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <scope/sink.h>
#include <scope/version.h>

#include "handler.h"
#include "record.h"
#include "say.h"
#include "session_end.h"
#include "session_list.h"
#include "session_lock.h"
#include "session_write.h"
#include "spool.h"
#include "spool_header.h"

typedef void exit_fn(int);

static exit_fn *next_exit, *next_c_exit, *next_quick_exit, *next_orderly_exit;
static bool in_handler; /* exit() was called in one, with this code */
static int exit_code;

/* ---- exit() ---- */

/* A file was wanted of this session, and now there is none. */
static bool is_kept(const scope_session *session)
{
    return session->number && !session->host_wrote && !scope_session_is_quiet_host(session) &&
           scope_session_wants_file(session);
}

/* The code that was interrupted may be inside malloc, HDF5 or this library: nothing is
 * written, no lock is taken. The spool has it all. */
static void leave_recording(const char *why)
{
    bool kept = false;
    scope_session_shut();
    if (!scope_store.is_open)
        return;
    if (scope_store.header->end_kind == SCOPE_END_OPEN)
        scope_spool_mark_end(SCOPE_END_EXIT_FAST, exit_code);
    for (unsigned i = 0; i <= scope_session_last_index(); i++)
        kept = kept || (scope_session_at(i) && is_kept(scope_session_at(i)));
    if (!kept || !scope_session_may_say())
        return;
    if (scope_store.path[0])
        scope_runtime_say("exit", "exit() in %s: nothing can be written; the recording is kept: "
                          "scope recover %s", why, scope_store.path);
    else
        scope_runtime_say("exit", "exit() in %s: nothing can be written; the recording was in "
                          "memory and is lost", why);
}

/* With the destructors of this library: behind them no plug-in can be loaded, for ld.so
 * would run every library's constructors once again. */
static void at_exit(void)
{
    if (in_handler)
        leave_recording("a signal handler");
    else if (!scope_end_process())
        leave_recording("the writing of a file, or after a jump out of it");
}

void scope_exit_setup(void)
{
    next_exit = (exit_fn *)dlsym(RTLD_NEXT, "_exit");
    next_c_exit = (exit_fn *)dlsym(RTLD_NEXT, "_Exit");
    next_quick_exit = (exit_fn *)dlsym(RTLD_NEXT, "quick_exit");
    next_orderly_exit = (exit_fn *)dlsym(RTLD_NEXT, "exit");
    atexit(at_exit);
}

/* The stack is looked at here: ld.so's and the compiler's ways to at_exit have no unwind tables. */
SCOPE_API void exit(int code)
{
    exit_code = code;
    in_handler = scope_in_handler();
    if (next_orderly_exit)
        next_orderly_exit(code);
    for (;;)
        syscall(SYS_exit_group, code);
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
