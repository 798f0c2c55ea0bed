/* task.c - cooperative lanes: new, resume, suspend, done.
 *
 * The tasks that a thread has resumed inside each other are kept in its stream;
 * chunk headers name the innermost.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/host.h>
#include <scope/task.h>

#include <string.h>

#include "engine.h"
#include "names.h"
#include "pool.h"
#include "slots.h"
#include "stream.h"
#include "task_kind.h"

static bool is_off(const scope_session *session)
{
    if (!scope_session_id_limit(session)) {
        if (scope_session_is_quiet(session))
            return true;
        if (!session->index)
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

static shared_task *spare_tasks; /* under the engine lock, as each session's done_tasks */

static void move(shared_task **from, shared_task **to)
{
    shared_task *task = *from;
    *from = task->next;
    task->next = *to;
    *to = task;
}

static void forget_older(scope_session *session)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    while (session->done_generation != generation && session->done_tasks)
        move(&session->done_tasks, &spare_tasks);
    session->done_generation = generation;
}

/* -1: none is free. */
static int64_t take_shared(scope_session *session)
{
    int64_t id = -1;
    if (!scope_enter())
        return -1;
    scope_engine_lock();
    forget_older(session);
    if (session->done_tasks) {
        id = session->done_tasks->id;
        move(&session->done_tasks, &spare_tasks);
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
        move(&spare_tasks, &session->done_tasks);
    }
    scope_engine_unlock();
    scope_leave();
}

static bool is_shared(const scope_session *session, int64_t task)
{
    return task >= atomic_load_explicit(&session->max_lanes, memory_order_relaxed);
}

static uint64_t value_of(scope_task_kind kind, const char *name, size_t name_bytes,
                         const char *code_name, size_t code_bytes)
{
    return (uint64_t)kind << 56 | name_of(name, name_bytes) << 28 | name_of(code_name, code_bytes);
}

/* ---- tasks of any session ---- */

scope_task scope_host_task_new(scope_session *session, scope_task_kind kind, const char *name,
                               size_t name_bytes, const char *code_name, size_t code_bytes)
{
    if (!session || is_off(session) || (!session->host && atomic_load(&session->paused)))
        return -1;
    if (is_shared(session, atomic_load_explicit(&session->task_count, memory_order_relaxed))) {
        atomic_fetch_add_explicit(&session->other_tasks, 1, memory_order_relaxed);
        const int64_t shared = take_shared(session);
        if (shared >= 0)
            return shared;
        name = "(other)";
        name_bytes = strlen(name);
        code_name = NULL;
    }
    const uint64_t value = value_of(kind, name, name_bytes, code_name, code_bytes);
    const int64_t task = atomic_fetch_add_explicit(&session->task_count, 1, memory_order_relaxed);
    return scope_record_values(session, SCOPE_EVENT_TASK_NEW, (uint64_t)task, &value, 1) ? task
                                                                                          : -1;
}

void scope_host_task_describe(scope_session *session, scope_task task, scope_task_kind kind,
                              const char *name, size_t name_bytes, const char *code_name,
                              size_t code_bytes)
{
    if (!session || task < 0 || is_off(session) || is_shared(session, task))
        return;
    const uint64_t values[2] = {(uint64_t)task,
                                value_of(kind, name, name_bytes, code_name, code_bytes)};
    scope_record_values(session, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_TASK, values, 2);
}

/* Without a call on the way: RESUME and SUSPEND are one word for most ids. */
static void record_task(scope_session *session, scope_event_kind kind, int64_t task)
{
    scope_slot *slot = task < SCOPE_ID_ESCAPE ? scope_slot_of(session) : NULL;
    if (slot)
        scope_record_into(session, slot, kind, (uint32_t)task);
    else
        scope_record_values(session, kind, (uint64_t)task, NULL, 0);
}

static scope_stream *own_stream(const scope_session *session)
{
    const scope_slot *slot = scope_slot_if_any(&scope_this_thread, session->index);
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    return slot && slot->generation == generation && slot->stream && slot->stream->session
               ? slot->stream
               : NULL;
}

void scope_host_task_resume(scope_session *session, scope_task task)
{
    if (!session || task < 0 || is_off(session))
        return;
    record_task(session, SCOPE_EVENT_RESUME, task);
    scope_stream *stream = own_stream(session);
    if (!stream)
        return;
    if (stream->task_depth < SCOPE_STREAM_TASKS)
        stream->tasks[stream->task_depth] = task;
    stream->task_depth++;
}

void scope_host_task_suspend(scope_session *session, scope_task task)
{
    if (!session || task < 0 || is_off(session))
        return;
    scope_stream *stream = own_stream(session);
    const uint32_t depth = stream ? stream->task_depth : 0;
    if (!depth || (depth <= SCOPE_STREAM_TASKS && stream->tasks[depth - 1] != task)) {
        if (!session->host) /* a host's task may have been resumed when nobody looked */
            scope_count_dropped(session, 1);
        return;
    }
    record_task(session, SCOPE_EVENT_SUSPEND, task);
    stream->task_depth = depth - 1;
}

void scope_host_task_done(scope_session *session, scope_task task)
{
    if (!session || task < 0 || is_off(session))
        return;
    if (is_shared(session, task))
        give_shared(session, task);
    else
        record_task(session, SCOPE_EVENT_TASK_DONE, task);
}

/* ---- of the process session ---- */

scope_task scope_task_new_bytes(scope_task_kind kind, const char *name, size_t length_bytes,
                                const char *code_name, size_t code_length_bytes)
{
    return scope_host_task_new(&scope_process_session, kind, name, length_bytes, code_name,
                               code_length_bytes);
}

scope_task scope_task_new(const char *name, const char *code_name)
{
    return scope_task_new_bytes(SCOPE_TASK_KIND_TASK, name, name ? strlen(name) : 0, code_name,
                                code_name ? strlen(code_name) : 0);
}

void scope_task_resume(scope_task task)
{
    scope_host_task_resume(&scope_process_session, task);
}

void scope_task_suspend(scope_task task)
{
    scope_host_task_suspend(&scope_process_session, task);
}

void scope_task_done(scope_task task)
{
    scope_host_task_done(&scope_process_session, task);
}
