/* thread.c - the registry of threads: exact starts and ends, names, CPU time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "thread.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "definitions.h"
#include "engine.h"
#include "intercept.h"
#include "openmp.h"
#include "pool.h"
#include "session_list.h"
#include "skip.h"
#include "slots.h"
#include "stream.h"
#include "thread_proc.h"

#define ENDED_MAX 65536 /* threads that ended before the recording opened */

static scope_thread_entry *first_entry, *free_entries;
static scope_thread_entry **last_link = &first_entry; /* entries in order of their start */
static size_t ended_count;
static int64_t ended_lost; /* too many ended before the recording opened */

static pthread_key_t key;
static bool has_key;

static int64_t own_tid(void)
{
    return (int64_t)syscall(SYS_gettid);
}

/* ---- entries ---- */

static void append(scope_thread_entry *entry)
{
    entry->next = NULL;
    entry->link = last_link;
    *last_link = entry;
    last_link = &entry->next;
}

static void unlink_entry(scope_thread_entry *entry)
{
    *entry->link = entry->next;
    if (entry->next)
        entry->next->link = entry->link;
    else
        last_link = entry->link;
    entry->next = free_entries;
    free_entries = entry;
}

scope_thread_entry *scope_threads_first(void)
{
    return first_entry;
}

bool scope_thread_know(uint64_t ticks, uint32_t flags)
{
    scope_thread *self = &scope_this_thread;
    if (self->phase == SCOPE_THREAD_GONE)
        return false;
    if (self->phase == SCOPE_THREAD_KNOWN)
        return true;
    if (!has_key && !(flags & SCOPE_THREAD_MAIN))
        return false; /* nobody would tell us its end */
    scope_thread_entry *entry = free_entries;
    if (entry)
        free_entries = entry->next;
    else
        entry = scope_pool_alloc(sizeof *entry);
    if (!entry)
        return false;
    memset(entry, 0, sizeof *entry);
    entry->self = self;
    entry->tid = own_tid();
    entry->ident = (uint64_t)pthread_self();
    entry->start_ticks = ticks;
    entry->flags = flags;
    if (!(flags & SCOPE_THREAD_START_EXACT))
        entry->cpu_ns = scope_clock_thread_cpu_ns();
    append(entry);
    self->entry = entry;
    self->phase = SCOPE_THREAD_KNOWN;
    if (has_key)
        pthread_setspecific(key, (void *)1);
    return true;
}

/* ---- in a session ---- */

/* Where its lane starts. In a host's session a thread starts when it is first seen there,
 * but for the main one, and those that were seen starting since. */
static uint64_t start_in(const scope_session *session, const scope_thread_entry *entry)
{
    const uint64_t start = entry->start_ticks;
    if (start > session->start.ticks && (entry->flags & SCOPE_THREAD_START_EXACT))
        return start;
    if (session->host && !(entry->flags & SCOPE_THREAD_MAIN))
        return scope_ticks();
    return start > session->start.ticks ? start : session->start.ticks;
}

static void define_named(scope_session *session, const scope_thread_entry *entry, int64_t thread,
                         uint64_t start_ticks, const scope_part *name, int64_t ident,
                         uint32_t flags)
{
    scope_define_thread definition = {
        .flags = flags,
        .name_bytes = (uint32_t)name->length_bytes,
        .thread = thread,
        .native_id = entry->tid,
        .ident = ident,
        .start_ticks = start_ticks,
    };
    scope_define(SCOPE_DEFINE_THREAD, session->number, &definition,
                 offsetof(scope_define_thread, name), name, 1);
}

static void define(scope_session *session, const scope_thread_entry *entry, int64_t thread,
                   uint64_t start_ticks)
{
    const scope_part name = {entry->name, strlen(entry->name)};
    define_named(session, entry, thread, start_ticks, &name, (int64_t)entry->ident, entry->flags);
}

/* The system's name may have changed. A host's own stays. */
static void define_if_renamed(scope_session *session, const scope_slot *slot,
                              scope_thread_entry *entry)
{
    char before[sizeof entry->name];
    if (slot->named)
        return;
    memcpy(before, entry->name, sizeof before);
    scope_thread_read_name(entry);
    if (strcmp(before, entry->name) != 0)
        define(session, entry, slot->thread, slot->start_ticks);
}

