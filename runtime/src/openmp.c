/* openmp.c - the callbacks: what an OpenMP runtime tells becomes begin and end on a lane.
 *
 *     first of a team   [ parallel ............................................ ]
 *                            [ barrier ]  (inside: tasks)   [ implicit barrier ]
 *     the others            [ parallel .................................................. told late
 *                            [ barrier ]          [ implicit barrier ............................
 *                                                                               | the team's end
 *
 * SPDX-License-Identifier: MIT
 */
#include "openmp.h"

#include "openmp_thread.h"
#include "openmp_work.h"
#include "session_list.h"
#include "session_start.h"

/* What a task has beside it: TASK | RUNNING | 1 + region. */
#define TASK (UINT64_C(1) << 63)
#define TASK_RUNNING (UINT64_C(1) << 62)

/* Of the innermost parallel region: what happens in it is named after it. */
static openmp_place *place_of(const openmp_thread *self)
{
    return self->team ? self->team->place : scope_openmp_place(NULL);
}

/* ---- parallel regions ---- */

/* A program that nobody started is recorded from its first parallel region on, as under MPI from
 * MPI_Init. */
static void start_if_never(void)
{
    if (!openmp_recording() && !scope_session_was_started())
        scope_runtime_start();
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                           unsigned int requested, int flags, const void *code)
{
    (void)task, (void)frame, (void)requested;
    openmp_thread *self = openmp_this_thread();
    openmp_team *team = self ? openmp_take_team(self) : NULL;
    parallel->ptr = team;
    if (!team)
        return;
    start_if_never();
    team->outer = self->team;
    team->index = self->team && self->team == self->home ? self->number : 0;
    team->first = self;
    team->place = scope_openmp_place(code);
    team->kind = flags & ompt_parallel_league ? OPENMP_TEAMS : OPENMP_PARALLEL;
    atomic_store_explicit(&team->end_ticks, 0, memory_order_relaxed);
    atomic_store_explicit(&team->users, 1, memory_order_relaxed);
    self->team = team;
    openmp_begin(self, scope_openmp_region(team->place, team->kind, openmp_recording()));
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
    (void)task, (void)flags, (void)code;
    openmp_thread *self = openmp_this_thread();
    openmp_team *team = parallel ? parallel->ptr : NULL;
    if (!self || !team || self->team != team)
        return;
    openmp_end_works(self);
    atomic_store_explicit(&team->end_ticks, scope_ticks(), memory_order_release);
    openmp_end(self, scope_openmp_region(team->place, team->kind, openmp_recording()));
    self->team = team->outer;
    atomic_fetch_sub_explicit(&team->users, 1, memory_order_release);
}

static void enter_team(openmp_thread *self, openmp_team *team, unsigned int number)
{
    const uint32_t recording = openmp_recording();
    atomic_fetch_add_explicit(&team->users, 1, memory_order_relaxed);
    self->home = self->team = team;
    self->number = number;
    self->home_region = scope_openmp_region(team->place, team->kind, recording);
    openmp_begin(self, self->home_region);
    if (recording && self->named != recording)
        openmp_name_lane(self, recording);
}

static void leave_team(openmp_thread *self)
{
    openmp_team *team = self->home;
    if (openmp_is_told(self)) {
        openmp_end_works(self);
        openmp_end_with_team(self, self->home_region);
    }
    openmp_forget_works(self);
    self->home = self->team = NULL;
    atomic_store_explicit(&self->phase, INSIDE, memory_order_release);
    atomic_fetch_sub_explicit(&team->users, 1, memory_order_release);
}

/* The first thread of a team is in it by parallel_begin already; the program's own implicit task
 * is in none. */
static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                          unsigned int team_size, unsigned int number, int flags)
{
    (void)task, (void)team_size, (void)flags;
    openmp_thread *self = openmp_this_thread();
    if (!self)
        return;
    openmp_team *team = endpoint == ompt_scope_begin && parallel ? parallel->ptr : NULL;
    if (team && team->first != self) {
        if (self->home)
            leave_team(self); /* its end was not told */
        enter_team(self, team, number);
    } else if (endpoint == ompt_scope_end && self->home && self->team == self->home) {
        leave_team(self);
    }
}

/* ---- waiting ---- */

static openmp_kind kind_of_sync(ompt_sync_region_t kind)
{
    switch (kind) {
    case ompt_sync_region_barrier: /* the runtime does not say which */
    case ompt_sync_region_barrier_explicit:
    case ompt_sync_region_barrier_implementation:
        return OPENMP_BARRIER;
    case ompt_sync_region_barrier_implicit:
    case ompt_sync_region_barrier_implicit_workshare:
    case ompt_sync_region_barrier_implicit_parallel:
    case ompt_sync_region_barrier_teams:
        return OPENMP_IMPLICIT_BARRIER;
    case ompt_sync_region_taskwait:
        return OPENMP_TASKWAIT;
    case ompt_sync_region_taskgroup:
        return OPENMP_TASKGROUP;
    default:
        return OPENMP_NOTHING;
    }
}

