/* host.h - what a language runtime (pybind) asks of libscope beside the public calls.
 *
 * A host records on behalf of its users: it has sessions of its own, names its own
 * threads, knows its tasks, reads what was recorded while it goes on, and writes the
 * file itself. Every function takes an explicit session, or the process session
 * (scope_host_process()).
 *
 *     scope_host_start / scope_host_create     a session, quietly: no file is written for it
 *     scope_session_begin / _end               calls (session.h), the hot path
 *     scope_host_view                          what was recorded so far, for a cursor
 *     scope_host_checkpoint                    the host wrote a file with all up to here
 *     scope_host_close                         give everything back
 *
 * Exported, not for applications.
 *
 * Ownership  strings are copied. A view is valid until its session is closed.
 * Threads    any thread, unless said. None of these calls into the host.
 * Errors     a scope_status; nothing is printed.
 * fork       in the child a session with lanes starts anew, with another generation and
 *            nothing in it; one without lanes (SCOPE_HOST_UNTRACKED) that the host
 *            started goes on in a copy, with the calls of before. The parent's recording is
 *            never touched.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HOST_H
#define SCOPE_HOST_H

#include <stddef.h>
#include <stdint.h>

#include <scope/event.h>
#include <scope/recording.h>
#include <scope/session.h>
#include <scope/task.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scope_host_lanes { /* what of the host becomes a lane; kept in the recording */
    SCOPE_HOST_UNTRACKED = 0,   /* one stack for all of the host's threads */
    SCOPE_HOST_THREADS = 1,
    SCOPE_HOST_TASKS = 2,       /* threads and tasks */
} scope_host_lanes;

typedef struct scope_host_options {
    size_t size_bytes;       /* sizeof of the caller */
    const char *output;      /* absolute: what the host will write, for scope recover; NULL none */
    const char *label;       /* NULL none */
    int32_t memory_only;     /* 1: no spool; the first segment is small (64 KiB) */
    scope_host_lanes lanes;
} scope_host_options;

/* ---- sessions ---- */

/* The process session as a scope_session: what begin, end and all below take. */
SCOPE_API scope_session *scope_host_process(void);

/* Take over the process session. If C or MPI has started it, it goes on as it is and
 * *adopted is 1; else it is started now. While a host has it, scope_finalize() and the
 * end of the process write no file, unless it was adopted and the host never wrote one;
 * a killed process leaves its spool. A session of an earlier start is closed first. */
SCOPE_API scope_status scope_host_start(const scope_host_options *options, int *adopted);

/* An explicit session of the host. 4096 explicit sessions may live at a time. ERR_STATE:
 * sessions that still live keep a recording open that has had 65535 already. */
SCOPE_API scope_status scope_host_create(const scope_host_options *options,
                                         scope_session **session);

/* Stop recording and give everything back, the spool too. The process session of a host
 * becomes idle; an adopted one goes back to who started it, whose end writes what lies
 * behind the last checkpoint, if anything does. NULL is ignored. */
SCOPE_API void scope_host_close(scope_session *session);

/* Leave the process session's calls behind the last checkpoint to the ends of the process and
 * of MPI, as those of one that was adopted; the host still has it. `output` (absolute): the
 * file's name, where this rank's decides; NULL: SCOPE_OUTPUT's, and the host keeps the calls.
 * ERR_ARGUMENT: another session. */
SCOPE_API scope_status scope_host_leave(scope_session *session, const char *output);

/* From now on keep only a few chunks of each stream of this session: older ones are folded,
 * a few whenever the stream needs another one. For a session whose user is done, but that
 * still records. */
SCOPE_API void scope_host_bound(scope_session *session);

/* Which recording of the session runs: changes with each start; 0: none. */
SCOPE_API uint32_t scope_host_generation(const scope_session *session);

/* scope_pause() and scope_resume() of any session: they count. */
SCOPE_API void scope_host_pause(scope_session *session);
SCOPE_API void scope_host_resume(scope_session *session);

/* ---- events ---- */

/* A call with times of its own (CLOCK_MONOTONIC ns, from 0 and below 2^60, else
 * ERR_ARGUMENT), on the lane that runs now. While paused: nothing. */
SCOPE_API scope_status scope_host_call(scope_session *session, scope_region region,
                                       int64_t start_ns, int64_t duration_ns);

/* The clock of events, now: for times of the host's own that scope_cursor_times() (replay.h)
 * puts between those of calls. */
SCOPE_API uint64_t scope_host_ticks(void);

/* Events of this session that could not be kept so far: budget, disk, nested handlers. */
SCOPE_API uint64_t scope_host_dropped(const scope_session *session);

/* A tag or a source place of a region in this session alone. */
SCOPE_API scope_status scope_host_tag(scope_session *session, scope_region region, const char *tag,
                                      size_t length_bytes);
SCOPE_API scope_status scope_host_source(scope_session *session, scope_region region,
                                         const char *file, size_t length_bytes, int32_t line);

/* A key and a value for the recording, for who recovers it. */
SCOPE_API scope_status scope_host_metadata(scope_session *session, const char *key,
                                           size_t key_bytes, const char *value,
                                           size_t value_bytes);

/* Tasks, as in task.h; -1 when nothing is recorded. `describe` says names that were not
 * known at the start, or changed: the last one counts. */
SCOPE_API scope_task scope_host_task_new(scope_session *session, scope_task_kind kind,
                                         const char *name, size_t name_bytes,
                                         const char *code_name, size_t code_bytes);
SCOPE_API void scope_host_task_describe(scope_session *session, scope_task task,
                                        scope_task_kind kind, const char *name, size_t name_bytes,
                                        const char *code_name, size_t code_bytes);
SCOPE_API void scope_host_task_resume(scope_session *session, scope_task task);
SCOPE_API void scope_host_task_suspend(scope_session *session, scope_task task);
SCOPE_API void scope_host_task_done(scope_session *session, scope_task task);

/* ---- threads ---- */

/* The calling thread is a thread of the host: it gets its lane in this session now
 * (THREAD is written), with this name. `exact`: it starts just now. *index: its id in the
 * session; -1: it shares one, beyond SCOPE_MAX_LANES. Again with another name: the last one
 * counts. */
SCOPE_API scope_status scope_host_thread(scope_session *session, const char *name,
                                         size_t name_bytes, int64_t ident, int daemon, int exact,
                                         int64_t *index);

/* The calling thread ends: THREAD_END in every session in which it has a lane. What it
 * still records stays on its lane and moves the end. */
SCOPE_API void scope_host_thread_end(void);

/* Id of the calling thread in the session, -1: it has none yet. */
SCOPE_API int64_t scope_host_thread_index(const scope_session *session);

/* ---- reading ---- */

/* What was recorded so far: appends a calibration point and the CPU time of every living
 * thread first. *number: what scope_cursor_new() takes; 0: nothing was recorded yet, and
 * `view` is empty. Threads may go on recording. */
SCOPE_API scope_status scope_host_view(scope_session *session, scope_recording *view,
                                       uint16_t *number);

/* The host has written `output` (absolute) with everything before these positions: CUT
 * and CHECKPOINT are appended, and chunks wholly before the cut are used again when a stream
 * of the session needs one. Calls that are open there go on. The next call id is for who
 * recovers. While the host has the session, the ends of the process and of MPI
 * write no file of it. */
SCOPE_API scope_status scope_host_checkpoint(scope_session *session,
                                             const scope_define_cut_stream *streams,
                                             size_t stream_count, int64_t next_call_id,
                                             const char *output);

#ifdef __cplusplus
}
#endif
#endif
