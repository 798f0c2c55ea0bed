/* thread.h - the registry of threads: exact starts and ends, names, CPU time.
 *
 * Threads are seen starting where pthread_create and thrd_create reach us, else
 * at their first event. They are kept until their end even while nothing is
 * recorded, so that a recording that opens later knows them.
 *
 * Units      ticks and ns, as named.
 * Ownership  an entry is the thread's until it ends.
 * Threads    under the engine lock, unless said.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_THREAD_H
#define SCOPE_THREAD_H

#include "record.h"

typedef struct scope_thread_entry {
    struct scope_thread_entry *next, **link;
    scope_thread *self;     /* NULL: it ended before the recording opened */
    int64_t tid;
    uint64_t ident;         /* pthread_self() */
    uint64_t start_ticks, end_ticks;
    int64_t cpu_ns;         /* before the session; ended: all of it */
    uint32_t flags;         /* scope_thread_flags */
    char name[16];
    struct openmp_thread *openmp; /* openmp.c's; NULL none */
} scope_thread_entry;

/* The constructor's part: the main thread, the key of the destructor. No lock. */
void scope_threads_setup(void);

/* This thread ends by itself: a cancellation at any instant would unwind out of its
 * destructors, which are not called a second time, and leave what points to it. */
void scope_thread_keep_from_cancel(void);

/* This thread enters the registry, if it is not there; `ticks` is its start, exact
 * if `flags` says so. Busy, under the lock. false: no memory, or it has ended. */
bool scope_thread_know(uint64_t ticks, uint32_t flags);

/* Give this thread its id in the session, if it has none, and define it. */
void scope_thread_enrol(scope_session *session, scope_slot *slot, scope_thread_entry *entry);

/* This thread's lane in the session has a name of its host's, and this ident. */
void scope_thread_name(scope_session *session, scope_slot *slot, const char *name,
                       size_t name_bytes, int64_t ident, uint32_t flags);

/* This thread's lane in the session is called that instead of the system's name. */
void scope_thread_title(scope_session *session, scope_slot *slot, const char *title);

/* THREAD_END in every session in which this thread has a lane and has not ended. */
void scope_thread_end_lanes(void);

/* A stream's shared lane, made when it is first wanted: what threads write there that
 * have no lane of their own, and what fold sums up of ended ones. */
int64_t scope_thread_other(struct scope_stream *stream);

/* A session's numbers start anew. */
void scope_threads_reset(scope_session *session);

/* The session starts now: CPU time so far is not its. */
void scope_threads_start(scope_session *session);

/* The recording just opened: enter all known threads into the process session. */
void scope_threads_enrol_all(scope_session *session);

/* The session ends: the state of every thread that is still alive. */
void scope_threads_define_states(scope_session *session);

/* Every live entry. */
scope_thread_entry *scope_threads_first(void);

/* In a forked child: only the calling thread is left. */
void scope_threads_forget(void);

#endif