static void end_barrier(openmp_thread *self, scope_region region, bool is_last)
{
    if (openmp_is_told(self)) {
        openmp_end_with_team(self, region);
        if (!is_last)
            atomic_store_explicit(&self->phase, INSIDE, memory_order_release);
    }
}

static void sync_region_wait(ompt_sync_region_t sync, ompt_scope_endpoint_t endpoint,
                             ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
    (void)task, (void)code;
    openmp_thread *self = openmp_this_thread();
    const openmp_kind kind = kind_of_sync(sync);
    if (!self || kind == OPENMP_NOTHING)
        return;
    const bool of_team = kind <= OPENMP_IMPLICIT_BARRIER && self->home && self->team == self->home;
    const scope_region region = scope_openmp_region(place_of(self), kind, openmp_recording());
    if (endpoint == ompt_scope_begin) {
        if (kind <= OPENMP_IMPLICIT_BARRIER)
            openmp_end_works(self);
        openmp_begin(self, region);
        if (of_team) {
            self->wait_region = region;
            atomic_store_explicit(&self->phase, WAITING, memory_order_release);
        }
    } else if (endpoint == ompt_scope_end && of_team) {
        end_barrier(self, region, !parallel);
    } else if (endpoint == ompt_scope_end) {
        openmp_end(self, region);
    }
}

static void work(ompt_work_t what, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                 ompt_data_t *task, uint64_t count, const void *code)
{
    (void)parallel, (void)task, (void)count, (void)code;
    openmp_thread *self = openmp_this_thread();
    if (self)
        openmp_work_tell(self, what, endpoint);
}

static void mutex_acquire(ompt_mutex_t mutex, unsigned int hint, unsigned int how,
                          ompt_wait_id_t id, const void *code)
{
    (void)mutex, (void)hint, (void)how, (void)id, (void)code;
    openmp_thread *self = openmp_this_thread();
    if (self)
        openmp_ask(self);
}

static void mutex_acquired(ompt_mutex_t mutex, ompt_wait_id_t id, const void *code)
{
    (void)id, (void)code;
    openmp_thread *self = openmp_this_thread();
    const openmp_kind kind = mutex == ompt_mutex_critical  ? OPENMP_CRITICAL
                             : mutex == ompt_mutex_ordered ? OPENMP_ORDERED
                             : mutex == ompt_mutex_atomic  ? OPENMP_NOTHING
                                                           : OPENMP_LOCK;
    if (self && kind != OPENMP_NOTHING)
        openmp_got(self, scope_openmp_region(place_of(self), kind, openmp_recording()));
}

/* ---- tasks: they run where their thread waits, and are no waiting ---- */

static void task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
                        int flags, int has_dependences, const void *code)
{
    (void)task, (void)frame, (void)has_dependences, (void)code;
    openmp_thread *self = openmp_this_thread();
    if (!self || !created || !(flags & ompt_task_explicit))
        return;
    const scope_region region =
        scope_openmp_region(place_of(self), OPENMP_TASK, openmp_recording());
    created->value = TASK | (region < 0 ? 0 : (uint64_t)region + 1);
}

static scope_region region_of_task(const ompt_data_t *task)
{
    return (scope_region)(task->value & UINT32_MAX) - 1;
}

/* A task that waits for others runs them inside itself; one that stops for good, or until a
 * thread takes it up again, ends here. */
static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
    openmp_thread *self = openmp_this_thread();
    if (!self || status < ompt_task_complete ||
        (status > ompt_task_detach && status != ompt_task_switch))
        return;
    const bool enters = next && next->value & TASK && !(next->value & TASK_RUNNING);
    const bool pauses = status == ompt_task_switch || status == ompt_task_yield;
    if (prior && prior->value & TASK && prior->value & TASK_RUNNING && !(pauses && enters)) {
        prior->value &= ~TASK_RUNNING;
        openmp_end(self, region_of_task(prior));
    }
    if (enters) {
        next->value |= TASK_RUNNING;
        openmp_begin(self, region_of_task(next));
    }
}

void scope_openmp_set_callbacks(ompt_set_callback_t set)
{
#define SET(name) set(ompt_callback_##name, (ompt_callback_t)(void (*)(void))name)
    SET(parallel_begin);
    SET(parallel_end);
    SET(implicit_task);
    SET(sync_region_wait);
    SET(work);
    SET(mutex_acquire);
    SET(mutex_acquired);
    SET(task_create);
    SET(task_schedule);
#undef SET
}
