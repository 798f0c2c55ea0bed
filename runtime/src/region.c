/* region.c - the region calls: begin, end, marks, counters, by handle and by name.
 *
 * SPDX-License-Identifier: MIT
 */
#define SCOPE_NO_INLINE /* the functions themselves are here */
#include <scope/region.h>
#include <scope/sink.h>

#include <string.h>

#include "definitions.h"
#include "engine.h"
#include "names.h"
#include "pool.h"
#include "record.h"
#include "session_start.h"
#include "skip.h"

scope_status scope_region_register_bytes(const char *name, size_t length_bytes,
                                         scope_region *region)
{
    if (!name || !region)
        return SCOPE_ERR_ARGUMENT;
    scope_names_prepare();
    const int32_t id = scope_name_id(SCOPE_NAME_REGION, name, length_bytes);
    *region = id < 0 ? SCOPE_REGION_NONE : id;
    return id == SCOPE_NAME_FAILED ? SCOPE_ERR_MEMORY
           : id == SCOPE_NAME_BUSY ? SCOPE_ERR_STATE
                                   : SCOPE_OK;
}

scope_status scope_region_register(const char *name, scope_region *region)
{
    return name ? scope_region_register_bytes(name, strlen(name), region) : SCOPE_ERR_ARGUMENT;
}

scope_status scope_region_register_at(const char *name, const char *file, int line,
                                      scope_region *region)
{
    const scope_status status = scope_region_register(name, region);
    if (status == SCOPE_OK)
        scope_name_source(*region, file, line);
    return status;
}

/* The tags of the session that were written: a program may say them again and again. */
static struct tag_set {
    uint64_t *hashes;
    uint32_t count, slots, generation;
} tags;

static uint64_t tag_hash(uint32_t region, const char *tag)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ region;
    for (; *tag; tag++)
        hash = (hash ^ (unsigned char)*tag) * UINT64_C(1099511628211);
    return hash ? hash : 1;
}

static uint64_t *tag_place(uint64_t *hashes, uint32_t slots, uint64_t hash)
{
    uint32_t i = (uint32_t)(hash ^ hash >> 32) & (slots - 1);
    while (hashes[i] && hashes[i] != hash)
        i = (i + 1) & (slots - 1);
    return &hashes[i];
}

/* Where the hash of this tag is, or belongs; NULL without memory. Under the lock. */
static uint64_t *find_tag(uint64_t hash)
{
    const uint32_t generation =
        atomic_load_explicit(&scope_process_session.generation, memory_order_relaxed);
    if (tags.generation != generation) {
        scope_map_free(tags.hashes, tags.slots * sizeof *tags.hashes);
        tags = (struct tag_set){.generation = generation};
    }
    if (2 * (tags.count + 1) > tags.slots) {
        const uint32_t slots = tags.slots ? 2 * tags.slots : 512;
        uint64_t *more = scope_map_alloc(slots * sizeof *more);
        if (!more)
            return NULL;
        for (uint32_t i = 0; i < tags.slots; i++)
            if (tags.hashes[i])
                *tag_place(more, slots, tags.hashes[i]) = tags.hashes[i];
        scope_map_free(tags.hashes, tags.slots * sizeof *tags.hashes);
        tags.hashes = more;
        tags.slots = slots;
    }
    return tag_place(tags.hashes, tags.slots, hash);
}

/* Under the lock, in a session that is live. */
static scope_status define_tag(uint32_t region, const char *tag)
{
    const uint64_t hash = tag_hash(region, tag);
    uint64_t *place = find_tag(hash);
    if (place && *place)
        return SCOPE_OK;
    scope_define_tag entry = {.region = region, .length_bytes = strlen(tag)};
    const scope_part text = {tag, entry.length_bytes};
    if (!scope_define_of(&scope_process_session, SCOPE_DEFINE_TAG, &entry,
                         offsetof(scope_define_tag, tag), &text, 1))
        return SCOPE_ERR_MEMORY;
    if (place) {
        *place = hash;
        tags.count++;
    }
    return SCOPE_OK;
}

scope_status scope_region_tag(scope_region region, const char *tag)
{
    if (!tag || !*tag)
        return SCOPE_ERR_ARGUMENT;
    if (region < 0)
        return SCOPE_OK;
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    scope_engine_lock();
    const scope_status status = scope_session_is_live(&scope_process_session)
                                    ? define_tag((uint32_t)region, tag)
                                    : SCOPE_ERR_STATE;
    scope_engine_unlock();
    scope_leave();
    return status;
}