void scope_threads_reset(scope_session *session)
{
    session->thread_count = 0;
    atomic_store(&session->task_count, 0);
    session->other_threads = session->other_lanes = 0;
    atomic_store(&session->other_tasks, 0);
}

/* No thread may get a lane of its own any more. */
static bool is_full(const scope_session *session)
{
    return session->thread_count >=
               atomic_load_explicit(&session->max_lanes, memory_order_relaxed) ||
           scope_definitions_are_full();
}

int64_t scope_thread_other(scope_stream *stream)
{
    if (stream->other_thread < 0) {
        const scope_thread_entry entry = {.start_ticks = scope_ticks(), .name = "(other)"};
        stream->other_thread = stream->session->thread_count++;
        define(stream->session, &entry, stream->other_thread, start_in(stream->session, &entry));
    }
    return stream->other_thread;
}

void scope_thread_enrol(scope_session *session, scope_slot *slot, scope_thread_entry *entry)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    if (slot->generation == generation)
        return;
    __atomic_store_n(&slot->generation, generation, __ATOMIC_RELAXED);
    if (slot->stream && slot->stream->session)
        slot->stream = NULL; /* an orphan stays until its thread gives it back */
    slot->named = 0;
    atomic_store_explicit(&slot->ended, 0, memory_order_relaxed);
    slot->state = NULL;
    slot->cpu_base_ns = entry->cpu_ns;
    if (session->index && !session->host && entry->self == &scope_this_thread)
        slot->cpu_base_ns = scope_clock_thread_cpu_ns();
    if (is_full(session)) {
        slot->thread = -1;
        session->other_threads++;
        return;
    }
    slot->thread = session->thread_count++;
    slot->start_ticks = start_in(session, entry);
    scope_thread_read_name(entry);
    define(session, entry, slot->thread, slot->start_ticks);
}

static uint32_t hash_of(const char *name, size_t name_bytes)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name_bytes; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash | 1;
}

void scope_thread_name(scope_session *session, scope_slot *slot, const char *name,
                       size_t name_bytes, int64_t ident, uint32_t flags)
{
    const scope_thread_entry *entry = scope_this_thread.entry;
    const scope_part text = {name, name_bytes};
    const uint32_t hash = hash_of(name, name_bytes);
    if (slot->thread < 0 || slot->named == hash)
        return;
    define_named(session, entry, slot->thread, slot->start_ticks, &text, ident,
                 (entry->flags & SCOPE_THREAD_MAIN) | flags | SCOPE_THREAD_HOST);
    slot->named = hash;
}

void scope_thread_title(scope_session *session, scope_slot *slot, const char *title)
{
    const scope_thread_entry *entry = scope_this_thread.entry;
    const scope_part text = {title, strlen(title)};
    if (slot->thread < 0 || slot->named)
        return;
    define_named(session, entry, slot->thread, slot->start_ticks, &text, (int64_t)entry->ident,
                 entry->flags);
    slot->named = hash_of(title, text.length_bytes);
}

void scope_threads_start(scope_session *session)
{
    if (session->index)
        return;
    ended_lost = 0;
    for (scope_thread_entry *entry = first_entry, *next; entry; entry = next) {
        next = entry->next;
        if (!entry->self) {
            unlink_entry(entry); /* over before this session */
            ended_count--;
        } else if (entry->self == &scope_this_thread) {
            entry->cpu_ns = scope_clock_thread_cpu_ns();
        } else {
            entry->cpu_ns = scope_clock_cpu_of_ns(entry->tid);
        }
    }
}

void scope_threads_enrol_all(scope_session *session)
{
    for (scope_thread_entry *entry = first_entry, *next; entry; entry = next) {
        next = entry->next;
        if (entry->self) {
            if (!scope_session_is_quiet_host(session))
                scope_thread_enrol(session, &entry->self->slot, entry);
            continue;
        }
        if (scope_session_is_quiet_host(session)) {
            /* over, and never the host's */
        } else if (is_full(session)) {
            session->other_threads++;
        } else {
            const int64_t thread = session->thread_count++;
            define(session, entry, thread, start_in(session, entry));
            scope_stream_write_past_thread(session, thread, entry->start_ticks, entry->end_ticks,
                                           entry->cpu_ns);
        }
        unlink_entry(entry);
        ended_count--;
    }
    session->other_threads += ended_lost;
    ended_lost = 0;
}

