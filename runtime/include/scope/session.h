/* session.h - start, pause and end a profile.
 *
 * The process has one session of its own, which region.h and task.h record
 * into. Programs that want a second profile beside it make explicit sessions.
 *
 * Units      bytes, nanoseconds, seconds, as the names say.
 * Ownership  options and their strings are copied. A session belongs to who
 *            created it, until scope_session_close.
 * Threads    init, finalize, create, close: any thread, one lock. pause,
 *            resume, flush: any thread. A second init changes nothing; one
 *            after finalize opens a new recording. A file that this process
 *            wrote is not replaced by a later one: that gets .2, .3 ... before
 *            its suffix.
 * Errors     a scope_status. Nothing here ends the program or prints, but for
 *            the lines that docs/messages.md explains.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_H
#define SCOPE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include <scope/region.h>
#include <scope/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scope_policy { /* what happens when max_bytes is used up */
    SCOPE_POLICY_DEFAULT = 0,
    SCOPE_POLICY_FOLD,     /* the oldest calls become exact sums per region and lane */
    SCOPE_POLICY_STOP,     /* later calls are counted, not kept */
    SCOPE_POLICY_RING,     /* the oldest calls are dropped and counted */
} scope_policy;

/* A field that is zero or NULL is taken from its SCOPE_ variable, else from the
 * default. Start from SCOPE_OPTIONS_INIT: later versions may append fields. */
typedef struct scope_options {
    size_t size_bytes;          /* sizeof(scope_options): set by SCOPE_OPTIONS_INIT */
    const char *output;         /* SCOPE_OUTPUT; the letters %r %n %p %h %j %x %% are replaced */
    const char *label;          /* SCOPE_LABEL; shown in reports */
    const char *filter;         /* SCOPE_FILTER: "solve*,-inner": first match of a name decides */
    const char *spool_dir;      /* SCOPE_SPOOL_DIR */
    int64_t max_bytes;          /* SCOPE_MAX_BYTES; -1: unlimited */
    scope_policy policy;        /* SCOPE_POLICY: fold, stop, ring */
    int32_t disable;            /* 1: as SCOPE_ENABLE=0 */
    int32_t no_spool;           /* 1: as SCOPE_SPOOL=0: memory only, lost when killed */
    int32_t no_output;          /* 1: as SCOPE_OUTPUT= (empty): write no file */
} scope_options;

/* clang-format off */
#define SCOPE_OPTIONS_INIT { sizeof(scope_options), 0, 0, 0, 0, 0, SCOPE_POLICY_DEFAULT, 0, 0, 0 }
/* clang-format on */

typedef struct scope_session scope_session; /* an explicit session */

#ifndef SCOPE_DISABLE

/* Start the process session. NULL: environment and defaults. ERR_ARGUMENT: an
 * option is not valid; it is named on stderr and its default is used. */
SCOPE_API scope_status scope_init(const scope_options *options);

/* End the process session and write its file: at once, or inside MPI_Finalize
 * when MPI is running. Local, never communicates. Twice is harmless. */
SCOPE_API scope_status scope_finalize(void);

/* Write what was recorded so far under this process's own name, and go on.
 * Local; the file at the end holds everything again. */
SCOPE_API scope_status scope_flush(void);

/* Between pause and resume a begin records nothing; an end still closes a call
 * that was recorded open. They count: two pauses need two resumes. */
SCOPE_API void scope_pause(void);
SCOPE_API void scope_resume(void);

/* 1 while the process session records (also while paused). */
SCOPE_API int scope_is_active(void);

/* CLOCK_MONOTONIC, the clock of every time in the file. */
SCOPE_API int64_t scope_now_ns(void);

/* Explicit sessions. Several record side by side; regions have the same ids in
 * all of them. close writes the session's file and frees it; NULL is ignored.
 * They take calls of regions only: marks, counters, tasks and pause are the
 * process session's. What all sessions of a process share is decided once, by the
 * first that records: spool folder and budget; and which names are recorded at
 * all, by the process session: ERR_ARGUMENT for a `filter` here, and no session.
 * Of another option it means what it does in scope_init. ERR_STATE: the process has
 * ended, or this is called from a handler of signals inside the profiler. */
SCOPE_API scope_status scope_session_create(const scope_options *options, scope_session **session);
SCOPE_API scope_status scope_session_close(scope_session *session);
SCOPE_API void scope_session_begin(scope_session *session, scope_region region);
SCOPE_API void scope_session_end(scope_session *session, scope_region region);

#else

/* clang-format off */
static inline scope_status scope_init(const scope_options *options) { (void)options; return SCOPE_OK; }
static inline scope_status scope_finalize(void) { return SCOPE_OK; }
static inline scope_status scope_flush(void) { return SCOPE_OK; }
static inline void scope_pause(void) {}
static inline void scope_resume(void) {}
static inline int scope_is_active(void) { return 0; }
static inline int64_t scope_now_ns(void) { return 0; }
static inline scope_status scope_session_create(const scope_options *options, scope_session **session) { (void)options; *session = 0; return SCOPE_OK; }
static inline scope_status scope_session_close(scope_session *session) { (void)session; return SCOPE_OK; }
static inline void scope_session_begin(scope_session *session, scope_region region) { (void)session; (void)region; }
static inline void scope_session_end(scope_session *session, scope_region region) { (void)session; (void)region; }
/* clang-format on */

#endif

#ifdef __cplusplus
}
#endif
#endif
