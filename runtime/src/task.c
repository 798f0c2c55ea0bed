/* task.c - cooperative lanes: new, resume, suspend, done.
 *
 * The tasks that a thread has resumed inside each other are kept in its stream;
 * chunk headers name the innermost.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/task.h>

#include <string.h>

#include "names.h"
#include "pool.h"
#include "rare.h"
#include "stream.h"
#include "task_kind.h"

static bool is_off(void)
{
    scope_session *session = &scope_process_session;
    if (!scope_session_id_limit(session)) {
        if (scope_session_is_quiet(session))
            return true;
        scope_watch_now();
    }
    return !scope_session_is_live(session);
}

static uint64_t name_of(const char *name, size_t length_bytes)
{
    const int32_t id = name ? scope_name_id(SCOPE_NAME_TASK, name, length_bytes) : 0;
    return id > 0 ? (uint64_t)id & ((UINT64_C(1) << 28) - 1) : 0;
}

/* ---- tasks beyond SCOPE_MAX_LANES: an id whose task is done goes to the next ---- */

typedef struct shared_task {
    struct shared_task *next;
    int64_t id;
} shared_task;

static shared_task *done_tasks, *spare_tasks; /* under the engine lock */
static uint32_t done_generation;

static void move(shared_task **from, shared_task **to)
{
    shared_task *task = *from;
    *from = task->next;
    task->next = *to;
    *to = task;
}

static void forget_older(const scope_session *session)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    while (done_generation != generation && done_tasks)
        move(&done_tasks, &spare_tasks);
    done_generation = generation;
}

/* -1: none is free. */
static int64_t take_shared(scope_session *session)
{
    int64_t id = -1;
    if (!scope_enter())
        return -1;
    scope_engine_lock();
    forget_older(session);
    if (done_tasks) {
        id = done_tasks->id;
        move(&done_tasks, &spare_tasks);
    }
    scope_engine_unlock();
    scope_leave();
    return id;
}

/* Without memory the id is not used again. */
static void give_shared(scope_session *session, int64_t id)
{
    if (!scope_enter())
        return;
    scope_engine_lock();
    forget_older(session);
    if (!spare_tasks)
        spare_tasks = scope_pool_alloc(sizeof *spare_tasks);
    if (spare_tasks) {
        spare_tasks->id = id;
        move(&spare_tasks, &done_tasks);
    }
    scope_engine_unlock();
    scope_leave();
}

static bool is_shared(const scope_session *session, int64_t task)
{
    return task >= session->config.max_lanes;
}

scope_task scope_task_new_bytes(scope_task_kind kind, const char *name, size_t length_bytes,
                                const char *code_name, size_t code_length_bytes)
{
    scope_session *session = &scope_process_session;
    if (is_off() || atomic_load(&session->paused))
        return -1;
    if (is_shared(session, atomic_load_explicit(&session->task_count, memory_order_relaxed))) {
        atomic_fetch_add_explicit(&session->other_tasks, 1, memory_order_relaxed);
        const int64_t shared = take_shared(session);
        if (shared >= 0)
            return shared;
        name = "(other)";
        length_bytes = strlen(name);
        code_name = NULL;
    }
    const uint64_t value = (uint64_t)kind << 56 | name_of(name, length_bytes) << 28 |
                           name_of(code_name, code_length_bytes);
    const int64_t task = atomic_fetch_add_explicit(&session->task_count, 1, memory_order_relaxed);
    return scope_record_values(session, SCOPE_EVENT_TASK_NEW, (uint64_t)task, &value, 1) ? task
                                                                                          : -1;
}

scope_task scope_task_new(const char *name, const char *code_name)
{
    return scope_task_new_bytes(SCOPE_TASK_KIND_TASK, name, name ? strlen(name) : 0, code_name,
                                code_name ? strlen(code_name) : 0);
}

/* Without a call on the way: RESUME and SUSPEND are one word for most ids. */
static void record_task(scope_event_kind kind, int64_t task)
{
    scope_session *session = &scope_process_session;
    if (task < SCOPE_ID_ESCAPE)
        scope_record_into(session, &scope_this_thread.slot, kind, (uint32_t)task);
    else
        scope_record_values(session, kind, (uint64_t)task, NULL, 0);
}

static scope_stream *own_stream(void)
{
    const scope_slot *slot = &scope_this_thread.slot;
    const uint32_t generation =
        atomic_load_explicit(&scope_process_session.generation, memory_order_relaxed);
    return slot->generation == generation && slot->stream && slot->stream->session ? slot->stream
                                                                                   : NULL;
}

void scope_task_resume(scope_task task)
{
    if (task < 0 || is_off())
        return;
    record_task(SCOPE_EVENT_RESUME, task);
    scope_stream *stream = own_stream();
    if (!stream)
        return;
    if (stream->task_depth < SCOPE_STREAM_TASKS)
        stream->tasks[stream->task_depth] = task;
    stream->task_depth++;
}

void scope_task_suspend(scope_task task)
{
    if (task < 0 || is_off())
        return;
    scope_stream *stream = own_stream();
    const uint32_t depth = stream ? stream->task_depth : 0;
    if (!depth || (depth <= SCOPE_STREAM_TASKS && stream->tasks[depth - 1] != task)) {
        scope_count_dropped(&scope_process_session, 1);
        return;
    }
    record_task(SCOPE_EVENT_SUSPEND, task);
    stream->task_depth = depth - 1;
}

void scope_task_done(scope_task task)
{
    if (task < 0 || is_off())
        return;
    if (is_shared(&scope_process_session, task))
        give_shared(&scope_process_session, task);
    else
        record_task(SCOPE_EVENT_TASK_DONE, task);
}