/* A state that says the same binding is changed in place, word by word: who flushes
 * every second shall not fill the recording with it. */
static bool change_state(const scope_slot *slot, const scope_define_thread_state *now,
                         const char *binding)
{
    scope_define_thread_state *last = slot->state;
    if (!last || last->binding_bytes != now->binding_bytes ||
        memcmp(last->binding, binding, now->binding_bytes) != 0)
        return false;
    __atomic_store_n(&last->cpu_ns, now->cpu_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&last->last_cpu, now->last_cpu, __ATOMIC_RELAXED);
    __atomic_store_n(&last->alive, now->alive, __ATOMIC_RELAXED);
    return true;
}

static void define_state(scope_session *session, scope_slot *slot, int64_t tid, int32_t last_cpu,
                         int64_t cpu_ns, bool alive)
{
    char binding[SCOPE_THREAD_BINDING_BYTES];
    scope_define_thread_state state = {
        .last_cpu = last_cpu, .thread = slot->thread, .cpu_ns = cpu_ns, .alive = alive};
    state.binding_bytes = scope_thread_binding(tid, binding);
    if (change_state(slot, &state, binding))
        return;
    const scope_part text = {binding, state.binding_bytes};
    if (scope_define(SCOPE_DEFINE_THREAD_STATE, session->number, &state,
                     offsetof(scope_define_thread_state, binding), &text, 1))
        slot->state = scope_definitions_last();
}

static int64_t since(int64_t cpu_ns, int64_t base_ns)
{
    return cpu_ns < 0 ? -1 : base_ns > 0 && cpu_ns >= base_ns ? cpu_ns - base_ns : cpu_ns;
}

/* A host wants all of a thread's CPU time, from its start. */
static int64_t base_of(const scope_session *session, const scope_slot *slot)
{
    return session->host ? 0 : slot->cpu_base_ns;
}

void scope_threads_define_states(scope_session *session)
{
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    for (scope_thread_entry *entry = first_entry; entry; entry = entry->next) {
        scope_slot *slot = entry->self ? scope_slot_if_any(entry->self, session->index) : NULL;
        if (!slot || slot->generation != generation || slot->thread < 0 ||
            atomic_load_explicit(&slot->ended, memory_order_relaxed))
            continue;
        const bool own = entry->self == &scope_this_thread;
        define_if_renamed(session, slot, entry);
        const int64_t cpu_ns =
            own ? scope_clock_thread_cpu_ns() : scope_clock_cpu_of_ns(entry->tid);
        const bool again = session->host && slot->state; /* a host looks often */
        define_state(session, slot, entry->tid,
                     own     ? sched_getcpu()
                     : again ? slot->state->last_cpu
                             : scope_thread_last_cpu(entry->tid),
                     since(cpu_ns, base_of(session, slot)), true);
    }
}

/* ---- the end of a thread ---- */

static void end_in(scope_session *session, scope_slot *slot)
{
    if (scope_session_phase_of(session) != SCOPE_SESSION_RECORDING)
        return;
    if (atomic_load_explicit(&slot->ended, memory_order_relaxed) == slot->next)
        return; /* nothing was recorded since */
    if (!scope_enter())
        return;
    scope_engine_lock();
    const uint32_t generation = atomic_load_explicit(&session->generation, memory_order_relaxed);
    scope_stream *stream = slot->stream && slot->stream->session ? slot->stream : NULL;
    const bool mine = slot->generation == generation && (slot->thread >= 0 || stream) &&
                      scope_session_phase_of(session) == SCOPE_SESSION_RECORDING;
    int64_t cpu_ns = 0, thread = slot->thread;
    if (mine && thread < 0) {
        cpu_ns = since(scope_clock_thread_cpu_ns(), base_of(session, slot));
        cpu_ns = stream->other_cpu_ns += cpu_ns > 0 ? cpu_ns : 0;
        thread = scope_thread_other(stream);
    } else if (mine) {
        scope_thread_entry *entry = scope_this_thread.entry;
        define_if_renamed(session, slot, entry);
        define_state(session, slot, entry->tid, sched_getcpu(), -1, false);
        cpu_ns = since(scope_clock_thread_cpu_ns(), base_of(session, slot));
    }
    scope_engine_unlock();
    scope_leave();
    if (!mine)
        return;
    const uint64_t value = (uint64_t)cpu_ns;
    if (scope_record_values(session, SCOPE_EVENT_THREAD_END, (uint64_t)thread, &value, 1))
        atomic_store_explicit(&slot->ended, slot->next, memory_order_relaxed);
}

