/* openmp_thread.c - the threads of OpenMP teams, and the calls that they have open.
 *
 * SPDX-License-Identifier: MIT
 */
#include "openmp_thread.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"
#include "late_names.h"
#include "pool.h"
#include "session_list.h"
#include "skip.h"
#include "stream.h"

static _Thread_local openmp_thread *own __attribute__((tls_model("initial-exec")));
static openmp_thread *free_threads; /* under the engine lock */

/* ---- threads and teams ---- */

static openmp_thread *make_thread(void)
{
    if (!scope_enter())
        return NULL;
    scope_engine_lock();
    openmp_thread *made = NULL;
    if (scope_thread_know(scope_ticks(), 0)) {
        made = free_threads;
        if (made)
            free_threads = made->next_free;
        else
            made = scope_pool_alloc(sizeof *made);
        scope_this_thread.entry->openmp = made;
    }
    scope_engine_unlock();
    scope_leave();
    return own = made;
}

/* NULL: no memory, or it has ended. */
openmp_thread *openmp_this_thread(void)
{
    return __builtin_expect(own != NULL, 1) ? own : make_thread();
}

void scope_openmp_thread_end(scope_thread_entry *entry)
{
    openmp_thread *ended = entry->openmp;
    own = NULL;
    entry->openmp = NULL;
    if (!ended)
        return;
    openmp_team *teams = ended->teams;
    if (ended->home)
        atomic_fetch_sub(&ended->home->users, 1);
    memset(ended, 0, sizeof *ended);
    ended->teams = teams;
    ended->next_free = free_threads;
    free_threads = ended;
}

void scope_openmp_forget(scope_thread_entry *entry)
{
    openmp_thread *left = entry->openmp;
    if (!left)
        return;
    left->team = left->home = NULL;
    left->open = left->work_count = 0;
    atomic_store(&left->phase, INSIDE);
}

openmp_team *openmp_take_team(openmp_thread *self)
{
    openmp_team *team = self->teams;
    while (team && atomic_load_explicit(&team->users, memory_order_acquire))
        team = team->next;
    if (team || !scope_enter())
        return team;
    team = scope_pool_alloc(sizeof *team);
    scope_leave();
    if (team) {
        team->next = self->teams;
        self->teams = team;
    }
    return team;
}

/* ---- names of lanes ---- */

/* "OpenMP 3"; "OpenMP 2.3": thread 3 of a team whose first thread is number 2 of its own. */
void openmp_name_lane(openmp_thread *self, uint32_t recording)
{
    char text[64], *at = text + sizeof text - 1;
    uint32_t number = self->number;
    *at = '\0';
    for (const openmp_team *team = self->home; team && at > text + 20; team = team->outer) {
        char digits[12];
        const int count = snprintf(digits, sizeof digits, *at ? "%u." : "%u", number);
        at -= count;
        memcpy(at, digits, (size_t)count);
        number = team->index;
    }
    at -= 7;
    memcpy(at, "OpenMP ", 7);
    scope_session *session = &scope_process_session;
    scope_slot *slot = &scope_this_thread.slot;
    if (!scope_enter())
        return;
    scope_engine_lock();
    if (scope_session_phase_of(session) == SCOPE_SESSION_RECORDING &&
        slot->generation == atomic_load_explicit(&session->generation, memory_order_relaxed)) {
        scope_thread_title(session, slot, at);
        self->named = recording;
    }
    scope_engine_unlock();
    scope_leave();
}

/* ---- begin and end ---- */

/* Calls that were open when a recording began are not ended in it: what nests ends last. */
void openmp_begin(openmp_thread *self, scope_region region)
{
    const uint32_t recording = openmp_recording();
    if (!recording)
        return;
    if (self->recording != recording) {
        self->recording = recording;
        self->open = 0;
    }
    self->open++;
    scope_region_begin(region);
}

static bool may_end(openmp_thread *self)
{
    if (!self->open || self->recording != openmp_recording())
        return false;
    self->open--;
    return true;
}

void openmp_end(openmp_thread *self, scope_region region)
{
    if (may_end(self))
        scope_region_end(region);
}

/* The latest time that is known of this lane: nothing may be put before it. */
static uint64_t last_ticks(const scope_slot *slot, uint64_t now)
{
    const scope_chunk_header *chunk = slot->stream ? slot->stream->chunk : NULL;
    const uintptr_t first = (uintptr_t)(chunk + 1);
    uintptr_t at = __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
    if (!chunk || at < first || at > (uintptr_t)chunk + chunk->size_bytes)
        return now;
    while (at > first) {
        at -= sizeof(uint64_t);
        const uint64_t word = __atomic_load_n((const uint64_t *)at, __ATOMIC_RELAXED);
        if (word && scope_word_kind(word) != SCOPE_EVENT_PAYLOAD)
            return slot->epoch << SCOPE_TICK_BITS | scope_word_ticks(word);
    }
    return chunk->ticks;
}

/* When the team ended, if it has, but not before what this lane has already. */
static uint64_t end_of(const openmp_team *team, const scope_slot *slot, uint64_t now)
{
    const uint64_t end_ticks = atomic_load_explicit(&team->end_ticks, memory_order_acquire);
    const uint64_t last = end_ticks && end_ticks < now ? last_ticks(slot, now) : now;
    return last > end_ticks ? last : end_ticks && end_ticks < now ? end_ticks : now;
}

/* Words with times of their own may be written: no pause is on, and this thread is in the session.
 */
