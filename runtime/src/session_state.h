/* session_state.h - what a session is made of, for runtime's own files.
 *
 *     IDLE --init--> ARMED --first event--> RECORDING --stop--> STOPPED --write--> IDLE
 *
 * Only ARMED and RECORDING have an id limit above zero. ARMED has no spool, no
 * chunk and no file: a process that records nothing leaves nothing.
 *
 * Threads    id_limit and state: read by any thread without a lock; all else
 *            under the engine lock (engine.h) or the session lock (session_lock.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SESSION_STATE_H
#define SCOPE_SESSION_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <scope/event.h>
#include <scope/session.h>

#include "clock.h"
#include "config.h"

typedef enum scope_session_phase {
    SCOPE_SESSION_IDLE = 0,
    SCOPE_SESSION_ARMED,
    SCOPE_SESSION_RECORDING,
    SCOPE_SESSION_STOPPED,
} scope_session_phase;

struct scope_session {
    _Atomic(uint32_t) id_limit;  /* ids below are recorded at once; 0: off or paused */
    _Atomic(uint32_t) attention; /* 0: what is not below id_limit needs no look */
    _Atomic(uint32_t) phase;     /* scope_session_phase */
    _Atomic(uint32_t) generation; /* counts starts: a thread's slot belongs to one */
    uint16_t number;             /* in the recording, from 1; 0: not in it yet */
    uint16_t index;              /* 0: the process session; else 1 + place in a thread's `more` */
    _Atomic(uint32_t) paused;    /* pauses that have no resume yet */
    _Atomic(uint32_t) host;      /* 0: no host has it; else 1 + scope_host_lanes */
    bool adopted;                /* the host found it running */
    bool host_wrote;             /* what it records is in a file of the host that has it */
    bool bounded;                /* only a few chunks of each stream are kept */
    bool has_written;            /* chunks before a cut may be free again */
    _Atomic(uint32_t) in_use;    /* 1: an explicit session that somebody has */
    bool has_config;
    scope_config config;
    char *spool_folder;          /* letters replaced; NULL default */
    scope_clock_point start;
    struct scope_stream *streams;      /* all of this session, newest first */
    struct scope_stream *free_streams; /* of threads that ended */
    _Atomic(int64_t) max_lanes;        /* of the options */
    int64_t thread_count;
    _Atomic(int64_t) task_count;
    int64_t other_threads;             /* that have no lane of their own */
    _Atomic(int64_t) other_tasks;
    int64_t other_lanes;               /* ended ones that fold summed up as one */
    struct shared_task *done_tasks;    /* ids beyond the limit that may be used again */
    uint32_t done_generation;          /* of these */
    uint64_t cut_count;                /* CUTs of this recording */
    struct scope_define_session *definition; /* in the recording; NULL not there */
    _Atomic(uint64_t) dropped_events, dropped_handler_events; /* of this session */
};

/* Does a call, a message or a point lie behind the session's last cut? Takes the engine
 * lock. */
bool scope_streams_pass_cut(const scope_session *session);

extern scope_session scope_process_session __attribute__((visibility("hidden")));

static inline uint32_t scope_session_id_limit(const scope_session *session)
{
    return atomic_load_explicit(&session->id_limit, memory_order_relaxed);
}

static inline uint32_t scope_session_phase_of(const scope_session *session)
{
    return atomic_load_explicit(&session->phase, memory_order_acquire);
}

static inline bool scope_session_is_quiet(const scope_session *session)
{
    return atomic_load_explicit(&session->attention, memory_order_relaxed) == 0;
}

/* A host's that it did not find running: nobody but the host ends or writes it, and
 * threads that record nothing and are not the host's are no lanes. */
static inline bool scope_session_is_quiet_host(const scope_session *session)
{
    return session->host && !session->adopted;
}

/* The ends of the process and of MPI write no file of it: a host has written, or will.
 * One that a host gave back is theirs again, from its last cut on. */
static inline bool scope_session_is_kept_from_ends(const scope_session *session)
{
    return session->host_wrote || scope_session_is_quiet_host(session) ||
           (session->cut_count && !scope_streams_pass_cut(session));
}

/* A host has it and keeps it: these ends do not even stop it. */
static inline bool scope_session_is_hosts(const scope_session *session)
{
    return session->host && scope_session_is_kept_from_ends(session);
}

static inline bool scope_session_is_live(const scope_session *session)
{
    const uint32_t phase = scope_session_phase_of(session);
    return phase == SCOPE_SESSION_ARMED || phase == SCOPE_SESSION_RECORDING;
}

/* Set id_limit and attention from phase, pauses and watch. */
void scope_session_refresh(scope_session *session);

/* The watch of scope_runtime_watch; NULL: none. */
extern int (*_Atomic scope_watch)(void) __attribute__((visibility("hidden")));
void scope_watch_ask(void);

/* Ask it, if one is set: it may start the process session. Any thread, which holds no lock of
 * ours. */
static inline void scope_watch_now(void)
{
    if (atomic_load(&scope_watch))
        scope_watch_ask();
}

#endif
