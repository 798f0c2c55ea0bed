/* openmp_thread.h - the threads of OpenMP teams, and the calls that they have open.
 *
 *     parallel region --> team, of its first thread
 *     thread --home--> the team that it was called into
 *
 * Private to openmp.c and openmp_thread.c.
 *
 * Ownership  both are used again, never freed; a team only when none of its threads has it.
 * Threads    each its own; the phase and a team's end are read by others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OPENMP_THREAD_H
#define SCOPE_OPENMP_THREAD_H

#include <stdatomic.h>

#include <scope/sink.h>

#include "openmp.h"
#include "openmp_place.h"

typedef struct openmp_thread openmp_thread;

/* One run of a parallel region. Its first thread's, which uses it again when nobody has it. */
typedef struct openmp_team {
    struct openmp_team *next; /* of the same thread */
    struct openmp_team *outer;
    const openmp_thread *first;
    openmp_place *place;
    openmp_kind kind;
    uint32_t index;              /* its first thread's number in `outer` */
    _Atomic(uint64_t) end_ticks; /* 0: it runs */
    _Atomic(uint32_t) users;
} openmp_team;

/* A worksharing construct that it is in. */
typedef struct openmp_work {
    const openmp_team *team;
    scope_region region;
    openmp_kind kind;
} openmp_work;

enum { OPENMP_WORKS_MAX = 8 }; /* in each other: a level or two for each nested team */

/* Its last barrier: WAITING --told--> TOLD --left--> INSIDE, or written for it, by settle:
 * WAITING -> SETTLING -> SETTLED --left--> INSIDE (or back, if the team still runs). */
enum { INSIDE, WAITING, TOLD, SETTLING, SETTLED };

struct openmp_thread {
    openmp_thread *next_free;
    openmp_team *team;  /* the innermost that it runs in */
    openmp_team *home;  /* the one that it was called into; NULL: none */
    openmp_team *teams; /* its own */
    uint32_t number;    /* in `home` */
    uint32_t recording; /* in which it has `open` calls of ours */
    uint32_t open;
    uint32_t named;       /* the recording in which its lane has its name */
    uint64_t asked_ticks; /* for a lock */
    uint32_t asked_in;    /* the recording then; 0: for none */
    scope_region home_region, wait_region;
    uint32_t work_count;
    openmp_work works[OPENMP_WORKS_MAX];
    _Atomic(uint32_t) phase;
};

static inline uint32_t openmp_recording(void)
{
    return __atomic_load_n(&scope_runtime_recording, __ATOMIC_RELAXED);
}

/* NULL: no memory, or it has ended. */
openmp_thread *openmp_this_thread(void);

/* A team of this thread's that nobody has; NULL without memory. */
openmp_team *openmp_take_team(openmp_thread *self);

/* This thread's lane is called after its number; it has recorded something. */
void openmp_name_lane(openmp_thread *self, uint32_t recording);

/* A call of the innermost team's. What was open when a recording began is not ended in it. */
void openmp_begin(openmp_thread *self, scope_region region);
void openmp_end(openmp_thread *self, scope_region region);

/* The end of a call that this thread was told of late: no later than that of `home`. */
void openmp_end_with_team(openmp_thread *self, scope_region region);

/* A call that began when this thread asked for a lock, and ends now: who asks may not get it, and
 * runtimes do not say so. */
void openmp_ask(openmp_thread *self);
void openmp_got(openmp_thread *self, scope_region region);

/* This thread, which may have waited, is told to go on. false: its ends were written for it. */
bool openmp_is_told(openmp_thread *self);

#endif