static bool is_plain(const scope_slot *slot, scope_region region)
{
    scope_session *session = &scope_process_session;
    return (uint32_t)region < SCOPE_ID_ESCAPE && scope_session_is_live(session) &&
           !atomic_load_explicit(&session->paused, memory_order_relaxed) &&
           !scope_skips_any(session, slot) && !scope_late_names_any() &&
           slot->generation == atomic_load_explicit(&session->generation, memory_order_relaxed);
}

void openmp_end_with_team(openmp_thread *self, scope_region region)
{
    scope_slot *slot = &scope_this_thread.slot;
    if (!may_end(self) || region < 0)
        return;
    if (is_plain(slot, region))
        scope_record_at(&scope_process_session, slot, SCOPE_EVENT_END, (uint32_t)region,
                        end_of(self->home, slot, scope_ticks()));
    else
        scope_region_end(region);
}

void openmp_ask(openmp_thread *self)
{
    self->asked_in = openmp_recording();
    self->asked_ticks = self->asked_in ? scope_ticks() : 0;
}

void openmp_got(openmp_thread *self, scope_region region)
{
    scope_session *session = &scope_process_session;
    scope_slot *slot = &scope_this_thread.slot;
    if (region >= 0 && self->asked_in && self->asked_in == openmp_recording()) {
        if (is_plain(slot, region)) {
            const uint64_t now = scope_ticks(), last = last_ticks(slot, now);
            scope_record_at(session, slot, SCOPE_EVENT_BEGIN, (uint32_t)region,
                            last > self->asked_ticks ? last : self->asked_ticks);
            scope_record_at(session, slot, SCOPE_EVENT_END, (uint32_t)region, now);
        } else { /* the first of this thread, or paused */
            scope_region_begin(region);
            scope_region_end(region);
        }
    }
    self->asked_in = 0;
}

/* false: its ends were written for it. */
bool openmp_is_told(openmp_thread *self)
{
    for (;;) {
        uint32_t phase = WAITING;
        if (atomic_compare_exchange_strong(&self->phase, &phase, TOLD))
            return true;
        if (phase != SETTLING)
            return phase != SETTLED;
        sched_yield();
    }
}

/* ---- ends that are written for others ---- */

/* END words, and EPOCH before them if it has changed, at the cursor of a thread that sleeps. A
 * handler may record there: it finds the limit 0 and waits for the engine lock. */
static bool write_ends(scope_slot *slot, uint64_t ticks, const scope_region *regions, int count)
{
    uint64_t words[8];
    unsigned length = 0;
    scope_stream *stream = slot->stream;
    const uint64_t epoch = ticks >> SCOPE_TICK_BITS;
    if (epoch != stream->epoch) {
        words[length++] = scope_event(ticks, SCOPE_EXTENDED_EPOCH, SCOPE_EVENT_EXTENDED);
        words[length++] = scope_payload(epoch);
    }
    for (int i = 0; i < count; i++)
        if (regions[i] >= 0)
            words[length++] = scope_event(ticks, (uint32_t)regions[i], SCOPE_EVENT_END);
    const uintptr_t end_of_chunk = (uintptr_t)stream->chunk + stream->chunk->size_bytes;
    atomic_store(&slot->limit, 0); /* for good: its next event takes the lock and sets it */
    uintptr_t at = __atomic_load_n(&slot->next, __ATOMIC_SEQ_CST);
    const size_t size_bytes = length * sizeof words[0];
    if (at < (uintptr_t)(stream->chunk + 1) || at + size_bytes > end_of_chunk ||
        !__atomic_compare_exchange_n(&slot->next, &at, at + size_bytes, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return false;
    for (unsigned i = length; i-- > 0;)
        scope_publish_word(at + i * sizeof words[0], words[i]);
    slot->epoch = stream->epoch = epoch;
    return true;
}

/* Its team is over: both its calls end there. */
static bool settle_one(scope_session *session, openmp_thread *other, scope_slot *slot)
{
    const openmp_team *team = other->home;
    if (!team || !atomic_load_explicit(&team->end_ticks, memory_order_acquire))
        return false;
    const scope_region regions[2] = {other->wait_region, other->home_region};
    const int count = (int)other->open; /* the outer one may be of before this recording */
    const bool has_place =
        slot->generation == atomic_load_explicit(&session->generation, memory_order_relaxed) &&
        slot->stream && slot->stream->session == session && slot->stream->chunk &&
        !scope_skips_any(session, slot) && !atomic_load(&session->paused);
    if (!has_place || other->recording != openmp_recording() || count < 1 || count > 2 ||
        regions[0] >= (scope_region)SCOPE_ID_ESCAPE ||
        regions[1] >= (scope_region)SCOPE_ID_ESCAPE ||
        !write_ends(slot, end_of(team, slot, scope_ticks()), regions, count))
        return false;
    other->open = 0;
    return true;
}

void scope_openmp_settle(scope_session *session)
{
    if (session != &scope_process_session ||
        scope_session_phase_of(session) != SCOPE_SESSION_RECORDING)
        return;
    for (scope_thread_entry *entry = scope_threads_first(); entry; entry = entry->next) {
        openmp_thread *other = entry->openmp;
        if (!other || !entry->self || entry->self == &scope_this_thread)
            continue;
        for (int tries = 0; tries < 1000 && atomic_load(&other->phase) == TOLD; tries++)
            sched_yield(); /* it writes its ends itself, just now */
        uint32_t phase = WAITING;
        if (atomic_compare_exchange_strong(&other->phase, &phase, SETTLING))
            atomic_store(&other->phase,
                         settle_one(session, other, &entry->self->slot) ? SETTLED : WAITING);
    }
}