void scope_thread_end_lanes(void)
{
    scope_slot *slot;
    for (unsigned i = 0; (slot = scope_slots_from(&scope_this_thread, &i)); i++) {
        /* another thread may enrol this one just now */
        const uint32_t generation = __atomic_load_n(&slot->generation, __ATOMIC_RELAXED);
        scope_session *session = generation ? scope_session_at(i) : NULL;
        if (session)
            end_in(session, slot);
    }
}

/* Nothing is recorded yet: keep what the recording will want to know. */
static void keep_ended(scope_thread_entry *entry)
{
    const bool armed = scope_session_phase_of(&scope_process_session) == SCOPE_SESSION_ARMED &&
                       !scope_session_is_quiet_host(&scope_process_session);
    if (ended_count == ENDED_MAX || !armed) {
        ended_lost += armed;
        unlink_entry(entry);
        return;
    }
    ended_count++;
    scope_thread_read_name(entry);
    entry->end_ticks = scope_ticks();
    entry->cpu_ns = since(scope_clock_thread_cpu_ns(), entry->cpu_ns);
    entry->self = NULL;
}

static void end_thread(void)
{
    scope_thread *self = &scope_this_thread;
    if (self->phase != SCOPE_THREAD_KNOWN)
        return;
    self->busy = 0; /* set only where the handler of a fault jumped away from inside */
    scope_hold();   /* once for all that follows */
    scope_thread_end_lanes();
    if (scope_enter()) {
        scope_engine_lock();
        self->phase = SCOPE_THREAD_GONE;
        scope_slot *slot;
        for (unsigned i = 0; (slot = scope_slots_from(self, &i)); i++) {
            scope_stream_release(scope_session_at(i), slot);
            scope_skips_clear(slot);
        }
        scope_slots_release();
        scope_openmp_thread_end(self->entry);
        keep_ended(self->entry);
        self->entry = NULL;
        scope_engine_unlock();
        scope_leave();
    }
    scope_release();
}

/* Marked as cancelled already, it takes no notice of a signal that is on its way. */
void scope_thread_keep_from_cancel(void)
{
    int type;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    if (type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
}

/* Other destructors run after ours and may record: come back until the last round. */
static void destructor(void *round)
{
    const intptr_t next = (intptr_t)round + 1;
    const bool again = next <= PTHREAD_DESTRUCTOR_ITERATIONS - scope_under_tsan &&
                       !pthread_setspecific(key, (void *)next);
    scope_thread_keep_from_cancel();
    if (!again)
        end_thread();
}

void scope_threads_setup(void)
{
    has_key = pthread_key_create(&key, destructor) == 0;
    if (own_tid() != getpid() || !scope_enter())
        return;
    scope_engine_lock();
    scope_thread_know(scope_ticks(), SCOPE_THREAD_MAIN | SCOPE_THREAD_START_EXACT);
    if (scope_this_thread.entry)
        scope_this_thread.entry->cpu_ns = scope_clock_thread_cpu_ns();
    scope_engine_unlock();
    scope_leave();
}

void scope_threads_forget(void)
{
    scope_thread *self = &scope_this_thread;
    scope_thread_entry *own = self->entry;
    first_entry = NULL;
    last_link = &first_entry;
    ended_count = 0;
    ended_lost = 0;
    if (!own)
        return;
    append(own);
    scope_openmp_forget(own);
    own->tid = own_tid();
    own->flags |= SCOPE_THREAD_MAIN;
    own->start_ticks = scope_ticks();
    own->cpu_ns = 0;
}