void scope_region_begin(scope_region region)
{
    scope_record(SCOPE_EVENT_BEGIN, (uint32_t)region);
}

void scope_region_end(scope_region region)
{
    scope_record(SCOPE_EVENT_END, (uint32_t)region);
}

SCOPE_API void scope_region_begin_heard(scope_region region)
    __attribute__((alias("scope_region_begin")));
SCOPE_API void scope_region_end_heard(scope_region region)
    __attribute__((alias("scope_region_end")));

/* Nothing may be recorded at all: leave before the name is looked up. */
static inline bool is_off(void)
{
    const bool off = !scope_session_id_limit(&scope_process_session) &&
                     scope_session_is_quiet(&scope_process_session);
    if (off)
        scope_names_asked();
    return off;
}

void scope_region_begin_bytes(const char *name, size_t length_bytes)
{
    if (is_off() || !name)
        return;
    scope_record(SCOPE_EVENT_BEGIN,
                 (uint32_t)scope_name_id(SCOPE_NAME_REGION, name, length_bytes));
}

void scope_region_end_bytes(const char *name, size_t length_bytes)
{
    if (is_off() || !name)
        return;
    scope_record(SCOPE_EVENT_END, (uint32_t)scope_name_id(SCOPE_NAME_REGION, name, length_bytes));
}

void scope_region_begin_name(const char *name)
{
    if (name)
        scope_region_begin_bytes(name, strlen(name));
}

void scope_region_end_name(const char *name)
{
    if (name)
        scope_region_end_bytes(name, strlen(name));
}

/* true: what this call moved is to be recorded. */
static bool takes_messages(scope_session *session, scope_region region)
{
    if ((uint32_t)region >= scope_session_id_limit(session)) {
        if (scope_session_is_quiet(session) || region < 0)
            return false;
        scope_watch_now();
    }
    return scope_session_is_live(session) &&
           !atomic_load_explicit(&session->paused, memory_order_relaxed) &&
           !scope_skips_any(session, &scope_this_thread.slot); /* it may not have been recorded */
}

static uint64_t communicator_id(const scope_message *message)
{
    return message->communicator < 0 ? UINT32_MAX : (uint64_t)message->communicator;
}

void scope_region_message(scope_region region, const scope_message *message)
{
    scope_session *session = &scope_process_session;
    const uint64_t values[2] = {scope_message_bytes_value(message), scope_message_value(message)};
    if (takes_messages(session, region))
        scope_record_values(session, SCOPE_EVENT_MESSAGE, communicator_id(message), values, 2);
}

void scope_region_end_message(scope_region region, const scope_message *message)
{
    scope_session *session = &scope_process_session;
    const uint64_t values[2] = {scope_message_bytes_value(message), scope_message_value(message)};
    if (takes_messages(session, region))
        scope_record_message_end(communicator_id(message), values, (uint64_t)region);
    else
        scope_region_end(region); /* it may end a call of before a pause */
}

/* Marks and counters have names of their own and are rare enough for a look-up. */
static void record_point(scope_event_kind kind, const char *name, size_t length_bytes,
                         const uint64_t *values, unsigned count)
{
    scope_session *session = &scope_process_session;
    if (is_off() || !name)
        return;
    scope_watch_now();
    if (!scope_session_is_live(session) || atomic_load(&session->paused))
        return;
    const int32_t id = scope_name_id(SCOPE_NAME_POINT, name, length_bytes);
    if (id >= 0)
        scope_record_values(session, kind, (uint64_t)id, values, count);
}

void scope_mark_bytes(const char *name, size_t length_bytes)
{
    record_point(SCOPE_EVENT_MARK, name, length_bytes, NULL, 0);
}

void scope_mark(const char *name)
{
    if (name)
        scope_mark_bytes(name, strlen(name));
}

void scope_counter_bytes(const char *name, size_t length_bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t values[2] = {bits >> 32, bits & UINT32_MAX};
    record_point(SCOPE_EVENT_COUNTER, name, length_bytes, values, 2);
}

void scope_counter(const char *name, double value)
{
    if (name)
        scope_counter_bytes(name, strlen(name), value);
}
